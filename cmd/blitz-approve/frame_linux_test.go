package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// A large terminal.
const wide, high = 200, 50

// A drawer is a program that draws on a terminal of its own. It is looked at
// by what it writes, since an emulator would take longer than the program.
type drawer struct {
	cmd         *exec.Cmd
	person, tty *os.File
	started     time.Time
	output      chan []byte
}

func draw(b *testing.B, argv []string) *drawer {
	b.Helper()
	var d drawer
	var err error
	if d.person, d.tty, err = pty.Open(); err != nil {
		b.Fatal(err)
	}
	if err := pty.Setsize(d.tty, &pty.Winsize{Cols: wide, Rows: high}); err != nil {
		b.Fatal(err)
	}
	home := b.TempDir()
	d.cmd = exec.Command(argv[0], argv[1:]...)
	d.cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8", "HOME="+home, "BLITZ_HOME="+home, "TMPDIR="+home)
	d.cmd.Dir = home
	d.cmd.Stdin, d.cmd.Stdout, d.cmd.Stderr = d.tty, d.tty, d.tty
	d.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	d.output = make(chan []byte, 1000)
	go d.read()
	d.started = time.Now()
	if err := d.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	return &d
}

func (d *drawer) read() {
	defer close(d.output)
	for {
		chunk := make([]byte, 64<<10)
		n, err := d.person.Read(chunk)
		if err != nil {
			return
		}
		d.output <- chunk[:n]
	}
}

// until waits until text was written.
func (d *drawer) until(b *testing.B, text string) {
	b.Helper()
	timeout := time.After(patience)
	var all []byte
	for !bytes.Contains(all, []byte(text)) {
		select {
		case chunk := <-d.output:
			all = append(all, chunk...)
		case <-timeout:
			b.Fatalf("waited in vain for %q in %q", text, all)
		}
	}
}

// key presses a key and waits until anything is drawn.
func (d *drawer) key(b *testing.B, bytes string) time.Duration {
	b.Helper()
	for len(d.output) > 0 {
		<-d.output
	}
	start := time.Now()
	if _, err := d.person.WriteString(bytes); err != nil {
		b.Fatal(err)
	}
	select {
	case <-d.output:
	case <-time.After(patience):
		b.Fatalf("nothing was drawn after %q", bytes)
	}
	return time.Since(start)
}

// used is the processor time of the program up to now.
func (d *drawer) used(b *testing.B) time.Duration {
	b.Helper()
	const processClock = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^d.cmd.Process.Pid<<3|processClock), &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}

func (d *drawer) close() {
	_ = d.cmd.Process.Kill()
	_ = d.cmd.Wait()
	_ = d.tty.Close()
	_ = d.person.Close()
	for range d.output {
	}
}

// A contest is a screen of ours and the least program that draws the same.
type contest struct {
	name  string
	argv  []string
	text  string // at the end of the first frame
	types bool   // a key is written on the line at the bottom
	least []string
}

// contests builds both programs as a release is built, and lets the least one
// draw what ours draws.
func contests(b *testing.B) []contest {
	b.Helper()
	dir := b.TempDir()
	program, least := filepath.Join(dir, "blitz-approve"), filepath.Join(dir, "samescreen")
	for path, pkg := range map[string]string{program: ".", least: "./testdata/samescreen"} {
		build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, pkg)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	all := []contest{
		{name: "demo", argv: []string{program, "demo", "--pace", "1h"}, text: "rules", types: true},
		{name: "run", argv: []string{program, "run", "--", "sleep", "1000"}, text: "rules", types: true},
		{name: "desk", argv: []string{program}, text: "keys"},
	}
	for i := range all {
		c := &all[i]
		c.least = []string{least}
		for n, frame := range c.frames(b) {
			name := filepath.Join(dir, fmt.Sprint(c.name, n))
			if err := os.WriteFile(name, []byte(frame), 0o600); err != nil {
				b.Fatal(err)
			}
			c.least = append(c.least, name)
		}
	}
	return all
}

// typed is the key that is pressed, and the one that takes it back.
var typed = [2]string{"x", "\x7f"}

// frames are the first frame, and the one after a key.
func (c *contest) frames(b *testing.B) (frames [2]string) {
	b.Helper()
	var t terminal
	if err := t.open(wide, high); err != nil {
		b.Fatal(err)
	}
	defer t.close()
	home := b.TempDir()
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8", "HOME="+home, "BLITZ_HOME="+home, "TMPDIR="+home)
	cmd.Dir = home
	if err := t.start(cmd); err != nil {
		b.Fatal(err)
	}
	shows := func(what, text string) string {
		if err := t.until(what, func(screen string) bool { return strings.Contains(screen, text) }); err != nil {
			b.Fatal(err)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		return t.em.Render()
	}
	frames[0] = shows("the first frame", c.text)
	if c.types {
		if err := t.send(typed[0]); err != nil {
			b.Fatal(err)
		}
		frames[1] = shows("the key", "› "+typed[0])
	}
	return frames
}

// BenchmarkFirstFrame is the time from the start of the process until the first
// frame is on the terminal, and what of it is processor time: the ratio to the
// least program of the same libraries that draws the same. They run in turn and
// the medians are compared, since other programs make any single figure larger.
func BenchmarkFirstFrame(b *testing.B) {
	for _, c := range contests(b) {
		b.Run(c.name, func(b *testing.B) {
			first := func(argv []string) (took, used time.Duration) {
				d := draw(b, argv)
				defer d.close()
				d.until(b, c.text)
				return time.Since(d.started), d.used(b)
			}
			var took, used pairs
			for b.Loop() {
				t, u := first(c.argv)
				t2, u2 := first(c.least)
				took.add(t, t2)
				used.add(u, u2)
			}
			took.report(b, "wall")
			used.report(b, "cpu")
		})
	}
}

// BenchmarkKeyFrame is the time from a key to what it draws.
func BenchmarkKeyFrame(b *testing.B) {
	for _, c := range contests(b) {
		if !c.types {
			continue
		}
		b.Run(c.name, func(b *testing.B) {
			ours, least := settled(b, c.argv, c.text), settled(b, c.least, c.text)
			defer ours.close()
			defer least.close()
			var took pairs
			for i := 0; b.Loop(); i++ {
				// Both draw at the ticks of a clock: keys come at any time between.
				<-time.After(200*time.Millisecond + rand.N(50*time.Millisecond))
				took.add(ours.key(b, typed[i%2]), least.key(b, typed[i%2]))
			}
			took.report(b, "key")
		})
	}
}

// BenchmarkIdle is the processor time of a second in which nothing happens. Nearly
// all of it is the clock at which both programs draw. Ours also waits for files and
// sockets, which costs a tenth more at each tick, and saves that by a [rest].
func BenchmarkIdle(b *testing.B) {
	for _, c := range contests(b) {
		b.Run(c.name, func(b *testing.B) {
			ours, least := settled(b, c.argv, c.text), settled(b, c.least, c.text)
			defer ours.close()
			defer least.close()
			var took pairs
			for b.Loop() {
				was, was2 := ours.used(b), least.used(b)
				<-time.After(time.Second)
				took.add(ours.used(b)-was, least.used(b)-was2)
			}
			took.report(b, "cpu")
		})
	}
}

// settled is a program that has drawn nothing for two seconds.
func settled(b *testing.B, argv []string, text string) *drawer {
	b.Helper()
	d := draw(b, argv)
	d.until(b, text)
	for {
		select {
		case <-d.output:
		case <-time.After(2 * time.Second):
			return d
		}
	}
}

// pairs are figures of ours and of the least program.
type pairs struct{ ours, least []time.Duration }

func (p *pairs) add(ours, least time.Duration) {
	p.ours, p.least = append(p.ours, ours), append(p.least, least)
}

func (p *pairs) report(b *testing.B, what string) {
	ours, least := median(p.ours), median(p.least)
	b.ReportMetric(ours.Seconds()*1000, what+"-ms")
	b.ReportMetric(least.Seconds()*1000, "least-"+what+"-ms")
	b.ReportMetric(float64(ours)/float64(least), what+"-ratio")
}

func median(all []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(all))[len(all)/2]
}
