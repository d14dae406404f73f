package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// factsView says which facts are drawn.
type factsView struct {
	covers string // before what an answer for the session covers, where that has no room for it
	grants bool   // what it grants, in the mode that asks for grants (TAM-07)
	full   bool   // and all of that
	brief  bool   // not the details of the call, nor what the agent says
}

// facts are the labelled rows between the headline and the content.
func facts(p *gate.Prompt, th *theme, width int, view factsView) body {
	r, v := p.Request, p.Verdict
	var b body
	add := func(label string, style *brush, values ...string) {
		b.addRows(beside(th.label.Render(label), labels, values, style)...)
	}
	room := width - labels
	called := namesOf(&r)
	dangers := dangers(r)
	for _, d := range dangers {
		b.addRows(beside(th.danger.Render(th.tr("! danger")), labels, words(th.known(d), room), th.danger)...)
	}
	if reorderedIn(&r) {
		add(th.tr("order"), th.warn, words(th.tr("a terminal may show what stands between letters written from right to left in another order"), room)...)
	}
	if !view.brief {
		b.addRows(addressFacts(r, th, width)...)
	}
	if p.Renewal > 0 {
		add(th.tr("changed"), th.warn, words(th.tr("rules, grants or the mode changed while this waited: this is how it is judged now"), room)...)
	}
	add(th.tr("asked by"), th.muted, words(origin(r, &th.wording), room)...)
	if v.Rule != nil || !slices.Contains(dangers, v.Reason) {
		add(th.tr("why"), th.text, called.words(because(v, &th.wording), room)...)
	}
	if r.Title != "" && !slices.Contains(r.Targets, r.Title) && !view.brief {
		add(th.tr("agent says"), th.muted, wrap(th.tr("“%s”", r.Title), room)...)
	}
	if r.Dir != "" && r.Dir != r.Origin.Workspace && !view.brief {
		add(th.tr("runs in"), th.text, wrap(r.Dir, room)...)
	}
	if r.Declared.Reason != "" && r.Declared.Reason != v.Reason && !slices.Contains(dangers, r.Declared.Reason) {
		add(th.tr("tool says"), th.warn, prose(th.known(r.Declared.Reason), room)...)
	}
	switch {
	case r.Unrevealed && len(r.Diff) > 0: // a diff stands below it
		add(th.tr("uncertain"), th.warn, words(th.tr("what is shown may not be all that this does: it can be approved only once"), room)...)
	case r.Unrevealed:
		add(th.tr("not shown"), th.warn, words(th.tr("the agent doesn't say what this will do: it can be approved only once"), room)...)
	}
	if !view.brief {
		for _, f := range r.Fields {
			b.addRows(field(f, th, width)...)
		}
	}
	b.addRows(safety(r.SafetyChecks, th, width)...)
	if len(p.Grants) > 0 {
		b.addRows(grantFacts(p, view.full, th, width)...)
	} else if view.grants {
		b.addRows(grants(r.GrantTargets, th, width)...)
	}
	if !view.brief {
		b.add(parts(v.Parts, v.Reason, called, th, width))
	}
	if view.covers != "" && p.Offers(gate.Session) {
		add(view.covers, th.muted, called.words(sessionCovers(p, &th.wording), room)...)
	}
	return b
}

// addressFacts are the addresses that a request reaches, as they were given.
// The headline is the host alone, so that the rest can't hide it; an address
// that seems to name another one is pointed out (P09).
func addressFacts(r gate.Request, th *theme, width int) []string {
	if r.Kind == gate.RunCommand {
		return commandAddresses(r, th, width)
	}
	var rows []string
	room := width - labels
	for _, a := range addresses(r) {
		h, changed := diffview.Host(a)
		if h == a || h == "" && slices.Contains(r.Targets, a) {
			continue // the headline says it all
		}
		rows = append(rows, beside(th.label.Render(th.tr("address")), labels, wrap(a, room), th.text)...)
		if changed {
			rows = append(rows, beside("", labels, diffview.WrapWords(hostWarning(h, th), room), th.warn)...)
		}
	}
	inside := func(t string) bool {
		host, _ := diffview.Host(t)
		return r.Kind == gate.Network && host != "" && gate.Internal(gate.HostOf(t))
	}
	if i := slices.IndexFunc(r.Targets, inside); i >= 0 {
		host, _ := diffview.Host(r.Targets[i])
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

func hostWarning(host string, th *theme) string {
	if host == "" {
		return th.tr("! no host can be made out of this")
	}
	return th.tr("! this is not written as its host is: %s", host)
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
	f = th.told(f)
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

// sessionCovers says what an answer for the session covers: in a mode that looks at
// tiers that is more than the key.
func sessionCovers(p *gate.Prompt, t *wording) string {
	if p.Session != "" {
		return t.known(p.Session)
	}
	return remembered(p.Request, t)
}

// remembered says what a request's key covers.
func remembered(r gate.Request, t *wording) string {
	if r.KeyLabel != "" {
		return t.known(r.KeyLabel)
	}
	if r.Key != "" {
		return shownKey(r.Key)
	}
	return t.tr("calls of %s at tier %s", r.Tool, r.Declared.Tier)
}

// safety lists what the model's provider wants looked at (TAM-18).
func safety(checks []gate.SafetyCheck, th *theme, width int) []string {
	var rows []string
	for _, c := range checks {
		text := c.Code
		if c.Message != "" {
			text += ": " + c.Message
		}
		rows = append(rows, beside(th.warn.Render(th.tr("! safety")), labels, prose(text, width-labels), th.warn)...)
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
