package tui

import (
	"fmt"
	"strconv"
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
	p.line("  why: the reasons. again: all of it from the start.")
}

// ask is the prompt.
func (w *asked) ask() string {
	switch {
	case w.saving != nil:
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
	case c == nil, message != "" && c.answer.Decision != gate.Refuse:
		p.line("Not an answer: " + line(text) + ". To refuse with a message, begin it with no.")
	case c.off != "":
		p.line("Not now: " + c.off + ".")
	case c.answer.Decision == gate.Refuse:
		w.refuse(p, strings.TrimSpace(message))
	case w.unread() > 0:
		_, rows := p.size()
		p.line("First the rest of it.")
		w.more(p, rows)
		p.line("Nothing is allowed yet.")
	case c.saves != "":
		w.saving = c
		p.line("This would be saved: " + c.saves)
		if label := w.approval.Prompt.Request.KeyLabel; label != "" && c.answer.Grant == gate.NoGrant {
			p.line("That is: " + line(label))
		}
	default:
		w.settle(p, c.answer)
	}
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

func (w *asked) confirm(p *Plain, word string) {
	c := w.saving
	w.saving = nil
	if word == "save" {
		w.settle(p, c.answer)
		return
	}
	p.line("Nothing is saved, nothing is allowed.")
	p.tellAnswers(w)
}

// settle answers a request and says so.
func (w *asked) settle(p *Plain, a gate.Answer) {
	p.remove(w)
	said := "Refused."
	switch {
	case a.Decision == gate.CancelTurn:
		said = "Cancelled."
	case a.Decision == gate.Refuse && a.Message != "":
		said = "Refused, with your message."
	case a.Decision == gate.Refuse:
	case a.Remember, a.Decision == gate.Always:
		said = "Allowed, and saved for good."
	case a.Grant != gate.NoGrant, a.Decision == gate.Session:
		said = "Allowed for this session."
	default:
		said = "Allowed once."
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
