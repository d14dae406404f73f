package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// nested reads the commands in the substitutions of words.
func (r *reader) nested(words ...*syntax.Word) {
	for _, w := range words {
		if w != nil {
			r.parts(w.Parts)
		}
	}
}

func (r *reader) parts(parts []syntax.WordPart) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.DblQuoted:
			r.parts(p.Parts)
		case *syntax.CmdSubst:
			r.commandSubst(p)
		case *syntax.ProcSubst:
			r.apart(func() { r.stmts(p.Stmts) })
		case *syntax.ParamExp:
			r.expansion(p)
		case *syntax.ArithmExp:
			r.arithmetic(p.X)
		}
	}
}

func (r *reader) commandSubst(p *syntax.CmdSubst) {
	if p.TempFile || p.ReplyVar {
		r.line.doubt("a substitution that runs in this shell", r.at(p.Pos()))
	}
	if p.Backquotes && strings.Contains(r.text(p), "\\") {
		r.line.doubt("a backslash between backquotes", r.at(p.Pos()))
	}
	r.apart(func() { r.stmts(p.Stmts) })
}

// expansion reads ${…}. Subscripts and offsets are arithmetic, which can run
// commands; some operators evaluate the value once more or assign to it.
func (r *reader) expansion(p *syntax.ParamExp) {
	if p.NestedParam != nil || p.Flags != nil || len(p.Modifiers) > 0 {
		r.line.doubt("an expansion that bash does not have", r.at(p.Pos()))
	}
	if p.Excl && p.Names == 0 {
		r.line.doubt("an indirect expansion", r.at(p.Pos()))
	}
	if p.Index != nil {
		r.subscript(p.Index)
	}
	if p.Slice != nil {
		r.arithmetic(p.Slice.Offset)
		r.arithmetic(p.Slice.Length)
	}
	if p.Repl != nil {
		r.nested(p.Repl.Orig, p.Repl.With)
	}
	if p.Exp == nil {
		return
	}
	switch p.Exp.Op {
	case syntax.OtherParamOps:
		r.line.doubt("an expansion that evaluates its value", r.at(p.Pos()))
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if p.Param == nil || !localName(p.Param.Value) {
			r.line.doubt("an expansion that sets a variable", r.at(p.Pos()))
		}
	}
	r.nested(p.Exp.Word)
}

// subscript reads an index: all elements and numbers are harmless.
func (r *reader) subscript(x syntax.ArithmExpr) {
	if w, ok := x.(*syntax.Word); ok {
		if lit := w.Lit(); lit == "@" || lit == "*" {
			return
		}
	}
	r.arithmetic(x)
}

// arithmetic reads an arithmetic expression. A name in it is evaluated as an
// expression again, which may run a command; only numbers are sure.
func (r *reader) arithmetic(x syntax.ArithmExpr) {
	switch a := x.(type) {
	case *syntax.BinaryArithm:
		r.arithmetic(a.X)
		r.arithmetic(a.Y)
	case *syntax.UnaryArithm:
		r.arithmetic(a.X)
	case *syntax.ParenArithm:
		r.arithmetic(a.X)
	case *syntax.FlagsArithm:
		r.line.doubt("arithmetic that bash does not have", r.at(a.Pos()))
		r.arithmetic(a.X)
	case *syntax.Word:
		if lit := a.Lit(); lit == "" || strings.Trim(lit, "0123456789") != "" {
			r.line.doubt("arithmetic on variables", r.at(a.Pos()))
		}
		r.nested(a)
	}
}

// keyword reads the statements of the shell that are not simple commands:
// [[ … ]], (( … )), let, and declarations.
func (r *reader) keyword(s *syntax.Stmt) {
	var words []Word
	var assigns []*syntax.Assign
	doubt := ""
	switch c := s.Cmd.(type) {
	case nil:
		return
	case *syntax.TestClause:
		words = []Word{literal("[["), {Text: r.text(c.X), inert: true}, literal("]]")}
		defer r.test(c.X)
	case *syntax.ArithmCmd:
		words = []Word{literal("(("), {Text: r.text(c.X), inert: true}, literal("))")}
		defer r.arithmetic(c.X)
	case *syntax.LetClause:
		words = []Word{literal("let")}
		doubt = "arithmetic on variables"
		for _, x := range c.Exprs {
			defer r.arithmetic(x)
		}
	case *syntax.DeclClause:
		words = append(words, literal(c.Variant.Value))
		for _, a := range c.Args {
			if a.Naked && a.Value != nil {
				words = append(words, r.word(a.Value))
				doubt = "a declaration with options"
				defer r.nested(a.Value)
				continue
			}
			assigns = append(assigns, a)
			defer r.assigned(a)
		}
	default:
		r.line.doubt("a statement that bash does not have", r.at(s.Pos()))
		syntax.Walk(s, func(n syntax.Node) bool {
			if inner, ok := n.(*syntax.Stmt); ok && inner != s {
				r.stmt(inner)
				return false
			}
			return true
		})
		return
	}
	index := r.add(s, words, assigns)
	if doubt != "" {
		r.line.Commands[index].doubt(doubt)
	}
}

func literal(s string) Word { return Word{Text: s, Literal: true} }

// test reads the expression of [[ … ]]. Comparing numbers is arithmetic.
func (r *reader) test(x syntax.TestExpr) {
	switch t := x.(type) {
	case *syntax.BinaryTest:
		switch t.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			r.operand(t.X)
			r.operand(t.Y)
		}
		r.test(t.X)
		r.test(t.Y)
	case *syntax.UnaryTest:
		if t.Op == syntax.TsVarSet || t.Op == syntax.TsRefVar {
			r.line.doubt("a test of a variable", r.at(t.Pos()))
		}
		r.test(t.X)
	case *syntax.ParenTest:
		r.test(t.X)
	case *syntax.Word:
		r.nested(t)
	}
}

func (r *reader) operand(x syntax.TestExpr) {
	if w, ok := x.(*syntax.Word); ok {
		if word := r.word(w); word.inert || word.Literal && strings.Trim(word.Text, "0123456789") == "" {
			return
		}
	}
	r.line.doubt("arithmetic on variables", r.at(x.Pos()))
}
