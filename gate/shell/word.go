package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A piece is a stretch of a word that was written in one way.
type piece struct {
	text    string
	quoted  bool // not split, not globbed, no braces
	dynamic bool // known only when the command runs
	inert   bool // dynamic, but alone it can't be an option or name a stored file
	path    bool // the beginning of a path, so that it can't be an option
}

// words decodes the words of a command. Brace expansion makes several of one.
func (r *reader) words(args []*syntax.Word) []Word {
	out := make([]Word, 0, len(args))
	for _, w := range args {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && len(w.Parts) == 1 && plain(lit.Value) {
			out = append(out, Word{Text: lit.Value, Literal: true})
			continue
		}
		if pieces := r.pieces(w); braced(pieces) {
			out = r.braces(out, pieces, w)
		} else {
			out = append(out, join(pieces))
		}
	}
	return out
}

func (r *reader) braces(out []Word, pieces []piece, w *syntax.Word) []Word {
	lists, sure := expandBraces(pieces)
	for _, list := range lists {
		word := join(list)
		if strings.HasPrefix(word.Text, "-") {
			sure = false
		}
		out = append(out, word)
	}
	if !sure {
		r.line.doubt("a brace expansion", r.at(w.Pos()))
	}
	return out
}

// word decodes w where no brace expansion happens.
func (r *reader) word(w *syntax.Word) Word {
	if w == nil {
		return Word{Literal: true}
	}
	return join(r.pieces(w))
}

func plain(s string) bool {
	return !strings.ContainsAny(s, "\\*?[{~")
}

func (r *reader) pieces(w *syntax.Word) []piece {
	pieces := make([]piece, 0, len(w.Parts))
	for _, part := range w.Parts {
		pieces = r.piece(pieces, part)
	}
	if len(pieces) > 0 && !pieces[0].quoted && strings.HasPrefix(pieces[0].text, "~") {
		pieces[0] = r.tilde(pieces[0], len(pieces) > 1, w)
	}
	return pieces
}

// tilde judges a leading ~. The caller's own home is kept as ~, which every
// consumer resolves; another user's home is not known.
func (r *reader) tilde(p piece, more bool, w *syntax.Word) piece {
	name, _, slash := strings.Cut(p.text[1:], "/")
	if name == "" && (slash || !more) {
		return p
	}
	r.line.doubt("the home of another user", r.at(w.Pos()))
	p.dynamic, p.inert = true, false
	return p
}

func (r *reader) piece(pieces []piece, part syntax.WordPart) []piece {
	switch p := part.(type) {
	case *syntax.Lit:
		return unescape(pieces, p.Value)
	case *syntax.SglQuoted:
		text := p.Value
		if p.Dollar {
			r.line.doubt("a quotation of the form $'…'", r.at(p.Pos()))
			text = decodeANSI(text)
		}
		return append(pieces, piece{text: text, quoted: true})
	case *syntax.DblQuoted:
		return r.doubleQuoted(pieces, p)
	case *syntax.ParamExp:
		return append(pieces, r.parameter(p, len(pieces) == 0, false))
	}
	return append(pieces, r.substitution(part, len(pieces) == 0, false))
}

func (r *reader) doubleQuoted(pieces []piece, q *syntax.DblQuoted) []piece {
	if q.Dollar {
		r.line.doubt(`a quotation of the form $"…"`, r.at(q.Pos()))
	}
	if len(q.Parts) == 0 {
		return append(pieces, piece{quoted: true})
	}
	for _, part := range q.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			pieces = append(pieces, piece{text: unescapeQuoted(p.Value), quoted: true})
		case *syntax.ParamExp:
			pieces = append(pieces, r.parameter(p, len(pieces) == 0, true))
		default:
			pieces = append(pieces, r.substitution(part, len(pieces) == 0, true))
		}
	}
	return pieces
}

// parameter decodes a parameter expansion. The home and the working directory
// are read as what they are, but for the blanks at which they are split
// without quotes; everything else is known only when it runs.
func (r *reader) parameter(p *syntax.ParamExp, first, quoted bool) piece {
	text := r.text(p)
	bare := p.Param != nil && !p.Excl && !p.Length && p.Index == nil &&
		p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Exp == nil
	if !bare {
		return piece{text: text, quoted: quoted, dynamic: true}
	}
	if known, ok := r.held(p.Param.Value, quoted); ok {
		return known
	}
	switch p.Param.Value {
	case "HOME":
		if first {
			return piece{text: "~", quoted: true, dynamic: !quoted, path: true}
		}
	case "PWD":
		if first {
			return piece{text: ".", quoted: true, dynamic: !quoted, path: true}
		}
	case "?", "#", "$", "!":
		return piece{text: text, quoted: true, dynamic: true, inert: true}
	case "@":
		quoted = false // "$@" is as many words as there are parameters
	}
	return piece{text: text, quoted: quoted, dynamic: true}
}

func (r *reader) substitution(part syntax.WordPart, first, quoted bool) piece {
	p := piece{text: r.text(part), quoted: quoted, dynamic: true}
	switch s := part.(type) {
	case *syntax.CmdSubst:
		if text, ok := r.document(s); ok && quoted {
			return piece{text: text, quoted: true}
		}
		if first && quoted && r.text(s) == "$(pwd)" {
			return piece{text: ".", quoted: true, path: true}
		}
	case *syntax.ProcSubst:
		p.quoted, p.inert = true, true
	case *syntax.ArithmExp:
		if s.Bracket {
			r.line.doubt("arithmetic of the form $[…]", r.at(s.Pos()))
		}
	case *syntax.ExtGlob:
		r.line.doubt("an extended pattern", r.at(s.Pos()))
	}
	return p
}

// document decodes "$(cat <<'EOF' … EOF)", the usual way to pass a text of
// several lines. Only a quoted delimiter makes the text literal.
func (r *reader) document(s *syntax.CmdSubst) (string, bool) {
	if len(s.Stmts) != 1 || s.Backquotes || s.TempFile || s.ReplyVar {
		return "", false
	}
	stmt := s.Stmts[0]
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || stmt.Background || stmt.Negated || len(call.Assigns) > 0 || len(call.Args) != 1 ||
		call.Args[0].Lit() != "cat" || len(stmt.Redirs) != 1 {
		return "", false
	}
	here := stmt.Redirs[0]
	if here.Op != syntax.Hdoc || here.N != nil || !quotedDelimiter(here.Word) {
		return "", false
	}
	if here.Hdoc == nil {
		return "", true
	}
	text := here.Hdoc.Lit()
	if text == "" && len(here.Hdoc.Parts) > 0 {
		return "", false
	}
	return strings.TrimRight(text, "\n"), true
}

// unescape decodes unquoted text. An escaped character is a quoted piece.
func unescape(pieces []piece, s string) []piece {
	for s != "" {
		at := strings.IndexByte(s, '\\')
		if at < 0 || at == len(s)-1 {
			return append(pieces, piece{text: s})
		}
		if at > 0 {
			pieces = append(pieces, piece{text: s[:at]})
		}
		if s[at+1] != '\n' {
			pieces = append(pieces, piece{text: s[at+1 : at+2], quoted: true})
		}
		s = s[at+2:]
	}
	return pieces
}

func unescapeQuoted(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			switch s[i+1] {
			case '\n':
				i++
				continue
			case '$', '`', '"', '\\':
				i++
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// join makes one word of its pieces.
func join(pieces []piece) Word {
	if len(pieces) == 1 && pieces[0].quoted && !pieces[0].dynamic {
		p := pieces[0]
		return Word{Text: p.text, Literal: true, tilde: !p.path && strings.HasPrefix(p.text, "~")}
	}
	// Beside other text a number makes another name, and what may be empty
	// joins the parts of an option: only alone is a piece inert.
	alone := len(pieces) == 1
	w := Word{Literal: true, inert: alone}
	var text strings.Builder
	named := false // the literal beginning is --option=
	for _, p := range pieces {
		if p.dynamic {
			w.Literal = false
			w.inert = w.inert && p.inert
			if !(p.inert && alone) && !p.path && (!p.quoted || text.Len() == 0 || startsOption(text.String()) && !named) {
				w.MaybeOption = true
			}
		} else if !p.quoted && globs(p.text) && !givesFormat(text.String()+p.text) {
			w.Glob = true
			if text.Len() == 0 && strings.ContainsRune("*?[", rune(p.text[0])) || startsOption(text.String()+p.text) && !named {
				w.MaybeOption = true
			}
		}
		text.WriteString(p.text)
		named = named || !p.dynamic && startsOption(text.String()) && strings.Contains(text.String(), "=")
	}
	w.Text = text.String()
	if pieces[0].path && len(w.Text) > 1 && w.Text[1] != '/' {
		w.Literal = false // "$HOME"x is no path below the home
	}
	w.tilde = strings.HasPrefix(w.Text, "~") && (pieces[0].quoted || pieces[0].text == "") && !pieces[0].path
	w.inert = w.inert && !w.Literal
	if w.Glob {
		w.Literal = false
	}
	return w
}

// givesFormat reports whether a word gives a format. A wildcard in it could only
// become the name of a file that begins like the option: it is a placeholder.
func givesFormat(s string) bool {
	return strings.HasPrefix(s, "--format=") || strings.HasPrefix(s, "--pretty=")
}

func startsOption(s string) bool { return strings.HasPrefix(s, "-") }

func globs(s string) bool {
	if strings.ContainsAny(s, "*?") {
		return true
	}
	open := strings.IndexByte(s, '[')
	return open >= 0 && strings.IndexByte(s[open:], ']') > 0
}
