package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/shell"
)

const (
	margin = 2  // columns that are ours, left of everything
	labels = 13 // columns for the label of a fact
)

// requestBody draws a request: what will run, who asks and why, the facts, and
// the content. Column 0 and the labels are drawn by us only.
func (m *Model) requestBody(w *waiting) body {
	if m.summarized(w) {
		return m.summaryBody(w)
	}
	var b body
	b.head = m.addRequest(&b, w)
	return b
}

// addRequest adds all there is to see of a request, and returns how many rows
// come before its content.
func (m *Model) addRequest(b *body, w *waiting) (head int) {
	th, width := &m.theme, m.width
	p := &w.approval.Prompt
	inner := width - margin - 1
	b.add(headline(p.Request, th, inner).indent(margin))
	b.include(facts(p, th, inner, factsView{remembers: !m.labelFits(p.Request), full: w.full, grants: m.modeOf(w) == gate.AlwaysAskCached}), margin)
	b.addRows(indent(w.editedRows(th, inner), margin)...)
	head = b.n
	if rows := detail(p.Request, th, inner); len(rows) > 0 {
		b.addRows(indent(rows, margin)...)
	}
	if !w.ready {
		b.addRows(strings.Repeat(" ", margin) + th.muted.Render(m.tr("the changes are being compared …")))
	}
	for i, d := range w.diffs {
		if rows := w.fileRows(i, th, inner); len(rows) > 0 {
			b.addRows(indent(rows, margin)...)
		}
		o := diffview.RenderOptions{Width: inner, Style: th.diff, Split: w.splits(width), Wrap: !w.cut, Left: w.left, LineRows: -1, Unchanged: m.unchanged}
		w.addDiff(b, i, d, o, th)
	}
	return head
}

// headline is what will run, whole; never what the agent says about it. A
// command may be a long script: its rows get labels and styles when they are
// drawn.
func headline(r gate.Request, th *theme, width int) block {
	var rows []string
	onward := map[int]bool{} // rows that go on with a line of several
	for _, lines := range subject(r, &th.wording) {
		for _, l := range lines {
			for i, row := range diffview.Wrap(l, max(1, width-labels)) {
				if i > 0 && len(lines) > 1 {
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
	for _, target := range targets {
		switch r.Kind {
		case gate.RunCommand:
			out = append(out, diffview.EscapeLines(target))
		case gate.Network:
			out = append(out, []string{host(target, t)})
		default:
			out = append(out, []string{line(target)})
		}
	}
	return out
}

// factsView says which facts are drawn.
type factsView struct {
	remembers bool // what an answer remembers, where it has no room for it
	grants    bool // what it grants, in the mode that asks for grants (TAM-07)
	full      bool // and all of that
	brief     bool // not the details of the call, nor what the agent says
}

// facts are the labelled rows between the headline and the content.
func facts(p *gate.Prompt, th *theme, width int, view factsView) body {
	r, v := p.Request, p.Verdict
	var b body
	add := func(label string, style lipgloss.Style, values ...string) {
		b.addRows(beside(th.label.Render(label), labels, values, style)...)
	}
	room := width - labels
	dangers := dangers(r)
	for _, d := range dangers {
		b.addRows(beside(th.danger.Render(th.tr("! danger")), labels, words(th.known(d), room), th.danger)...)
	}
	if !view.brief {
		b.addRows(addressFacts(r, th, width)...)
	}
	add(th.tr("asked by"), th.muted, words(origin(r, &th.wording), room)...)
	if v.Rule != nil || !slices.Contains(dangers, v.Reason) {
		add(th.tr("why"), th.text, words(because(v, &th.wording), room)...)
	}
	if r.Title != "" && !view.brief {
		add(th.tr("agent says"), th.muted, wrap(th.tr("“%s”", r.Title), room)...)
	}
	if r.Dir != "" && r.Dir != r.Origin.Workspace && !view.brief {
		add(th.tr("runs in"), th.text, wrap(r.Dir, room)...)
	}
	if r.Declared.Reason != "" && r.Declared.Reason != v.Reason && !slices.Contains(dangers, r.Declared.Reason) {
		add(th.tr("tool says"), th.warn, wrap(th.known(r.Declared.Reason), room)...)
	}
	if r.Unrevealed {
		add(th.tr("not shown"), th.warn, words(th.tr("the agent doesn't say what this will do: it can be approved only once"), room)...)
	}
	if !view.brief {
		for _, f := range r.Fields {
			b.addRows(field(f, th, width)...)
		}
	}
	b.addRows(safety(r.SafetyChecks, th, width)...)
	if len(p.Grants) > 0 {
		b.addRows(grantFacts(p.Grants, view.full, th, width)...)
	} else if view.grants {
		b.addRows(grants(r.GrantTargets, th, width)...)
	}
	if !view.brief {
		b.add(parts(v.Parts, v.Reason, th, width))
	}
	if view.remembers && (p.Offers(gate.Session) || p.Offers(gate.Always)) {
		add(th.tr("remembers"), th.muted, words(remembered(r, &th.wording), room)...)
	}
	return b
}

// addressFacts are the addresses that a request reaches, as they were given.
// The headline is the host alone, so that the rest can't hide it; an address
// that seems to name another one is pointed out (P09).
func addressFacts(r gate.Request, th *theme, width int) []string {
	var rows []string
	room := width - labels
	for _, a := range addresses(r) {
		h, changed := diffview.Host(a)
		if h == a || changed && slices.Contains(r.Targets, a) {
			continue // the headline says it all
		}
		rows = append(rows, beside(th.label.Render(th.tr("address")), labels, wrap(a, room), th.text)...)
		warning := th.tr("! this is not written as its host is: %s", h)
		if h == "" {
			warning = th.tr("! no host can be made out of this")
		}
		if changed {
			rows = append(rows, beside("", labels, diffview.WrapWords(warning, room), th.warn)...)
		}
	}
	if inside := slices.IndexFunc(r.Targets, func(t string) bool { return r.Kind == gate.Network && gate.Internal(gate.HostOf(t)) }); inside >= 0 {
		host, _ := diffview.Host(r.Targets[inside])
		rows = append(rows, beside("", labels, diffview.WrapWords(th.tr("! %s is on this machine or a private network", host), room), th.warn)...)
	}
	return rows
}

// dangers are what makes commands critical, whatever the tool says about them
// (TAM-15).
func dangers(r gate.Request) (all []string) {
	if r.Kind != gate.RunCommand {
		return nil
	}
	for _, t := range r.Targets {
		if reason, ok := shell.Critical(t); ok && !slices.Contains(all, reason) {
			all = append(all, reason)
		}
	}
	return all
}

// addresses are the addresses that a request is about, each once.
func addresses(r gate.Request) []string {
	if r.Kind != gate.Network {
		return nil
	}
	all := slices.Clone(r.Targets)
	for _, g := range r.GrantTargets {
		if g.Kind == gate.GrantURL {
			all = append(all, g.Path)
		}
	}
	if isAddress(r.Detail) {
		all = append(all, r.Detail)
	}
	var once []string
	for _, a := range all {
		if !slices.Contains(once, a) {
			once = append(once, a)
		}
	}
	return once
}

// isAddress tells an address from the arguments of a call.
func isAddress(s string) bool {
	return strings.Contains(s, "://") && !strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[")
}

// field is a fact that the tool brings. Its label has a sign before it, since
// it may be in the agent's words and must not pass for one of ours.
func field(f gate.Field, th *theme, width int) []string {
	label := "· " + line(f.Label)
	if diffview.Width(label) < labels {
		return beside(th.label.Render(label), labels, wrap(f.Value, width-labels), th.text)
	}
	rows := beside(th.label.Render("·"), 2, wrap(f.Label, width-2), th.label)
	return append(rows, beside("", labels, wrap(f.Value, width-labels), th.text)...)
}

// origin says who asks, in words (TAM-19).
func origin(r gate.Request, t *wording) string {
	who := r.Origin.Agent
	if who == "" {
		who = t.tr("the agent")
	}
	parts := []string{who}
	if r.Tool != "" && r.Kind != gate.NoKind && r.Kind != gate.MCPTool {
		parts = append(parts, t.tr("tool %s", r.Tool))
	}
	if r.Origin.Session != "" {
		parts = append(parts, t.tr("session %s", r.Origin.Session))
	}
	if r.Origin.Protocol != "" {
		parts = append(parts, r.Origin.Protocol)
	}
	if r.Kind == gate.MCPTool {
		parts = append(parts, t.tr("MCP server tool"))
	}
	return strings.Join(parts, " · ")
}

// because says why a person is asked, with the rule's place (BEY-04).
func because(v gate.Verdict, t *wording) string {
	s := t.known(v.Reason)
	if s == "" {
		s = t.tr("no rule, mode or remembered approval covers this")
	}
	if v.Rule != nil && !strings.Contains(v.Reason, v.Rule.Text) {
		s += " · " + v.Rule.String()
	}
	return s
}

// remembered says what a session or always answer covers.
func remembered(r gate.Request, t *wording) string {
	if r.KeyLabel != "" {
		return t.known(r.KeyLabel)
	}
	if r.Key != "" {
		return r.Key
	}
	return t.tr("calls of %s at tier %s", r.Tool, r.Declared.Tier)
}

// safety lists what the model's provider wants looked at (TAM-18).
func safety(checks []gate.SafetyCheck, th *theme, width int) []string {
	var rows []string
	for _, c := range checks {
		text := c.Code + ": " + c.Message
		rows = append(rows, beside(th.warn.Render(th.tr("! safety")), labels, wrap(text, width-labels), th.warn)...)
		if len(c.Data) > 0 && string(c.Data) != "null" {
			rows = append(rows, beside("", labels, wrap(string(c.Data), width-labels), th.muted)...)
		}
	}
	return rows
}

// grants names what an ask-and-remember approval would cover (TAM-07). All are
// listed: what is remembered has to be read before the key that remembers it.
func grants(targets []gate.GrantTarget, th *theme, width int) []string {
	var rows []string
	for i, t := range targets {
		label := ""
		if i == 0 {
			label = th.label.Render(th.tr("covers"))
		}
		text := fmt.Sprintf("%s %s (%s)", t.Kind, t.Path, t.Tier)
		rows = append(rows, beside(label, labels, wrap(text, width-labels), th.text)...)
	}
	return rows
}

// parts shows the verdict on each command of a command line, and why where that
// isn't said already: of the whole, or of the command before. A script has
// thousands of commands: like the headline they are styled when they are drawn.
func parts(list []gate.Part, whole string, th *theme, width int) block {
	if len(list) < 2 {
		return block{}
	}
	type partRow struct {
		text   string
		style  *lipgloss.Style
		effect *gate.Effect // in the first row of a part
	}
	var rows []partRow
	reasons := map[string][]string{} // most parts have the same few
	said := ""
	for i, p := range list {
		effect := &list[i].Effect
		for _, text := range wrap(p.Command, width-labels) {
			rows, effect = append(rows, partRow{text, &th.text, effect}), nil
		}
		why := partWhy(p, &th.wording)
		repeated := why == "" || why == said || p.Rule == nil && strings.Contains(whole, p.Reason)
		said = why
		if repeated {
			continue
		}
		if _, known := reasons[why]; !known {
			reasons[why] = words(why, width-labels)
		}
		for _, text := range reasons[why] {
			rows = append(rows, partRow{text, &th.muted, nil})
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

func effectMark(e gate.Effect, th *theme) (string, lipgloss.Style) {
	switch e {
	case gate.Allow:
		return "✓", th.good
	case gate.Ask:
		return "?", th.warn
	}
	return "✗", th.danger
}

// detail is what will run, when the headline doesn't say it all.
func detail(r gate.Request, th *theme, width int) []string {
	if r.Detail == "" || len(r.Targets) == 0 && r.Kind != gate.NoKind && r.Kind != gate.MCPTool || slices.Equal(r.Targets, []string{r.Detail}) || slices.Contains(addresses(r), r.Detail) {
		return nil
	}
	return beside2(th.rule.Render("│ "), wrap(r.Detail, width-2))
}

// beside2 puts the same mark before every row.
func beside2(mark string, rows []string) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = mark + r
	}
	return out
}

// fileRows names a file above its diff, unless the headline does.
func (w *waiting) fileRows(i int, th *theme, width int) []string {
	r := &w.approval.Prompt.Request
	c := r.Diff[i]
	if len(r.Diff) == 1 && len(r.Targets) == 1 && r.Targets[0] == c.Path {
		return nil
	}
	name := diffview.Wrap(line(c.Path), max(1, width-labels-14))
	rows := beside(th.label.Render(th.tr("file")), labels, name, th.strong)
	changes := th.muted.Render(th.tr("binary"))
	if !w.diffs[i].Binary {
		added, removed := w.kept(i)
		changes = counts(added, removed, th)
	}
	rows[len(rows)-1] += "  " + changes
	return rows
}

// host is the host that will be contacted, alone, and what was written if
// that looks like another one.
func host(raw string, t *wording) string {
	h, changed := diffview.Host(raw)
	switch {
	case h == "":
		return line(raw) + "  " + t.tr("(! no host can be made out)")
	case changed:
		return h + "  " + t.tr("(! written %s)", line(raw))
	}
	return h
}

func counts(added, removed int, th *theme) string {
	return th.added.Render(fmt.Sprintf("+%d", added)) + " " + th.removed.Render(fmt.Sprintf("−%d", removed))
}
