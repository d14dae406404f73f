package shell

import "mvdan.cc/sh/v3/syntax"

// call reads a simple command.
func (r *reader) call(s *syntax.Stmt, call *syntax.CallExpr) {
	index := r.add(s, r.words(call.Args), call.Assigns)
	outer := r.parent
	r.parent = index + 1
	for _, a := range call.Assigns {
		r.assigned(a)
	}
	r.nested(call.Args...)
	r.parent = outer
	r.inside(index, s)
	r.move(index)
}

// add records one command and judges its own words. Its redirections' inner
// commands follow it.
func (r *reader) add(s *syntax.Stmt, words []Word, assigns []*syntax.Assign) int {
	end := s.Position
	if s.Cmd != nil && len(words)+len(assigns) > 0 {
		end = s.Cmd.End()
	}
	c := Command{
		Words: words, Via: r.via, Dir: r.where.dir,
		pos: r.at(s.Pos()), parent: r.parent, pipeline: r.pipe,
	}
	for _, a := range assigns {
		c.Assigns = append(c.Assigns, r.assign(a))
	}
	for _, redir := range s.Redirs {
		if e := redir.End(); e.After(end) {
			end = e
		}
		c.Redirects = append(c.Redirects, r.redirect(redir, &c))
		if text, ok := r.handed(redir); ok {
			c.input = append(c.input, text)
		}
	}
	start := s.Pos()
	if s.Cmd != nil && len(words)+len(assigns) > 0 {
		start = s.Cmd.Pos()
		for _, redir := range s.Redirs {
			if start.After(redir.Pos()) {
				start = redir.Pos()
			}
		}
	} else if len(s.Redirs) > 0 {
		start = s.Redirs[0].Pos()
	}
	c.Source = r.between(start, end)
	r.judge(&c)
	r.line.Commands = append(r.line.Commands, c)
	index := len(r.line.Commands) - 1

	outer := r.parent
	r.parent = index + 1
	for _, redir := range s.Redirs {
		r.nested(redir.Word, redir.Hdoc)
	}
	r.parent = outer
	return index
}
