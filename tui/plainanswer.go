package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// tellAnswers says what may be answered.
func (p *Plain) tellAnswers(w *asked) {
	if w.question != nil {
		return // its options are part of it
	}
	p.line("Answers:")
	for i, c := range w.choices() {
		text := fmt.Sprintf("  %d ", i+1)
		if c.word != "" {
			text += c.word + ": "
		}
		text += c.text
		if c.off != "" {
			text += ". Not now: " + c.off
		}
		p.line(text)
	}
	r := &w.approval.Prompt
	if !r.Offers(gate.Once) || len(r.Grants) == 0 && !r.Offers(gate.Session) && !r.Offers(gate.Always) {
		p.line("  More isn't offered: " + whyNotOffered(r) + ".")
	}
	p.line("  comment and a text: it goes with yes, or with no. why: the reasons. again: all of it from the start.")
}

// ask is the prompt.
func (w *asked) ask() string {
	switch {
	case w.saving != nil:
		if w.saving.answer.Rule != "" {
			return "Type save to allow and save this for this workspace, everywhere for all of them, or back: "
		}
		return "Type save to allow and save this, or back: "
	case w.question != nil:
		return w.askQuestion()
	}
	return "Answer: "
}

// answer takes a line for what is asked.
func (w *asked) answer(p *Plain, text string) {
	switch word := strings.ToLower(text); {
	case w.saving != nil:
		w.confirm(p, word)
	case w.readOn(p, word):
	case w.question != nil:
		w.answerQuestion(p, text)
	default:
		w.answerRequest(p, text)
	}
}

// readOn takes the words that show more.
func (w *asked) readOn(p *Plain, word string) bool {
	_, rows := p.size()
	switch {
	case word == "again":
		w.read = 0
		w.more(p, rows)
	case word == "more" && w.unread() > 0:
		w.more(p, rows)
	case word == "all" && w.unread() > 0:
		w.more(p, 0)
	default:
		return false
	}
	if w.unread() == 0 {
		p.line("That is all of it.")
		p.tellAnswers(w)
	}
	return true
}

// answerRequest takes yes, session, always, no, or the number of an answer.
// Anything else answers nothing.
func (w *asked) answerRequest(p *Plain, text string) {
	word, message, _ := strings.Cut(text, " ")
	word = strings.ToLower(word)
	list := w.choices()
	c := choiceOf(list, word)
	switch {
	case text == "":
		p.line("Nothing was typed. An answer is a word or its number, then Enter.")
	case word == "why" && message == "":
		width, _ := p.size()
		p.lines(whyRows(&w.approval.Prompt, &theme{}, width))
	case word == "help" || word == "?":
		p.tellAnswers(w)
	case word == "comment":
		w.keepComment(p, strings.TrimSpace(message))
	case text == ":revoke":
		p.revoke()
	case c == nil && message == "" && slices.Contains(lasting, word):
		p.line("Not now: " + whyNotOffered(&w.approval.Prompt) + ".")
	case c == nil, message != "" && c.answer.Decision != gate.Refuse:
		p.line("Not an answer: " + line(text) + ". To refuse with a message, begin it with no.")
	case c.off != "":
		p.line("Not now: " + c.off + ".")
	case c.answer.Decision == gate.Refuse:
		w.refuse(p, cmp.Or(strings.TrimSpace(message), w.comment))
	case c.answer.Decision == gate.CancelTurn:
		p.cancelTurn()
	case w.unread() > 0:
		_, rows := p.size()
		p.line("First the rest of it.")
		w.more(p, rows)
		p.line("Nothing is allowed yet.")
	case w.comment != "" && c.word != "yes":
		p.line("Your comment goes only with yes or no. Type comment alone to drop it.")
	case c.saves != "":
		w.tellChoice(p, c)
	default:
		c.answer.Message = w.comment
		w.settle(p, c.answer)
	}
}

// keepComment keeps a text for the answer; an empty one drops it.
func (w *asked) keepComment(p *Plain, text string) {
	w.comment = text
	if text == "" {
		p.line("No comment.")
		return
	}
	p.line("Your comment goes with yes, or with no.")
}

// settle answers a request and says so.
func (w *asked) settle(p *Plain, a gate.Answer) {
	p.remove(w)
	said := "Refused."
	switch {
	case a.Decision == gate.CancelTurn:
		said = "Cancelled."
	case a.Decision != gate.Refuse:
		said = allowed(a)
	case a.Message != "":
		said = "Refused, with your message."
	}
	p.line(said + p.stillWaiting())
	w.approval.Answer(a)
}

func (p *Plain) stillWaiting() string {
	if n := len(p.items); n > 0 {
		return fmt.Sprintf(" %d waiting.", n)
	}
	return ""
}

// refuse says no to whatever is asked.
func (w *asked) refuse(p *Plain, message string) {
	if w.question != nil {
		w.reply(p, prompts.Answer{}, prompts.ErrDeclined)
		return
	}
	w.settle(p, gate.Answer{Decision: gate.Refuse, Message: message})
}

// cancel ends what is asked together with the turn (APR-30).
func (w *asked) cancel(p *Plain) {
	if w.question != nil {
		w.refuse(p, "")
		return
	}
	w.settle(p, gate.Answer{Decision: gate.CancelTurn})
}
