package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A scratch is a folder in which real git runs, away from the settings of the
// person and the machine.
type scratch struct {
	t       *testing.T
	dir     string // where scripts run
	marker  string // what an attack makes
	environ []string
}

func newScratch(t *testing.T) *scratch {
	t.Helper()
	for _, program := range []string{"git", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: what it really does can't be tested", program)
		}
	}
	root := t.TempDir()
	s := &scratch{t: t, dir: filepath.Join(root, "ws"), marker: filepath.Join(root, "marker")}
	for _, dir := range []string{s.dir, filepath.Join(root, "home")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") {
			s.environ = append(s.environ, v)
		}
	}
	s.environ = append(s.environ, "HOME="+filepath.Join(root, "home"), "XDG_CONFIG_HOME="+filepath.Join(root, "home"), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CEILING_DIRECTORIES="+root, "MARKER="+s.marker, "GIT_ALLOW_PROTOCOL=file", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	return s
}

func (s *scratch) sh(script string) (string, error) {
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir, cmd.Env = s.dir, s.environ
	out, err := cmd.CombinedOutput()
	return string(out), err
}

const commit = `git init -q .; echo hi >f; git add f; git commit -qm x; `

// TestRegressionGitRuns shows ways in which real git runs a program in a
// reading command. Each must make the defaults ask (APR-15).
func TestRegressionGitRuns(t *testing.T) {
	const (
		evil = "\tfsmonitor = touch $MARKER\n"
		hook = `printf '#!/bin/sh\ntouch "$MARKER"\n' >.git/hooks/post-index-change; chmod +x .git/hooks/post-index-change; touch -d yesterday f`
		sub  = `git init -q sub; (cd sub; echo 1 >a; git add a; git commit -qm s); git add sub 2>/dev/null; git commit -qm sm; `
	)
	config := func(file, text string) string {
		return "cat >>" + file + " <<'END'\n" + text + "END\n"
	}
	tests := []struct{ name, setup, dir, command string }{
		{"a value that begins like false", commit + config(".git/config", "[core]\n\tfsmonitor = \"false ; touch $MARKER\"\n"), "", "git status"},
		{"another program that begins like no", commit + config(".git/config", "[diff]\n\texternal = \"no ; touch $MARKER; :\"\n") + "echo z >>f", "", "git diff"},
		{"a tab before a subsection", commit + config(".git/config", "[diff\t\"x\"]\n\ttextconv = touch $MARKER; cat\n") + `echo "* diff=x" >.gitattributes; echo z >>f`, "", "git diff"},
		{"a continued value", commit + config(".git/config", "[core]\n\tzz = a \\\n[user]\n"+evil), "", "git status"},
		{"an empty .git below", commit + config(".git/config", "[core]\n"+evil) + "mkdir -p sub/.git", "sub", "git status"},
		{"a hook", commit + hook, "", "git status"},
		{"a hook of diff", commit + hook, "", "git diff"},
		{"a merge driver", commit + config(".git/config", "[merge \"x\"]\n\tdriver = touch $MARKER\n") +
			`echo "* merge=x" >.gitattributes; git add -A; git commit -qm a; git checkout -q -b b; echo 1 >f; git commit -qam b; git checkout -q -; echo 2 >f; git commit -qam c; git merge -q b || true; echo 3 >f; git commit -qam m`,
			"", "git log --remerge-diff"},
		{"an embedded repository", commit + sub + config("sub/.git/config", "[core]\n"+evil), "", "git status"},
		{"an embedded repository in one", commit + `git init -q s; cd s; ` + commit + sub + config("sub/.git/config", "[core]\n"+evil) +
			"cd ..; git add s 2>/dev/null; git commit -qm ss", "", "git status"},
		{"an embedded repository in an index of version 4", commit + "git config index.version 4; echo 1 >sa; git add sa; " + sub + "git update-index --index-version 4; " + config("sub/.git/config", "[core]\n"+evil), "", "git status"},
		{"a module under a deep name", commit + `mkdir -p .git/modules/a/b m; git init -q --separate-git-dir .git/modules/a/b/c m; (cd m; echo 1 >a; git add a; git commit -qm s); git add m 2>/dev/null; git commit -qm q; ` +
			config(".git/modules/a/b/c/config", "[core]\n"+evil), "", "git status"},
		{"a .git file", commit + config(".git/config", "[core]\n"+evil) + `mv .git real; echo "gitdir: real" >.git`, "", "git status"},
		{"a linked .git", commit + config(".git/config", "[core]\n"+evil) + "mv .git real; ln -s real .git", "", "git status"},
		{"a folder that is a repository", `mkdir -p b/refs b/objects; echo "ref: refs/heads/main" >b/HEAD; ` +
			config("b/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n"+evil), "b", "git status"},
		{"a folder whose settings are elsewhere", `mkdir -p b c/refs c/objects; echo "ref: refs/heads/main" >b/HEAD; echo ../c >b/commondir; ` +
			config("c/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n"+evil), "b", "git status"},
		{"settings of a worktree elsewhere", `mkdir -p b c/refs c/objects; echo "ref: refs/heads/main" >b/HEAD; echo ../c >b/commondir; ` +
			config("b/config.worktree", "[core]\n\tbare = false\n\tworktree = ..\n"+evil) + config("c/config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n"), "b", "git status"},
		{"a decoy beside .git", commit + config(".git/config", "[core]\n"+evil) + `mkdir refs objects; echo "ref: refs/heads/main" >HEAD`, "", "git status"},
		{"a decoy that is none", commit + config(".git/config", "[core]\n"+evil) + `mkdir -p d/refs d/objects; echo what >d/HEAD`, "d", "git status"},
		{"a link into a repository", commit + `mkdir o; git init -q o/r; mkdir o/r/d; ln -s o/r/d link; ` + config("o/r/.git/config", "[core]\n"+evil), "link", "git status"},
		{"settings in another file", commit + config(".git/config", "[include]\n\tpath = other\n") + config(".git/other", "[core]\n"+evil), "", "git status"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			if out, err := s.sh(tt.setup); err != nil {
				t.Fatalf("setup: %v: %s", err, out)
			}
			_ = os.Remove(s.marker)
			dir := filepath.Join(s.dir, tt.dir)
			if why, err := GitConfigRuns(dir); why == "" && err == nil {
				t.Error("nothing is found")
			}
			out, _ := s.sh("cd ./" + tt.dir + "; " + tt.command)
			if _, err := os.Stat(s.marker); err != nil {
				t.Logf("this git runs nothing here: %s", out)
			}
		})
	}
}

// TestGitConfigClear: repositories as people have them raise no question
// (APR-15).
func TestGitConfigClear(t *testing.T) {
	const other = `mkdir ../other; (cd ../other; ` + commit + `); `
	tests := []struct{ name, setup, dir string }{
		{"none", "mkdir sub", "sub"},
		{"fresh", "git init -q .", ""},
		{"with a commit and a name", commit + "git config user.name a; git config user.email a@b; git config pull.rebase true; git config core.autocrlf input; mkdir d", "d"},
		{"a clone", other + "git clone -q ../other c; cd c; git checkout -q -b x; git branch -u origin/HEAD; git remote add up ../other", "c"},
		{"a shallow clone of part", other + `git clone -q --depth 1 --filter=blob:none "file://$PWD/../other" c`, "c"},
		{"with submodules", other + commit + "git -c protocol.file.allow=always submodule --quiet add ../other sub; git commit -qm s", ""},
		{"in a submodule", other + commit + "git -c protocol.file.allow=always submodule --quiet add ../other deep/sub; git commit -qm s", "deep/sub"},
		{"a worktree", commit + "git worktree add -q ../tree", "../tree"},
		{"a worktree with settings", commit + "git worktree add -q ../tree; git config extensions.worktreeConfig true; cd ../tree; git config --worktree user.name b", "../tree"},
		{"bare", other + "git clone -q --bare ../other b.git", "b.git"},
		{"sparse", commit + "git sparse-checkout set d", ""},
		{"with large files not installed", commit + "git config lfs.repositoryformatversion 0", ""},
		// Once in a long while git can't write this index, and then it can.
		{"with a split index", commit + "git update-index --split-index; echo 1 >g; git add g || git add g", ""},
		{"detached", commit + "git checkout -q --detach", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			if out, err := s.sh(tt.setup); err != nil {
				t.Fatalf("setup: %v: %s", err, out)
			}
			if why, err := GitConfigRuns(filepath.Join(s.dir, tt.dir)); why != "" || err != nil {
				t.Errorf("%q, %v", why, err)
			}
		})
	}
}
