package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A plainChoice is one answer to a request, by number or by word.
type plainChoice struct {
	word   string
	text   string // what it does, escaped
	off    string // why it can't be given now; empty when it can
	answer gate.Answer
	saves  string // what is saved, escaped; shown, and asked about again
}

// choices are the answers to a request, in the order of their numbers: those
// that the gate lists (TAM-23), and among them those that hold for a while
// (BEY-07) or save a rule (BEY-08).
func (w *asked) choices() []plainChoice {
	p := &w.approval.Prompt
	var list []plainChoice
	for _, c := range p.Choices() {
		list = append(list, plainChoiceOf(p, c))
		switch c.Answer.Decision {
		case gate.Session:
			list = append(list,
				plainChoice{word: "turn", text: "Approve until the agent's turn ends", answer: gate.Answer{Decision: gate.Turn}},
				plainChoice{word: "minutes", text: "Approve for 15 minutes", answer: minutes})
		case gate.Always:
			for _, width := range p.Widths {
				list = append(list, plainChoice{text: "Save a rule: " + line(width.Rule) + ". Asks again before it is saved",
					answer: gate.Answer{Decision: gate.Always, Place: gate.WorkspaceRules, Rule: width.Rule}, saves: line(width.Rule + ", that is: " + width.Label + readAs(width.Rule))})
			}
		}
	}
	if w.unread() > 0 {
		for i := range list {
			switch list[i].word {
			case "yes", "no", "cancel":
			default:
				list[i].off = "read to the end first"
			}
		}
	}
	return list
}

// plainChoiceOf is a choice of the gate with its word.
func plainChoiceOf(p *gate.Prompt, c gate.Choice) plainChoice {
	choice := plainChoice{text: line(c.Label), answer: c.Answer}
	switch c.Answer.Decision {
	case gate.Once:
		if c.Answer.Grant == gate.NoGrant {
			choice.word = "yes"
		} else if c.Answer.Remember {
			choice.text += ". Asks again before it is saved"
			choice.saves = line(c.Label)
		}
	case gate.Session:
		choice.word = "session"
		if p.Session == "" {
			choice.text = "Approve for this session: " + line(remembered(p.Request))
		}
	case gate.Always:
		choice.word, choice.saves = "always", line(savedKey(p))
		choice.text += ". Says what would be saved and asks again"
	case gate.Refuse:
		choice.word = "no"
		choice.text += "; no and a message tells the agent why"
	case gate.CancelTurn:
		choice.word = "cancel"
	}
	return choice
}

// choiceOf is the choice that a word or number names, or nil.
func choiceOf(list []plainChoice, word string) *plainChoice {
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(list) {
		return &list[n-1]
	}
	for i, c := range list {
		if c.word != "" && (word == c.word || word == c.word[:1]) {
			return &list[i]
		}
	}
	return nil
}

// lasting are the words that some requests don't offer.
var lasting = []string{"yes", "session", "turn", "minutes", "always"}

// tellChoice says what a choice that saves would save, before it is asked
// about again, and has the calls of the past counted that its rule would have
// let pass.
func (w *asked) tellChoice(p *Plain, c *plainChoice) {
	w.saving = c
	p.line("This would be saved: " + c.saves)
	if label := w.approval.Prompt.Request.KeyLabel; label != "" && c.word == "always" {
		p.line("That is: " + line(label))
	}
	if rule := c.answer.Rule; rule != "" && p.opts.Past != nil {
		go func() { p.mail.post(pastMsg{w.id, rule, p.opts.Past(rule)}) }()
	}
}

// tellPast says what a rule that may be saved would have let pass.
func (p *Plain) tellPast(msg pastMsg) {
	w := p.find(msg.id)
	if w == nil || w.saving == nil || w.saving.answer.Rule != msg.rule {
		return
	}
	past := msg.past
	switch {
	case past.Err != nil:
		p.line("Its past calls can't be counted: " + line(past.Err.Error()))
	case past.Refused > 0:
		p.line(fmt.Sprintf("It would have matched %s of the past; %d of them had been refused.", count(past.Calls, "call"), past.Refused))
	default:
		p.line(fmt.Sprintf("It would have matched %s of the past.", count(past.Calls, "call")))
	}
}

// confirm takes the second word of a choice that saves.
func (w *asked) confirm(p *Plain, word string) {
	c := w.saving
	w.saving = nil
	rule := c.answer.Rule != ""
	switch {
	case word == "save":
		w.settle(p, c.answer)
	case word == "everywhere" && rule:
		c.answer.Place = gate.GlobalRules
		w.settle(p, c.answer)
	default:
		p.line("Nothing is saved, nothing is allowed.")
		p.tellAnswers(w)
	}
}

// allowed says what an approval covers.
func allowed(a gate.Answer) string {
	switch {
	case a.Place == gate.WorkspaceRules:
		return "Allowed, and saved as a rule for this workspace."
	case a.Place == gate.GlobalRules:
		return "Allowed, and saved as a rule for every workspace."
	case a.Remember, a.Decision == gate.Always:
		return "Allowed, and saved for good."
	case a.Grant != gate.NoGrant, a.Decision == gate.Session:
		return "Allowed for this session."
	case a.Decision == gate.Turn:
		return "Allowed until the turn ends."
	case a.Decision == gate.Until:
		return fmt.Sprintf("Allowed for %d minutes.", a.For/time.Minute)
	case a.Message != "":
		return "Allowed once, with your comment."
	}
	return "Allowed once."
}

// setTimed says what is approved for a while since the last time, and what no
// longer is (BEY-07).
func (p *Plain) setTimed(list []gate.Approved) {
	was := p.timed
	p.timed = slices.Clone(list)
	same := func(a gate.Approved) func(gate.Approved) bool {
		return func(b gate.Approved) bool {
			return a.Label == b.Label && a.Session == b.Session && a.Until.Equal(b.Until)
		}
	}
	for _, a := range was {
		if !slices.ContainsFunc(list, same(a)) {
			p.line("No longer approved: " + line(a.Label) + ".")
		}
	}
	for _, a := range list {
		if !slices.ContainsFunc(was, same(a)) {
			until := "until the turn ends"
			if !a.Until.IsZero() {
				until = "until " + a.Until.Format("15:04")
			}
			p.line("Approved " + until + ": " + line(a.Label) + ". Type :revoke to end it.")
		}
	}
	p.waitTimed()
}

// waitTimed sets the timer for what ends first.
func (p *Plain) waitTimed() {
	p.ends = nil
	var first time.Time
	for _, a := range p.timed {
		if !a.Until.IsZero() && (first.IsZero() || a.Until.Before(first)) {
			first = a.Until
		}
	}
	if !first.IsZero() {
		p.ends = time.After(first.Sub(clock()))
	}
}

// timeOut says what has ended by now.
func (p *Plain) timeOut() {
	now := clock()
	p.setTimed(slices.DeleteFunc(slices.Clone(p.timed), func(a gate.Approved) bool { return !a.Until.IsZero() && !now.Before(a.Until) }))
}

// revoke ends what is approved for a while. It allows nothing.
func (p *Plain) revoke() {
	if len(p.timed) == 0 {
		p.line("Nothing is approved for the turn or for a time.")
		return
	}
	var labels []string
	for _, a := range p.timed {
		labels = append(labels, line(a.Label))
	}
	p.line("Asked again from now on: " + strings.Join(labels, ", ") + ".")
	if p.opts.Revoke != nil {
		go p.opts.Revoke()
	}
}
