package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (r *reader) loop(c *syntax.ForClause) {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		if l.Name != nil && !localName(l.Name.Value) {
			r.line.doubt("a loop over a variable of the environment", r.at(l.Pos()))
		}
		r.nested(l.Items...)
		if items := r.items(l, c); len(items) > 0 {
			r.unroll(l.Name.Value, items, c.Do)
			return
		}
	case *syntax.CStyleLoop:
		r.arithmetic(l.Init)
		r.arithmetic(l.Cond)
		r.arithmetic(l.Post)
	}
	r.rounds(func() { r.stmts(c.Do) })
}

// rounds reads what runs again and again: where it changes the directory, the
// next round begins elsewhere.
func (r *reader) rounds(read func()) {
	before, from := r.where, len(r.line.Commands)
	read()
	if r.where == before {
		return
	}
	r.where.unsure = true
	for i := from; i < len(r.line.Commands); i++ {
		r.line.Commands[i].doubt(uncertainDir)
	}
}

// unroll reads the body once for each item. A pattern stands for any number of
// rounds.
func (r *reader) unroll(name string, items []Word, body []*syntax.Stmt) {
	outer := r.bound
	r.line.unrolled += len(items)
	for _, item := range items {
		r.bound = map[string]Word{name: item}
		for k, v := range outer {
			if k != name {
				r.bound[k] = v
			}
		}
		if item.Glob {
			r.rounds(func() { r.stmts(body) })
		} else {
			r.stmts(body)
		}
	}
	r.bound = outer
}

// Bounds of what is read once for each item.
const (
	maxItems    = 32
	maxUnrolled = 400 // in one line
)

// items are the values of a loop's variable if they are known before it runs
// and nothing in the loop gives it another.
func (r *reader) items(l *syntax.WordIter, c *syntax.ForClause) []Word {
	if c.Select || l.Name == nil || r.line.unrolled > maxUnrolled {
		return nil
	}
	for _, w := range l.Items {
		if strings.ContainsAny(r.text(w), "$`") {
			return nil
		}
	}
	probe := &reader{src: r.src, line: &Line{}}
	items := probe.words(l.Items)
	if len(items) > maxItems || len(probe.line.Doubts) > 0 || rebinds(c.Do, l.Name.Value) {
		return nil
	}
	for _, w := range items {
		if !w.Literal && !w.Glob {
			return nil
		}
	}
	return items
}

// rebinds reports whether statements may give the variable another value.
func rebinds(body []*syntax.Stmt, name string) (yes bool) {
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Assign:
				yes = yes || n.Name == nil || n.Name.Value == name
			case *syntax.WordIter:
				yes = yes || n.Name == nil || n.Name.Value == name
			case *syntax.CallExpr:
				yes = yes || len(n.Args) > 0 && mayBind(n.Args)
			case *syntax.ParamExp:
				yes = yes || n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull)
			case *syntax.DeclClause, *syntax.LetClause, *syntax.ArithmCmd, *syntax.ArithmExp, *syntax.FuncDecl, *syntax.CoprocClause, *syntax.CStyleLoop:
				yes = true
			}
			return !yes
		})
	}
	return yes
}

// mayBind reports whether a command may store into a variable.
func mayBind(words []*syntax.Word) bool {
	program := words[0].Lit()
	switch {
	case program == "" || strings.Contains(program, "\\") || listed("command builtin", program) || unclear[program] != "":
		return true
	case program == "test" || program == "[":
		return false
	case program == "printf":
		return len(words) > 1 && (words[1].Lit() == "" || strings.HasPrefix(words[1].Lit(), "-")) && !quotedFormat(words[1])
	}
	return setters[program]
}

// quotedFormat reports a format of printf that is no option: a quotation that
// begins with neither a dash nor something that is known only when it runs.
func quotedFormat(w *syntax.Word) bool {
	text := ""
	switch q := w.Parts[0].(type) {
	case *syntax.SglQuoted:
		text = q.Value
	case *syntax.DblQuoted:
		if len(q.Parts) > 0 {
			if lit, ok := q.Parts[0].(*syntax.Lit); ok {
				text = lit.Value
			}
		}
	}
	return text != "" && !startsOption(text)
}

// held is the piece for a variable of a loop around. Without quotes its value
// would be split and expanded once more, so it has to be plain.
func (r *reader) held(name string, quoted bool) (piece, bool) {
	w, ok := r.bound[name]
	switch {
	case !ok || !quoted && (w.Glob || w.Text == "" || strings.ContainsAny(w.Text, " \t\n*?[\\")):
		return piece{}, false
	case w.Glob:
		return piece{text: w.Text}, true
	}
	return piece{text: w.Text, quoted: true, path: strings.HasPrefix(w.Text, "~") && !w.tilde}, true
}
