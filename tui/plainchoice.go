package tui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A plainChoice is one answer to a request, by number or by word.
type plainChoice struct {
	word   string // in English
	own    string // the same in the person's language
	text   string // what it does, escaped
	off    string // why it can't be given now; empty when it can
	answer gate.Answer
	saves  string // what is saved, escaped; shown, and asked about again
}

// choices are the answers to a request, in the order of their numbers: those
// that the gate lists (TAM-23), and among them those that hold for a while
// (BEY-07) or save a rule (BEY-08).
func (w *asked) choices(t *wording) []plainChoice {
	p := &w.approval.Prompt
	called := namesOf(&p.Request)
	var list []plainChoice
	for _, c := range p.Choices() {
		if c.Answer.Rule == "" { // rules come below
			list = append(list, plainChoiceOf(p, c, t))
		}
		switch c.Answer.Decision {
		case gate.Session:
			if p.Offers(gate.Turn) {
				list = append(list, plainChoice{word: "turn", own: t.tr("turn"), text: t.tr("Approve until the agent's turn ends"), answer: gate.Answer{Decision: gate.Turn}})
			}
			list = append(list,
				plainChoice{word: "minutes", own: t.tr("minutes"), text: t.tr("Approve for 15 minutes"), answer: minutes})
		case gate.Always:
			for _, width := range p.Widths {
				rule := plainChoice{text: t.tr("Save a rule: %s. Asks again before it is saved", called.line(together(width.Rule, t))),
					answer: gate.Answer{Decision: gate.Always, Place: gate.WorkspaceRules, Rule: width.Rule}, saves: rulesSaid(&width, called, t)}
				if c.Answer.Rule == width.Rule {
					rule.word, rule.own = "always", t.tr("always")
				}
				list = append(list, rule)
			}
		}
	}
	off := ""
	switch {
	case w.unread() > 0:
		off = t.tr("the rest of it comes first")
	case opaque(w.diffs):
		off = t.tr("binary content isn't shown")
	default:
		return list
	}
	for i := range list {
		switch list[i].word {
		case "yes", "no", "cancel":
		default:
			list[i].off = off
		}
	}
	return list
}

// rulesSaid says what the rules of a width are, escaped.
func rulesSaid(w *gate.Width, called calledNames, t *wording) string {
	var each []string
	for _, r := range w.Each() {
		each = append(each, t.tr("%s, that is: %s", r.Rule, t.known(r.Label)+readAs(r.Rule, t)))
	}
	said := strings.Join(each, "; ")
	if w.Of != "" {
		said += " (" + t.tr("%s; the rest is allowed already", w.Of) + ")"
	}
	return called.line(said)
}

// together are the rules of a width in one line.
func together(rules string, t *wording) string { return t.list(strings.Split(rules, "\n")) }

// plainChoiceOf is a choice of the gate with its word.
func plainChoiceOf(p *gate.Prompt, c gate.Choice, t *wording) plainChoice {
	choice := plainChoice{text: namesOf(&p.Request).line(choiceLabel(p, c, t)), answer: c.Answer}
	switch c.Answer.Decision {
	case gate.Once:
		if c.Answer.Grant == gate.NoGrant {
			choice.word, choice.own = "yes", t.tr("yes")
		} else if c.Answer.Remember {
			choice.saves = choice.text
			choice.text = t.tr("%s. Asks again before it is saved", choice.text)
		}
	case gate.Session:
		choice.word, choice.own = "session", t.tr("session")
		if p.Session == "" {
			choice.text = t.tr("Approve for this session: %s", namesOf(&p.Request).line(sessionCovers(p, t)))
		}
	case gate.Always:
		choice.word, choice.own, choice.saves = "always", t.tr("always"), namesOf(&p.Request).line(savedKey(p, t))
		choice.text = t.tr("%s. Says what would be saved and asks again", choice.text)
	case gate.Refuse:
		choice.word, choice.own = "no", t.tr("no")
		choice.text = t.tr("%s; no and a message tells the agent why", choice.text)
	case gate.CancelTurn:
		choice.word, choice.own = "cancel", t.tr("cancel")
	}
	return choice
}

// choiceLabel is what a choice of the gate says. What is granted is said as on
// the screen.
func choiceLabel(p *gate.Prompt, c gate.Choice, t *wording) string {
	for _, g := range p.Grants {
		switch {
		case g.Scope != c.Answer.Grant:
		case c.Answer.Remember:
			return t.tr("Always approve: %s", coverage(g.Targets, t))
		default:
			return t.tr("Approve for this session: %s", coverage(g.Targets, t))
		}
	}
	return t.known(c.Label)
}

// choiceOf is the choice that a word or number names, or nil.
func choiceOf(list []plainChoice, word string) *plainChoice {
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(list) {
		return &list[n-1]
	}
	var found *plainChoice
	for i, c := range list {
		switch {
		case c.word == "":
		case word == c.word:
			return &list[i]
		case word == c.word[:1], word == firstLetter(c.own):
			if found == nil {
				found = &list[i]
			} else if c.own != c.word {
				return nil // it begins two answers
			}
		}
	}
	return found
}

// lasting are the words that some requests don't offer.
var lasting = []string{"yes", "session", "turn", "minutes", "always"}

// tellChoice says what a choice that saves would save, before it is asked
// about again, and has the calls of the past counted that its rule would have
// let pass.
func (w *asked) tellChoice(p *Plain, c *plainChoice) {
	w.saving = c
	p.line(p.tr("This would be saved: %s", c.saves))
	if label := w.approval.Prompt.Request.KeyLabel; label != "" && c.word == "always" {
		p.line(p.tr("That is: %s", line(p.known(label))))
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
		p.line(p.tr("Its past calls can't be counted: %s", line(past.Err.Error())))
	case past.Refused > 0:
		p.line(p.n(past.Calls, "It would have matched %s call of the past; %[2]d of them had been refused.", "It would have matched %s calls of the past; %[2]d of them had been refused.", past.Refused))
	default:
		p.line(p.n(past.Calls, "It would have matched %s call of the past.", "It would have matched %s calls of the past."))
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
		p.line(p.tr("Nothing is saved, nothing is allowed."))
		p.tellAnswers(w)
	}
}

// allowed says what an approval covers.
func allowed(a gate.Answer, t *wording) string {
	switch {
	case a.Place == gate.WorkspaceRules:
		return t.tr("Allowed. A rule for this workspace is being saved.")
	case a.Place == gate.GlobalRules:
		return t.tr("Allowed. A rule for every workspace is being saved.")
	case a.Remember, a.Decision == gate.Always:
		return t.tr("Allowed. That is being saved for good.")
	case a.Grant != gate.NoGrant, a.Decision == gate.Session:
		return t.tr("Allowed for this session.")
	case a.Decision == gate.Turn:
		return t.tr("Allowed until the turn ends.")
	case a.Decision == gate.Until:
		return t.tr("Allowed for %d minutes.", a.For/time.Minute)
	case a.Message != "":
		return t.tr("Allowed once, with your comment.")
	}
	return t.tr("Allowed once.")
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
			p.line(p.tr("No longer approved: %s.", line(p.known(a.Label))))
		}
	}
	for _, a := range list {
		if !slices.ContainsFunc(was, same(a)) {
			label := line(p.known(a.Label))
			switch {
			case a.Until.IsZero() && a.Standing:
				p.line(p.tr("Approved for the session of %s: %s. Type :revoke to end it.", line(a.Agent), label))
			case a.Until.IsZero():
				p.line(p.tr("Approved until the turn ends: %s. Type :revoke to end it.", label))
			default:
				p.line(p.tr("Approved until %s: %s. Type :revoke to end it.", a.Until.Format("15:04"), label))
			}
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
		p.line(p.tr("Nothing is approved for a while."))
		return
	}
	var labels []string
	for _, a := range p.timed {
		labels = append(labels, line(p.known(a.Label)))
	}
	p.line(p.tr("Asked again from now on: %s.", p.list(labels)))
	if p.opts.Revoke != nil {
		go p.opts.Revoke()
	}
}
