//go:build unix

package tui

import (
	"os"
	"strings"
	"testing"
)

// BEY-10: the editor gets the text in a file that only its owner can read, and
// what it leaves there comes back; nothing stays behind.
func TestEditor(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	e := &editing{editor: []string{"sh", "-c", `stat -c %a "$0" 2>/dev/null || stat -f %Lp "$0"; sed 's/one/two/' "$0" > "$0.new"; mv "$0.new" "$0"`}, name: "plan.md", text: "step one\n"}
	var out strings.Builder
	e.SetStdin(strings.NewReader(""))
	e.SetStdout(&out)
	e.SetStderr(&out)
	if err := e.Run(); err != nil || e.text != "step two\n" || !strings.HasPrefix(out.String(), "600") {
		t.Errorf("got %q, %v and %q", e.text, err, out.String())
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	for _, editor := range []string{"false", "no-such-editor"} {
		e := &editing{editor: []string{editor}, name: "plan.md", text: "x"}
		e.SetStdin(strings.NewReader(""))
		if err := e.Run(); err == nil || !strings.Contains(err.Error(), editor) || e.text != "x" {
			t.Errorf("%s: %v, %q", editor, err, e.text)
		}
	}
}

func TestEditorOf(t *testing.T) {
	for _, tt := range []struct{ visual, editor, want string }{{"", "", "vi"}, {"", "nano", "nano"}, {"code --wait", "nano", "code|--wait"}, {" ", "ed", "ed"}} {
		env := map[string]string{"VISUAL": tt.visual, "EDITOR": tt.editor}
		if got := strings.Join(editorOf(func(k string) string { return env[k] }), "|"); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}
