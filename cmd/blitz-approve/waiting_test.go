package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	look := func() trustOffer {
		t.Helper()
		m, err := (&flags{}).loadFrom(home, workspace)
		if err != nil {
			t.Fatal(err)
		}
		desk := trustDesk{store: m.trust}
		desk.set(m.settings.Untrusted)
		return desk.offer()
	}
	text := func(o trustOffer) string { return strings.Join(waitingOf(o.store, o.files[0]).lines(), "\n") }
	if o := look(); o.count() != 0 {
		t.Errorf("nothing waits, and it says %d", o.count())
	}
	put("[permissions]\nallow = [\"shell(make)\"]\nread_only_defaults = true\ndeny = [\"shell(x)\"]\n")
	shown := look()
	if shown.count() != 2 || !strings.Contains(text(shown), "+ permissions.allow = shell(make)\n") || strings.Contains(text(shown), "shell(x)") {
		t.Errorf("%d wait\n%s", shown.count(), text(shown))
	}
	put("[permissions]\nallow = [\"shell(make)\", \"shell(curl *)\"]\nread_only_defaults = true\n")
	if err := shown.accept(); !errors.Is(err, settings.ErrChanged) {
		t.Errorf("what changed meanwhile was accepted: %v", err)
	}
	again := look()
	if again.count() != 3 {
		t.Fatalf("%d wait", again.count())
	}
	if err := again.accept(); err != nil {
		t.Fatal(err)
	}
	if o := look(); o.count() != 0 {
		t.Errorf("it still waits: %s", text(o))
	}
	put("[permissions]\nallow = [\"shell(make\"]\n")
	var mistake settings.Problem
	if err := look().accept(); !errors.As(err, &mistake) || mistake.Line != 2 || mistake.Col != 10 {
		t.Errorf("a file with a mistake was accepted: %v", err)
	}
	if o := look(); o.count() != 1 {
		t.Errorf("%d wait with the mistake", o.count())
	}
	put("[permissions]\nallow = [\"shell(make)\", \"shell(wget *)\"]\nread_only_defaults = true\n")
	want := "+ permissions.allow = shell(wget *)\n  permissions.allow = shell(make)\n  permissions.read_only_defaults = true\n- permissions.allow = shell(curl *)"
	if got := look(); got.count() != 3 || !strings.HasSuffix(text(got), want) {
		t.Errorf("%d wait\n%s", got.count(), text(got))
	}
}
