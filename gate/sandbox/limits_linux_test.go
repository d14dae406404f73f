package sandbox

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// self runs a deed of the test's own program under the sandbox.
func (g *ground) self(t *testing.T, deed string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Dir, cmd.Env = g.work, append(os.Environ(), "SANDBOX_TEST_DEED="+deed)
	g.wrap(t, cmd)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestNetwork: on request nothing gets out by TCP, UDP or an abstract socket,
// and nothing can be offered (BEY-15).
func TestNetwork(t *testing.T) {
	g := newGround(t, true)
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	mustDo(t, err)
	defer tcp.Close()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	mustDo(t, err)
	defer udp.Close()
	abstract := "@blitz-sandbox-" + strconv.Itoa(os.Getpid())
	unixSocket, err := net.Listen("unix", abstract)
	mustDo(t, err)
	defer unixSocket.Close()
	deeds := [][]string{
		{"dial", "tcp", tcp.Addr().String()},
		{"dial", "udp", udp.LocalAddr().String()},
		{"listen", "tcp", "127.0.0.1:0"},
		{"listen", "tcp", "[::]:0"},
	}
	for _, d := range deeds {
		if out, err := g.self(t, d[0], d[1:]...); err != nil {
			t.Errorf("%q with the network on: %s", d, out)
		}
	}
	if out, err := g.self(t, "dial", "unix", abstract); Available().ABI >= abiScopes && err == nil {
		t.Errorf("the abstract socket was reached: %s", out)
	}
	g.policy.NoNetwork = true
	for _, d := range append(deeds, []string{"dial", "unix", abstract}, []string{"dial", "mptcp", tcp.Addr().String()}) {
		if out, err := g.self(t, d[0], d[1:]...); err == nil {
			t.Errorf("%q with the network off: %s", d, out)
		}
	}
	g.mounts = false
	if _, _, err := g.policy.cage(false); !errors.Is(err, ErrUnenforceable) {
		t.Errorf("Landlock alone can't cut off the network, but says %v", err)
	}
}

// TestReadDeny: what rules deny to read can't be read, and sockets can't be
// reached (APR-13).
func TestReadDeny(t *testing.T) {
	for kind, mounts := range both {
		t.Run(kind, func(t *testing.T) {
			g := newGround(t, mounts)
			g.free(t, `mkdir keys; echo s > keys/k; echo s > .env; ln -s keys/k src/l; ln -s ../.env src/env`)
			g.policy.ReadDeny = []string{"keys", "src/env", filepath.Join(g.out, "c.txt"), "missing"}
			out, err := g.held(t, `for f in keys/k .env src/l src/env "$OUT/c.txt" "/proc/$PARENT/root$WORK/.env"; do
				if cat "$f" 2>/dev/null; then echo "read $f"; fi
			done; cat a.txt`)
			if err != nil || out != "old\n" {
				t.Errorf("%v %s", err, out)
			}
		})
	}
	g := newGround(t, true)
	socket := filepath.Join(g.out, "s")
	l, err := net.Listen("unix", socket)
	mustDo(t, err)
	defer l.Close()
	if out, err := g.self(t, "dial", "unix", socket); err != nil {
		t.Error("a socket that nothing hides:", out)
	}
	g.policy.ReadDeny = []string{socket}
	if out, err := g.self(t, "dial", "unix", socket); err == nil {
		t.Error("a hidden socket:", out)
	}
	if _, _, err := g.policy.cage(false); !errors.Is(err, ErrUnenforceable) {
		t.Errorf("Landlock alone can't hide a socket, but says %v", err)
	}
}

// TestProcessesOutside are neither signalled nor looked into.
func TestProcessesOutside(t *testing.T) {
	for kind, mounts := range both {
		t.Run(kind, func(t *testing.T) {
			g := newGround(t, mounts)
			script := `if cat /proc/$PARENT/environ >/dev/null 2>&1; then echo environ; fi
				if ls /proc/$PARENT/root/ >/dev/null 2>&1; then echo root; fi
				if cat /proc/$PARENT/mem >/dev/null 2>&1; then echo mem; fi
				sleep 100 & kill $!`
			if Available().ABI >= abiScopes {
				script += "\nif kill -0 $PARENT 2>/dev/null; then echo signal; fi"
			}
			if out, err := g.held(t, script); err != nil || out != "" {
				t.Errorf("%v %s", err, out)
			}
		})
	}
}

// TestOwnTerminals: the agent sees no pseudo-terminal but its own, and has
// shared memory of its own.
func TestOwnTerminals(t *testing.T) {
	g := newGround(t, true)
	mine := filepath.Join("/dev/shm", "blitz-sandbox-"+strconv.Itoa(os.Getpid()))
	mustDo(t, os.WriteFile(mine, nil, 0o600))
	defer os.Remove(mine)
	out, err := g.held(t, `ls /dev/pts; ls /dev/shm; : > /dev/shm/x; if (: > /dev/tty) 2>/dev/null; then echo tty; fi
		script -qec 'test -t 0' /dev/null </dev/null`)
	if err != nil || out != "ptmx\n" {
		t.Errorf("%v %q", err, out)
	}
}

// TestCapabilities: root keeps those over files only.
func TestCapabilities(t *testing.T) {
	g := newGround(t, true)
	out, err := g.held(t, `grep -E 'Cap(Prm|Eff|Bnd|Amb|Inh)|NoNewPrivs' /proc/self/status | tr -d '\t' | tr '\n' ' '`)
	want := "CapInh:0000000000000000 CapPrm:0000000000000000 CapEff:0000000000000000 "
	if os.Geteuid() == 0 {
		want = "CapInh:0000000000000000 CapPrm:00000000000000fb CapEff:00000000000000fb CapBnd:00000000000000fb CapAmb:0000000000000000 NoNewPrivs:1 "
	}
	if err != nil || !strings.HasPrefix(out, want) {
		t.Errorf("%v %q, not %q", err, out, want)
	}
}

// TestPlaceholders stand in while anybody needs them, and are gone after.
func TestPlaceholders(t *testing.T) {
	g := newGround(t, true)
	start := func() func() error {
		release, err := g.policy.Wrap(exec.Command("true"))
		mustDo(t, err)
		return release
	}
	there := func() bool { return exists(filepath.Join(g.work, ".gemini")) }
	first, second := start(), start()
	if !there() {
		t.Fatal("nothing stands in for .gemini")
	}
	mustDo(t, first())
	if !there() {
		t.Error("the first session removed what the second needs")
	}
	mustDo(t, second())
	if there() {
		t.Error("it was left behind")
	}
	third := start()
	mustDo(t, os.Chmod(filepath.Join(g.work, ".gemini"), 0o700)) // by a person who insists
	mustDo(t, os.WriteFile(filepath.Join(g.work, ".gemini", "mine"), nil, 0o600))
	mustDo(t, third())
	if !there() {
		t.Error("what a person put there was removed")
	}
	g.free(t, "test -z \"$(git status --short | grep -v -e gemini -e claude -e src)\"")
}

// TestNoRepository: where there is none yet, none can be made whose settings
// the person's git would believe; nothing is left when it is over.
func TestNoRepository(t *testing.T) {
	g := newGround(t, true)
	g.free(t, "rm -rf .git .claude")
	cmd := exec.Command("sh", "-c", "git init . || mkdir .git/hooks || mv .git g || mkdir .claude/x || echo x > .envrc")
	cmd.Dir = g.work
	release, err := g.policy.Wrap(cmd)
	mustDo(t, err)
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Errorf("%s", out)
	}
	mustDo(t, release())
	entries, err := os.ReadDir(g.work)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v %v", entries, err)
	}
}

// TestUnenforceable policies are refused instead of being held in part.
func TestUnenforceable(t *testing.T) {
	g := newGround(t, true)
	g.free(t, "mkdir real && ln -s real .zed")
	for name, change := range map[string]func(*Policy){
		"a link is protected": func(*Policy) {},
		"all may be written":  func(p *Policy) { p.Write = []string{"/"} },
		"devices":             func(p *Policy) { p.Write = []string{"/dev/shm"}; p.Protect = nil },
		"a root is protected": func(p *Policy) { p.Protect = []string{"."} },
	} {
		p := g.policy
		change(&p)
		cmd := exec.Command("true")
		if _, err := p.Wrap(cmd); !errors.Is(err, ErrUnenforceable) || slices.Contains(cmd.Args, marker) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (Policy{}).Wrap(exec.Command("true")); err == nil {
		t.Error("the zero policy works")
	}
	if _, err := g.policy.Wrap(exec.Command("no-such-program-at-all")); !errors.Is(err, exec.ErrNotFound) {
		t.Error(err)
	}
}

// TestNotHeld shows what the documentation says is not held, so that it is
// changed together with the code.
func TestNotHeld(t *testing.T) {
	t.Run("a configuration that is replaced from outside", func(t *testing.T) {
		g := newGround(t, true)
		cmd := exec.Command("sh", "-c", `echo ready; read x; echo evil >> .git/config`)
		cmd.Dir = g.work
		release, err := g.policy.Wrap(cmd)
		mustDo(t, err)
		in, err := cmd.StdinPipe()
		mustDo(t, err)
		out, err := cmd.StdoutPipe()
		mustDo(t, err)
		mustDo(t, cmd.Start())
		_, err = io.ReadFull(out, make([]byte, len("ready\n")))
		mustDo(t, err)
		g.free(t, "git config a.b c")
		_, err = io.WriteString(in, "\n")
		mustDo(t, err)
		mustDo(t, cmd.Wait())
		text, _ := os.ReadFile(filepath.Join(g.work, ".git/config"))
		if !bytes.Contains(text, []byte("evil")) {
			t.Error("it is held after all")
		}
		if err := release(); err == nil || !strings.Contains(err.Error(), ".git/config was replaced") {
			t.Error("nobody is told:", err)
		}
	})
	t.Run("commondir is told of", func(t *testing.T) {
		g := newGround(t, true)
		cmd := exec.Command("sh", "-c", "echo ../src > .git/commondir; mkdir src/.git; echo x > src/.git/config")
		cmd.Dir = g.work
		release, err := g.policy.Wrap(cmd)
		mustDo(t, err)
		mustDo(t, cmd.Run())
		if err := release(); err == nil || !strings.Contains(err.Error(), "commondir") {
			t.Error(err)
		}
	})
	t.Run("modes, with Landlock alone", func(t *testing.T) {
		g := newGround(t, false)
		if out, err := g.held(t, `chmod 700 "$OUT/c.txt"`); err != nil {
			t.Error("they are held after all:", out)
		}
	})
}

// TestAnotherUser: everything holds for users without rights too.
func TestAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("the other tests run as such a user already")
	}
	g := newGround(t, true)
	top := filepath.Dir(g.work)
	mustDo(t, exec.Command("chown", "-R", "65534:65534", top).Run())
	for dir := top; strings.HasPrefix(dir, os.TempDir()+"/"); dir = filepath.Dir(dir) {
		mustDo(t, os.Chmod(dir, 0o755))
	}
	const script = `echo n > new; git add new; git commit -qm two; grep CapEff /proc/self/status; id -u; rm -rf src 2>/dev/null
		for f in .git/config .git/hooks/h .gemini/x ../out/c.txt ../work-home/approvals.json; do
			if echo x > $f; then echo "written: $f"; fi
		done 2>/dev/null
		if mv .git g 2>/dev/null; then echo moved; fi; if chmod 777 ../work-home 2>/dev/null; then echo mode; fi
		for f in ../out/c.txt src/b.txt; do if cat $f 2>/dev/null; then echo "read: $f"; fi; done; if ls src 2>/dev/null; then echo listed; fi`
	cmd := exec.Command("/proc/self/exe", g.work, g.home, script)
	cmd.Env = []string{"SANDBOX_TEST_DEED=wrap", "PATH=" + os.Getenv("PATH"), "HOME=" + g.out}
	cmd.Dir = g.work
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if want := "CapEff:\t0000000000000000\n65534\n"; err != nil || string(out) != want {
		t.Errorf("%v %s", err, out)
	}
}

// TestWithoutNamespaces: where they can't be used, Wrap and ForWorkspace go on
// with what Landlock holds alone.
func TestWithoutNamespaces(t *testing.T) {
	g := newGround(t, true)
	real := available
	defer func() { available = real }()
	available = func() Report { return describe(landlockABI(), errors.New("switched off")) }
	if r := Available(); r.Whole() || !r.Active() || !slices.ContainsFunc(r.Lacks, func(s string) bool { return strings.Contains(s, "switched off") }) {
		t.Errorf("%+v", r)
	}
	p := ForWorkspace(g.work, "", g.home)
	p.Write = nil
	cmd := exec.Command("sh", "-c", "(echo x > .git/config) 2>/dev/null || (echo x > .gemini) 2>/dev/null || echo x > src/new")
	cmd.Dir = g.work
	release, err := p.Wrap(cmd)
	mustDo(t, err)
	if out, err := cmd.CombinedOutput(); err != nil || cmd.SysProcAttr != nil {
		t.Errorf("%v %s", err, out)
	}
	if !exists(filepath.Join(g.work, "src/new")) || exists(filepath.Join(g.work, ".gemini")) {
		t.Error("it wrote elsewhere")
	}
	mustDo(t, release())
}
