package tui

import (
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// parts shows the verdict on each command of a command line, and why where that
// isn't said already: of the whole, or of the command before. A script has
// thousands of commands: like the headline they are styled when they are drawn.
func parts(list []gate.Part, whole string, called calledNames, th *theme, width int) block {
	if len(list) < 2 {
		return block{}
	}
	type partRow struct {
		text   string
		style  *brush
		effect *gate.Effect // in the first row of a part
	}
	var rows []partRow
	reasons := map[string][]string{} // most parts have the same few
	said := ""
	for i, p := range list {
		effect := &list[i].Effect
		for _, text := range called.wrap(p.Command, width-labels) {
			rows, effect = append(rows, partRow{text, th.text, effect}), nil
		}
		why := partWhy(p, &th.wording)
		repeated := why == "" || why == said || p.Rule == nil && strings.Contains(whole, p.Reason)
		said = why
		if repeated {
			continue
		}
		if _, known := reasons[why]; !known {
			reasons[why] = called.words(why, width-labels)
		}
		for _, text := range reasons[why] {
			rows = append(rows, partRow{text, th.muted, nil})
		}
	}
	return block{n: len(rows), draw: func(from, to int) []string {
		drawn := make([]string, 0, to-from)
		for _, r := range rows[from:to] {
			label := ""
			if r.effect != nil {
				mark, style := effectMark(*r.effect, th)
				label = style.Render(mark + " " + th.effect(*r.effect))
			}
			drawn = append(drawn, pad(label, labels)+r.style.Render(r.text))
		}
		return drawn
	}}
}

func partWhy(p gate.Part, t *wording) string {
	var s []string
	if p.Reason != "" {
		s = append(s, t.known(p.Reason))
	}
	if p.Rule != nil {
		s = append(s, p.Rule.String())
	}
	return strings.Join(s, " · ")
}

// effect says a word of rules.
func (w *wording) effect(e gate.Effect) string {
	switch e {
	case gate.Allow:
		return w.tr("allow")
	case gate.Ask:
		return w.tr("ask")
	}
	return w.tr("deny")
}

func effectMark(e gate.Effect, th *theme) (string, *brush) {
	switch e {
	case gate.Allow:
		return "✓", th.good
	case gate.Ask:
		return "?", th.warn
	}
	return "✗", th.danger
}
