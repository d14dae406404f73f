package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// asked decides on a request that a person answers with a, and returns what
// they were shown.
func asked(t *testing.T, opts Options, req Request, a Answer) (*Gate, Prompt, Verdict) {
	t.Helper()
	var shown Prompt
	opts.Mode, opts.Home = AlwaysAskCached, "/home/u"
	opts.Approver = ApproverFunc(func(_ context.Context, p Prompt) (Answer, error) {
		shown = p
		return a, nil
	})
	g, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	v := g.Decide(t.Context(), req)
	return g, shown, v
}

// reads is a call of a tool that says which targets it touches.
func reads(tier Tier, targets ...GrantTarget) Request {
	req := tool("read", Declaration{Tier: tier})
	req.GrantTargets = targets
	return req
}

func target(kind GrantKind, path string, tier Tier) GrantTarget {
	return GrantTarget{Kind: kind, Path: path, Tier: tier}
}

// TestGrantOffers says what a prompt offers to grant: exactly its targets, and
// the folder around them (TAM-07, TAM-08, TAM-10).
func TestGrantOffers(t *testing.T) {
	w := newWorld(t)
	at := func(name string) string { return filepath.Join(w.real, name) }
	rows := []struct {
		name          string
		targets       []GrantTarget
		exact, around []GrantTarget
		label         string // of the first offer
	}{
		{"a file", []GrantTarget{target(GrantFile, "src/a.go:1-9", Read)},
			[]GrantTarget{target(GrantFile, at("src/a.go"), Read)}, []GrantTarget{target(GrantFolder, at("src"), Read)}, "files directly in " + at("src") + " to read"},
		{"a file behind a link", []GrantTarget{target(GrantFile, "alias/k", Write)},
			[]GrantTarget{target(GrantFile, at("secrets/k"), Write)}, []GrantTarget{target(GrantFolder, at("secrets"), Write)}, "files directly in " + at("secrets") + " to read and change"},
		{"two files in one folder, at the broader tier", []GrantTarget{target(GrantFile, "src/a", Read), target(GrantFile, "src/b", Write), target(GrantFile, "./src/a", Read)},
			[]GrantTarget{target(GrantFile, at("src/a"), Read), target(GrantFile, at("src/b"), Write)}, []GrantTarget{target(GrantFolder, at("src"), Write)}, ""},
		{"files in two folders", []GrantTarget{target(GrantFile, "src/a", Read), target(GrantFile, "b", Read)},
			[]GrantTarget{target(GrantFile, at("src/a"), Read), target(GrantFile, at("b"), Read)}, nil, at("src/a") + " to read, " + at("b") + " to read"},
		{"a folder", []GrantTarget{target(GrantFolder, "src/", Read)}, []GrantTarget{target(GrantFolder, at("src"), Read)}, nil, "files directly in " + at("src") + " to read"},
		{"a search and its folder", []GrantTarget{target(GrantTree, "src", Read)},
			[]GrantTarget{target(GrantTree, at("src"), Read), target(GrantFolder, at("src"), Read)}, nil, "searches of " + at("src") + " and files directly in it to read"},
		{"a list of roots", []GrantTarget{target(GrantTree, "src; secrets;", Read)}, []GrantTarget{
			target(GrantTree, at("src"), Read), target(GrantFolder, at("src"), Read), target(GrantTree, at("secrets"), Read), target(GrantFolder, at("secrets"), Read)}, nil, ""},
		{"a private URL among public ones", []GrantTarget{target(GrantURL, "HTTP://LOCALHOST:80", Read), target(GrantURL, "https://example.com/", Read)},
			[]GrantTarget{target(GrantURL, "http://localhost/", Read)}, nil, ""},
		{"without links that lead nowhere", []GrantTarget{target(GrantFile, "dangling", Read), target(GrantFile, "loop", Read), target(GrantFile, "src/a", Read)},
			[]GrantTarget{target(GrantFile, at("src/a"), Read)}, []GrantTarget{target(GrantFolder, at("src"), Read)}, ""},
		{"reading something protected", []GrantTarget{target(GrantFile, ".git/config", Read)},
			[]GrantTarget{target(GrantFile, at(".git/config"), Read)}, []GrantTarget{target(GrantFolder, at(".git"), Read)}, ""},
		{"changing something protected", []GrantTarget{target(GrantFile, ".git/config", Write), target(GrantFile, "a", Write)}, nil, nil, ""},
		{"nothing with a key", []GrantTarget{target(GrantFile, "loop", Read)}, nil, nil, ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, shown, _ := asked(t, Options{Workspace: w.real}, reads(Read, row.targets...), Answer{})
			exact, _ := offerOf(shown.Grants, GrantExact)
			around, _ := offerOf(shown.Grants, GrantAround)
			if !reflect.DeepEqual(exact.Targets, row.exact) || !reflect.DeepEqual(around.Targets, row.around) {
				t.Errorf("exact  %v\n want  %v\naround %v\n want  %v", exact.Targets, row.exact, around.Targets, row.around)
			}
			if row.label != "" && shown.Grants[0].Label != row.label {
				t.Errorf("label %q, want %q", shown.Grants[0].Label, row.label)
			}
			if !slices.Equal(shown.Verdict.Offers, []Decision{Once}) || shown.Session != "" {
				t.Errorf("offers %v, session %q", shown.Verdict.Offers, shown.Session)
			}
		})
	}
}

// TestNoGrantOffers keeps what something else than the mode asks plain
// (TAM-11), and calls without targets as in always-ask (TAM-20).
func TestNoGrantOffers(t *testing.T) {
	file := target(GrantFile, "a", Read)
	forced, unrevealed, patterned, checked := reads(Read, file), reads(Read, file), reads(Read, file), reads(Read, file)
	forced.Declared.Override, patterned.Declared.Policy, unrevealed.Unrevealed = true, PolicyPrompt, true
	checked.SafetyChecks = []SafetyCheck{{Code: "c"}}
	for name, req := range map[string]Request{"override": forced, "policy prompt": patterned, "safety check": checked, "unrevealed": unrevealed} {
		g, shown, v := asked(t, Options{Workspace: "/w"}, req, Answer{Decision: Once, Grant: GrantExact})
		if shown.Grants != nil || v.Cause != CauseUserOnce || v.Warning == "" || len(g.state.Load().session.grants) != 0 {
			t.Errorf("%s: offers %v, %s, warning %q, granted %v", name, shown.Grants, v.Cause, v.Warning, g.state.Load().session.grants)
		}
	}
	for name, req := range map[string]Request{"no targets": tool("eval", Declaration{}), "a public URL": reads(Write, target(GrantURL, "https://example.com/", Write))} {
		_, shown, _ := asked(t, Options{Workspace: "/w"}, req, Answer{})
		if shown.Grants != nil || !shown.Offers(Session) || !strings.HasPrefix(shown.Session, "every call of") {
			t.Errorf("%s: grants %v, session %q", name, shown.Grants, shown.Session)
		}
	}
	for _, m := range Modes() {
		if v := (setup{mode: m}).check(t, reads(Write, target(GrantFile, "a", Write))); m != AlwaysAskCached && v.grants != nil {
			t.Errorf("mode %s offers %v", m, v.grants)
		}
	}
}

// TestFolderEntries are named with their number, directories marked (TAM-07).
func TestFolderEntries(t *testing.T) {
	dir := t.TempDir()
	for i := range 30 {
		name := filepath.Join(dir, fmt.Sprintf("f%02d", i))
		if i == 3 {
			_ = os.Mkdir(name, 0o755)
		} else {
			_ = os.WriteFile(name, nil, 0o644)
		}
	}
	_, shown, _ := asked(t, Options{Workspace: dir}, reads(Read, target(GrantFile, "f00", Read)), Answer{})
	around, _ := offerOf(shown.Grants, GrantAround)
	if len(around.Entries) != 24 || around.More != 6 || around.Entries[3] != "f03/" || around.Entries[23] != "f23" {
		t.Errorf("%d entries and %d more: %v", len(around.Entries), around.More, around.Entries)
	}
	if exact, _ := offerOf(shown.Grants, GrantExact); exact.Entries != nil {
		t.Errorf("a file has entries: %v", exact.Entries)
	}
	_, shown, _ = asked(t, Options{Workspace: dir}, reads(Read, target(GrantFile, "no/such", Read)), Answer{})
	if around, _ := offerOf(shown.Grants, GrantAround); around.Targets == nil || around.Entries != nil || around.More != 0 {
		t.Errorf("a folder that isn't there: %+v", around)
	}
}

// shelf is a store in memory that may fail.
type shelf struct {
	rows        []Grant
	read, write error
}

func (s *shelf) Grants() ([]Grant, error) { return s.rows, s.read }

func (s *shelf) Grant(g ...Grant) error {
	if s.write == nil {
		s.rows = append(s.rows, g...)
	}
	return s.write
}

// TestGrantAnswers records what was shown, for the session or for good
// (TAM-07, APR-12).
func TestGrantAnswers(t *testing.T) {
	full := errors.New("disk full")
	file, folder := target(GrantFile, "/w/src/a", Read), target(GrantFolder, "/w/src", Read)
	rows := []struct {
		name           string
		store          *shelf
		answer         Answer
		cause, warning string
		session, saved []GrantTarget
	}{
		{"once", &shelf{}, Answer{Decision: Once, Remember: true}, CauseUserOnce, "", nil, nil},
		{"file", &shelf{}, Answer{Decision: Once, Grant: GrantExact}, CauseUserSession, "", []GrantTarget{file}, nil},
		{"folder", &shelf{}, Answer{Decision: Once, Grant: GrantAround}, CauseUserSession, "", []GrantTarget{folder}, nil},
		{"file for good", &shelf{}, Answer{Decision: Once, Grant: GrantExact, Remember: true}, CauseUserAlways, "", nil, []GrantTarget{file}},
		{"folder for good", &shelf{}, Answer{Decision: Once, Grant: GrantAround, Remember: true}, CauseUserAlways, "", nil, []GrantTarget{folder}},
		{"a save that fails", &shelf{write: full}, Answer{Decision: Once, Grant: GrantExact, Remember: true}, CauseUserAlways, "approved, but saving the grant failed: disk full", []GrantTarget{file}, nil},
		{"no store", nil, Answer{Decision: Once, Grant: GrantExact, Remember: true}, CauseUserAlways, "approved, but there is nothing to save", []GrantTarget{file}, nil},
		{"an unknown scope", &shelf{}, Answer{Decision: Once, Grant: 99}, CauseUserOnce, "only be approved once", nil, nil},
		{"session", &shelf{}, Answer{Decision: Session, Grant: GrantExact}, CauseError, "", nil, nil},
		{"always", &shelf{}, Answer{Decision: Always}, CauseUserOnce, "only be approved once", nil, nil},
		{"refused", &shelf{}, Answer{Grant: GrantExact, Remember: true}, CauseUserRefused, "", nil, nil},
		{"cancelled", &shelf{}, Answer{Decision: CancelTurn, Grant: GrantExact}, CauseCancelled, "", nil, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			opts := Options{Workspace: "/w", Approvals: KeepApprovals()}
			if row.store != nil {
				opts.Grants = row.store
			}
			req := reads(Read, target(GrantFile, "src/a", Read))
			req.Key, req.KeyLabel = WriteKey("/w")
			g, shown, v := asked(t, opts, req, row.answer)
			if shown.CanSave != (row.store != nil) {
				t.Errorf("can save: %v", shown.CanSave)
			}
			if v.Cause != row.cause || !strings.Contains(v.Warning, row.warning) || row.warning == "" && v.Warning != "" {
				t.Errorf("%s, warning %q; want %s, %q", v.Cause, v.Warning, row.cause, row.warning)
			}
			if got := targetsOf(g.state.Load().sessionGrants()); !reflect.DeepEqual(got, row.session) {
				t.Errorf("for the session: %v, want %v", got, row.session)
			}
			if row.store != nil && !reflect.DeepEqual(targetsOf(row.store.rows), row.saved) {
				t.Errorf("saved: %v, want %v", row.store.rows, row.saved)
			}
			if len(opts.Approvals.List()) > 0 {
				t.Error("a key was saved")
			}
		})
	}
}

func targetsOf(grants []Grant) (targets []GrantTarget) {
	for _, g := range grants {
		targets = append(targets, g.GrantTarget)
	}
	return targets
}

// TestGrantOfSomethingElse grants nothing when a link was turned while the
// person looked (TAM-10, APR-12).
func TestGrantOfSomethingElse(t *testing.T) {
	w := newWorld(t)
	g, _ := New(Options{Workspace: w.real, Mode: AlwaysAskCached})
	g.opts.Approver = ApproverFunc(func(context.Context, Prompt) (Answer, error) {
		_ = os.Remove(filepath.Join(w.real, "alias"))
		_ = os.Symlink("../outside", filepath.Join(w.real, "alias"))
		return Answer{Decision: Once, Grant: GrantExact}, nil
	})
	v := g.Decide(t.Context(), reads(Read, target(GrantFile, "alias/k", Read)))
	if v.Cause != CauseUserOnce || v.Warning == "" || len(g.state.Load().session.grants) != 0 {
		t.Errorf("%s, warning %q, granted %v", v.Cause, v.Warning, g.state.Load().session.grants)
	}
}

// TestGrantsDoNotFollowNewLinks compares grants as they were given: a link
// made later in their place leads no further (TAM-10).
func TestGrantsDoNotFollowNewLinks(t *testing.T) {
	w := newWorld(t)
	plain := filepath.Join(w.real, "src", "notes")
	granted := target(GrantFile, plain, Read)
	for name, opts := range map[string]Options{"session": {}, "saved": {Grants: &shelf{rows: []Grant{{GrantTarget: granted, Saved: true}}}}} {
		opts.Workspace, opts.Mode = w.real, AlwaysAskCached
		opts.Approver = always(Answer{})
		g, _ := New(opts)
		if name == "session" {
			if err := g.Grant(granted); err != nil {
				t.Fatal(err)
			}
		}
		if v := g.Check(t.Context(), reads(Read, granted)); v.Cause != CauseGrant {
			t.Fatalf("%s: %s · %s", name, v.Effect, v.Cause)
		}
		secret := filepath.Join(w.outside, "k")
		if err := os.Symlink(secret, plain); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{plain, secret} {
			if v := g.Check(t.Context(), reads(Read, target(GrantFile, path, Read))); v.Effect != Ask {
				t.Errorf("%s: %s is allowed through a link made later", name, path)
			}
		}
		_ = os.Remove(plain)
	}
}

// TestTargetsWithoutKey ask each time, also beside one that is granted
// (TAM-10).
func TestTargetsWithoutKey(t *testing.T) {
	w := newWorld(t)
	granted := target(GrantFolder, w.real, Exec)
	s := setup{mode: AlwaysAskCached, grants: []Grant{{GrantTarget: granted}}}
	for _, name := range []string{"dangling", "loop"} {
		if v := w.check(t, w.real, s, reads(Read, target(GrantFile, "a", Read), target(GrantFile, name, Read))); v.Effect != Ask {
			t.Errorf("%s: %s · %s", name, v.Effect, v.Cause)
		}
	}
}

// TestStoreErrorsMeanNoGrants, also for rows that come with the error, and
// rows at no known tier (TAM-12).
func TestStoreErrorsMeanNoGrants(t *testing.T) {
	file := target(GrantFile, "/w/a", Read)
	for name, store := range map[string]*shelf{
		"an error":        {rows: []Grant{{GrantTarget: file, Saved: true}}, read: errors.New("damaged")},
		"an unknown tier": {rows: []Grant{{GrantTarget: target(GrantFile, "/w/a", 77), Saved: true}}},
	} {
		g, _, _ := asked(t, Options{Workspace: "/w", Grants: store}, tool("t", Declaration{}), Answer{})
		if v := g.Check(t.Context(), reads(Read, file)); v.Effect != Ask {
			t.Errorf("%s: %s · %s", name, v.Effect, v.Cause)
		}
	}
}

// TestRootsAreKeyedOneByOne asks until each has a grant, also where a folder
// is really called like the list (TAM-08).
func TestRootsAreKeyedOneByOne(t *testing.T) {
	w := newWorld(t)
	at := func(name string) GrantTarget { return target(GrantTree, filepath.Join(w.real, name), Read) }
	s := setup{mode: AlwaysAskCached, grants: []Grant{{GrantTarget: at("src")}}}
	list := reads(Read, target(GrantTree, "src;secrets", Read))
	if v := w.check(t, w.real, s, list); v.Effect != Ask {
		t.Errorf("with one of two: %s", v.Effect)
	}
	s.grants = append(s.grants, Grant{GrantTarget: at("secrets")})
	if v := w.check(t, w.real, s, list); v.Effect != Allow {
		t.Errorf("with both: %s (%s)", v.Effect, v.Reason)
	}
	_ = os.Mkdir(filepath.Join(w.real, "src;secrets"), 0o755)
	if v := w.check(t, w.real, s, list); v.Effect != Ask {
		t.Errorf("a folder of that name: %s", v.Effect)
	}
	s.deny = []string{"read(secrets/**)", "read(secrets)"}
	if v := w.check(t, w.real, s, list); v.Cause != CauseHardPolicy {
		t.Errorf("a blocked root: %s · %s", v.Effect, v.Cause)
	}
	if !slices.Equal(list.GrantTargets, []GrantTarget{target(GrantTree, "src;secrets", Read)}) {
		t.Error("the caller's request was changed")
	}
}

// TestGrantSettlesWhatWaits: a grant answers the other requests for the same
// folder at once (TAM-07).
func TestGrantSettlesWhatWaits(t *testing.T) {
	for _, remember := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p := newPerson()
			g, _ := New(Options{Workspace: "/w", Mode: AlwaysAskCached, Approver: p, Grants: &shelf{}})
			verdicts := make(chan Verdict, 2)
			for _, f := range []string{"src/a", "src/b"} {
				go func() { verdicts <- g.Decide(ctx, reads(Read, target(GrantFile, f, Read))) }()
				<-p.asked
			}
			p.answer <- Answer{Decision: Once, Grant: GrantAround, Remember: remember}
			synctest.Wait()
			if len(verdicts) != 2 {
				t.Fatalf("remember %v: the other request still waits", remember)
			}
			if first, second := <-verdicts, <-verdicts; first.Cause != CauseGrant && second.Cause != CauseGrant {
				t.Errorf("remember %v: %s, %s", remember, first.Cause, second.Cause)
			}
		})
	}
}
