package tui

import (
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

func (m *Model) topRows() []string {
	rows := []string{m.header()}
	if m.lay.roomy && !m.lay.whole {
		rows = append(rows, m.rule("", ""))
	}
	if m.lay.fold {
		rows = append(rows, tasksLine(m.tasks, m.width, &m.theme))
	}
	return rows
}

// header names the agent and the workspace, and says what guards them.
func (m *Model) header() string {
	th := &m.theme
	gap := "   "
	if m.width < 60 {
		gap = "  "
	}
	var right []string
	if cell := m.timedCell(); cell != "" {
		right = append(right, cell)
	}
	w := m.queue.current()
	if m.opts.Several {
		right = append(right, th.muted.Render(m.n(m.agents, "%s agent", "%s agents")))
	}
	if !m.opts.Several || w != nil && w.approval != nil {
		right = append(right, m.modeLabel(m.modeOf(w)))
	}
	guard := len(right)
	if m.opts.Sandbox != "" && m.width >= 50 {
		right = append(right, th.good.Render(short(m.opts.Sandbox, 16)+" ✓"))
	}
	if m.untrusted > 0 && m.width >= 50 {
		right = append(right, th.warn.Render(m.n(m.untrusted, "%s untrusted", "%s untrusted")))
	}
	if n := len(m.queue.items); n > 0 {
		right = append(right, th.strong.Render(m.n(n, "%s waiting", "%s waiting")))
	}
	agent, workspace := m.opts.Agent, m.opts.Workspace
	if w != nil && w.from != nil {
		agent, workspace = w.from.Agent, w.from.Workspace
	}
	who, folder := line(agent), line(workspace)
	if who != "" && folder != "" {
		who += " · "
	}
	end := strings.Join(right, gap) + " "
	if m.unguarded() {
		bare := th.muted.Render(m.tr("no sandbox"))
		with := strings.Join(slices.Insert(right, guard, bare), gap) + " "
		if diffview.Width(who+folder)+rowWidth(with)+3 <= m.width {
			end = with
		}
	}
	room := m.width - rowWidth(end) - 2
	// Its end tells folders apart.
	who += fitFolder(folder, max(8, room-1-diffview.Width(who)))
	left := " "
	if room > diffview.Width(who)+18 {
		left += th.heading.Render("blitz-approve") + gap
	}
	left += th.text.Render(diffview.Truncate(who, max(1, room-1)))
	if m.agentMode.Name != "" {
		style := th.muted
		text := m.tr("agent: %s", line(m.agentMode.Name))
		if m.agentMode.Loose {
			style, text = th.danger, m.tr("%s, asks nothing", text)
		}
		if rowWidth(left)+diffview.Width(text)+3 <= room || m.agentMode.Loose {
			left = fit(left, max(1, room-diffview.Width(text)-2)) + "  " + style.Render(text)
		}
	}
	return spread(left, end, m.width)
}

// unguarded reports whether the header has to say that the one agent runs without
// a sandbox: yolo says it in its own label.
func (m *Model) unguarded() bool {
	return m.opts.Sandbox == "" && !m.opts.Several && m.modeOf(m.queue.current()) != gate.Yolo
}

func (m *Model) modeLabel(mode gate.Mode) string {
	th := &m.theme
	name := strings.ReplaceAll(mode.String(), "-", " ")
	switch mode {
	case gate.Yolo:
		if m.opts.Sandbox != "" {
			return th.dangerBar.Render(" " + name + " ")
		}
		return th.dangerBar.Render(" yolo · " + m.tr("no sandbox") + " ")
	case gate.Bypass:
		return th.dangerBar.Render(" bypass ")
	case gate.AcceptEdits, gate.WriteMode:
		return th.warn.Render("» " + name)
	}
	return th.accent.Render(name)
}

// rule is a line across the screen, with a text at either end.
func (m *Model) rule(left, right string) string {
	th := &m.theme
	if left != "" {
		left = th.rule.Render("── ") + left + " "
	} else {
		left = th.rule.Render("─")
	}
	if right != "" {
		right = " " + right + th.rule.Render(" ──")
	}
	fill := m.width - rowWidth(left) - rowWidth(right)
	return left + th.rule.Render(strings.Repeat("─", max(0, fill))) + right
}
