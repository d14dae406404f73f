package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stateful are the programs that end or change the shell's state, or that run
// what they are given: a chain with one of them is not looked into (TAM-17).
const stateful = "cd pushd popd export unset set shopt alias unalias source . eval exec trap read local readonly declare typeset " +
	"let enable hash umask ulimit wait jobs fg bg disown exit return break continue shift getopts bind history fc complete " +
	"command builtin noglob nocorrect - suspend logout mapfile readarray dirs caller coproc times"

// chain returns the segments of a flat chain of literal commands joined by
// &&, as written with blanks folded; nil when the line is anything else.
func (l *Line) chain() []string {
	if !l.Clear() || strings.Contains(strings.TrimSpace(l.Source), "\n") || strings.Contains(l.Source, "#") && l.commented() {
		return nil
	}
	file := l.parsed()
	if file == nil || len(file.Stmts) != 1 {
		return nil
	}
	var segments []string
	if !l.segments(file.Stmts[0], &segments) || len(segments) < 2 {
		return nil
	}
	return segments
}

func (l *Line) segments(s *syntax.Stmt, out *[]string) bool {
	if s.Negated || s.Background || s.Coprocess || s.Semicolon.IsValid() || len(s.Redirs) > 0 {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		return c.Op == syntax.AndStmt && l.segments(c.X, out) && l.segments(c.Y, out)
	case *syntax.CallExpr:
		if len(c.Assigns) > 0 || expands(c) || !l.literalCall(c) {
			return false
		}
		*out = append(*out, fold(l.Source[c.Pos().Offset():c.End().Offset()]))
		return true
	}
	return false
}

// expands reports whether a word holds an expansion, also one that is known.
func expands(c *syntax.CallExpr) (yes bool) {
	syntax.Walk(c, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp, *syntax.ProcSubst:
			yes = true
		}
		return !yes
	})
	return yes
}

// literalCall reports whether every word of c is literal and its program one
// that leaves the shell as it is and runs nothing it is given.
func (l *Line) literalCall(c *syntax.CallExpr) bool {
	r := &reader{src: l.Source, line: &Line{}}
	words := r.words(c.Args)
	for _, w := range words {
		if !w.Literal || strings.HasPrefix(w.Text, "~") && !w.tilde {
			return false
		}
	}
	name := base(words[0].Text)
	return len(words) == len(c.Args) && !listed(stateful, name) && !isShell(name) && wrappers[name] == nil
}

func (l *Line) parsed() *syntax.File {
	parser := parsers.Get().(*syntax.Parser)
	defer parsers.Put(parser)
	file, err := parser.Parse(strings.NewReader(l.Source), "")
	if err != nil {
		return nil
	}
	return file
}

// commented reports whether the line holds a comment.
func (l *Line) commented() bool {
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
	file, err := parser.Parse(strings.NewReader(l.Source), "")
	if err != nil {
		return true
	}
	found := len(file.Last) > 0
	for _, s := range file.Stmts {
		found = found || len(s.Comments) > 0
	}
	return found
}

// single reports whether the line is one simple command of words that are
// known now, without assignments and redirections: what an allow pattern may
// allow (TAM-16).
func (l *Line) single() bool {
	if !l.Clear() || len(l.Commands) == 0 {
		return false
	}
	c := &l.Commands[0]
	if len(c.Words) == 0 || len(c.Via) > 0 || len(c.Assigns) > 0 || len(c.Redirects) > 0 {
		return false
	}
	for _, w := range c.Words {
		if !w.Literal && (!w.Glob || w.MaybeOption) {
			return false
		}
	}
	for _, other := range l.Commands[1:] {
		if len(other.Via) == 0 {
			return false
		}
	}
	file := l.parsed()
	if file == nil || len(file.Stmts) != 1 {
		return false
	}
	s := file.Stmts[0]
	_, call := s.Cmd.(*syntax.CallExpr)
	return call && !s.Negated && !s.Background && !s.Coprocess && !s.Semicolon.IsValid()
}

// simple is single for the shell that will run the line. A shell that may
// quote in another way gets only text that means the same everywhere.
func (l *Line) simple(shell string) bool {
	if !l.single() || l.Commands[0].runsConfigured() {
		return false
	}
	if shell == "" || POSIXQuoting(shell) {
		return true
	}
	for i := range len(l.Source) {
		b := l.Source[i]
		if !letter(b) && (b < '0' || b > '9') && !strings.ContainsRune(" ./:=@,+-_", rune(b)) {
			return false
		}
	}
	return true
}

// runsConfigured reports whether git is given settings or paths on its command
// line by which it runs other programs; "git *" does not mean those.
func (c *Command) runsConfigured() bool {
	if base(c.Program()) != "git" {
		return false
	}
	_, global, known := gitCommand(c.Words)
	if !known {
		return true
	}
	for _, o := range global {
		if listed("c config-env exec-path", o.name) {
			return true
		}
	}
	return false
}
