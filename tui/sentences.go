package tui

import (
	"regexp"
	"slices"
	"strings"
)

// Some sentences are composed elsewhere, in English: by the gate, which tells
// agents and the log the same, and by prompts. On the screen they are known
// again by their form. In these keys %s is text from outside, which stays as
// it is, and %v is a sentence again.

// A pattern is the form of a sentence with something in it.
type pattern struct {
	key   string
	parts []string // the text around the verbs, one more than there are verbs
	verbs []string
}

// patterns are the composed sentences, those that say most first: one may be a
// part of another.
func patterns() []pattern {
	return patternsOf(slices.Concat(composed, composedWidths, composedRules, composedAgents, composedFaults, composedStart))
}

func patternsOf(keys []string) []pattern {
	list := make([]pattern, 0, len(keys))
	for _, key := range keys {
		p := pattern{key: key}
		rest := key
		for {
			i := strings.IndexByte(rest, '%')
			if i < 0 {
				break
			}
			p.parts, p.verbs = append(p.parts, rest[:i]), append(p.verbs, rest[i:i+2])
			rest = rest[i+2:]
		}
		p.parts = append(p.parts, rest)
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(a, b pattern) int { return len(b.key) - len(a.key) })
	return list
}

// match takes the sentence s apart.
func (p *pattern) match(s string) ([]string, bool) {
	last := len(p.parts) - 1
	if last == 0 {
		return nil, s == p.key
	}
	rest, ok := strings.CutPrefix(s, p.parts[0])
	if !ok || len(rest) < len(p.parts[last]) {
		return nil, false
	}
	end := len(rest) - len(p.parts[last])
	if rest[end:] != p.parts[last] {
		return nil, false
	}
	rest = rest[:end]
	var args []string
	for _, part := range p.parts[1:last] {
		arg, after, found := strings.Cut(rest, part)
		if !found {
			return nil, false
		}
		args, rest = append(args, arg), after
	}
	return append(args, rest), true
}

// placed is the place in a file that a sentence begins with, and ofFile the
// file, where all of it is meant.
var (
	placed = regexp.MustCompile(`^\S[^\n]*?:\d+:\d+: `)
	ofFile = regexp.MustCompile(`^(?:(?:/|~/|[A-Za-z]:\\)[^\n]*?|read rules): `)
)

// known says a sentence that was composed elsewhere in the person's language.
// One that has no known form stays as it is.
func (w *wording) known(s string) string {
	if w.language == nil || s == "" {
		return s
	}
	if at := placed.FindString(s); at != "" {
		return at + w.known(s[len(at):])
	}
	if known, ok := w.among(w.sentences, s); ok {
		return known
	}
	if at := ofFile.FindString(s); at != "" {
		return at + w.known(s[len(at):])
	}
	return s
}

// among says a sentence by the first of the patterns that it has the form of.
func (w *wording) among(list []pattern, s string) (string, bool) {
	for i := range list {
		p := &list[i]
		texts, ok := p.match(s)
		if !ok {
			continue
		}
		args := make([]any, len(texts))
		for i, text := range texts {
			if p.verbs[i] == "%v" {
				text = w.known(text)
			}
			args[i] = text
		}
		return w.tr(p.key, args...), true
	}
	return s, false
}
