package shell

import (
	"slices"
	"strings"
)

// A carrier is a program that runs the command in its last words, such as npx
// or docker run, and whose options aren't known well enough for a [wrapper].
// What it may run is guessed, for deny and ask rules only: an allow rule for
// the carrier means whatever it carries.
type carrier struct {
	subs   string // the subcommands that do so, between spaces; empty when it always does, or noSubs
	skip   int    // operands before the command
	upTo   bool   // there may be fewer of them
	values int    // how many words may be the value of an option; 0 means 1
	after  string // options behind which all that follows is the command
	script string // options whose value is text for a shell
	// rest says that all behind -- is the command.
	rest bool
	// texts says that each word may be text for a shell.
	texts bool
	// settings says that -c, or --config, takes NAME=value, and many a value is a
	// command.
	settings bool
	// begins lists, between spaces, how a word begins that goes on as text for a
	// shell.
	begins string
}

// noSubs is for a carrier of which only an option says what to run.
const noSubs = " "

// carried records what the carrier at index may run.
func (r *reader) carried(index int, w *carrier) {
	words := r.line.Commands[index].Words
	from, found := 1, w.subs == ""
	for i := 1; i < min(len(words), 8) && !found; i++ {
		if listed(w.subs, words[i].Text) {
			from, found = i+1, true
		}
	}
	for i := 1; i < len(words); i++ {
		if !startsOption(words[i].Text) {
			continue
		}
		name, value, joined := strings.Cut(strings.TrimLeft(words[i].Text, "-"), "=")
		rest := words[i+1:]
		switch {
		case w.settings && listed("-c --config --config-option", words[i].Text) && len(rest) > 0:
			_, setting, _ := strings.Cut(rest[0].Text, "=")
			r.perhaps(index, []Word{literal(strings.TrimPrefix(setting, "!"))})
		case name == "" && (w.rest || found && i >= from), listed(w.after, name) && !joined:
			r.perhaps(index, rest)
		case !listed(w.script, name):
		case joined:
			r.perhaps(index, []Word{literal(value)})
		case len(rest) > 0:
			r.perhaps(index, rest[:1])
		}
	}
	for i := 1; w.texts && i < len(words); i++ {
		r.perhaps(index, words[i:i+1])
	}
	for _, word := range words {
		for begin := range strings.FieldsSeq(w.begins) {
			if _, text, found := strings.Cut(word.Text, begin); found {
				r.perhaps(index, []Word{literal(text)})
			}
		}
	}
	if found {
		for _, i := range w.starts(words, from) {
			r.perhaps(index, words[i:])
		}
	}
}

// starts lists the words at which the command may begin: each word behind an
// option may be an operand, or the option's value.
func (w *carrier) starts(words []Word, from int) (at []int) {
	seen := 1 // bit n: there may have been n operands so far
	values := 0
	for i := from; i < len(words) && seen != 0; i++ {
		text := words[i].Text
		if startsOption(text) {
			if text == "--" {
				return at
			}
			values = 0
			if !strings.Contains(text, "=") {
				values = max(w.values, 1)
			}
			continue
		}
		if name, _, assigns := strings.Cut(text, "="); assigns && plainName(name) {
			continue // as cross-env takes them
		}
		if w.upTo || seen&(1<<w.skip) != 0 {
			at = append(at, i)
		}
		next := seen << 1
		if values > 0 {
			next |= seen
		}
		values--
		seen = next & (1<<(w.skip+1) - 1)
	}
	return at
}

// plainName reports the name of a variable.
func plainName(s string) bool {
	for i := range len(s) {
		if c := s[i]; !letter(c) && c != '_' && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// limits are the doubts about what isn't looked at for its size.
var limits = []string{tooMuch, tooDeep, scriptsTooDeep, groupsTooDeep, tooManyCommands}

// perhaps records a command that the one at index may run, with what it runs in
// turn. Nothing that is unclear in it makes the line unclear, but for more than
// is looked at.
func (r *reader) perhaps(index int, words []Word) {
	if len(words) == 0 || words[0].Text == "" {
		return
	}
	outer := r.line.Commands[index]
	pos := outer.pos
	if r.line.guesses >= maxGuesses || r.depth > maxNested {
		r.line.doubt(tooMuch, pos)
		return
	}
	r.line.guesses++
	guess := &Line{guesses: r.line.guesses}
	guess.Commands = append(guess.Commands, Command{
		Source: spell(words), Words: words, Dir: outer.Dir, pos: pos,
		Via: append(append([]string{}, outer.Via...), base(outer.Program())),
	})
	inner := &reader{line: guess, base: &pos, depth: r.depth + 1, where: place{dir: outer.Dir}}
	inner.inside(0, nil)
	r.line.guesses = guess.guesses
	for _, d := range guess.Doubts {
		if slices.Contains(limits, d.Reason) {
			r.line.doubt(tooMuch, pos)
		}
	}
	for _, c := range append(guess.Commands, guess.Possible...) {
		c.Doubts, c.parent, c.pipeline, c.wrapper = nil, 0, 0, index+1
		r.line.Possible = append(r.line.Possible, c)
	}
}
