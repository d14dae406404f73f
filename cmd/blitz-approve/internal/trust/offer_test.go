package trust_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/trust"
	"github.com/blitz-approve/blitz-approve/settings"
)

// How much waits for trust is counted, and accepting it trusts
// exactly what was shown: not what the file says by then (APR-15a).
func TestAcceptsOnlyWhatWasShown(t *testing.T) {
	workspace := t.TempDir()
	file := filepath.Join(workspace, ".blitz", "settings.toml")
	put := func(text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	home := t.TempDir()
	look := func() trust.Offer {
		t.Helper()
		store := settings.NewTrustStore(home)
		now, _ := settings.Load(settings.Sources{Home: home, Workspace: workspace, Trusted: store.Trusted})
		waits := trust.Pending{Store: store}
		waits.Set(now.Untrusted)
		return waits.Offer()
	}
	text := func(o trust.Offer) string { return strings.Join(trust.WaitingOf(o.Store, o.Files[0]).Lines(), "\n") }
	if o := look(); o.Count() != 0 {
		t.Errorf("nothing waits, and it says %d", o.Count())
	}
	put("[permissions]\nallow = [\"shell(make)\"]\nread_only_defaults = true\ndeny = [\"shell(x)\"]\n")
	shown := look()
	if shown.Count() != 2 || !strings.Contains(text(shown), "+ permissions.allow = shell(make)\n") || strings.Contains(text(shown), "shell(x)") {
		t.Errorf("%d wait\n%s", shown.Count(), text(shown))
	}
	put("[permissions]\nallow = [\"shell(make)\", \"shell(curl *)\"]\nread_only_defaults = true\n")
	if err := shown.Accept(); !errors.Is(err, settings.ErrChanged) {
		t.Errorf("what changed meanwhile was accepted: %v", err)
	}
	again := look()
	if again.Count() != 3 {
		t.Fatalf("%d wait", again.Count())
	}
	if err := again.Accept(); err != nil {
		t.Fatal(err)
	}
	if o := look(); o.Count() != 0 {
		t.Errorf("it still waits: %s", text(o))
	}
	put("[permissions]\nallow = [\"shell(make\"]\n")
	var mistake settings.Problem
	if err := look().Accept(); !errors.As(err, &mistake) || mistake.Line != 2 || mistake.Col != 10 {
		t.Errorf("a file with a mistake was accepted: %v", err)
	}
	if o := look(); o.Count() != 1 {
		t.Errorf("%d wait with the mistake", o.Count())
	}
	put("[permissions]\nallow = [\"shell(make)\", \"shell(wget *)\"]\nread_only_defaults = true\n")
	want := "+ permissions.allow = shell(wget *)\n  permissions.allow = shell(make)\n  permissions.read_only_defaults = true\n- permissions.allow = shell(curl *)"
	if got := look(); got.Count() != 3 || !strings.HasSuffix(text(got), want) {
		t.Errorf("%d wait\n%s", got.Count(), text(got))
	}
}
