package shell

import (
	"os"
	"path/filepath"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestGitConfigRuns finds settings that make a reading command run something
// (APR-15).
func TestGitConfigRuns(t *testing.T) {
	tests := []struct{ config, why string }{
		{"[core]\n\tbare = false\n\tfilemode = true\n[remote \"origin\"]\n\turl = x\n\tfetch = +a:b\n[branch \"main\"]\n\tremote = origin\n", ""},
		{"[core]\n\tfsmonitor = ./x\n", "core.fsmonitor"},
		{"[core]\n\tfsmonitor = false\n", ""},
		{"[CORE] FSMonitor=./x", "core.fsmonitor"},
		{"[core] pager = x", "core.pager"},
		{"[diff]\nexternal = x", "diff.external"},
		{"[diff \"a]b\"]\ntextconv = x", "diff.*.textconv"},
		{"[filter \"lfs\"]\n\tprocess = x", "filter.*.process"},
		{"[filter.lfs]\n\tclean = x", "filter.*.clean"},
		{"[alias]\n\tst = !x", "alias.st"},
		{"[alias \"x\"]\n\tcommand = !x", "alias.*.command"},
		{"[pager]\n\tlog = x", "pager.log"},
		{"[include]\n\tpath = ../x", "include.path"},
		{"[includeIf \"gitdir:x\"]\n\tpath = ../x", "includeif.*.path"},
		{"# x \\\n[core] pager = x", "core.pager"},
		{"\ufeff[core]\npager = x", "core.pager"},
		{"[a][core] pager = x", "core.pager"},
		{"[core]\n\tzz = a \\\n[user]\n\tfsmonitor = x", "core.zz"},
		{"[user]\n\tname = a \\\n[core]\n\temail = b\n", ""},
		{"[user]\n\tname = a # \\\n[core]\n\tfsmonitor = x\n", "core.fsmonitor"},
		{"[user]\n\tname = \"a # \\\n\"\n[core]\n\tfsmonitor = x\n", "core.fsmonitor"},
		{"[user]\n\tname = \"a\\\"\\\\\" ; \"\n\tnone = x", "user.none"},
		{"[core]\n\tfsmonitor", "core.fsmonitor"},
		{"[core]\n\tfsmonitor =\n", ""},
		{"[core]\n\tfsmonitor = \"false ; touch x\"", "core.fsmonitor"},
		{"[core]\n\tfsmonitor = \"false\"", "core.fsmonitor"},
		{"[core]\n\tfsmonitor = false ; touch x", ""},
		{"[core]\n\tfsmonitor = false \\\n touch x", "core.fsmonitor"},
		{"[core]\n\tfsmonitor = true", "core.fsmonitor"},
		{"[core]\r\n\tfsmonitor = off\r\n", ""},
		{"[diff]\n\texternal = \"no ; touch x; :\"", "diff.external"},
		{"[diff\t\"x\"]\n\ttextconv = x", "diff.*.textconv"},
		{"[DIFF \t \"x\\\"]\"]textconv = x", "diff.*.textconv"},
		{"[core]\n\tworktree = ../..\n", "core.worktree"},
		{"[core]\n\tworktree = ../\n", ""},
		{"[merge \"x\"]\n\tdriver = x", "merge.*.driver"},
		{"[new]\n\tsetting = x", "new.setting"},
		{"[submodule \"a\"]\n\tupdate = !x", "submodule.*.update"},
		{"[submodule \"a\"]\n\tupdate = rebase\n\turl = x\n\tactive", ""},
		{"[log]\n\tshowSignature\n", "log.showsignature"},
		{"[pretty]\n\tx = %G?", "pretty.x"},
		{"[format]\n\tpretty = %G?", "format.pretty"},
		{"# [core]\n; pager = x\n[user]\n\tname = pager = x", ""},
	}
	for _, tt := range tests {
		dir := t.TempDir()
		write(t, filepath.Join(dir, ".git", "config"), tt.config)
		write(t, filepath.Join(dir, "sub", "f"), "")
		for _, from := range []string{dir, filepath.Join(dir, "sub")} {
			if why, err := GitConfigRuns(from); why != tt.why || err != nil {
				t.Errorf("%q: %q, %v, want %q", tt.config, why, err, tt.why)
			}
		}
	}
}

// TestGitConfigRunsElsewhere follows worktrees, and tells bad files from good
// ones (APR-15).
func TestGitConfigRunsElsewhere(t *testing.T) {
	dir := t.TempDir()
	main, tree := filepath.Join(dir, "main"), filepath.Join(dir, "tree")
	own := filepath.Join(main, ".git", "worktrees", "tree")
	write(t, filepath.Join(main, ".git", "config"), "[core]\n\thooksPath = x\n")
	write(t, filepath.Join(own, "commondir"), "../..\n")
	write(t, filepath.Join(tree, ".git"), "gitdir: "+own+"\n")
	if why, err := GitConfigRuns(tree); why != "core.hookspath" || err != nil {
		t.Errorf("a worktree: %q, %v", why, err)
	}
	write(t, filepath.Join(main, ".git", "config"), "")
	write(t, filepath.Join(own, "config.worktree"), "[core]\n\tpager = x\n")
	if why, err := GitConfigRuns(tree); why != "core.pager" || err != nil {
		t.Errorf("a worktree's own settings: %q, %v", why, err)
	}
	write(t, filepath.Join(dir, "outer", ".git", "modules", "sub", "config"), "[core]\n\tfsmonitor = x\n")
	if why, err := GitConfigRuns(filepath.Join(dir, "outer")); why != "core.fsmonitor" || err != nil {
		t.Errorf("a submodule: %q, %v", why, err)
	}
	for _, name := range []string{"HEAD", "objects/x", "refs/x", "config"} {
		write(t, filepath.Join(dir, "bare", name), "[alias] a = !x\n")
	}
	if why, err := GitConfigRuns(filepath.Join(dir, "bare")); why != "alias.a" || err != nil {
		t.Errorf("a folder that looks like a repository: %q, %v", why, err)
	}
	write(t, filepath.Join(dir, "odd", ".git"), "what")
	if _, err := GitConfigRuns(filepath.Join(dir, "odd")); err == nil {
		t.Error("a .git file without a link is no error")
	}
	for _, text := range []string{
		"[core\n", "[core", "[core \"x", "[core \"x\n\"]", "[core x]", "[core \"x\" ]", "[core_x]", "1[core]\x00", "=", "[a]\nb c",
		"[a]\nb = \"", "[a]\nb = \\x", "[core \"fsmonitor\x00\"]\n\tx = touch x",
	} {
		write(t, filepath.Join(dir, "broken", ".git", "config"), text)
		if why, err := GitConfigRuns(filepath.Join(dir, "broken")); err == nil && why == "" {
			t.Errorf("a broken file is no error: %q", text)
		}
	}
}
