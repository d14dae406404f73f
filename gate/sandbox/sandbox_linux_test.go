package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestMain(m *testing.M) {
	Main()
	if deed := os.Getenv("SANDBOX_TEST_DEED"); deed != "" {
		os.Exit(do(deed, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// needSandbox skips, with the reason, where the kernel can't do it.
func needSandbox(t *testing.T) {
	t.Helper()
	if r := Available(); !r.Active() {
		t.Skipf("this machine can't confine anything: %v", r.Err)
	}
}

func needNamespaces(t *testing.T) {
	t.Helper()
	needSandbox(t)
	if r := Available(); !r.Namespaces {
		t.Skipf("no user namespaces here: %q", r.Lacks)
	}
}

// A ground is a workspace with a repository in it, a folder outside, and a
// gate's home.
type ground struct {
	work, out, home string
	policy          Policy
	mounts          bool
}

func newGround(t *testing.T, mounts bool) *ground {
	t.Helper()
	if mounts {
		needNamespaces(t)
	} else {
		needSandbox(t)
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{work: filepath.Join(top, "work"), out: filepath.Join(top, "out"), home: filepath.Join(top, "work-home"), mounts: mounts}
	for _, dir := range []string{"work/src", "work/.claude", "out", "work-home", "temp"} {
		mustDo(t, os.MkdirAll(filepath.Join(top, dir), 0o755))
	}
	for _, file := range []string{"work/a.txt", "work/src/b.txt", "work/.claude/settings.json", "out/c.txt", "work-home/approvals.json"} {
		mustDo(t, os.WriteFile(filepath.Join(top, file), []byte("old\n"), 0o644))
	}
	g.free(t, "git init -q && git config user.name T && git config user.email t@example.org && git add a.txt && git commit -qm one")
	g.policy = Policy{Workspace: g.work, Write: []string{filepath.Join(top, "temp")}, Protect: append(DefaultProtect(""), g.home)}
	return g
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// free runs a script without a sandbox.
func (g *ground) free(t *testing.T, script string) {
	t.Helper()
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir, cmd.Env = g.work, append(os.Environ(), "HOME="+g.out)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// wrap is Wrap with or without mounts, as the ground asks for.
func (g *ground) wrap(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	c, places, err := g.policy.cage(g.mounts)
	mustDo(t, err)
	t.Cleanup(func() { mustDo(t, places.remove()) })
	mustDo(t, c.start(cmd))
}

// held runs a script under the sandbox.
func (g *ground) held(t *testing.T, script string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-ec", script, "sh"}, args...)...)
	cmd.Dir, cmd.Env = g.work, append(os.Environ(), "HOME="+g.out, "OUT="+g.out, "GATE="+g.home, "WORK="+g.work, "PARENT="+strconv.Itoa(os.Getpid()))
	g.wrap(t, cmd)
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "was not started") {
		t.Fatalf("%s: %s", script, out)
	}
	return string(out), err
}

// print is all that must not change: names, modes, links and contents.
func (g *ground) print(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	watch := []string{g.out, g.home}
	for _, path := range DefaultProtect("") {
		watch = append(watch, filepath.Join(g.work, path))
	}
	for _, top := range watch {
		err := filepath.WalkDir(top, func(path string, _ os.DirEntry, err error) error {
			if errors.Is(err, os.ErrNotExist) {
				return nil
			}
			mustDo(t, err)
			info, err := os.Lstat(path)
			mustDo(t, err)
			if isPlaceholder(info.Mode()) {
				return nil
			}
			text, _ := os.ReadFile(path)
			fmt.Fprintf(&b, "%s %v %d %s\n", path, info.Mode(), info.Sys().(*syscall.Stat_t).Nlink, text)
			return nil
		})
		mustDo(t, err)
	}
	return b.String()
}

var both = map[string]bool{"namespaces": true, "landlock alone": false}

// TestHeldWriting: what lies outside the workspace, what is protected in it
// and the gate's home can't be changed in any way, by root neither (APR-13,
// BEY-15).
func TestHeldWriting(t *testing.T) {
	scripts := map[string]string{
		"outside":               `echo x > "$OUT/c.txt"`,
		"outside, new":          `echo x > "$OUT/new"`,
		"outside, append":       `echo x >> "$OUT/c.txt"`,
		"outside, truncate":     `truncate -s 0 "$OUT/c.txt"`,
		"outside, remove":       `rm -f "$OUT/c.txt"`,
		"outside, by link":      `ln -s "$OUT/c.txt" src/l && echo x > src/l`,
		"outside, by old link":  `echo x > way/c.txt`,
		"outside, by hard link": `ln "$OUT/c.txt" src/hard && echo x > src/hard`,
		"outside, moved in":     `mv "$OUT/c.txt" src/c.txt`,
		"outside, grandchild":   `sh -c 'setsid sh -c "echo x > $OUT/c.txt"'`,
		"outside, another root": `unshare -Ur sh -c 'echo x > "$OUT/c.txt"'`,
		"outside, by /proc":     `echo x > "/proc/$PARENT/root$OUT/c.txt"`,
		"gate, rules":           `echo '{}' > "$GATE/approvals.json"`,
		"gate, new":             `echo x > "$GATE/settings.toml"`,
		"gate, moved":           `mv "$GATE" "$GATE.old"`,
		"config":                `echo x > .git/config`,
		"config, append":        `echo x >> .git/config`,
		"config, truncate":      `truncate -s 0 .git/config`,
		"config, remove":        `rm -f .git/config`,
		"config, by git":        `git config core.fsmonitor evil`,
		"config, renamed over":  `echo x > src/evil; mv -f src/evil .git/config`,
		"config, renamed there": `echo x > .git/evil; mv -f .git/evil .git/config`,
		"config, renamed away":  `mv .git/config .git/config.old`,
		"config, by hard link":  `ln .git/config .git/hard && echo x > .git/hard`,
		"config, by link":       `ln -s ../.git/config src/l && echo x > src/l`,
		"config, by /proc":      `echo x > "/proc/$PARENT/root$WORK/.git/config"`,
		"config, by cwd":        `echo x > "/proc/$PARENT/cwd/.git/config"`,
		"config, unmounted":     `unshare -Urm sh -c 'umount .git/config; echo x > .git/config'`,
		"config, remounted":     `unshare -Urm sh -c 'mount -o remount,bind,rw .git/config; echo x > .git/config'`,
		"config, mode":          `chmod 777 .git/config`,
		"outside, mode":         `chmod 777 "$OUT/c.txt"`,
		"device node":           `mknod src/n c 1 3`,
		"hook":                  `echo x > .git/hooks/pre-commit`,
		"modules":               `echo x > .gitmodules`,
		"attributes":            `echo x > .gitattributes`,
		"npm's settings":        `echo x > .npmrc`,
		"hook, by link":         `echo x > src/e; ln src/e .git/hooks/pre-commit`,
		"hooks, renamed":        `mv .git/hooks .git/h; mkdir .git/hooks; echo x > .git/hooks/pre-commit`,
		"hooks, exchanged":      `mkdir src/h; mv --exchange src/h .git/hooks`,
		"git, renamed":          `mv .git git.old; mkdir .git; echo x > .git/config`,
		"git, removed":          `rm -rf .git/config .git/hooks; rmdir .git`,
		"settings":              `echo x > .claude/settings.json`,
		"settings, new":         `echo x > .claude/settings.local.json`,
		"settings, renamed":     `mv .claude c; mkdir .claude; echo x > .claude/settings.json`,
		"missing folder":        `mkdir -p .gemini; echo x > .gemini/settings.json`,
		"missing folder, moved": `mkdir src/g; mv src/g .gemini; echo x > .gemini/settings.json`,
		"missing file":          `echo x > .mcp.json`,
		"missing file, moved":   `echo x > src/m; rm -rf .mcp.json; mv src/m .mcp.json; cat .mcp.json`,
		"missing, removed":      `rmdir .gemini; mkdir .gemini`,
		"missing, below":        `mkdir -p .github/workflows; echo x > .github/workflows/a.yml`,
		"workspace, renamed":    `mv "$WORK" "$WORK.old"`,
	}
	for kind, mounts := range both {
		t.Run(kind, func(t *testing.T) {
			g := newGround(t, mounts)
			g.free(t, "rm .git/hooks/*.sample; ln -s ../out way")
			before := g.print(t)
			var args []string
			for name, script := range scripts {
				if mounts || !strings.HasSuffix(name, ", mode") { // see TestNotHeld
					args = append(args, name, script)
				}
			}
			out, err := g.held(t, `while test $# -gt 0; do
				if sh -ec "$2" >/dev/null 2>&1; then echo "$1"; fi
				rm -rf src/* .git/evil .git/hard; shift 2
			done; echo end`, args...)
			if err != nil || out != "end\n" {
				t.Errorf("these went well: %s %v", out, err)
			}
			if after := g.print(t); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
		})
	}
}

// TestFreeWork: ordinary work goes on as ever, commits included.
func TestFreeWork(t *testing.T) {
	g := newGround(t, true)
	out, err := g.held(t, `echo new > a.txt; echo x > new.txt; mkdir -p d/e; echo y > d/e/f; mv d/e/f new2.txt; ln a.txt hard; ln -s a.txt l
		rm src/b.txt; truncate -s 1 a.txt; chmod 600 a.txt; echo t > ../temp/t; echo z > /dev/null; test "$(cat .git/config)"
		git status --short; git add -A; git commit -qm two; git checkout -qb side; echo 3 >> a.txt; git commit -qam three; git checkout -q -; git merge -q side
		git stash list; git gc -q; git log --oneline; test -z "$(git status --short)"
		mkfifo p; sleep 0 & wait; kill -0 $$; mktemp -p ../temp`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Count(out, " two") != 1 || !strings.Contains(out, " three") {
		t.Error(out)
	}
	g.free(t, "git log --oneline | grep -q three; git fsck")
}

// TestFreeWorkAlone: Landlock alone leaves the folders of the workspace free.
func TestFreeWorkAlone(t *testing.T) {
	g := newGround(t, false)
	out, err := g.held(t, `echo new > a.txt; echo x > src/new.txt; mkdir -p src/d/e; mv src/new.txt src/d/e/f; rm src/b.txt; echo t > ../temp/t; echo > /dev/null; git status --short`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := g.held(t, "echo x > new.txt"); err == nil {
		t.Error("a new file beside protected entries was made, which can't be held:", out)
	}
}

// TestBroken: a policy that is missing, cut off, unknown or empty runs nothing.
func TestBroken(t *testing.T) {
	needSandbox(t)
	mark := filepath.Join(t.TempDir(), "ran")
	good := &cage{Roots: []string{filepath.Dir(mark)}, Write: []string{filepath.Dir(mark)}}
	text, err := good.encode()
	mustDo(t, err)
	touch := []string{"/bin/sh", "sh", "-c", ": > " + mark}
	run := func(args ...string) error {
		cmd := exec.Command("/proc/self/exe", append([]string{marker}, args...)...)
		return cmd.Run()
	}
	for name, args := range map[string][]string{
		"nothing":        {},
		"no policy":      touch,
		"empty":          append([]string{""}, touch...),
		"empty object":   append([]string{"{}"}, touch...),
		"cut off":        append([]string{text[:len(text)-3]}, touch...),
		"more":           append([]string{text + text}, touch...),
		"unknown":        append([]string{`{"roots":["/"],"write":["/"],"soft":true}`}, touch...),
		"missing root":   append([]string{`{"roots":["/nowhere"],"write":["/nowhere"]}`}, touch...),
		"no namespaces":  append([]string{`{"roots":["/tmp"],"write":["/tmp"],"noNetwork":true}`}, touch...),
		"outside a cage": append([]string{`{"mounts":true,"roots":["/tmp"],"write":["/tmp"],"hold":["/nowhere"]}`}, touch...),
		"no command":     {text},
	} {
		var exit *exec.ExitError
		if err := run(args...); !errors.As(err, &exit) || exit.ExitCode() != exitBroken {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(mark); err == nil {
			t.Fatalf("%s: the command ran", name)
		}
	}
	if err := run(append([]string{text}, touch...)...); err != nil {
		t.Error("the good one:", err)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Error("the good one didn't run:", err)
	}
}
