package settings

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/blitz-approve/blitz-approve/gate"
)

func TestWithMode(t *testing.T) { // APR-14
	for _, tt := range []struct{ name, before, after string }{
		{"nothing", "", "[blitz]\npermission_mode = \"plan\"\n"},
		{"a table", "# c\n[blitz] # mine\nplan_review = 'user-decides'\r\n", "# c\n[blitz] # mine\npermission_mode = \"plan\"\nplan_review = 'user-decides'\r\n"},
		{"other tables and no final newline", "[ui]\nplain = true", "[ui]\nplain = true\n\n[blitz]\npermission_mode = \"plan\""},
		{"a mode already", "[blitz]\npermission_mode = 'yolo'\n", "[blitz]\npermission_mode = 'yolo'\n"},
		{"a mode under its other name", "tools.approval_mode = 'write'\n", "tools.approval_mode = 'write'\n"},
		{"dots", "blitz.plan_review = 'user-decides'\n", ""},
		{"braces", "blitz = {}\n", ""},
		{"broken", "blitz = {\n", ""},
	} {
		got, err := WithMode("s", []byte(tt.before), gate.Plan)
		if (err != nil) != (tt.after == "") || err == nil && string(got) != tt.after {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
		if err != nil && string(got) != tt.before {
			t.Errorf("%s: an error, and it is %q", tt.name, got)
		}
	}
}

// Setting the mode loses nothing of any file (APR-14).
func TestWithModeKeepsTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := anyFile(t)
		got, err := WithMode("s", data, gate.Plan)
		if err != nil {
			return
		}
		if !subsequence(data, got) {
			t.Fatalf("before\n%q\nafter\n%q", data, got)
		}
		if f, problems := Parse("s", got, Global); f.Mode.Value != "plan" && !f.Broken {
			t.Fatalf("mode %q in\n%q\n%v", f.Mode.Value, got, problems)
		}
	})
}
