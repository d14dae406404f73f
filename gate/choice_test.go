package gate_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// TestChoices gives hosts without a dialog the same answers as a plain list,
// with the lifetimes of a grant as choices of their own (TAM-23).
func TestChoices(t *testing.T) {
	dir := t.TempDir()
	read := gate.ReadRequest("read", filepath.Join(dir, "a.txt"))
	rm := gate.CommandRequest(dir, "bash", "rm -rf /")
	keyless := gate.CommandRequest(dir, "bash", "make all")
	keyless.Key = ""
	rows := []struct {
		name  string
		mode  gate.Mode
		req   gate.Request
		pick  string
		cause string
		want  []string // how each choice begins
	}{
		{"a command", gate.Default, gate.CommandRequest(dir, "bash", "make"), "Always approve", gate.CauseUserAlways,
			[]string{"Approve once", "Approve for this session: this exact command", "Always approve: this exact command", "Deny", "Deny and cancel"}},
		{"a file, for the session", gate.AlwaysAskCached, read, "Approve for this session: " + dir + "/a.txt", gate.CauseUserSession,
			[]string{"Approve once", "Approve for this session: " + dir + "/a.txt", "Always approve: " + dir + "/a.txt",
				"Approve for this session: files directly in", "Always approve: files directly in", "Deny", "Deny and cancel"}},
		{"a folder, for good", gate.AlwaysAskCached, read, "Always approve: files directly in", gate.CauseUserAlways, nil},
		// BEY-08: what can't be remembered by a key may still have a rule.
		{"no key", gate.Default, keyless, "Always approve in this workspace: shell(/make all/)", gate.CauseUserAlways,
			[]string{"Approve once", "Always approve in this workspace: ", "Deny", "Deny and cancel"}},
		{"a refusal", gate.Default, gate.CommandRequest(dir, "bash", "make"), "Deny", gate.CauseUserRefused, nil},
		{"a cancelled turn", gate.Default, gate.CommandRequest(dir, "bash", "make"), "Deny and cancel", gate.CauseCancelled, nil},
		// TAM-24: what is critical is never approved for longer than once.
		{"a critical command", gate.Default, rm, "Approve once", gate.CauseUserOnce, []string{"Approve once", "Deny", "Deny and cancel"}},
		{"a critical command by tier", gate.WriteMode, rm, "Approve once", gate.CauseUserOnce, []string{"Approve once", "Deny", "Deny and cancel"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			var got []string
			o := gate.Options{Workspace: dir, Mode: row.mode, Approvals: gate.KeepApprovals(), Grants: &keptGrants{}, SaveRules: func(gate.RulePlace, ...string) error { return nil }}
			o.Approver = gate.ApproverFunc(func(_ context.Context, p gate.Prompt) (gate.Answer, error) {
				for _, c := range p.Choices() {
					got = append(got, c.Label)
				}
				i := slices.IndexFunc(p.Choices(), func(c gate.Choice) bool { return strings.HasPrefix(c.Label, row.pick) })
				if i < 0 {
					return gate.Answer{}, fmt.Errorf("no choice %q", row.pick)
				}
				return p.Choices()[i].Answer, nil
			})
			g, err := gate.New(o)
			if err != nil {
				t.Fatal(err)
			}
			if v := g.Decide(t.Context(), row.req); v.Cause != row.cause {
				t.Errorf("%s: %s, of %q", v.Cause, v.Reason, got)
			}
			if row.want != nil && !slices.EqualFunc(got, row.want, strings.HasPrefix) {
				t.Errorf("choices %q\nwant    %q", got, row.want)
			}
		})
	}
}

// TAM-07, TAM-23: where the session ends with the request, as that of a hook, a grant
// is saved or none.
func TestChoicesOfAHook(t *testing.T) {
	p := gate.Prompt{CanSave: true, Brief: true, Grants: []gate.GrantOffer{{Scope: gate.GrantExact, Label: "a.txt"}}}
	p.Verdict.Offers = []gate.Decision{gate.Once}
	var got []string
	for _, c := range p.Choices() {
		got = append(got, c.Label)
	}
	if want := []string{"Approve once", "Always approve: a.txt", "Deny", "Deny and cancel the turn"}; !slices.Equal(got, want) {
		t.Errorf("choices %q, want %q", got, want)
	}
}

// keptGrants keeps grants in memory.
type keptGrants struct{ list []gate.Grant }

func (k *keptGrants) Grants() ([]gate.Grant, error) { return k.list, nil }

func (k *keptGrants) Grant(g ...gate.Grant) error {
	k.list = append(k.list, g...)
	return nil
}

// TAM-15, BEY-04: a person reads why a command is critical; the tool's own
// reason doesn't take that place.
func TestReasonOfACriticalCommand(t *testing.T) {
	dir := t.TempDir()
	var asked gate.Prompt
	g, err := gate.New(gate.Options{Workspace: dir, Mode: gate.Default, Approver: gate.ApproverFunc(func(_ context.Context, p gate.Prompt) (gate.Answer, error) {
		asked = p
		return gate.Answer{}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	req := gate.CommandRequest(dir, "bash", "rm -rf /")
	req.Declared.Reason = "tidies up"
	g.Decide(t.Context(), req)
	if asked.Verdict.Reason != "it deletes below the root or the home" || asked.Request.Declared.Reason != "tidies up" {
		t.Errorf("asked for %q, with %q from the tool", asked.Verdict.Reason, asked.Request.Declared.Reason)
	}
}
