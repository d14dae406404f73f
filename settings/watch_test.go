package settings

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A yard is a home and a workspace that a test watches.
type yard struct {
	Sources
	dir                    string
	global, project, extra string
	changes                chan Change
	watcher                *Watcher
}

func newYard(t *testing.T) *yard {
	dir := t.TempDir()
	y := &yard{dir: dir, changes: make(chan Change, 100)}
	y.Sources = Sources{Home: filepath.Join(dir, "home"), Workspace: filepath.Join(dir, "work")}
	y.global = filepath.Join(y.Home, "settings.toml")
	y.project = filepath.Join(y.Workspace, ".blitz", "settings.toml")
	y.extra = filepath.Join(y.Home, "approvals.json")
	must(t, os.Mkdir(y.Workspace, 0o700))
	return y
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, name, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o700))
	must(t, os.WriteFile(name, []byte(text), 0o600))
}

// swap saves as most editors do.
func swap(t testing.TB, name, text string) {
	t.Helper()
	put(t, name+"~", text)
	must(t, os.Rename(name+"~", name))
}

func denies(rule string) string { return "[permissions]\ndeny = [\"" + rule + "\"]\n" }

// watched starts following with events only, unless p says otherwise, and
// takes the first report.
func (y *yard) watched(t *testing.T, p pace, n notifier) {
	t.Helper()
	var err error
	y.watcher, err = NewWatcher(y.Sources, []string{y.extra}, func(c Change) { y.changes <- c })
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		y.watcher.follow(ctx, p, n)
	}()
	t.Cleanup(func() { cancel(); <-done })
	if c := y.next(t); c.Files != nil {
		t.Fatalf("the first report names %v", c.Files)
	}
}

// next waits for a report.
func (y *yard) next(t *testing.T) Change {
	t.Helper()
	select {
	case c := <-y.changes:
		return c
	case <-time.After(20 * time.Second):
		t.Fatal("no change was reported")
		return Change{}
	}
}

// holds waits until the rules are these, and fails on a report of nothing.
func (y *yard) holds(t *testing.T, what string, rules ...string) Change {
	t.Helper()
	for {
		c := y.next(t)
		if len(c.Files) == 0 {
			t.Fatalf("%s: a report without files", what)
		}
		var got []string
		for _, r := range c.Rules {
			got = append(got, r.Value)
		}
		if slices.Equal(got, rules) {
			return c
		}
		t.Logf("%s: on the way: %q", what, got)
	}
}

var eventsOnly = pace{settle: 75 * time.Millisecond, patience: time.Second, safety: time.Hour, polling: time.Hour}

// Every way in which people and programs save files is seen by events alone
// (APR-15a).
func TestWatchSeesEveryKindOfSave(t *testing.T) {
	y := newYard(t)
	folders := newFolders()
	t.Cleanup(folders.close)
	if folders.watcher == nil {
		t.Skip("the system has no file events to give; TestWatchPolls covers this case")
	}
	y.watched(t, eventsOnly, folders)

	put(t, y.project, denies("a"))
	y.holds(t, "created with its folder", "a")
	put(t, y.project, denies("b"))
	y.holds(t, "truncated and written", "b")
	swap(t, y.project, denies("c"))
	y.holds(t, "renamed over", "c")
	swap(t, y.project, denies("d"))
	y.holds(t, "renamed over again", "d")
	must(t, os.Rename(y.project, y.project+"~"))
	put(t, y.project, denies("e"))
	y.holds(t, "moved aside and written anew", "e")
	must(t, os.Remove(y.project))
	y.holds(t, "removed")
	put(t, y.project, denies("f"))
	y.holds(t, "created again", "f")
	must(t, os.RemoveAll(filepath.Dir(y.project)))
	y.holds(t, "removed with its folder")
	put(t, y.project, denies("g"))
	y.holds(t, "created again with its folder", "g")

	// A link to a link in other folders, as in a folder of dotfiles.
	target, link := filepath.Join(y.dir, "dots", "deep", "s.toml"), filepath.Join(y.dir, "links", "s")
	put(t, target, denies("h"))
	must(t, os.Mkdir(filepath.Dir(link), 0o700))
	must(t, os.Symlink("../dots/deep/s.toml", link))
	must(t, os.Remove(y.project))
	must(t, os.Symlink(link, y.project))
	y.holds(t, "replaced by a link", "h")
	swap(t, target, denies("i"))
	y.holds(t, "its target renamed over", "i")
	other := filepath.Join(y.dir, "other.toml")
	put(t, other, denies("j"))
	must(t, os.Symlink(other, link+"~"))
	must(t, os.Rename(link+"~", link))
	y.holds(t, "a link on the way moved", "j")

	// The folder itself behind a link that is moved at once.
	for _, name := range []string{"k", "l"} {
		put(t, filepath.Join(y.dir, name, "settings.toml"), denies(name))
	}
	must(t, os.RemoveAll(filepath.Dir(y.project)))
	must(t, os.Symlink(filepath.Join(y.dir, "k"), filepath.Dir(y.project)))
	y.holds(t, "a link as the folder", "k")
	must(t, os.Symlink(filepath.Join(y.dir, "l"), filepath.Join(y.dir, "tmp")))
	must(t, os.Rename(filepath.Join(y.dir, "tmp"), filepath.Dir(y.project)))
	y.holds(t, "the link as the folder moved", "l")

	put(t, y.global, denies("m"))
	c := y.holds(t, "another layer", "m", "l")
	if !slices.Equal(c.Files, []string{y.global}) {
		t.Errorf("the files are %q", c.Files)
	}
	put(t, y.extra, "{}")
	if c = y.next(t); !slices.Equal(c.Files, []string{y.extra}) || len(c.Rules) != 2 {
		t.Errorf("extra: %q, %v", c.Files, c.Rules)
	}
}

// What doesn't change a content is no change (APR-15a).
func TestWatchReportsOnlyChanges(t *testing.T) {
	y := newYard(t)
	put(t, y.global, denies("a"))
	folders := newFolders()
	t.Cleanup(folders.close)
	y.watched(t, eventsOnly, folders)
	swap(t, y.global, denies("a"))
	must(t, os.Chtimes(y.global, time.Time{}, time.Unix(1, 0)))
	put(t, filepath.Join(y.Home, "audit.jsonl"), "{}\n")
	put(t, y.project, denies("b"))
	if c := y.next(t); !slices.Equal(c.Files, []string{y.project}) {
		t.Errorf("reported %q", c.Files)
	}
}

// A hand feeds events.
type hand chan struct{}

func (h hand) events() <-chan struct{}   { return h }
func (h hand) watch([]string, bool) bool { return h != nil }

// Without events files are looked at twice a second, and with them every two
// seconds none the less (APR-15a).
func TestWatchPolls(t *testing.T) {
	for name, tt := range map[string]struct {
		events func() hand
		within time.Duration
	}{
		"no events":     {func() hand { return nil }, 600 * time.Millisecond},
		"missed events": {func() hand { return make(hand) }, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				y := newYard(t)
				y.watched(t, usual, tt.events())
				for i, step := range []func(){
					func() { put(t, y.project, denies("a")) },
					func() { swap(t, y.project, denies("b")) },
					func() { must(t, os.RemoveAll(filepath.Dir(y.project))) },
					func() { put(t, y.extra, "{}") },
				} {
					before := time.Now()
					step()
					if c := y.next(t); len(c.Files) != 1 {
						t.Errorf("step %d: %q", i, c.Files)
					}
					if took := time.Since(before); took > tt.within {
						t.Errorf("step %d took %v", i, took)
					}
				}
			})
		})
	}
}

// A file that is being written is read when it is left alone, but one that
// never is isn't waited for much longer than a second (APR-15a).
func TestWatchWaitsForAWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t)
		put(t, y.global, denies("a"))
		events := make(hand)
		y.watched(t, usual, events)
		before := time.Now()
		put(t, y.global, "")
		events <- struct{}{}
		time.Sleep(60 * time.Millisecond)
		put(t, y.global, denies("b"))
		events <- struct{}{}
		y.holds(t, "emptied and filled", "b")
		if took := time.Since(before); took != 135*time.Millisecond {
			t.Errorf("took %v", took)
		}

		before = time.Now()
		put(t, y.global, denies("c"))
		for range 40 { // two seconds
			if len(y.changes) > 0 {
				break
			}
			events <- struct{}{}
			time.Sleep(50 * time.Millisecond)
			synctest.Wait()
		}
		if len(y.changes) == 0 {
			t.Fatal("written all the time: never read")
		}
		y.holds(t, "written all the time", "c")
		if took := time.Since(before); took > 1200*time.Millisecond {
			t.Errorf("took %v", took)
		}
	})
}

// A broken edit is reported and loosens nothing: what the file said before
// holds, until it is mended or removed (APR-15a).
func TestWatchKeepsWhatABrokenFileSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t)
		overlay := filepath.Join(y.dir, "overlay.toml")
		y.Overlays = []string{overlay}
		put(t, overlay, denies("o"))
		good := "[permissions]\ndeny = [\"a\"]\nallow = [\"tool\"]\n"
		put(t, y.global, good)
		y.watched(t, usual, hand(nil))
		for _, broken := range []string{good + "[", strings.Replace(good, "deny = ", "allow = [\"all\"]\ndeny == ", 1), strings.Repeat("#", MaxFileSize+1)} {
			put(t, y.global, broken)
			c := y.holds(t, "broken", "a", "tool", "o")
			if len(c.Problems) != 1 || !strings.Contains(c.Problems[0].Error(), y.global) || !strings.Contains(c.Problems[0].Hint, "before holds") || len(c.Broken) != 0 {
				t.Errorf("problems %v, broken %v", c.Problems, c.Broken)
			}
		}
		put(t, y.extra, "{}")
		if c := y.next(t); len(c.Problems) != 1 || len(c.Rules) != 3 {
			t.Errorf("later: %v, %v", c.Problems, c.Rules)
		}
		put(t, y.global, denies("b"))
		if c := y.holds(t, "mended", "b", "o"); len(c.Problems) != 0 {
			t.Errorf("mended: %v", c.Problems)
		}
		must(t, os.Remove(overlay))
		if c := y.holds(t, "an overlay is gone", "b", "o"); len(c.Problems) != 1 {
			t.Errorf("an overlay is gone: %v", c.Problems)
		}
		must(t, os.Remove(y.global))
		y.holds(t, "removed", "o")
		put(t, y.global, "[")
		c := y.next(t)
		if len(c.Broken) != 1 || !slices.ContainsFunc(c.Rules, func(r Rule) bool { return r.Err != nil && r.Effect == gate.Deny }) {
			t.Errorf("broken from the start: %v, %v", c.Broken, c.Rules)
		}
	})
}

// A project's change waits for trust, which holds once it is given (APR-15a).
func TestWatchFollowsTrust(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t)
		trust := NewTrustStore(y.Home)
		y.Trusted, y.extra = trust.Trusted, trust.Path()
		y.watched(t, usual, hand(nil))
		put(t, y.project, "[permissions]\nallow = [\"tool\"]\n")
		c := y.holds(t, "not trusted")
		if len(c.Untrusted) != 1 {
			t.Fatalf("untrusted: %v", c.Untrusted)
		}
		must(t, trust.Trust(y.project, c.Untrusted[0].Content))
		y.holds(t, "trusted", "tool")
		put(t, y.project, "[permissions]\nallow = [\"tool\", \"other\"]\n")
		y.holds(t, "changed")
		_, err := trust.Revoke(y.project)
		must(t, err)
		y.next(t)
	})
}

// Folders that come, go and move between two looks are found again, also
// when the one above the watched ones is moved (APR-15a).
func TestWatchesMoveWithTheFolders(t *testing.T) {
	y := newYard(t)
	put(t, y.project, denies("a"))
	folders := newFolders()
	t.Cleanup(folders.close)
	quick := eventsOnly
	quick.safety = 300 * time.Millisecond
	y.watched(t, quick, folders)
	must(t, os.Rename(y.Workspace, y.Workspace+"2"))
	put(t, y.project, denies("b"))
	y.holds(t, "an ancestor moved away", "b")
	put(t, y.project+"x", "")
	swap(t, y.project, denies("c"))
	y.holds(t, "in the new folder", "c")
	names := []string{y.global, y.project, filepath.Join(y.dir, "no", "where")}
	if !folders.watch(names, false) || !slices.Equal(placesOf(names)[y.dir], []string{"home", "no"}) {
		t.Errorf("watches: %v", placesOf(names))
	}
}

func TestWatchOfALinkThatGoesInCircles(t *testing.T) { // APR-15a
	y := newYard(t)
	must(t, os.MkdirAll(filepath.Dir(y.project), 0o700))
	must(t, os.Symlink(y.project, y.project))
	folders := newFolders()
	t.Cleanup(folders.close)
	y.watched(t, eventsOnly, folders)
	must(t, os.Remove(y.project))
	put(t, y.project, denies("a"))
	y.holds(t, "mended", "a")
}

func TestWatchEndsWithItsContext(t *testing.T) { // APR-15a
	y := newYard(t)
	ctx, cancel := context.WithCancel(t.Context())
	w, err := NewWatcher(y.Sources, nil, func(Change) { cancel() })
	must(t, err)
	w.Run(ctx)
	t.Setenv("HOME", "")
	t.Setenv("BLITZ_HOME", "")
	if _, err := NewWatcher(Sources{}, nil, nil); err == nil {
		t.Error("nothing to watch, and no error")
	}
}

// Who has changed a file needn't wait for the clock, and what a broken file
// said before holds for them too (APR-15a).
func TestWatchLooksWhenAsked(t *testing.T) {
	y := newYard(t)
	put(t, y.global, denies("a"))
	y.watched(t, eventsOnly, make(hand))
	put(t, y.project, denies("b"))
	y.watcher.Look()
	y.holds(t, "a file was added", "a", "b")
	put(t, y.global, "[")
	y.watcher.Look()
	y.holds(t, "a file was broken", "a", "b")
	y.watcher.Look()
	if len(y.changes) > 0 {
		t.Errorf("nothing was changed, and this is told: %v", (<-y.changes).Files)
	}
}
