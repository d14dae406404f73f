package shell

import (
	"errors"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// Read reads a command line as a POSIX shell or bash would. It never fails:
// whatever it can't understand is a doubt of the line or of a command.
func Read(line string) *Line { return ReadIn(line, nil) }

// ReadIn is Read for a caller who knows into which directories, written as in
// [Command.Dir], a cd leads for sure: what follows it in a list runs there.
// Without that knowledge the cd may fail, and the rest run where it was.
func ReadIn(line string, leads func(dir string) bool) *Line {
	l := &Line{Source: line, Commands: make([]Command, 0, 2)}
	r := &reader{src: line, line: l, leads: leads}
	r.script(line)
	return l
}

// A reader collects the commands of one script. Nested scripts (bash -c) have
// a reader of their own that writes to the same Line.
type reader struct {
	src    string
	line   *Line
	via    []string
	where  place
	depth  int
	parent int // index + 1 in line.Commands
	pipe   int
	base   *int            // offset in the Line for positions in a nested script
	bound  map[string]Word // what the variables of the loops around hold, where that is known
	leads  func(dir string) bool
	first  *syntax.Stmt // of the whole line
}

// A place is the directory in force.
type place struct {
	dir    string
	unsure bool // the change of directory may not have happened
}

var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// script reads r.src from the start.
func (r *reader) script(src string) {
	doubts := len(r.line.Doubts)
	deep := r.surface(src)
	if r.depth > maxNested {
		r.line.doubt(scriptsTooDeep, r.start())
		deep = true
	}
	if !deep {
		r.parse(src)
	}
	if len(r.line.Doubts) > doubts {
		r.loose(src)
	}
}

// surface looks at the text of the script before it is parsed.
func (r *reader) surface(src string) (deep bool) {
	if r.base == nil {
		return r.line.surface()
	}
	nested := &Line{Source: src}
	deep = nested.surface()
	for _, d := range nested.Doubts {
		r.line.doubt(d.Reason, *r.base)
	}
	return deep
}

// parse reads src by its grammar. A fault in the parser must not let a line
// pass, nor stop the program.
func (r *reader) parse(src string) {
	defer func() {
		if recover() != nil {
			r.line.doubt("it can't be read as a shell command", r.at(syntax.Pos{}))
		}
	}()
	parser := parsers.Get().(*syntax.Parser)
	file, err := parser.Parse(strings.NewReader(src), "")
	parsers.Put(parser)
	if err != nil {
		r.line.doubt("it can't be read as a shell command", r.errorAt(err))
		return
	}
	if r.leads != nil && len(file.Stmts) > 0 {
		r.first = file.Stmts[0]
	}
	r.stmts(file.Stmts)
}

// maxNested is how many scripts may be inside one another.
const maxNested = 8

func (r *reader) errorAt(err error) int {
	var e syntax.ParseError
	if errors.As(err, &e) {
		return r.at(e.Pos)
	}
	return r.at(syntax.Pos{})
}

func (r *reader) at(p syntax.Pos) int {
	if r.base != nil {
		return *r.base
	}
	return min(int(p.Offset()), len(r.src))
}

func (r *reader) text(n syntax.Node) string { return r.between(n.Pos(), n.End()) }

func (r *reader) between(from, to syntax.Pos) string {
	a, b := int(from.Offset()), int(to.Offset())
	if a > b || b > len(r.src) {
		return ""
	}
	return r.src[a:b]
}

// stmts reads a list. What follows a change of directory in a list runs even
// if the change failed, so the place is no longer sure.
func (r *reader) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		before := r.where
		r.stmt(s)
		if r.where != before && !endsOnFailure(s) && !r.arrives(s) {
			r.where.unsure = true
		}
	}
}

// arrives reports whether s is a cd alone that leads where it says for sure.
// Only the first statement can be one: what runs before another may take its
// goal away.
func (r *reader) arrives(s *syntax.Stmt) bool {
	_, call := s.Cmd.(*syntax.CallExpr)
	if !call || s != r.first || s.Negated || s.Background || len(s.Redirs) > 0 || len(r.line.Commands) != 1 {
		return false
	}
	words := r.line.Commands[0].Words
	return !climbs(words[len(words)-1].Text) && r.leads(r.where.dir)
}

// endsOnFailure reports whether s is of the form `… || exit`.
func endsOnFailure(s *syntax.Stmt) bool {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	if !ok || b.Op != syntax.OrStmt || s.Background || s.Negated {
		return false
	}
	x, ok := b.X.Cmd.(*syntax.CallExpr)
	if !ok || b.X.Negated || b.X.Background || len(x.Args) == 0 || x.Args[0].Lit() != "cd" {
		return false
	}
	y, ok := b.Y.Cmd.(*syntax.CallExpr)
	return ok && len(y.Args) > 0 && y.Args[0].Lit() == "exit" && !b.Y.Background
}

// apart reads what runs in a shell of its own: changes of directory end with it.
func (r *reader) apart(read func()) {
	before := r.where
	read()
	r.where = before
}

func (r *reader) stmt(s *syntax.Stmt) {
	if s == nil {
		return
	}
	before := r.where
	if s.Coprocess || s.Disown {
		r.line.doubt("a coprocess", r.at(s.Pos()))
	}
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		r.call(s, call)
	} else {
		r.compound(s)
	}
	if s.Background {
		r.where = before
	}
	if s.Negated && r.where != before {
		r.where.unsure = true
	}
}

func (r *reader) compound(s *syntax.Stmt) {
	if len(s.Redirs) > 0 || s.Cmd == nil {
		r.add(s, nil, nil)
	}
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		r.binary(c)
	case *syntax.Subshell:
		r.apart(func() { r.stmts(c.Stmts) })
	case *syntax.Block:
		r.stmts(c.Stmts)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			r.stmts(c.Cond)
			r.stmts(c.Then)
		}
	case *syntax.WhileClause:
		r.rounds(func() {
			r.stmts(c.Cond)
			r.stmts(c.Do)
		})
	case *syntax.ForClause:
		r.loop(c)
	case *syntax.CaseClause:
		r.nested(c.Word)
		for _, item := range c.Items {
			r.nested(item.Patterns...)
			before := r.where
			r.stmts(item.Stmts)
			if r.where != before {
				r.where.unsure = true
			}
		}
	case *syntax.FuncDecl:
		r.function(c)
	case *syntax.TimeClause:
		r.stmt(c.Stmt)
	case *syntax.CoprocClause:
		r.line.doubt("a coprocess", r.at(c.Pos()))
		r.stmt(c.Stmt)
	default:
		r.keyword(s)
	}
}

func (r *reader) binary(b *syntax.BinaryCmd) {
	before := r.where
	switch b.Op {
	case syntax.AndStmt:
		r.stmt(b.X)
		r.stmt(b.Y)
	case syntax.OrStmt:
		r.stmt(b.X)
		if after := r.where; after != before && endsOnFailure(&syntax.Stmt{Cmd: b}) {
			r.where = before
			r.stmt(b.Y)
			r.where = after
			return
		}
		if r.where != before {
			r.where.unsure = true
		}
		r.stmt(b.Y)
	default: // pipes
		outer := r.pipe
		if r.pipe == 0 {
			r.pipe = len(r.line.Commands) + 1
		}
		r.apart(func() { r.stmt(b.X) })
		r.apart(func() { r.stmt(b.Y) })
		r.pipe = outer
	}
}

func (r *reader) function(f *syntax.FuncDecl) {
	r.line.doubt("it defines a function", r.at(f.Pos()))
	from := len(r.line.Commands)
	before := r.where
	r.stmt(f.Body)
	if r.where != before {
		r.where.unsure = true
	}
	if f.Name == nil {
		return
	}
	for i := from; i < len(r.line.Commands); i++ {
		c := &r.line.Commands[i]
		if c.Program() == f.Name.Value && (c.pipeline > 0 || strings.Contains(r.text(f), "&")) {
			r.line.forkBomb = true
		}
	}
}
