package settings

import (
	"cmp"
	"fmt"
	"slices"
)

// A Severity says how much of a problem it is.
type Severity uint8

const (
	// Error is a mistake in a file: what it concerns isn't applied.
	Error Severity = iota
	// Warning is something that is left out on purpose, such as a mode that a
	// project wants to set.
	Warning
)

func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// A Problem is one thing that is wrong with a settings file. It is an error
// whose text begins with file:line:column.
type Problem struct {
	Severity Severity
	File     string
	Line     int // from 1; 0 when the whole file is meant
	Col      int // in characters, from 1
	Key      string
	Message  string
	// Hint is what to do about it; may be empty.
	Hint string
}

// Error gives the place, the message and the hint in one line.
func (p Problem) Error() string {
	text := p.File
	if p.Line > 0 {
		text = fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
	}
	text += ": " + p.Message
	if p.Hint != "" {
		text += ": " + p.Hint
	}
	return text
}

// Sorted puts the problems of one file in its order.
func Sorted(problems []Problem) []Problem {
	sortProblems(problems)
	return problems
}

func sortProblems(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
}
