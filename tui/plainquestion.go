package tui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// plainQuestion is everything that there is to read about a question: its
// document, its text, and the numbered options.
func plainQuestion(q *prompts.Question, t *wording, width int) []string {
	var rows []string
	if q.Document != "" {
		rows = append(rows, prefixed("  ", plainDocument(q.Document, t, width-2))...)
		rows = append(rows, "")
	}
	rows = append(rows, prefixed("  ", prose(q.Text, width-2))...)
	for i, o := range q.Options {
		text := line(o.Label)
		if o.Description != "" {
			text += ": " + line(o.Description)
		}
		rows = append(rows, plainRow(fmt.Sprintf("%d ", i+1), text, t, width)...)
		if o.Preview != "" {
			rows = append(rows, prefixed("  | ", wrap(o.Preview, width-4))...)
		}
	}
	return rows
}

// drawnDocument is the length in bytes up to which a document is drawn in lines.
// A longer one would keep the person waiting: it is read as it was written.
const drawnDocument = 256 << 10

func plainDocument(s string, t *wording, width int) []string {
	if len(s) > drawnDocument {
		return prose(s, width)
	}
	return markdown(s, width, &theme{wording: *t})
}

// tellOptions says once more what is asked, and each option in one line.
func (w *asked) tellOptions(p *Plain) { p.lines(w.brief(p)) }

// brief is the question and its options, each cut to one row or two: what stands
// above the prompt when not all of it does.
func (w *asked) brief(p *Plain) []string {
	const most = 2 // rows of the question
	q := &w.question.Question
	width, _ := p.size()
	rows := prose(q.Text, width-3)
	if len(rows) > most {
		rows = append(rows[:most-1:most-1], fit(rows[most-1], width-5)+" …")
	}
	rows = prefixed("  ", rows)
	for i, o := range q.Options {
		rows = append(rows, fit(fmt.Sprintf("%d ", i+1)+line(o.Label), width-1))
	}
	return rows
}

func (w *asked) askQuestion(t *wording) string {
	q := &w.question.Question
	switch {
	case !q.TakesWords() && q.MultiSelect:
		return t.tr("Numbers from the list, with commas between: ")
	case !q.TakesWords():
		return t.tr("A number from the list: ")
	case q.MultiSelect:
		return t.tr("Numbers or words, with commas between: ")
	case len(q.Options) > 0:
		return t.tr("A number, or your own words: ")
	}
	return t.tr("Your answer: ")
}

// answerQuestion takes numbers, labels or words of the person's own. Options
// can't be chosen before all was read (BEY-03).
func (w *asked) answerQuestion(p *Plain, text string) {
	q := &w.question.Question
	a, err := readAnswer(q, text, &p.wording)
	_, word := p.answerWord(text)
	refuses := len(a.Selected) == 1 && q.Refusal > 0 && a.Selected[0] == q.Options[q.Refusal-1].Label
	switch {
	case len(a.Selected) == 0 && word && q.Document != "":
		p.line(p.tr("“%s” alone is no feedback: type the number of an option.", line(text)))
		w.tellOptions(p)
	case len(a.Selected) == 0 && p.showsMore(text):
		p.line(p.tr("“%s” shows more and is no answer: say it in other words.", line(text)))
		w.tellOptions(p)
	case err != nil:
		p.line(err.Error())
	case text == "" && !q.MultiSelect && !q.Optional:
		p.line(p.tr("Nothing was typed."))
	case text == "" && !w.warned:
		w.warned = true
		p.line(p.tr("Nothing is chosen. Enter once more answers with nothing."))
	case len(a.Selected) > 0 && w.unread() > 0 && !refuses:
		_, rows := p.size()
		p.line(p.tr("First the rest of it."))
		p.line(p.tr("Nothing is answered yet."))
		w.more(p, rows)
		p.tellAnswers(w)
	default:
		w.reply(p, a, nil)
	}
}

// commas are those that Chinese and Japanese keyboards write.
var commas = strings.NewReplacer("，", ",", "、", ",")

// readAnswer reads a line as an answer. Of several options each is a number or
// a label, or else words of the person's own where q takes them (APR-40a). A
// number that no option has is an error, so that a slip doesn't answer.
func readAnswer(q *prompts.Question, text string, t *wording) (prompts.Answer, error) {
	parts := []string{text}
	if q.MultiSelect {
		parts = strings.Split(commas.Replace(text), ",")
		if _, ok := optionOf(q, text); ok {
			parts = []string{text} // a label may have a comma in it
		}
	}
	chosen := make([]bool, len(q.Options))
	var own []string
	for _, part := range parts {
		part = strings.TrimSpace(part)
		i, ok := optionOf(q, part)
		switch {
		case ok && i < 0:
			return prompts.Answer{}, errors.New(t.tr("there is no option %s", line(part)))
		case ok:
			chosen[i] = true
		case part != "" && !q.TakesWords():
			return prompts.Answer{}, errors.New(t.tr("%s is not on the list: type a number from 1 to %d.", line(part), len(q.Options)))
		case part != "":
			own = append(own, part)
		}
	}
	var a prompts.Answer
	for i, on := range chosen {
		if on {
			a.Selected = append(a.Selected, q.Options[i].Label)
		}
	}
	a.Text = strings.Join(append(a.Selected[:len(a.Selected):len(a.Selected)], own...), ", ")
	return a, nil
}

// optionOf is the option that a number or a label names, or -1 for a number that
// names none. Not ok means that it is neither.
func optionOf(q *prompts.Question, word string) (i int, ok bool) {
	for i, o := range q.Options {
		if strings.EqualFold(word, strings.TrimSpace(o.Label)) {
			return i, true
		}
	}
	n, err := strconv.Atoi(folded(word)) // full-width digits too
	if err != nil || len(q.Options) == 0 {
		return 0, false
	}
	if n < 1 || n > len(q.Options) {
		return -1, true
	}
	return n - 1, true
}

// reply answers a question and says so.
func (w *asked) reply(p *Plain, a prompts.Answer, err error) {
	p.remove(w)
	switch {
	case err != nil:
		p.line(p.tr("Not answered.") + p.stillWaiting())
	case a.Text == "":
		p.line(p.tr("Answered with nothing.") + p.stillWaiting())
	default:
		p.line(p.tr("Answered: %s.", line(a.Text)) + p.stillWaiting())
	}
	w.question.Answer(a, err)
}
