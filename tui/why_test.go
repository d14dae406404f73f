package tui

import (
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// BEY-04: the sheet of why says what would let such a request pass: what saves
// something where that is offered, else why no rule can; not where the reason names
// the rule that can.
func TestWouldPass(t *testing.T) {
	w := newWording("")
	const doubt = "-delete may make it do something else, so that only a rule with it allows that"
	for name, row := range map[string]struct {
		p    gate.Prompt
		want string
	}{
		"offered":      {gate.Prompt{Verdict: gate.Verdict{Offers: []gate.Decision{gate.Once, gate.Always}}, Unruled: doubt}, "always… lists the rules and approvals"},
		"impossible":   {gate.Prompt{Unruled: "it writes a file by redirection"}, "no rule can allow it: it writes"},
		"to be named":  {gate.Prompt{Verdict: gate.Verdict{Reason: doubt}, Unruled: doubt}, "a mode that asks less"},
		"granted":      {gate.Prompt{Grants: []gate.GrantOffer{{}}}, "a grant of what it touches"},
		"forced":       {gate.Prompt{Verdict: gate.Verdict{Forced: true}}, "no mode, remembered approval or allow rule can settle this"},
		"of a rule":    {gate.Prompt{Verdict: gate.Verdict{Forced: true, Rule: &gate.Rule{Source: gate.Source{File: "settings.toml"}}}}, "change that rule, in its file"},
		"only by mode": {gate.Prompt{}, "a mode that asks less"},
	} {
		if ways := wouldPass(&row.p, &w); len(ways) == 0 || !strings.HasPrefix(ways[0], row.want) {
			t.Errorf("%s: %q, want first %q", name, ways, row.want)
		}
	}
}
