//go:build unix

package gate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// APR-15: a search that takes too long, or that nothing answers, is asked about,
// and one that nobody waits for ends.
func TestWalkedIsBounded(t *testing.T) {
	workspace := t.TempDir()
	for i := range 2 * stepsToClock / folderSteps {
		if err := os.Mkdir(filepath.Join(workspace, fmt.Sprint(i)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p := Policy{}
	if err := p.AddRule(Deny, "read(**/*.pem)", Source{}); err != nil {
		t.Fatal(err)
	}
	at := newPlace(workspace, "/nobody", "")
	x := newRuleIndex(&p, at).read
	ended, end := context.WithCancel(t.Context())
	end()
	for name, tt := range map[string]struct {
		ctx   context.Context
		slots int
		time  time.Duration
		wait  time.Duration
		slow  bool
	}{
		"in time":       {t.Context(), 1, time.Hour, time.Hour, false},
		"out of time":   {t.Context(), 1, 0, time.Hour, true},
		"no answer":     {t.Context(), 0, time.Hour, time.Millisecond, true},
		"nobody waits":  {ended, 0, time.Hour, time.Hour, true},
		"nobody waits ": {ended, 1, time.Hour, time.Hour, true},
	} {
		s := &search{
			ctx: tt.ctx, slots: make(chan struct{}, tt.slots), walk: walkOf(t, "grep -r x ."), rules: &x, place: at,
			left: maxWalked, until: time.Now().Add(tt.time),
		}
		if w := s.within(tt.wait); (w != nil) != tt.slow || w != nil && w.why() != "it takes too long to look through ." {
			t.Errorf("%s: %v", name, w)
		}
	}
	g, err := New(Options{Workspace: workspace, Policy: p, Mode: Bypass, Sandboxed: true})
	if err != nil {
		t.Fatal(err)
	}
	if v := g.Check(ended, CommandRequest(workspace, "bash", "grep -r x .")); v.Cause != CauseWithdrawn {
		t.Errorf("cancelled: %s, %s", v.Cause, v.Reason)
	}
}

// APR-15: a pipe doesn't hold a search up, and no link leads it out.
func TestWalkedMeetsPipesAndLinks(t *testing.T) {
	g := walkable(t, Default, nil, []string{"read(**/*.pem)", "read(link/deep/**)", "read(keys/**)"}, "src/a.go", ".git/HEAD=ref: refs/heads/main", ".git/objects/x", ".git/refs/x")
	outside := t.TempDir()
	if err := os.MkdirAll(filepath.Join(outside, "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.pem", "deep/b.pem"} {
		if err := os.WriteFile(filepath.Join(outside, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(g.Workspace(), "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".gitignore", "keys", "src/pipe", ".git/index", ".git/commondir"} {
		if err := syscall.Mkfifo(filepath.Join(g.Workspace(), name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for command, want := range map[string]Effect{"grep -r x src": Allow, "rg x src": Allow, "rg x .": Ask, "git log -p": Ask} {
		if v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", command)); v.Effect != want {
			t.Errorf("%s: %s, %s", command, v.Effect, v.Reason)
		}
	}
	if err := os.Remove(filepath.Join(g.Workspace(), "keys")); err != nil {
		t.Fatal(err)
	}
	if v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", "rg --hidden x .")); v.Effect != Allow {
		t.Errorf("what a link leads to: %s, %s", v.Effect, v.Reason)
	}
}
