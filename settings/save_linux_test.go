package settings_test

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

// The test program is its own second program: with this variable set it adds
// rules to the file named there, and says so with a line for each.
const adder = "SETTINGS_TEST_ADD"

func TestMain(m *testing.M) {
	if name := os.Getenv(adder); name != "" {
		for i := range 200 {
			if err := settings.AddRule(name, gate.Allow, rule(os.Getenv(adder+"_AS"), i)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			fmt.Println(i)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func rule(as string, i int) string { return fmt.Sprintf("shell(make %s%03d)", as, i) }

func add(t *testing.T, name, as string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), adder+"="+name, adder+"_AS="+as)
	cmd.Stderr = os.Stderr
	return cmd
}

// Two programs that save at once lose nothing (APR-15).
func TestProcessesSaveAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "settings.toml")
	var commands []*exec.Cmd
	for _, as := range []string{"a", "b"} {
		cmd := add(t, name, as)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		commands = append(commands, cmd)
	}
	for _, cmd := range commands {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	var want []string
	for i := range 200 {
		want = append(want, rule("a", i), rule("b", i))
	}
	slices.Sort(want)
	got := rulesOf(t, name)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%d rules, want %d", len(got), len(want))
	}
}

func rulesOf(t *testing.T, name string) (rules []string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, problems := settings.Parse(name, data, settings.Global)
	if problems != nil {
		t.Fatal(problems)
	}
	for _, r := range f.Rules {
		rules = append(rules, r.Value)
	}
	return rules
}

// A program that is killed while it saves leaves the old file or the new one,
// and nothing that keeps others from saving (APR-15).
func TestKilledWhileSaving(t *testing.T) {
	name := filepath.Join(t.TempDir(), "settings.toml")
	body := strings.Repeat("# a comment that makes saving take a while\n", 5000)
	temporary := filepath.Join(filepath.Dir(name), ".settings.toml.new")
	halfway := 0
	for round := range 16 {
		write(t, name, body)
		cmd := add(t, name, "k")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		saved := 0
		for range 1 + rand.IntN(4) {
			if lines.Scan() {
				saved++
			}
		}
		if round%2 == 0 {
			stopHalfway(cmd.Process, temporary)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if _, err := os.Stat(temporary); err == nil {
			halfway++
		}
		got := rulesOf(t, name)
		if len(got) < saved {
			t.Fatalf("round %d: %d rules were saved, %d are there", round, saved, len(got))
		}
		for i, r := range got {
			if r != rule("k", i) {
				t.Fatalf("round %d: rule %d is %s", round, i, r)
			}
		}
		data, _ := os.ReadFile(name)
		if !strings.HasPrefix(string(data), body) || !strings.HasSuffix(string(data), "]\n") {
			t.Fatalf("round %d: a mix of %d bytes", round, len(data))
		}
		if err := settings.AddRule(name, gate.Deny, "shell(rm)"); err != nil {
			t.Fatalf("round %d: saving after the kill: %v", round, err)
		}
	}
	if halfway == 0 {
		t.Error("no kill came in the middle of a save")
	}
	onlyFiles(t, filepath.Dir(name), "settings.toml")
}

// stopHalfway stops a process that saves without a pause in the middle of a save, in
// which the temporary file is there. However busy the machine is, it can't go on
// before it is killed.
func stopHalfway(p *os.Process, temporary string) {
	for range 10_000 {
		var status syscall.WaitStatus
		if p.Signal(syscall.SIGSTOP) != nil {
			return
		}
		if _, err := syscall.Wait4(p.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
			return
		}
		if _, err := os.Stat(temporary); err == nil {
			return
		}
		_ = p.Signal(syscall.SIGCONT)
	}
}

func onlyFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

// asNobody runs f as a user who owns nothing. The thread isn't unlocked: it
// ends with the goroutine, and its identity with it.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if os.Getuid() == 0 {
			if err := errors.Join(syscall.Setfsgid(65534), syscall.Setfsuid(65534)); err != nil {
				t.Error("changing the user that opens files:", err)
				return
			}
		}
		f()
	}()
	<-done
}

func TestSavingWhereNobodyMayWrite(t *testing.T) { // APR-15
	dir := filepath.Join(t.TempDir(), "sub")
	name := filepath.Join(dir, "settings.toml")
	write(t, name, "[permissions]\nallow = ['tool']\n")
	for d, mode := range map[string]os.FileMode{filepath.Dir(dir): 0o755, filepath.Dir(filepath.Dir(dir)): 0o755, name: 0o644, dir: 0o555} {
		if err := os.Chmod(d, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	asNobody(t, func() {
		for _, path := range []string{name, filepath.Join(dir, "new", "settings.toml")} {
			if err := settings.AddRule(path, gate.Allow, "shell(x)"); !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), path) {
				t.Errorf("adding to %s: %v", path, err)
			}
		}
		if removed, err := settings.RemoveRule(name, gate.Allow, "tool"); removed || !errors.Is(err, os.ErrPermission) {
			t.Errorf("removing: %t, %v", removed, err)
		}
	})
	if got := rulesOf(t, name); !slices.Equal(got, []string{"tool"}) {
		t.Errorf("rules %q", got)
	}
	onlyFiles(t, dir, "settings.toml")
}

// A file of someone else, in a folder where one may write, would become one's
// own.
func TestSavingSomebodyElsesFile(t *testing.T) { // APR-15
	if os.Getuid() != 0 {
		t.Skip("only root can make a file of somebody else")
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "settings.toml")
	write(t, name, "")
	for path, mode := range map[string]os.FileMode{filepath.Dir(dir): 0o755, dir: 0o777, name: 0o640} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(name, 65534, 1); err != nil {
		t.Fatal(err)
	}
	if err := settings.AddRule(name, gate.Allow, "shell(x)"); err != nil { // root may
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if st := info.Sys().(*syscall.Stat_t); st.Uid != 65534 || st.Gid != 1 || info.Mode() != 0o640 {
		t.Errorf("owner %d:%d, mode %v", st.Uid, st.Gid, info.Mode())
	}
	if err := errors.Join(os.Chown(name, 0, 0), os.Chmod(name, 0o644)); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		if err := settings.AddRule(name, gate.Allow, "shell(y)"); err == nil || !strings.Contains(err.Error(), "would change its owner") {
			t.Errorf("error: %v", err)
		}
	})
	if got := rulesOf(t, name); len(got) != 1 {
		t.Errorf("rules %q", got)
	}
	onlyFiles(t, dir, "settings.toml")
}

func TestSavingOnAFullDisk(t *testing.T) { // APR-15, APR-15a
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("a disk to fill can't be mounted, which takes root:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	name := filepath.Join(dir, "settings.toml")
	text := strings.Repeat("# full\n", 10000) + "[permissions]\nallow = ['tool']\n"
	write(t, name, text)
	trust := settings.NewTrustStore(dir)
	if err := trust.Trust("/w/s", []byte("x")); err != nil {
		t.Fatal(err)
	}
	filler, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = filler.Write(make([]byte, 4096))
	}
	filler.Close()
	if err := settings.AddRule(name, gate.Allow, "shell(x)"); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), name) {
		t.Errorf("adding: %v", err)
	}
	if removed, err := settings.RemoveRule(name, gate.Allow, "tool"); removed || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("removing: %t, %v", removed, err)
	}
	if err := trust.Trust("/w/s", []byte(strings.Repeat("y", 5000))); !errors.Is(err, syscall.ENOSPC) || !trust.Trusted("/w/s", []byte("x")) {
		t.Errorf("trusting: %v", err)
	}
	if data, _ := os.ReadFile(name); string(data) != text {
		t.Errorf("%d bytes are left of %d", len(data), len(text))
	}
	if leftover, _ := filepath.Glob(filepath.Join(dir, ".*")); leftover != nil {
		t.Errorf("left behind: %q", leftover)
	}
}
