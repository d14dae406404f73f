//go:build unix

package permissionhook

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// TestInGate: hooks answer before a person is asked, one that fails
// has said nothing, and the prompt says what each one did (APR-14a, BEY-04).
func TestInGate(t *testing.T) {
	const allow, deny, none, broken = allowLine, `echo '{"decision":"deny","reason":"not now"}'`, `true`, `exit 4`
	rows := []struct {
		hooks  []string
		cause  string
		reason string
	}{
		{[]string{none, allow}, gate.CauseHookAllow, "tests"},
		{[]string{none, deny, allow}, gate.CauseHookDeny, "not now"},
		{[]string{broken, allow}, gate.CauseHookAllow, "tests"},
		{[]string{none, `echo '{"decision":"deny"}'`}, gate.CauseHookDeny, "the permission hook settings.toml:2 refuses it"},
		{[]string{none, broken}, gate.CauseUserOnce, ""},
	}
	for _, row := range rows {
		var hooks []gate.Hook
		for i, command := range row.hooks {
			hooks = append(hooks, New(Options{Name: "settings.toml:" + string(rune('1'+i)), Command: command, Timeout: time.Minute}))
		}
		var notes []string
		g, err := gate.New(gate.Options{
			Workspace: "/w", Home: "/home/u", Hooks: hooks, Mode: gate.Default,
			Approver: gate.ApproverFunc(func(_ context.Context, p gate.Prompt) (gate.Answer, error) {
				for _, n := range p.Verdict.Trail {
					notes = append(notes, n.Text)
				}
				return gate.Answer{Decision: gate.Once}, nil
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		v := g.Decide(t.Context(), gate.CommandRequest("/w", "bash", "make"))
		if v.Cause != row.cause || row.reason != "" && v.Reason != row.reason {
			t.Errorf("%q: %s · %s", row.hooks, v.Cause, v.Reason)
		}
		if v.Cause == gate.CauseUserOnce {
			all := strings.Join(notes, "\n")
			for _, want := range []string{"settings.toml:1 says nothing", "settings.toml:2 failed and so says nothing: exit status 4"} {
				if !strings.Contains(all, want) {
					t.Errorf("the prompt doesn't say %q:\n%s", want, all)
				}
			}
		}
	}
}

// TestForcedAsk: a hook can't settle what a person must be asked about, nor
// what a rule denies (APR-14a).
func TestForcedAsk(t *testing.T) {
	for effect, want := range map[gate.Effect]string{gate.Ask: gate.CauseUserRefused, gate.Deny: gate.CauseRuleDeny} {
		hook := New(Options{Command: allowLine, Timeout: time.Minute})
		person := gate.ApproverFunc(func(context.Context, gate.Prompt) (gate.Answer, error) { return gate.Answer{}, nil })
		g, err := gate.New(gate.Options{Workspace: "/w", Home: "/home/u", Mode: gate.Default, Hooks: []gate.Hook{hook}, Approver: person})
		if err != nil {
			t.Fatal(err)
		}
		if err := g.AddRule(effect, "shell(make)"); err != nil {
			t.Fatal(err)
		}
		if v := g.Decide(t.Context(), gate.CommandRequest("/w", "bash", "make")); v.Cause != want {
			t.Errorf("%s: %s", effect, v.Cause)
		}
	}
}
