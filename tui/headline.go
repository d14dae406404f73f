package tui

import (
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

// headline is what will run, whole; never what the agent says about it. A
// command may be a long script: its rows get labels and styles when they are
// drawn.
func headline(r gate.Request, th *theme, width int) block {
	var rows []string
	onward := map[int]bool{} // rows that go on with a line
	for _, lines := range subject(r, &th.wording) {
		for _, l := range lines {
			for i, row := range diffview.WrapCommand(l, max(1, width-labels)) {
				if i > 0 && (len(lines) > 1 || r.Kind == gate.RunCommand) {
					onward[len(rows)] = true
				}
				rows = append(rows, row)
			}
		}
	}
	label := func(i int) string {
		switch {
		case onward[i]:
			return onwardLabel(th)
		case i == 0:
			return kindLabel(r, th)
		}
		return ""
	}
	return block{n: len(rows), draw: func(from, to int) []string {
		drawn := make([]string, 0, to-from)
		for i := from; i < to; i++ {
			drawn = append(drawn, pad(label(i), labels)+th.headline.Render(rows[i]))
		}
		return drawn
	}}
}

func kindLabel(r gate.Request, th *theme) string {
	switch r.Kind {
	case gate.NoKind:
		return th.accent.Render(th.tr("tool"))
	case gate.DeleteFile:
		return th.danger.Render(string(r.Kind))
	}
	return th.accent.Render(string(r.Kind))
}

// onwardLabel tells a row which goes on with a line from one that begins the
// next: of a script, both are what will run.
func onwardLabel(th *theme) string { return strings.Repeat(" ", labels-2) + th.muted.Render("↪") }

// subject is the escaped lines of each thing that a request is about.
func subject(r gate.Request, t *wording) [][]string {
	switch r.Kind {
	case gate.MCPTool:
		return [][]string{{diffview.EscapeWord(r.Server + ":" + r.Tool)}}
	case gate.NoKind:
		return [][]string{{strings.TrimSpace(diffview.EscapeWord(r.Tool) + "  " + line(strings.Join(r.Targets, "  ")))}}
	}
	targets := r.Targets
	if len(targets) == 0 {
		targets = []string{r.Detail}
	}
	if r.Detail == "" && len(targets) == 1 && targets[0] == "" {
		targets = []string{r.Tool}
	}
	var out [][]string
	called := namesOf(&r)
	for _, target := range targets {
		switch r.Kind {
		case gate.RunCommand:
			out = append(out, diffview.EscapeCommandLines(target, called))
		case gate.Network:
			out = append(out, []string{host(target, t)})
		default:
			out = append(out, []string{line(target)})
		}
	}
	return out
}

// host is the host that will be contacted, alone (P09). What was written is
// among the facts if that looks like another one.
func host(raw string, t *wording) string {
	h, _ := diffview.Host(raw)
	if h == "" {
		return line(raw) + "  " + t.tr("(! no host can be made out)")
	}
	return h
}
