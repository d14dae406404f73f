package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// harmless are the variables that change how a program shows or runs things
// but never which code, file or host it uses. Each takes a plain value only.
var harmless = map[string]bool{
	"LANG": true, "LANGUAGE": true, "TZ": true, "TERM": true, "COLUMNS": true, "LINES": true,
	"NO_COLOR": true, "CLICOLOR": true, "CLICOLOR_FORCE": true, "FORCE_COLOR": true,
	"CI": true, "DEBIAN_FRONTEND": true, "CGO_ENABLED": true, "RUST_BACKTRACE": true, "PYTHONUNBUFFERED": true,
	"GIT_TERMINAL_PROMPT": true, "GIT_OPTIONAL_LOCKS": true,
}

// noPager are the variables that name a pager; they are harmless with a value
// that shows nothing by a program of its own.
var noPager = map[string]bool{"PAGER": true, "GIT_PAGER": true, "MANPAGER": true, "GH_PAGER": true}

func harmlessAssign(name string, value Word) bool {
	if !value.Literal {
		return false
	}
	if noPager[name] {
		return value.Text == "" || value.Text == "cat"
	}
	if !harmless[name] && !strings.HasPrefix(name, "LC_") {
		return false
	}
	for i := range len(value.Text) {
		c := value.Text[i]
		if !letter(c) && (c < '0' || c > '9') && !strings.ContainsRune("_.,:+-@ ", rune(c)) {
			return false
		}
	}
	return !strings.HasPrefix(value.Text, ":") && !strings.Contains(value.Text, "..")
}

// localName reports whether name looks like a variable of a script rather
// than one that programs or the shell itself look at.
func localName(name string) bool {
	lower := strings.ToLower(name)
	if strings.HasSuffix(lower, "_proxy") {
		return false
	}
	return name == lower && name != "_" || len(name) == 1
}

func (r *reader) assign(a *syntax.Assign) Assign {
	out := Assign{}
	if a.Name != nil {
		out.Name = a.Name.Value
	}
	if a.Value != nil {
		out.Value = r.word(a.Value)
	} else {
		out.Value = Word{Literal: a.Array == nil}
	}
	out.Harmless = a.Index == nil && a.Array == nil && !a.Append && !a.Naked && harmlessAssign(out.Name, out.Value)
	return out
}

// assigned reads the commands and the arithmetic inside an assignment.
func (r *reader) assigned(a *syntax.Assign) {
	if a.Index != nil {
		r.line.doubt("a subscript", r.at(a.Pos()))
		r.arithmetic(a.Index)
	}
	r.nested(a.Value)
	if a.Array == nil {
		return
	}
	for _, e := range a.Array.Elems {
		if e.Index != nil {
			r.line.doubt("a subscript", r.at(a.Pos()))
			r.arithmetic(e.Index)
		}
		r.nested(e.Value)
	}
}
