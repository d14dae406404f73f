package settings

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/blitz-approve/blitz-approve/gate"
)

// An Entry is one value as it is shown to a person. Key and Value may hold
// text of a project: escape them before they reach a screen.
type Entry struct {
	Key    string // as in a file: "ui.theme", "permissions.allow"
	Value  string
	Source gate.Source // the zero Source's layer is "built-in"
	Col    int         // in characters, from 1; 0 when there is no file
	// Err is set for what can't be read and holds everything at ask.
	Err error
}

// String writes the entry as it would stand in a file, more or less.
func (e Entry) String() string { return e.Key + " = " + e.Value }

// IsRule reports whether a key is that of a list of rules (APR-15).
func IsRule(key string) bool {
	return key == "permissions.deny" || key == "permissions.ask" || key == "permissions.allow"
}

// Entries lists everything that v sets, in the order in which settings are
// shown: one entry for a value, one for each rule, tool, pattern, colour, key
// and hook (APR-15).
func (v *Values) Entries() []Entry {
	l := entries{}
	for _, effect := range []gate.Effect{gate.Deny, gate.Ask, gate.Allow} {
		for _, r := range v.Rules {
			if r.Effect == effect {
				l = append(l, Entry{Key: joinKey("permissions", effect.String()), Value: r.Value, Source: r.Source, Col: r.Col, Err: r.Err})
			}
		}
	}
	l.boolean("permissions.read_only_defaults", v.ReadOnlyDefaults)
	l.text("permissions.auto.model", v.Auto.Model)
	l.text("permissions.auto.base_url", v.Auto.BaseURL)
	l.text("permissions.auto.protocol", v.Auto.Protocol)
	l.text("permissions.auto.key_variable", v.Auto.KeyVariable)
	l.text("permissions.auto.environment", v.Auto.Environment)
	l.boolean("tools.auto_approve_commands", v.AutoApproveCommands)
	l.text("tools.approvals_file", v.ApprovalsFile)
	for _, name := range slices.Sorted(maps.Keys(v.Tools)) {
		p := v.Tools[name]
		l = append(l, Entry{Key: joinKey("tools.approval", name), Value: string(p.Value), Source: p.Source, Col: p.Col})
	}
	l.text("bash.shell", v.Shell)
	l.boolean("bash.allow_compound_commands", v.CompoundCommands)
	for _, p := range v.Patterns {
		l = append(l, Entry{Key: "bash.patterns", Value: string(p.Approval) + " " + p.Match, Source: p.Source, Col: p.Col, Err: p.Err})
	}
	l.text("blitz.permission_mode", v.Mode)
	l.boolean("blitz.auto_approve", v.AutoApprove)
	l.text("blitz.plan_review", v.PlanReview)
	l.ui(&v.UI)
	l.texts("ui.colors", v.Colors)
	l.texts("keys", v.Keys)
	for _, h := range v.Hooks {
		value := h.Command
		if h.Timeout > 0 {
			value += " (" + h.Timeout.String() + ")"
		}
		l = append(l, Entry{Key: "hooks.permission_request", Value: value, Source: h.Source, Col: h.Col})
	}
	return l
}

// Defaults are the built-in values of the settings that v doesn't give.
func (v *Values) Defaults() []Entry {
	given := v.Entries()
	var l []Entry
	for _, m := range meanings {
		same := func(e Entry) bool { return e.Key == m.key }
		if m.builtIn != "" && !slices.ContainsFunc(given, same) {
			l = append(l, Entry{Key: m.key, Value: m.builtIn, Source: gate.Source{Layer: "built-in"}})
		}
	}
	return l
}

type entries []Entry

func (l *entries) ui(u *UI) {
	l.take("ui.diff_lines", u.DiffLines.Set(), strconv.Itoa(u.DiffLines.Value), u.DiffLines.Source, u.DiffLines.Col)
	l.text("ui.answer_keys", u.AnswerKeys)
	l.text("ui.language", u.Language)
	l.text("ui.notify", u.Notify)
	l.boolean("ui.plain", u.Plain)
	l.text("ui.theme", u.Theme)
	l.boolean("ui.mouse", u.Mouse)
}

func (l *entries) take(key string, set bool, value string, source gate.Source, col int) {
	if set {
		*l = append(*l, Entry{Key: key, Value: value, Source: source, Col: col})
	}
}

func (l *entries) text(key string, v Located[string]) { l.take(key, v.Set(), v.Value, v.Source, v.Col) }

func (l *entries) boolean(key string, v Located[bool]) {
	l.take(key, v.Set(), fmt.Sprint(v.Value), v.Source, v.Col)
}

func (l *entries) texts(key string, all map[string]Located[string]) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		l.text(joinKey(key, name), all[name])
	}
}
