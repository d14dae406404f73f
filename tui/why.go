package tui

import (
	"github.com/blitz-approve/blitz-approve/gate"
)

// whyColumn is where the texts of the why sheet begin.
const whyColumn = 18

// whyRows explains a request in a person's words: the rule or mode that has it
// asked, with file and line, what would change that, each command, and all that was
// looked at (BEY-04). The log has the names of steps and causes.
func whyRows(p *gate.Prompt, th *theme, width int) []string {
	v, called := &p.Verdict, namesOf(&p.Request)
	rows := []string{th.heading.Render(th.tr("Why this is asked")), ""}
	row := func(label, text string, fold func(string, int) []string) {
		if text != "" {
			rows = append(rows, under("  "+th.label.Render(label), whyColumn, width, func(room int) []string { return fold(text, room) }, th.text)...)
		}
	}
	add := func(label, value string) { row(label, value, called.wrap) }
	say := func(label, text string) { row(label, text, prose) }
	rest := func(of int) {
		if n := of - mostReasons; n > 0 {
			rows = append(rows, "  "+th.muted.Render("⋯ "+th.n(n, "%s more", "%s more")))
		}
	}
	say(th.tr("reason"), th.known(v.Reason))
	if v.Rule != nil {
		add(th.tr("rule"), v.Rule.Effect.String()+" "+v.Rule.Text)
		add(th.tr("written in"), v.Rule.Source.String())
	}
	add(th.tr("mode"), v.Mode.String())
	say(th.tr("tool says"), th.known(p.Request.Declared.Reason))
	for i, text := range wouldPass(p, &th.wording) {
		say([]string{th.tr("to let it pass"), ""}[min(i, 1)], text)
	}
	if len(v.Parts) > 0 {
		rows = append(rows, "", th.heading.Render(th.tr("Each command")), "")
		for _, part := range listed(v.Parts) {
			mark, style := effectMark(part.Effect, th)
			why := partWhy(part, &th.wording)
			if why == "" {
				why = th.tr("no rule matches")
			}
			label := "  " + style.Render(mark+" "+th.effect(part.Effect))
			rows = append(rows, under(label, whyColumn, width, func(room int) []string {
				return append(beside("", 0, called.wrap(part.Command, room), th.text), beside("", 0, called.words(why, room), th.muted)...)
			}, th.plain)...)
		}
		rest(len(v.Parts))
	}
	if len(v.Trail) > 0 {
		rows = append(rows, "", th.heading.Render(th.tr("What was looked at")), "")
		for _, n := range v.Trail[:min(len(v.Trail), mostReasons)] {
			say(short(lookedAt(n.Step, &th.wording), whyColumn-4), th.known(n.Text))
		}
		rest(len(v.Trail))
	}
	return rows
}

// mostReasons is how many commands, and how many things that were looked at, are
// listed: a line of a megabyte has many, and a key mustn't wait for all of them.
const mostReasons = 1000

// listed are the parts that are listed: where there are too many, those that
// aren't allowed come first.
func listed(parts []gate.Part) []gate.Part {
	if len(parts) <= mostReasons {
		return parts
	}
	list := make([]gate.Part, 0, len(parts))
	for _, allowed := range []bool{false, true} {
		for _, p := range parts {
			if (p.Effect == gate.Allow) == allowed {
				list = append(list, p)
			}
		}
	}
	return list[:mostReasons]
}

// wouldPass says what a person can do so that such a request isn't asked again.
func wouldPass(p *gate.Prompt, t *wording) (ways []string) {
	v := &p.Verdict
	switch {
	case v.Forced && v.Rule != nil && v.Rule.Source.File != "":
		return []string{t.tr("change that rule, in its file or with ctrl+s: no mode, remembered approval or allow rule settles this before")}
	case v.Forced:
		return []string{t.tr("no mode, remembered approval or allow rule can settle this")}
	}
	if p.Offers(gate.Always) {
		ways = append(ways, t.tr("always… lists the rules and approvals that would, narrow to wide, before it saves one"))
	} else if p.Unruled != "" && p.Unruled != v.Reason { // that reason says what a rule has to name
		ways = append(ways, t.tr("no rule can allow it: %v", t.known(p.Unruled)))
	}
	if len(p.Grants) > 0 {
		ways = append(ways, t.tr("a grant of what it touches, which the card offers"))
	}
	return append(ways, t.tr("a mode that asks less: shift+tab when nothing waits, or blitz-approve mode"))
}

// lookedAt names a step of the gate's in words.
func lookedAt(s gate.StepName, t *wording) string {
	switch s {
	case gate.StepValid:
		return t.tr("the request")
	case gate.StepHardPolicy:
		return t.tr("blocked files")
	case gate.StepDeclare:
		return t.tr("the tool")
	case gate.StepDeny:
		return t.tr("deny rules")
	case gate.StepForce:
		return t.tr("ask rules")
	case gate.StepAllow:
		return t.tr("allow rules")
	case gate.StepRemembered:
		return t.tr("approved before")
	case gate.StepPlan, gate.StepMode, gate.StepOpenMode, gate.StepDontAsk:
		return t.tr("mode")
	case gate.StepHooks:
		return t.tr("hooks")
	case gate.StepReview:
		return t.tr("reviewer")
	case gate.StepUnattended:
		return t.tr("unattended run")
	case gate.StepReach, gate.StepAsk:
		return t.tr("you")
	}
	return string(s) // of a gate that is newer than this
}
