package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shellOptions are the options of the POSIX shells: -c takes no value of its
// own; the script is the first operand.
var shellOptions = options{
	flags: "abBcCdefhilmnpPrstuvxDEkH", values: "oO",
	longFlags:  "login norc noprofile posix restricted verbose debugger noediting dump-strings",
	longValues: "rcfile init-file",
}

// posixShells parse a script as this package does; the others are foreign.
var posixShells = map[string]bool{
	"sh": true, "bash": true, "dash": true, "ash": true, "ksh": true, "mksh": true, "zsh": true, "rbash": true, "osh": true, "yash": true,
}

var foreignShells = map[string]bool{
	"fish": true, "pwsh": true, "powershell": true, "cmd": true, "nu": true, "xonsh": true,
	"elvish": true, "tcsh": true, "csh": true,
}

func isShell(name string) bool {
	name = strings.TrimSuffix(name, ".exe")
	return posixShells[name] || foreignShells[name]
}

// shell reads the script that a shell is given: by -c, or on its input.
func (r *reader) shell(index int, name string, s *syntax.Stmt) {
	c := &r.line.Commands[index]
	if !posixShells[name] {
		c.doubt("a shell whose language is not read here")
		for _, w := range c.Words[1:] {
			r.looseInside(index, w.Text, name)
		}
		r.guess(index, name)
		return
	}
	opts, operands := shellOptions.scan(plusOptions(c.Words), true)
	if len(operands) > 0 && (c.Words[operands[0]].Text == "-" || c.Words[operands[0]].Text == "/dev/stdin") {
		operands = operands[1:]
	}
	script, input := false, len(operands) == 0
	for _, o := range opts {
		switch {
		case o.name == "c" && !o.hasValue:
			script = true
		case o.name == "s":
			input = true
		case o.name == "i" || o.name == "rcfile" || o.name == "init-file":
			c.doubt("a shell that reads its start-up file")
		case !o.known:
			c.doubt("an option of " + name + " that is not known")
		}
	}
	switch {
	case script && len(operands) > 0:
		if name == "zsh" || strings.HasSuffix(name, "ksh") {
			c.doubt("a shell that reads some lines in another way")
		}
		w := c.Words[operands[0]]
		r.nestedScript(index, w, w.Text, name+" -c")
	case input:
		r.fromInput(index, name, s)
	case !script && !c.Words[operands[0]].Literal:
		c.doubt("a script that is known only when it runs")
	}
}

// plusOptions reads +e as -e: both only switch.
func plusOptions(words []Word) []Word {
	out := words
	for i, w := range words {
		if i > 0 && len(w.Text) > 1 && w.Text[0] == '+' {
			if &out[0] == &words[0] {
				out = append([]Word{}, words...)
			}
			out[i].Text = "-" + w.Text[1:]
		}
	}
	return out
}

// fromInput reads a script from a here-document; any other input is unknown.
func (r *reader) fromInput(index int, name string, s *syntax.Stmt) {
	c := &r.line.Commands[index]
	c.doubt("a shell that runs what it reads")
	if s == nil {
		return
	}
	for _, redir := range s.Redirs {
		switch {
		case redir.Op == syntax.WordHdoc:
			w := r.word(redir.Word)
			r.nestedScript(index, w, w.Text, name)
		case redir.Hdoc != nil:
			w := Word{Text: redir.Hdoc.Lit(), Literal: quotedDelimiter(redir.Word)}
			if w.Text == "" {
				w.Text, w.Literal = r.text(redir.Hdoc), false
			}
			r.nestedScript(index, w, w.Text, name)
		}
	}
}

// evaluated reads the words from at as a script, as eval does.
func (r *reader) evaluated(index, at int, via string) {
	words := r.line.Commands[index].Words
	if at >= len(words) {
		return
	}
	all := Word{Text: joinText(words[at:]), Literal: true}
	for _, w := range words[at:] {
		all.Literal = all.Literal && w.Literal
	}
	r.nestedScript(index, all, all.Text, via)
}

func (r *reader) trapped(index int) {
	c := r.line.Commands[index]
	for i := 1; i < len(c.Words); i++ {
		if !startsOption(c.Words[i].Text) {
			r.nestedScript(index, c.Words[i], c.Words[i].Text, "trap")
			return
		}
	}
}

// nestedScript reads text as a script that the command at index runs.
func (r *reader) nestedScript(index int, w Word, text, via string) {
	c := &r.line.Commands[index]
	pos := c.pos
	if !w.Literal {
		c.doubt("a script that is known only when it runs")
	}
	inner := &reader{
		src: text, line: r.line, base: &pos, depth: r.depth + 1,
		via: append(append([]string{}, c.Via...), via), where: place{dir: c.Dir},
		parent: c.parent, pipe: c.pipeline,
	}
	inner.script(text)
}
