package gate_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestWorktreeSharesApprovals lets an approval of the main checkout pass in
// its worktree, and the other way round (APR-02, APR-14).
func TestWorktreeSharesApprovals(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	main, tree := filepath.Join(dir, "main"), filepath.Join(dir, "tree")
	git(t, dir, "init", "-q", main)
	git(t, main, "commit", "-q", "--allow-empty", "-m", "first")
	git(t, main, "worktree", "add", "-q", tree)
	linked := filepath.Join(dir, "linked")
	if err := os.Symlink(tree, linked); err != nil {
		t.Fatal(err)
	}
	key, _ := gate.CommandKey(main, "make")
	for _, workspace := range []string{tree, linked} {
		g, err := gate.New(gate.Options{Workspace: workspace, Mode: gate.Default, Approvals: gate.KeepApprovals(gate.SavedKey{Key: key})})
		if err != nil {
			t.Fatal(err)
		}
		if v := g.Decide(t.Context(), gate.CommandRequest(workspace, "bash", "make")); v.Cause != gate.CauseSavedRule {
			t.Errorf("in %s: %s", workspace, v.Cause)
		}
	}
	if key, _ := gate.WriteKey(tree); key != "write:"+main {
		t.Errorf("edits in the worktree: %q", key)
	}
	// A repository whose worktree is gone doesn't know it any more.
	git(t, main, "worktree", "remove", tree)
	git(t, dir, "init", "-q", tree)
	if key, _ := gate.WriteKey(tree); key != "write:"+tree {
		t.Errorf("edits in a repository of its own: %q", key)
	}
}

// TestWorktreeIsBelievedFromBothSides gives a folder no approvals of a project
// that doesn't know of it (APR-02).
func TestWorktreeIsBelievedFromBothSides(t *testing.T) {
	attacks := map[string]func(t *testing.T, victim, folder string){
		"points at a project": func(t *testing.T, victim, folder string) {
			write(t, filepath.Join(folder, ".git"), "gitdir: "+filepath.Join(victim, ".git"))
		},
		"points at another's worktree": func(t *testing.T, victim, folder string) {
			git(t, victim, "worktree", "add", "-q", victim+"-tree")
			write(t, filepath.Join(folder, ".git"), "gitdir: "+filepath.Join(victim, ".git/worktrees", filepath.Base(victim)+"-tree"))
		},
		"brings a worktree of its own": func(t *testing.T, victim, folder string) {
			own := filepath.Join(folder, "store/.git/worktrees/w")
			write(t, filepath.Join(folder, ".git"), "gitdir: "+own)
			write(t, filepath.Join(own, "gitdir"), filepath.Join(folder, ".git"))
			write(t, filepath.Join(own, "commondir"), filepath.Join(victim, ".git"))
		},
		"brings it behind links": func(t *testing.T, victim, folder string) {
			own := filepath.Join(folder, "store/worktrees/w")
			write(t, filepath.Join(own, "gitdir"), filepath.Join(folder, ".git"))
			write(t, filepath.Join(own, "commondir"), "../../common/.git")
			if err := os.Symlink(victim, filepath.Join(folder, "store/common")); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(folder, ".git"), "gitdir: "+own)
		},
		"is a link": func(t *testing.T, victim, folder string) {
			if err := os.Symlink(filepath.Join(victim, ".git"), filepath.Join(folder, ".git")); err != nil {
				t.Fatal(err)
			}
		},
		"holds two paths": func(t *testing.T, victim, folder string) {
			write(t, filepath.Join(folder, ".git"), "gitdir: x\n"+filepath.Join(victim, ".git")+"\n")
		},
	}
	for name, attack := range attacks {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			victim, folder := filepath.Join(dir, "victim"), filepath.Join(dir, "folder")
			git(t, dir, "init", "-q", victim)
			git(t, victim, "commit", "-q", "--allow-empty", "-m", "first")
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			attack(t, victim, folder)
			if key, _ := gate.WriteKey(folder); key != "write:"+folder {
				t.Errorf("it borrows %q", key)
			}
		})
	}
}
