package tui

import (
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

// saveColumn is where the texts of the panel begin that a opens.
const saveColumn = 17

// samplesFrom is the height from which past calls are named.
const samplesFrom = 24

// saveRows show all that may be kept in a place as a list, and what is chosen
// whole and in the form in which it is saved, before the key that saves it
// (BEY-08).
func (m *Model) saveRows(w *waiting, width int) []string {
	rows := append(m.placeRows(w, width), m.widthRows(w, width)...)
	k := m.kept(w)
	rows = append(rows, m.savedRows(w, &k, width)...)
	if m.height >= roomyFrom {
		rows = append(rows, m.saveFact(w, m.tr("where"), k.where, width)...)
	}
	rows = append(rows, m.pastRows(w, k.counts, width)...)
	hints := flow(m.hintCells(), 1, width)
	if len(hints) > 1 && m.height < roomyFrom {
		hints = flow(m.hintCells("narrower", "wider", "where"), 1, width) // their signs stand in the rows
	}
	return append(rows, hints...)
}

func (m *Model) saveFact(w *waiting, label, value string, width int) []string {
	called := namesOf(&w.approval.Prompt.Request)
	return beside("  "+m.theme.muted.Render(label), saveColumn, called.words(value, width-saveColumn-1), m.theme.text)
}

// placeRows are the places, or on a low screen the one that is chosen.
func (m *Model) placeRows(w *waiting, width int) []string {
	th := &m.theme
	list := w.places(&m.wording)
	at := min(m.saving.place, len(list)-1)
	if m.height < roomyFrom {
		sign := "  "
		if len(list) > 1 {
			sign += th.key.Render(m.keyOf(saveScreen, "where")) + " "
		}
		return []string{sign + th.focus.Render(list[at].name)}
	}
	var cells []string
	for i, other := range list {
		if i == at {
			cells = append(cells, th.key.Render("(•) ")+th.focus.Render(other.name))
		} else {
			cells = append(cells, th.muted.Render("( ) "+other.name))
		}
	}
	return indent(flow(cells, 2, width-2), 2)
}

// widthRows are what may be kept there, the narrowest first, with the past calls
// that each would have let pass. Where there is no room for all of them they are
// those around what is chosen.
func (m *Model) widthRows(w *waiting, width int) []string {
	th := &m.theme
	called := namesOf(&w.approval.Prompt.Request)
	widths := m.keptIn(w).widths
	at := min(m.saving.width, len(widths)-1)
	n := min(len(widths), max(1, (m.height-10)/2))
	first := max(0, min(at-n/2, len(widths)-n))
	var rows []string
	for i := first; i < first+n; i++ {
		k := widths[i]
		count, style := m.countOf(w, k.counts)
		right := style.Render(count) + " "
		if n < len(widths) && i == at {
			right = th.muted.Render(m.tr("%s of %s", m.number(at+1), m.number(len(widths)))) + " "
		}
		room := width - rowWidth(right) - 6
		if i != at {
			rows = append(rows, spread("    "+th.text.Render(diffview.Truncate(called.line(k.covers), room)), right, width))
			continue
		}
		whole := beside("  "+th.key.Render("▸"), 4, called.words(k.covers, room), th.focus)
		rows = append(append(rows, spread(whole[0], right, width)), whole[1:]...)
	}
	last := &widths[len(widths)-1]
	if why := w.widest(*last); at == len(widths)-1 && why != "" && m.height >= samplesFrom && last.answer.Decision == gate.Always {
		rows = append(rows, beside("", 4, words(m.fact(m.tr("nothing wider is offered"), m.known(why)), width-5), th.muted)...)
	}
	return rows
}

// countOf says how many past calls a rule would have let pass.
func (m *Model) countOf(w *waiting, rule string) (string, *brush) {
	th := &m.theme
	past, known := w.past[rule]
	switch {
	case rule == "" || m.opts.Past == nil:
		return "", th.muted
	case !known:
		return "…", th.muted
	case past.Err != nil:
		return m.tr("can't be counted"), th.muted
	}
	text := m.n(past.Calls, "%s past call", "%s past calls")
	if past.Refused == 0 {
		return text, th.muted
	}
	return text + ", " + m.n(past.Refused, "%s refused", "%s refused"), th.warn
}

// savedRows show what is chosen as it is saved: each rule of it, whole.
func (m *Model) savedRows(w *waiting, k *keepable, width int) (rows []string) {
	th := &m.theme
	called := namesOf(&w.approval.Prompt.Request)
	label, column := th.tr("will be saved"), saveColumn
	if m.height < roomyFrom && width < terse {
		label, column = "↳", 4
	}
	saved := func(form string) {
		rows = append(rows, beside("  "+th.warn.Render(label), column, called.wrap(form, width-column-1), th.headline)...)
	}
	if k.rule == nil {
		if k.answer.Decision == gate.Always {
			saved(k.key)
		}
		return rows
	}
	if k.rule.Of != "" {
		rows = append(rows, m.saveFact(w, th.tr("for"), th.tr("%s; the rest is allowed already", k.rule.Of), width)...)
	}
	each := k.rule.Each()
	for _, r := range each {
		saved(r.Rule)
		said := readAs(r.Rule, &th.wording)
		if len(each) > 1 {
			said = th.known(r.Label) + said
		}
		said = strings.TrimPrefix(said, " · ") // the list has the label of one
		if m.height >= samplesFrom && said != "" {
			rows = append(rows, beside("  "+th.muted.Render(th.tr("that is")), saveColumn, called.wrap(said, width-saveColumn-1), th.text)...)
		}
	}
	return rows
}

// readAs says how the matcher reads a rule.
func readAs(rule string, t *wording) string {
	reading, err := gate.CheckRule(gate.Allow, rule, "", "", "")
	if err != nil {
		return ""
	}
	how := ""
	switch reading.Match {
	case "prefix":
		how = t.tr("read as a prefix of words")
	case "glob":
		how = t.tr("read as a pattern with wildcards")
	case "regex":
		how = t.tr("read as a regular expression")
	case "path":
		how = t.tr("read as a path")
	case "name":
		how = t.tr("read as a name")
	}
	return " · " + how
}

// pastRows name a few of the past calls, those that were refused first.
func (m *Model) pastRows(w *waiting, rule string, width int) (rows []string) {
	th := &m.theme
	past := w.past[rule]
	if past.Err != nil {
		return m.saveFact(w, th.tr("past calls"), th.tr("can't be counted: %v", past.Err), width)
	}
	if m.height < samplesFrom || m.opts.Past == nil {
		return nil
	}
	label := "  " + th.muted.Render(th.tr("past calls"))
	for _, s := range past.Samples[:min(len(past.Samples), 1+(m.height-samplesFrom)/5, 6)] {
		mark := "· "
		if s.Refused {
			mark = "✗ " + th.fact(th.tr("refused"), "")
		}
		text := short(s.Target, width-saveColumn-1-diffview.Width(mark))
		rows = append(rows, beside(label, saveColumn, []string{mark + text}, th.muted)...)
		label = ""
	}
	return rows
}
