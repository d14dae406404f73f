package gate

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// dead makes a gate on whose disk nothing below /w/mnt answers until the test
// ends.
func dead(t *testing.T, opts Options) *Gate {
	t.Helper()
	opts.Workspace, opts.Home = "/w", "/home/u"
	g, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	t.Cleanup(func() {
		close(gone)
		synctest.Wait()
		if n := silent.Load(); n != 0 {
			t.Errorf("%d lookups go on", n)
		}
	})
	g.change(func(s *state) {
		s.place.readlink = func(name string) (string, error) {
			if strings.HasPrefix(name, "/w/mnt") {
				<-gone
			}
			return "", context.Canceled // it is no link
		}
	})
	return g
}

// TestDeadFolders: what the file system doesn't answer for holds no decision up.
// Rules that name it hold all the same, the rest is for a person, and without one
// it is refused (APR-12, APR-15).
func TestDeadFolders(t *testing.T) {
	for _, row := range []struct {
		name   string
		mode   Mode
		deny   string
		nobody bool
		req    Request
		want   Effect
		reason string
	}{
		{"an edit", Yolo, "", false, edit("mnt/a"), Ask, "doesn't answer"},
		{"an edit that would pass", AcceptEdits, "", false, edit("mnt/a"), Ask, "doesn't answer"},
		{"a deletion", Yolo, "", false, remove("mnt/a"), Ask, "doesn't answer"},
		{"that is denied", Yolo, "write(mnt/a)", false, edit("mnt/a"), Deny, "a rule denies it"},
		{"that may not be read", Yolo, "read(mnt/)", false, shellRun("cat mnt/a"), Deny, "may not be read"},
		{"a command", Yolo, "read(.env)", false, shellRun("cat mnt/a"), Ask, "doesn't answer"},
		{"a search", Yolo, "read(.env)", false, shellRun("grep -r x mnt"), Ask, "doesn't answer"},
		{"a read", Default, "read(.env)", false, Request{Tool: "read", Targets: []string{"mnt/a"}}, Ask, "doesn't answer"},
		{"without a person", Yolo, "", true, edit("mnt/a"), Deny, "nobody can be asked"},
		{"elsewhere", AcceptEdits, "", false, edit("src/a"), Allow, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opts := Options{Mode: row.mode}
				if row.deny != "" {
					_ = opts.Policy.AddRule(Deny, row.deny, Source{})
				}
				if !row.nobody {
					opts.Approver = always(Answer{})
				}
				g := dead(t, opts)
				start := time.Now()
				v := g.Check(t.Context(), row.req)
				if v.Effect != row.want || !strings.Contains(v.Reason, row.reason) {
					t.Errorf("%s: %s", v.Effect, v.Reason)
				}
				if took := time.Since(start); took > maxSilence {
					t.Errorf("it took %s", took)
				}
			})
		})
	}
}

// TestPatienceWithOthers: hooks take the time they need, and nobody is asked
// about what was given up.
func TestPatienceWithOthers(t *testing.T) {
	asked := 0
	slow := Hook{Name: "ci", Answer: func(context.Context, Request) (HookAnswer, error) {
		asked++
		time.Sleep(3 * maxSilence)
		return HookAnswer{Effect: HookAllow}, nil
	}}
	opts := Options{Mode: Default, Hooks: []Hook{slow}, Approver: always(Answer{Decision: Once})}
	synctest.Test(t, func(t *testing.T) {
		if v := dead(t, opts).Decide(t.Context(), edit("src/a")); v.Cause != CauseHookAllow {
			t.Errorf("%s: %s", v.Cause, v.Reason)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		if v := dead(t, opts).Decide(t.Context(), edit("mnt/a")); v.Cause != CauseUserOnce {
			t.Errorf("%s: %s", v.Cause, v.Reason)
		}
	})
	if asked != 1 {
		t.Errorf("the hook was asked %d times", asked)
	}
}

// TestSilentLookupsAreBounded: there are never more of them than that.
func TestSilentLookupsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := dead(t, Options{Mode: Yolo, Approver: always(Answer{})})
		for range 2 * maxSilent {
			if v := g.Check(t.Context(), edit("mnt/a")); v.Effect != Ask {
				t.Fatalf("%s: %s", v.Effect, v.Reason)
			}
		}
		if n := silent.Load(); n != maxSilent {
			t.Errorf("%d lookups go on", n)
		}
	})
}

// TestDeadRules: a rule whose folder isn't answered for holds by its name, and
// what it may cover by another one asks.
func TestDeadRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := dead(t, Options{Mode: Yolo, Approver: always(Answer{})})
		var p Policy
		for _, rule := range []string{"write(mnt/keys/**)", "write(mnt/more/**)"} {
			_ = p.AddRule(Deny, rule, Source{File: "settings.toml", Line: 2})
		}
		start := time.Now()
		g.SetPolicy(p)
		if took := time.Since(start); took > 2*maxSilence {
			t.Errorf("it took %s", took)
		}
		if v := g.Check(t.Context(), edit("src/a")); v.Effect != Ask || !strings.Contains(v.Reason, errDark.Error()) {
			t.Errorf("%s: %s", v.Effect, v.Reason)
		}
		if v := g.Check(t.Context(), edit("mnt/keys/a")); v.Effect != Deny {
			t.Errorf("%s: %s", v.Effect, v.Reason)
		}
		if v := g.Check(t.Context(), fetch("example.org")); v.Effect != Allow {
			t.Errorf("%s: %s", v.Effect, v.Reason)
		}
	})
}

// A fault while files are looked up is one of whoever wanted to know.
func TestPatiencePassesFaultsOn(t *testing.T) {
	defer func() {
		if recover() != "fault" {
			t.Error("it was lost")
		}
	}()
	within(time.Hour, func(*patience) { panic("fault") })
}
