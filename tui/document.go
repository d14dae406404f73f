package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A document is a plan as it is drawn, without comments.
type document struct {
	key  docKey
	rows []textRow
}

// docKey is what the rows of a document depend on.
type docKey struct {
	text          string
	width, themes int
}

func (k docKey) lay(th *theme) document {
	return document{key: k, rows: markdownRows(k.text, k.width, th)}
}

// document is the plan of w in a width; a long one comes later.
func (m *Model) document(w *waiting, width int) *document {
	p, want := w.plan, docKey{w.plan.text, width, m.themes}
	switch {
	case p.doc.key == want:
	case len(p.text) <= longText:
		p.doc = want.lay(&m.theme)
	default:
		if p.coming != want {
			p.coming = want
			m.later(w.layDocument(want, m.theme))
		}
		return &document{rows: []textRow{{text: m.theme.muted.Render(short(m.stillLaying(p.text), width))}}}
	}
	p.coming = docKey{}
	return &p.doc
}

// layDocument lays out a long plan. It is dropped when the plan, the width or the
// theme is another one by then.
func (w *waiting) layDocument(want docKey, th theme) laying {
	return func() func(time.Duration) tea.Cmd {
		d := want.lay(&th)
		return func(time.Duration) tea.Cmd {
			if w.plan.coming == want {
				w.plan.doc, w.plan.coming = d, docKey{}
				w.laid.serial++
			}
			return nil
		}
	}
}

// block is the rows [from, to).
func (d *document) block(from, to int) block {
	return block{n: to - from, draw: func(lo, hi int) []string {
		out := make([]string, 0, hi-lo)
		for _, r := range d.rows[from+lo : from+hi] {
			out = append(out, strings.Repeat(" ", margin)+r.text)
		}
		return out
	}}
}
