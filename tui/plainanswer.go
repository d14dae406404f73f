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
		if w.unread() > 0 {
			w.tellOptions(p) // in full they come later
		}
		return
	}
	p.line(p.tr("Answers:"))
	for i, c := range w.choices(&p.wording) {
		text := fmt.Sprintf("  %d ", i+1)
		if c.own != "" {
			text += p.fact(c.own, "")
		}
		text += c.text
		if c.off != "" {
			text = p.tr("%s. Not now: %s", text, c.off)
		}
		p.line(text)
	}
	r := &w.approval.Prompt
	if !r.Offers(gate.Once) || len(r.Grants) == 0 && !r.Offers(gate.Session) && !r.Offers(gate.Always) {
		p.line("  " + p.tr("More isn't offered: %s.", whyNotOffered(r, &p.wording)))
	}
	p.line("  " + p.tr("comment and a text: it goes with yes, or with no. why: the reasons. again: all of it from the start."))
}

// ask is the prompt.
func (w *asked) ask(t *wording) string {
	switch {
	case w.saving != nil:
		if w.saving.answer.Rule != "" {
			return t.tr("Type save to allow and save this for this workspace, everywhere for all of them, or back: ")
		}
		return t.tr("Type save to allow and save this, or back: ")
	case w.question != nil:
		return w.askQuestion(t)
	}
	return t.tr("Answer: ")
}

// answer takes a line for what is asked.
func (w *asked) answer(p *Plain, text string) {
	switch word := p.english(text); {
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
	if w.question != nil {
		if _, ok := optionOf(&w.question.Question, word); ok && w.unread() == 0 {
			return false // an option is called so
		}
	}
	switch {
	case word == "again":
		w.read = 0
		w.more(p, rows)
	case word == "more" && w.unread() > 0:
		w.more(p, rows)
	case word == "all" && w.unread() > 0:
		w.more(p, 0)
	case (word == "more" || word == "all") && w.question != nil:
		p.line(p.tr("That is all of it."))
		w.tellOptions(p)
	default:
		return false
	}
	switch {
	case w.question != nil:
		p.tellAnswers(w)
	case w.unread() == 0:
		p.line(p.tr("That is all of it."))
		p.tellAnswers(w)
	}
	return true
}

// answerRequest takes yes, session, always, no, or the number of an answer.
// Anything else answers nothing.
func (w *asked) answerRequest(p *Plain, text string) {
	word, message, _ := strings.Cut(text, " ")
	word = p.english(word)
	list := w.choices(&p.wording)
	c := choiceOf(list, word)
	switch {
	case text == "":
		p.line(p.tr("Nothing was typed. An answer is a word or its number, then Enter."))
	case word == "why" && message == "":
		width, _ := p.size()
		p.lines(whyRows(&w.approval.Prompt, &theme{wording: p.wording}, width))
	case word == "help" || word == "?":
		p.tellAnswers(w)
	case word == "comment":
		w.keepComment(p, strings.TrimSpace(message))
	case text == ":revoke":
		p.revoke()
	case c == nil && message == "" && slices.Contains(lasting, word):
		p.line(p.tr("Not now: %s.", whyNotOffered(&w.approval.Prompt, &p.wording)))
	case c == nil, message != "" && c.answer.Decision != gate.Refuse:
		p.line(p.tr("Not an answer: %s. To refuse with a message, begin it with no.", line(text)))
	case c.off != "":
		p.line(p.tr("Not now: %s.", c.off))
	case c.answer.Decision == gate.Refuse:
		w.refuse(p, cmp.Or(strings.TrimSpace(message), w.comment))
	case c.answer.Decision == gate.CancelTurn:
		p.cancelTurn()
	case w.unread() > 0:
		_, rows := p.size()
		p.line(p.tr("First the rest of it."))
		w.more(p, rows)
		p.line(p.tr("Nothing is allowed yet."))
	case w.comment != "" && c.word != "yes":
		p.line(p.tr("Your comment goes only with yes or no. Type comment alone to drop it."))
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
		p.line(p.tr("No comment."))
		return
	}
	p.line(p.tr("Your comment goes with yes, or with no."))
}

// settle answers a request and says so.
func (w *asked) settle(p *Plain, a gate.Answer) {
	p.remove(w)
	said := p.tr("Refused.")
	switch {
	case a.Decision == gate.CancelTurn:
		said = p.tr("Cancelled.")
	case a.Decision != gate.Refuse:
		said = allowed(a, &p.wording)
	case a.Message != "":
		said = p.tr("Refused, with your message.")
	}
	a.Renewal = w.approval.Prompt.Renewal
	p.line(said + p.stillWaiting())
	w.approval.Answer(a)
}

func (p *Plain) stillWaiting() string {
	if n := len(p.items); n > 0 {
		return " " + p.n(n, "%s waiting.", "%s waiting.")
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
