package shell

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

var awkOptions = options{
	flags: "bcCghIkMnNOPrsStV", values: "FveflimE", attached: "doDLp",
	longFlags:  "traditional characters-as-bytes copyright gen-pot help trace bignum use-lc-numeric non-decimal-data optimize posix re-interval sandbox lint-old version csv",
	longValues: "field-separator assign source file load include exec", abbreviate: true,
}

// awkLaunches are the words of awk that hold or name a program which may run
// others or write files.
func (c *Command) awkLaunches() (words []string) {
	opts, operands := awkOptions.scan(c.Words, false)
	inWords := true
	for _, o := range opts {
		switch {
		case !o.known, listed("f file l load i include E exec", o.name):
			words = append(words, c.word(o.at))
			inWords = inWords && !listed("f file E exec", o.name)
		case listed("e source", o.name):
			inWords = false
			if actsByAwk(o.value) {
				words = append(words, c.word(o.valueAt))
			}
		}
	}
	if inWords && len(operands) > 0 && actsByAwk(c.word(operands[0])) {
		words = append(words, c.word(operands[0]))
	}
	return words
}

// awkActs is a pipe, a redirection of what is printed, or a call by a name that
// is only known when it runs.
var awkActs = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[^|]\|[^|]|\bprintf?\b[^;{}\n]*>|@`)
})

// actsByAwk reports a program that may run another, or write a file. Whether a
// slash divides or begins a pattern can't always be told, nor what a backslash
// means within brackets: what any reading would do counts.
func actsByAwk(program string) bool {
	if strings.Contains(program, "system") {
		return true
	}
	for _, a := range []awkReading{{}, {escapes: true}, {divides: true}, {divides: true, escapes: true}} {
		if a.read(program); awkActs().Match(a.out) {
			return true
		}
	}
	return false
}

// An awkReading is one way to read a program.
type awkReading struct {
	divides bool // a slash does, where both could be
	escapes bool // a backslash within brackets does
	out     []byte
}

// read leaves the code in out: a NUL for each text and pattern, no comments, and
// each statement on one line.
func (a *awkReading) read(text string) {
	for i := 0; i < len(text); {
		n := 1
		switch c := text[i]; {
		case c == '"':
			n = quotedAwk(text[i:])
			a.put(0)
		case c == '#':
			if n = strings.IndexByte(text[i:], '\n'); n < 0 {
				n = len(text) - i
			}
		case c == '/' && a.begins():
			n = a.pattern(text[i:])
			a.put(0)
		case strings.HasPrefix(text[i:], "\\\n"):
			n = 2
			a.put(' ')
		case c == '\n' && strings.IndexByte(",|&{", a.last()) >= 0, c == '\t', c == '\r':
			a.put(' ') // the statement goes on
		default:
			a.put(c)
		}
		i += n
	}
}

// put adds to the code, of several blanks one.
func (a *awkReading) put(c byte) {
	if n := len(a.out); c != ' ' || n == 0 || a.out[n-1] != ' ' {
		a.out = append(a.out, c)
	}
}

// last is the last of the code that is no blank.
func (a *awkReading) last() byte {
	code := bytes.TrimSuffix(a.out, []byte(" "))
	if len(code) == 0 {
		return '\n'
	}
	return code[len(code)-1]
}

// begins reports whether a slash begins a pattern. After an operand it divides;
// after a parenthesis, or a sign twice, both can be.
func (a *awkReading) begins() bool {
	code := bytes.TrimSuffix(a.out, []byte(" "))
	switch last := a.last(); {
	case last == ')' || bytes.HasSuffix(code, []byte("++")) || bytes.HasSuffix(code, []byte("--")):
		return !a.divides
	case last == ']' || last == '$' || last == 0:
		return false
	case inName(rune(last)):
		word := code[bytes.LastIndexFunc(code, func(r rune) bool { return !inName(r) })+1:]
		return listed("print printf return in do else case getline", string(word)) && !a.divides
	}
	return true
}

func inName(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// pattern is the length of what stands between slashes.
func (a *awkReading) pattern(text string) int {
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '[':
			i += a.class(text[i+1:])
		case c == '/' || c == '\n':
			return i + 1
		}
	}
	return len(text)
}

// class is the length of what stands in brackets, on one line.
func (a *awkReading) class(text string) int {
	text, _, _ = strings.Cut(text, "\n")
	if !a.escapes {
		return bracket(text)
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case ']':
			if i > 0 && text[:i] != "^" {
				return i + 1
			}
		}
	}
	return 0
}

// quotedAwk is the length of a text in quotes.
func quotedAwk(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"', '\n':
			return i + 1
		}
	}
	return len(text)
}

// awkPrograms are the programs that stand in c's words.
func (c *Command) awkPrograms() (programs []string) {
	opts, operands := awkOptions.scan(c.Words, false)
	inWords := true
	for _, o := range opts {
		switch {
		case listed("f file E exec", o.name):
			inWords = false
		case listed("e source", o.name):
			programs, inWords = append(programs, o.value), false
		}
	}
	if inWords && len(operands) > 0 {
		programs = append(programs, c.word(operands[0]))
	}
	return programs
}

// What awk reads, writes and runs beside its operands. More is found than is
// meant: what is compared with a text looks like what is written to it.
var (
	awkText  = `"((?:[^"\\]|\\.)*)"`
	awkPiped = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(awkText + `\s*\|&?\s*getline|\|&?\s*` + awkText) })
	awkFiles = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`>\s*` + awkText) })
	// awkUnnamed reads a file, or takes one for an operand, that no text names.
	awkUnnamed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`getline[^<;{}\n]*<\s*[^"\s]|getline[^<;{}\n]*<\s*"[^"\n]*"\s*[\w$"(]|\bARGV\s*\[[^\]\n]*\]\s*=\s*[^"\s=]`)
	})
	awkWritesUnnamed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\bprintf?\b[^;{}\n]*>\s*[^"\s0-9>]`)
	})
)

// awkWritten are the files that a program of c may write.
func (c *Command) awkWritten() (files []string) {
	for _, program := range c.awkPrograms() {
		for _, m := range awkFiles().FindAllStringSubmatch(program, -1) {
			files = append(files, m[1])
		}
	}
	return files
}

func isAwk(name string) bool { return listed("awk gawk mawk nawk", name) }
