package prompts

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrEmptyLine is returned by [ParseChoice] for a line without an answer.
var ErrEmptyLine = errors.New("nothing was typed")

// ParseChoice reads one line typed as the answer to q, where no screen can
// show the options (APR-40a). The line holds an option's number, from 1, its
// label in any case, or free text where q takes it; a multi-select question
// takes several of these with commas between. A number that no option has is an
// error, since it is more likely a slip than an answer; in double quotes it is
// text.
func ParseChoice(q Question, line string) (Answer, error) {
	line = strings.TrimSpace(line)
	if line == "" {
		return Answer{}, ErrEmptyLine
	}
	parts := []string{line}
	if q.MultiSelect {
		parts = strings.Split(line, ",")
	}
	chosen := make([]bool, len(q.Options))
	var typed []string
	for len(parts) > 0 {
		option, text, used, err := q.next(parts)
		if err != nil {
			return Answer{}, err
		}
		if option >= 0 {
			chosen[option] = true
		} else if text != "" {
			typed = append(typed, text)
		}
		parts = parts[used:]
	}
	return q.answer(chosen, typed)
}

// next reads the first choice of parts: an option's index, or -1 and a text.
// It takes as many parts as make up a label, since labels may hold commas.
func (q Question) next(parts []string) (option int, text string, used int, err error) {
	for n := len(parts); n > 0; n-- {
		if i := q.labelled(strings.Join(parts[:n], ",")); i >= 0 {
			return i, "", n, nil
		}
	}
	text = strings.TrimSpace(parts[0])
	if quoted, ok := quotedNumber(text); ok {
		return -1, quoted, 1, nil
	}
	number, err := strconv.Atoi(text)
	switch {
	case err != nil || len(q.Options) == 0:
		return -1, text, 1, nil
	case number < 1 || number > len(q.Options):
		return -1, "", 1, q.noOption(number)
	}
	return number - 1, "", 1, nil
}

func (q Question) noOption(number int) error {
	other := ", or other words"
	if !q.TakesWords() {
		other = ""
	}
	return fmt.Errorf("there is no option %d: type a number from 1 to %d%s", number, len(q.Options), other)
}

func (q Question) labelled(text string) int {
	for i, o := range q.Options {
		if fold(o.Label) == fold(text) {
			return i
		}
	}
	return -1
}

func (q Question) answer(chosen []bool, typed []string) (Answer, error) {
	if len(typed) > 0 && !q.TakesWords() {
		return Answer{}, fmt.Errorf("%q is not on the list: type a number from 1 to %d", typed[0], len(q.Options))
	}
	var a Answer
	for i, o := range q.Options {
		if chosen[i] {
			a.Selected = append(a.Selected, o.Label)
		}
	}
	a.Text = strings.Join(append(append([]string{}, a.Selected...), typed...), ", ")
	if a.Text == "" {
		return Answer{}, ErrEmptyLine
	}
	return a, nil
}

func quotedNumber(s string) (string, bool) {
	if len(s) < 3 || s[0] != '"' || s[len(s)-1] != '"' {
		return "", false
	}
	inner := s[1 : len(s)-1]
	_, err := strconv.Atoi(inner)
	return inner, err == nil
}
