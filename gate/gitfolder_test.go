package gate

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// APR-15: to look at the workspace by its full name is as harmless as without
// it, and no way around a read rule, a link or a repository that runs programs.
func TestGitInAFullFolder(t *testing.T) {
	w := newWorld(t)
	if err := os.RemoveAll(filepath.Join(w.real, ".git")); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{w.real, w.outside} {
		if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	deny := []string{"read(secrets/**)"}
	for _, row := range []struct {
		command string
		want    Effect
	}{
		{"git -C " + w.real + " status", Allow},
		{"git -C " + w.real + "/src log --oneline", Allow},
		{"git --no-pager -C " + w.link + " diff", Ask},
		{"git -C '" + w.real + "' -C src status", Allow},
		{"cd " + w.real + " && git -C src status", Allow},
		{"git -C " + w.outside + " status", Ask},
		{"git -C / status", Ask},
		{"git -C ~ status", Ask},
		{"git -C " + w.real + "/out status", Ask},
		{"git -C " + w.real + "/out/.. status", Ask},
		{"git -C " + w.real + "/loop status", Ask},
		{"git -C " + w.real + "/../outside status", Ask},
		{"git -C " + w.real + " push", Ask},
		{"git -C " + w.real + " -c core.pager=x log", Ask},
		{"git -C $X status", Ask},
		{"git -C " + w.real + "/$X status", Ask},
		{"git -C " + w.real + "/src show HEAD:secrets/k", Deny},
		{"git -C " + w.real + " show HEAD:secrets/k", Deny},
		{"git -C " + w.real + "/secrets show HEAD:./k", Deny},
		{"git -C " + w.real + " diff secrets", Deny},
	} {
		if v := w.check(t, w.real, setup{mode: Default, deny: deny, defaults: true}, CommandRequest(w.real, "bash", row.command)); v.Effect != row.want {
			t.Errorf("%s: %s · %s (%s)", row.command, v.Effect, v.Cause, v.Reason)
		}
	}
	if err := os.WriteFile(filepath.Join(w.real, ".git/config"), []byte("[core]\nfsmonitor = ./evil\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := w.check(t, w.real, setup{mode: Default, defaults: true}, CommandRequest(w.real, "bash", "git -C "+w.real+"/src status")); v.Effect != Ask || !strings.Contains(v.Reason, "git runs a program by core.fsmonitor, which only this repository sets; if it is yours, set it with git config --global") {
		t.Errorf("a repository that runs a program: %s · %s (%s)", v.Effect, v.Cause, v.Reason)
	}
}
