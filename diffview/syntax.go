package diffview

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
)

const (
	// Before what is drawn so many lines are read, to know whether it begins
	// inside a comment or a text.
	syntaxLead = 150
	// More than this is not read at once, and longer lines have no colours:
	// they are data rather than code, and take long.
	maxSyntax     = 128 << 10
	maxSyntaxLine = 2 << 10
	// maxColored lines keep their colours.
	maxColored = 20_000
)

// A coloring holds the colours that were found so far, by line of one text.
type coloring struct {
	mu    sync.Mutex
	lines map[int][]syntaxSpan
}

func (c *coloring) line(i int) []syntaxSpan {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lines[i]
}

// missing tells whether one of n lines from line i wasn't looked at.
func (c *coloring) missing(i, n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k := range n {
		if _, ok := c.lines[i+k]; !ok {
			return true
		}
	}
	return false
}

func (c *coloring) keep(lines map[int][]syntaxSpan) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lines == nil || len(c.lines)+len(lines) > maxColored {
		c.lines = map[int][]syntaxSpan{}
	}
	maps.Copy(c.lines, lines)
}

// Highlight finds the colours of the code that Slice would draw for the same
// arguments, so that from then on it draws them, and tells whether there are
// new ones. Drawing doesn't wait for it: it may take as long as ctx lets it,
// and a quarter of a second more for text made to be slow.
func (d *Diff) Highlight(ctx context.Context, o RenderOptions, from, to int) bool {
	lexer := d.language()
	if lexer == nil {
		return false
	}
	l := d.layout(o.withDefaults())
	from, to = max(from, 0), min(to, l.rows)
	olds, news := uncolored{text: d.old, colors: &d.oldColors}, uncolored{text: d.new, colors: &d.newColors}
	for i := max(l.at(from), 0); i < len(l.sections) && l.sections[i].row < to; i++ {
		s := &l.sections[i]
		if s.note != "" || s.fold > 0 || s.block.empties {
			continue
		}
		first, _, _ := s.item(max(from-s.row, 0))
		last, _, _ := s.item(min(to-s.row, s.rows()) - 1)
		old, new := s.block.sides(l.key.split, first, last+1)
		lead := point{}
		if d.patch { // the lines before the hunk are from elsewhere
			lead = point{d.Hunks[s.hunk].blocks[0].old, d.Hunks[s.hunk].blocks[0].new}
		}
		olds.add(old, lead.a)
		news.add(new, lead.b)
	}
	var old, new bool
	var sides sync.WaitGroup // reading code takes long, and there are two
	sides.Go(func() { old = olds.color(ctx, lexer) })
	sides.Go(func() { new = news.color(ctx, lexer) })
	sides.Wait()
	return old || new
}

// sides are the lines of each side that the items from first up to end of the
// block show. Lines that are the same on both sides are drawn as the new ones.
func (b *block) sides(split bool, first, end int) (old, new Span) {
	old, new = Span{first, min(end, b.oldN)}, Span{first, min(end, b.newN)}
	if !split && !b.same {
		new = Span{max(first-b.oldN, 0), end - b.oldN}
	}
	if b.same {
		old = Span{}
	}
	return Span{b.old + old.From, b.old + old.To}, Span{b.new + new.From, b.new + new.To}
}

// uncolored are the lines of one text that have no colours yet, in stretches
// that are read one by one.
type uncolored struct {
	text      *text
	colors    *coloring
	stretches []stretch
}

type stretch struct {
	Span
	lead int // the line from which it is read
}

// add adds lines, which are read from line earliest at most. Where they begin
// so soon after the last ones that these would be read a second time, they
// continue them.
func (u *uncolored) add(lines Span, earliest int) {
	if n := lines.To - lines.From; n <= 0 || !u.colors.missing(lines.From, n) {
		return
	}
	lead := max(lines.From-syntaxLead, earliest)
	if len(u.stretches) > 0 {
		last := &u.stretches[len(u.stretches)-1]
		if lead < last.To && u.text.starts[lines.To]-u.text.starts[last.From] < maxSyntax/2 {
			last.To = lines.To
			return
		}
	}
	u.stretches = append(u.stretches, stretch{lines, lead})
}

// color finds the colours, as far as ctx lets it, and tells whether there are
// new ones.
func (u *uncolored) color(ctx context.Context, lexer chroma.Lexer) (found bool) {
	for _, s := range u.stretches {
		if ctx.Err() != nil {
			break
		}
		lines := tokenise(ctx, lexer, u.text, s.lead, s.Span)
		u.colors.keep(lines)
		found = found || len(lines) > 0
	}
	return found
}

// language is the lexer for the file, by its name or first line.
func (d *Diff) language() chroma.Lexer {
	if d.Binary || len(d.Hunks) == 0 || d.File.Path == "" {
		return nil
	}
	first := d.new
	if first.lines() == 0 {
		first = d.old
	}
	return languageOf(d.File.Path, first.line(0))
}

// tokenise reads code from line lead on and returns the colours of the lines
// of span, as many as were found in time.
func tokenise(ctx context.Context, lexer chroma.Lexer, t *text, lead int, span Span) (found map[int][]syntaxSpan) {
	found = map[int][]syntaxSpan{}
	code, first := readable(t, lead, span)
	// The rules for languages come from elsewhere and end the program if they
	// contradict themselves. Code without colours is better.
	defer func() { _ = recover() }()
	next, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, code)
	if err != nil {
		return found
	}
	line, at := first, 0
	var spans []syntaxSpan
	for token := next(); token != chroma.EOF && ctx.Err() == nil; token = next() {
		kind := kindOf(token.Type)
		for rest := token.Value; ; {
			part, after, ended := strings.Cut(rest, "\n")
			if kind != plainCode && len(part) > 0 {
				spans = append(spans, syntaxSpan{Span{at, at + len(part)}, kind})
			}
			at += len(part)
			if !ended {
				break
			}
			if line >= span.From && line < span.To {
				found[line] = spans
			}
			rest, line, at, spans = after, line+1, 0, nil
		}
	}
	return found
}

// readable is the code from line lead to the end of span, in which each byte
// that isn't text is replaced by one that is. Of too much, the end is left.
func readable(t *text, lead int, span Span) (code string, first int) {
	size := 0
	for first = span.From; first > lead && size < maxSyntax/4; first-- {
		size += len(t.line(first - 1))
	}
	var b bytes.Buffer
	for i := first; i < span.To; i++ {
		line := t.line(i)
		if len(line) > maxSyntaxLine || b.Len() > maxSyntax {
			line = nil
		}
		for _, c := range line {
			switch {
			case c == '\r' || c == 0:
				c = ' '
			case c >= utf8.RuneSelf && !utf8.Valid(line):
				c = '?'
			}
			b.WriteByte(c)
		}
		b.WriteByte('\n')
	}
	return b.String(), first
}

// kindOf is what a token is, for colours.
func kindOf(t chroma.TokenType) syntaxKind {
	switch {
	case t == chroma.KeywordType, t == chroma.NameClass, t == chroma.NameBuiltin, t == chroma.NameException:
		return typeCode
	case t.InCategory(chroma.Keyword), t == chroma.OperatorWord, t == chroma.NameDecorator:
		return keywordCode
	case t.InCategory(chroma.Comment):
		return commentCode
	case t.InSubCategory(chroma.LiteralNumber), t == chroma.NameConstant:
		return numberCode
	case t.InCategory(chroma.Literal):
		return stringCode
	case slices.Contains([]chroma.TokenType{
		chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameTag, chroma.NameAttribute, chroma.NameProperty,
		chroma.NameNamespace, chroma.GenericHeading, chroma.GenericSubheading,
	}, t):
		return nameCode
	}
	return plainCode
}
