package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// harmlessTargets may be written to without leaving anything behind.
var harmlessTargets = map[string]bool{
	"/dev/null": true, "/dev/stdout": true, "/dev/stderr": true,
}

func (r *reader) redirect(redir *syntax.Redirect, c *Command) Redirect {
	out := Redirect{Op: redir.Op.String(), Target: r.word(redir.Word)}
	switch redir.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		r.delimiter(redir)
		return out
	case syntax.WordHdoc:
		return out
	case syntax.DplIn:
		if !descriptor(out.Target) {
			c.doubt("a redirection to a descriptor that is known only when it runs")
		}
		return out
	case syntax.DplOut:
		out.Writes = !descriptor(out.Target)
	case syntax.RdrIn:
		out.Reads = true
	case syntax.RdrInOut:
		out.Reads, out.Writes = true, true
	default:
		out.Writes = true
	}
	if out.Writes && out.Target.Literal && harmlessTargets[out.Target.Text] {
		out.Writes = false
	}
	if out.Target.Literal && network(out.Target.Text) {
		c.doubt("a redirection to the network")
		out.Writes = true
	}
	if redir.N != nil && strings.HasPrefix(redir.N.Value, "{") {
		c.doubt("a redirection that sets a variable")
	}
	return out
}

// handed is the text that a here-document or a here-string hands to a command.
func (r *reader) handed(redir *syntax.Redirect) (text string, ok bool) {
	switch {
	case redir.Op == syntax.WordHdoc:
		return r.word(redir.Word).Text, true
	case redir.Hdoc == nil:
		return "", false
	}
	if text = redir.Hdoc.Lit(); text == "" {
		text = r.text(redir.Hdoc)
	}
	return text, true
}

// descriptor reports whether w is the number of an open file, or closes one.
func descriptor(w Word) bool {
	if !w.Literal || w.Text == "" {
		return false
	}
	digits := strings.TrimSuffix(w.Text, "-")
	return strings.Trim(digits, "0123456789") == ""
}

func network(path string) bool {
	return strings.HasPrefix(path, "/dev/tcp/") || strings.HasPrefix(path, "/dev/udp/")
}

// delimiter doubts here-documents whose end a shell may see elsewhere than
// the parser does.
func (r *reader) delimiter(redir *syntax.Redirect) {
	written := r.text(redir.Word)
	inner := written
	quoted := false
	for _, q := range []string{"'", `"`} {
		if len(written) > 2 && strings.HasPrefix(written, q) && strings.HasSuffix(written, q) {
			inner, quoted = written[1:len(written)-1], true
		}
	}
	if !plainDelimiter(inner) {
		r.line.doubt("an odd delimiter of a here-document", r.at(redir.Word.Pos()))
	}
	if redir.Hdoc != nil && !quoted && strings.Contains(r.text(redir.Hdoc), "\\\n") {
		r.line.doubt("a here-document with joined lines", r.at(redir.Hdoc.Pos()))
	}
}

func plainDelimiter(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !letter(c) && (c < '0' || c > '9') && !strings.ContainsRune("_.-!:", rune(c)) {
			return false
		}
	}
	return s != ""
}

func quotedDelimiter(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	switch w.Parts[0].(type) {
	case *syntax.SglQuoted, *syntax.DblQuoted:
		return true
	}
	return false
}
