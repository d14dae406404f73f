package policy_test

import (
	"testing"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

// verdict is what a policy makes of a command line when nobody remembers
// anything.
func verdict(t *testing.T, p gate.Policy, line string) gate.Effect {
	t.Helper()
	g, err := gate.New(gate.Options{Workspace: t.TempDir(), Policy: p, Mode: gate.Default, Approver: gate.ApproverFunc(nil)})
	if err != nil {
		t.Fatal(err)
	}
	return g.Check(t.Context(), gate.CommandRequest("/w", "bash", line)).Effect
}

// APR-15: settings become rules, and one that can't be read is a problem with
// its place that holds what it may cover.
func TestOf(t *testing.T) {
	read := func(layer settings.Layer, text string) (gate.Policy, []settings.Problem) {
		f, _ := settings.Parse("s.toml", []byte(text), layer)
		return policy.Of(&f.Values)
	}
	p, problems := read(settings.Global, "[permissions]\nallow = [\"shell(make)\"]\ndeny = [\"shell(make\"]\n")
	if len(problems) != 1 || problems[0].Line != 3 || problems[0].Key != "permissions.deny" {
		t.Errorf("%+v", problems)
	}
	if got := verdict(t, p, "make"); got == gate.Allow {
		t.Error("what a broken deny may cover passes")
	}
	p, _ = read(settings.Global, "[permissions]\nallow = [\"shell(make)\"]\n")
	if got := verdict(t, p, "make"); got != gate.Allow {
		t.Errorf("an allow rule gives %s", got)
	}
	const off = "[permissions]\nread_only_defaults = false\n"
	if p, _ := read(settings.Global, off); !p.NoReadOnlyDefaults || !p.NoReadOnlyGuards {
		t.Error("the person's own switch does nothing")
	}
	if p, _ := read(settings.Project, off); !p.NoReadOnlyDefaults || p.NoReadOnlyGuards {
		t.Error("a project switches guards off")
	}
}

// APR-14: an unattended run is permitted what is named, and with * everything.
func TestPermits(t *testing.T) {
	for _, row := range []struct {
		rules []string
		line  string
		want  bool
	}{
		{nil, "make", false}, {[]string{"shell(make)"}, "make", true}, {[]string{"shell(make)"}, "make x; rm y", false},
		{[]string{"shell(make)"}, "ls", false}, {[]string{"shell(make)", "*"}, "rm y", true},
	} {
		permits, err := policy.Permits(row.rules, "/w", "/h")
		if err != nil {
			t.Fatal(err)
		}
		if got := permits(gate.CommandRequest("/w", "bash", row.line)); got != row.want {
			t.Errorf("%q permit %q: %v", row.rules, row.line, got)
		}
	}
	if _, err := policy.Permits([]string{"shell(make"}, "/w", "/h"); err == nil {
		t.Error("a rule that can't be read permits something")
	}
}
