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
	e := &editing{editor: `e() { stat -c %a "$1" 2>/dev/null || stat -f %Lp "$1"; sed 's/one/two/' "$1" > "$1.new"; mv "$1.new" "$1"; }; e`, name: "plan.md", text: "step one\n"}
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
		e := &editing{editor: Editor(editor), name: "plan.md", text: "x"}
		e.SetStdin(strings.NewReader(""))
		if err := e.Run(); err == nil || !strings.Contains(err.Error(), editor) || e.text != "x" {
			t.Errorf("%s: %v, %q", editor, err, e.text)
		}
	}
}

// $EDITOR is read as git reads it: by the shell, with the file as one argument
// whatever its name is.
func TestEditorIsALineForTheShell(t *testing.T) {
	dir := t.TempDir()
	program := dir + "/my editor"
	if err := os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s|' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := dir + "/a file; rm x"
	for _, tt := range []struct{ visual, editor, want string }{
		{"", "'" + program + "'", file + "|"},
		{"'" + program + "' --wait 'two words'", "false", "--wait|two words|" + file + "|"},
		{" ", strings.ReplaceAll(program, " ", `\ `) + " -f", "-f|" + file + "|"},
		{"", `FLAG=1 sh -c 'echo "$FLAG $1"' x`, "1 " + file + "\n"},
	} {
		t.Setenv("VISUAL", tt.visual)
		t.Setenv("EDITOR", tt.editor)
		var out strings.Builder
		if err := PersonsEditor().Edit(t.Context(), file, nil, &out, &out); err != nil || out.String() != tt.want {
			t.Errorf("%s, %s: got %q, %v, want %q", tt.visual, tt.editor, out.String(), err, tt.want)
		}
	}
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", "")
	if e := PersonsEditor(); e != "vi" {
		t.Errorf("without any: %s", e)
	}
	err := Editor("no-such-editor -x").Edit(t.Context(), file, nil, nil, nil)
	if err == nil || err.Error() != "no-such-editor -x isn't there; $VISUAL or $EDITOR names another editor" {
		t.Error(err)
	}
}
