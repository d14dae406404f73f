package settings

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/blitz-approve/blitz-approve/gate"
)

// APR-15: a setting is changed in place, and nothing else.
func TestWithValue(t *testing.T) {
	for _, tt := range []struct{ name, key, text, before, after string }{
		{"nothing", "ui.theme", "dark", "", "[ui]\ntheme = \"dark\"\n"},
		{"a table", "ui.theme", "dark", "# c\n[ui] # mine\nplain = true\r\n", "# c\n[ui] # mine\ntheme = \"dark\"\nplain = true\r\n"},
		{"a value", "ui.theme", "light", "[ui]\ntheme = 'dark' # so\nplain = true\n", "[ui]\ntheme = 'light' # so\nplain = true\n"},
		{"a boolean", "ui.plain", "false", "[ui]\nplain=true\n", "[ui]\nplain=false\n"},
		{"a number", "ui.diff_lines", "60", "ui.diff_lines = 1_20\n", "ui.diff_lines = 60\n"},
		{"no number", "ui.diff_lines", "many", "ui.diff_lines = 120\n", "ui.diff_lines = \"many\"\n"},
		{"a name in quotes", `tools.approval."my tool"`, "deny", "[tools.approval]\n\"my tool\" = \"allow\"\n", "[tools.approval]\n\"my tool\" = \"deny\"\n"},
		{"a new tool", "tools.approval.bash", "deny", "[tools]\nauto_approve_commands = true\n", "[tools]\nauto_approve_commands = true\n\n[tools.approval]\nbash = \"deny\"\n"},
		{"a mode's other name", "blitz.permission_mode", "plan", "[tools]\napproval_mode = \"write\"\n", "[tools]\napproval_mode = \"plan\"\n"},
		{"braces", "ui.theme", "dark", "ui = { theme = 'light' }\n", ""},
		{"braces without it", "ui.theme", "dark", "ui = { }\n", ""},
		{"an entry of a list", "bash.patterns.match", "x", "[[bash.patterns]]\nmatch = \"y\"\napproval = \"deny\"\n", ""},
		{"a list", "permissions.allow", "x", "[permissions]\nallow = []\n", ""},
		{"broken", "ui.theme", "dark", "[ui\n", ""},
	} {
		got, err := WithValue("s", []byte(tt.before), tt.key, tt.text)
		if (err != nil) != (tt.after == "") || err == nil && string(got) != tt.after {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
		if err != nil && string(got) != tt.before {
			t.Errorf("%s: an error, and it is %q", tt.name, got)
		}
	}
	if _, err := WithValue("s", nil, "permissions.auto.environment", "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"); !errors.Is(err, ErrSecret) {
		t.Errorf("a credential is saved: %v (BEY-12)", err)
	}
}

// Setting a value and taking it out again loses nothing of any file.
func TestWithValueKeepsTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := anyFile(t)
		key := rapid.SampledFrom([]string{"ui.theme", "ui.diff_lines", "blitz.permission_mode", "tools.auto_approve_commands", "keys.why"}).Draw(t, "key")
		got, err := WithValue("s", data, key, "v")
		if err != nil {
			return
		}
		was, _ := newEdit("s", data, gate.Deny)
		is, err := newEdit("s", got, gate.Deny)
		if err != nil {
			t.Fatalf("before\n%q\nafter\n%q\n%v", data, got, err)
		}
		if !slices.Equal(was.rules(), is.rules()) {
			t.Fatalf("other rules: before\n%q\nafter\n%q", data, got)
		}
	})
}

func TestUnsetValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.toml")
	before := "[ui]\ntheme = \"dark\" # so\nplain = true\n"
	if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	if removed, err := UnsetValue(path, "ui.mouse"); removed || err != nil {
		t.Errorf("removed %v, %v: it isn't there", removed, err)
	}
	if removed, err := UnsetValue(path, "ui.theme"); !removed || err != nil {
		t.Errorf("removed %v, %v", removed, err)
	}
	if got, _ := os.ReadFile(path); string(got) != "[ui]\nplain = true\n" {
		t.Errorf("%q", got)
	}
}

func TestChoices(t *testing.T) {
	for key, want := range map[string][]string{
		"ui.plain": {"true", "false"}, "ui.notify": {"off", "bell", "osc"}, "tools.approval.bash": {"allow", "deny", "prompt"}, "ui.diff_lines": nil, "nothing.here": nil,
	} {
		if got := Choices(key); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", key, got, want)
		}
	}
	if got := Choices("blitz.permission_mode"); !slices.Contains(got, "plan") {
		t.Errorf("modes: %v", got)
	}
	if Meaning("keys.why") == "" || Meaning("ui.theme") == "" {
		t.Error("a setting has no meaning")
	}
}

// APR-15: a rule is changed in place; its neighbours and the comments stay.
func TestReplaceRule(t *testing.T) {
	for _, tt := range []struct{ name, before, after string }{
		{"one of three", "[permissions]\n# mine\nallow = [\n  'shell(a)', # first\n  \"shell(ls)\", # why\n  \"shell(c)\",\n]\n", "[permissions]\n# mine\nallow = [\n  'shell(a)', # first\n  \"shell(cat)\", # why\n  \"shell(c)\",\n]\n"},
		{"in literal quotes", "permissions.allow = ['shell(ls)']\n", "permissions.allow = ['shell(cat)']\n"},
		{"there already", "permissions.allow = [\"shell(cat)\", \"shell(ls)\"]\n", "permissions.allow = [\"shell(cat)\"]\n"},
		{"gone", "permissions.allow = [\"shell(x)\"]\n", ""},
		{"broken", "permissions.allow = [\"shell(ls)\"\n", ""},
	} {
		path := filepath.Join(t.TempDir(), "settings.toml")
		if err := os.WriteFile(path, []byte(tt.before), 0o600); err != nil {
			t.Fatal(err)
		}
		err := ReplaceRule(path, gate.Allow, "shell(ls)", "shell(cat)")
		got, _ := os.ReadFile(path)
		if want := tt.after; (err != nil) != (want == "") || err == nil && string(got) != want || err != nil && string(got) != tt.before {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
	}
	if err := ReplaceRule("x", gate.Allow, "shell(ls)", "shell("); !errors.Is(err, gate.ErrRule) {
		t.Errorf("a rule that can't be read is saved: %v", err)
	}
}
