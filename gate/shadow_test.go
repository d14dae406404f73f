package gate

import (
	"os"
	"path/filepath"
	"testing"
)

// APR-15: a command that only reads passes by itself as long as PATH doesn't have a
// program of the workspace's run in its place. Here nobody can be asked.
func TestProgramsOfTheWorkspaceDontPassForReaders(t *testing.T) {
	ws := t.TempDir()
	for _, dir := range []string{"bin", "sub"} {
		if err := os.Mkdir(filepath.Join(ws, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"bin/ls", "sub/cat", "git"} {
		if err := os.WriteFile(filepath.Join(ws, file), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	usual := os.Getenv("PATH")
	for _, row := range []struct {
		path, command string
		want          Effect
	}{
		{usual, "ls", Allow},
		{usual + ":" + ws + "/bin", "ls", Deny},
		{usual + ":" + ws + "/bin", "cat x", Allow},
		{"bin:" + usual, "ls | cat", Deny},
		{"bin:" + usual, "cd sub && ls", Allow},
		{".:" + usual, "cat x", Allow},
		{".:" + usual, "cd sub && cat x", Deny},
		{usual + ":", "git status", Deny}, // the empty folder is the one where one is
		{".:" + usual, "cd sub", Allow},
	} {
		t.Setenv("PATH", row.path)
		g, err := New(Options{Workspace: ws, Mode: Default})
		if err != nil {
			t.Fatal(err)
		}
		if v := g.Check(t.Context(), CommandRequest(ws, "bash", row.command)); v.Effect != row.want {
			t.Errorf("%s with PATH=%s: %s (%s)", row.command, row.path, v.Effect, v.Reason)
		}
	}
}
