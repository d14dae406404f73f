package diffview

// wordSigns puts signs around the words that differ. A text can't hold them:
// the bracket is escaped in it.
type wordSigns struct {
	spans []Span // what is still to come
	op    Op
	open  bool // inside of spans[0]
}

// next is the sign that stands before byte pos, if there is one.
func (w *wordSigns) next(pos int) (glyph, bool) {
	switch {
	case len(w.spans) == 0:
		return glyph{}, false
	case w.open && pos >= w.spans[0].To:
		w.open, w.spans = false, w.spans[1:]
		return w.sign(w.op.String()+"⟩", pos), true
	case !w.open && pos >= w.spans[0].From:
		w.open = true
		return w.sign(string(countMark)+w.op.String(), pos), true
	}
	return glyph{}, false
}

func (w *wordSigns) sign(text string, pos int) glyph {
	return glyph{text: []byte(text), width: 2, from: pos, to: pos, mark: true}
}

// skip drops what ends before byte pos.
func (w *wordSigns) skip(pos int) {
	for len(w.spans) > 0 && w.spans[0].To <= pos {
		w.spans = w.spans[1:]
	}
	w.open = false
}
