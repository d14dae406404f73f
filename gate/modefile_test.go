package gate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func modeFile(t *testing.T) *ModeFile {
	return NewModeFile(filepath.Join(t.TempDir(), "id", "mode.json"))
}

func joins(t *testing.T, f *ModeFile, own Mode, how Joining) (*ModeMember, Mode) {
	t.Helper()
	m, s, err := f.Join(SharedMode{Mode: own, Why: "settings"}, how, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Leave)
	return m, s.Mode
}

// TestModeOfTheWorkspace gives a second session the mode of the first, and
// begins anew when the last one has ended (APR-14).
func TestModeOfTheWorkspace(t *testing.T) {
	f := modeFile(t)
	if _, _, err := f.Mode(); !errors.Is(err, ErrNoSharedMode) {
		t.Errorf("with no session: %v", err)
	}
	first, mode := joins(t, f, Auto, Follow)
	if mode != Auto {
		t.Errorf("the first starts in %s", mode)
	}
	if open, err := f.Keep(Yolo, "a person"); !open || err != nil {
		t.Fatal(open, err)
	}
	second, mode := joins(t, f, Auto, Follow)
	if mode != Yolo {
		t.Errorf("the second starts in %s, the workspace is in yolo", mode)
	}
	first.Leave()
	if s, open, err := f.Mode(); !open || err != nil || s.Mode != Yolo || !s.Chosen || s.Why != "a person" {
		t.Errorf("with one left: %+v, %t, %v", s, open, err)
	}
	second.Leave()
	if _, _, err := f.Mode(); !errors.Is(err, ErrNoSharedMode) {
		t.Errorf("when all have left: %v", err)
	}
	// What was left behind must not loosen the next session.
	if _, mode := joins(t, f, Default, Follow); mode != Default {
		t.Errorf("a later session starts in %s, which was left behind", mode)
	}
}

// TestModeOfAFlag leads the others, or stays apart from them (APR-14, TAM-06).
func TestModeOfAFlag(t *testing.T) {
	f := modeFile(t)
	if _, mode := joins(t, f, Yolo, Apart); mode != Yolo {
		t.Errorf("a session apart is in %s", mode)
	}
	if _, err := f.Read(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a session apart shares its mode: %v", err)
	}
	if _, mode := joins(t, f, Auto, Follow); mode != Auto {
		t.Errorf("a follower takes %s", mode)
	}
	if s, err := f.Read(); err != nil || s.Chosen {
		t.Errorf("a mode that nobody chose reaches others: %+v, %v", s, err)
	}
	if _, mode := joins(t, f, Plan, Lead); mode != Plan {
		t.Errorf("a leader is in %s", mode)
	}
	if s, err := f.Read(); err != nil || s.Mode != Plan || !s.Chosen {
		t.Errorf("a leader's mode isn't that of all: %+v, %v", s, err)
	}
}

// TestModeNews tells a session once what was chosen elsewhere, and nothing that
// it had left or stays apart from (APR-14, TAM-06).
func TestModeNews(t *testing.T) {
	f := modeFile(t)
	one, _ := joins(t, f, Default, Follow)
	news := func(m *ModeMember, when string, want string) {
		t.Helper()
		s, ok, err := m.News()
		got := ""
		if ok {
			got = s.Mode.String()
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", when, got, err, want)
		}
	}
	sets := func(m *ModeMember, mode Mode) {
		t.Helper()
		if err := m.Set(mode, "a person"); err != nil {
			t.Fatal(err)
		}
	}
	news(one, "alone", "")
	two, _ := joins(t, f, Default, Follow)
	sets(two, Yolo)
	apart, _ := joins(t, f, Plan, Apart)
	news(apart, "apart from what the others chose", "")
	news(two, "what it chose itself", "")
	news(one, "chosen elsewhere", "yolo")
	news(one, "told already", "")
	sets(one, Default)
	sets(two, Default)
	sets(two, Default) // within a second, and to the same mode
	news(one, "chosen again", "default")
	news(apart, "chosen after it came", "default")

	// What is left here doesn't come back, although it couldn't be shared.
	sets(two, Yolo)
	if err := one.Set(Bypass, "a person"); !errors.Is(err, ErrBypassNeedsSandbox) {
		t.Fatal(err)
	}
	news(one, "after a choice that can't be shared", "")
	sets(two, Auto)
	news(one, "chosen after that", "auto")
}

// TestModeForTheNext: a dangerous mode waits for the next session, and for that one
// only, and not for ever (APR-14).
func TestModeForTheNext(t *testing.T) {
	f := modeFile(t)
	if open, err := f.Keep(Yolo, "a person"); open || err != nil {
		t.Fatal(open, err)
	}
	next, mode := joins(t, f, Auto, Follow)
	if mode != Yolo {
		t.Errorf("the next session is in %s", mode)
	}
	next.Leave()
	if _, mode = joins(t, f, Auto, Follow); mode != Auto {
		t.Errorf("the one after it is in %s", mode)
	}
	yolo := SharedMode{Mode: Yolo, Next: true, When: time.Now().Add(-2 * looseWait)}
	if yolo.waits(time.Now()) || !yolo.waits(yolo.When) {
		t.Error("a dangerous choice waits for ever, or not at all")
	}
}

// TestModeOfTheWorkspaceIsKept: a single call uses nothing up, and a session
// may leave the mode for as long as it is open (APR-14).
func TestModeOfTheWorkspaceIsKept(t *testing.T) {
	f := modeFile(t)
	holds := func(when string, want Mode) {
		t.Helper()
		if s, _, err := f.Mode(); err != nil || s.Mode != want {
			t.Errorf("%s: %s, %v; want %s", when, s.Mode, err, want)
		}
	}
	keeps := func(m Mode) {
		t.Helper()
		if _, err := f.Keep(m, "a person"); err != nil {
			t.Fatal(err)
		}
	}
	keeps(Plan)
	for range 3 {
		holds("a call", Plan)
	}
	first, mode := joins(t, f, AcceptEdits, Follow)
	if mode != Plan {
		t.Errorf("a session starts in %s", mode)
	}
	if err := first.Set(AcceptEdits, "chosen in a session"); err != nil {
		t.Fatal(err)
	}
	holds("a call beside the session", AcceptEdits)
	first.Leave()
	holds("a call after the session", Plan)
	for how, own := range map[Joining]Mode{Apart: Yolo, Lead: Default} {
		m, mode := joins(t, f, own, how)
		if mode != own {
			t.Errorf("a session with a flag is in %s", mode)
		}
		m.Leave()
		holds("a call after one with a flag", Plan)
	}
	keeps(Yolo)
	holds("a dangerous mode waits", Yolo)
	second, _ := joins(t, f, Default, Follow)
	second.Leave()
	holds("after the dangerous mode", Plan)
	keeps(Yolo)
	keeps(Default)
	holds("chosen instead of it", Default)

	third, _ := joins(t, f, Auto, Follow)
	keeps(Plan)
	if s, err := f.Read(); err != nil || s.Mode != Plan || !s.Chosen {
		t.Errorf("an open session doesn't follow: %+v, %v", s, err)
	}
	if open, err := f.Forget(Auto, "a person"); !open || err != nil {
		t.Fatal(open, err)
	}
	holds("taken back beside a session", Auto)
	third.Leave()
	if _, _, err := f.Mode(); !errors.Is(err, ErrNoSharedMode) {
		t.Errorf("taken back: %v", err)
	}
	keeps(Plan)
	for range 2 {
		if _, err := f.Forget(Auto, "a person"); err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.Mode(); !errors.Is(err, ErrNoSharedMode) {
			t.Errorf("taken back without a session: %v", err)
		}
	}
}

// TestBypassNeedsABox is refused while no session is in a sandbox (APR-14).
func TestBypassNeedsABox(t *testing.T) {
	f := modeFile(t)
	joins(t, f, Auto, Follow)
	if _, err := f.Keep(Bypass, "a person"); !errors.Is(err, ErrBypassNeedsSandbox) {
		t.Errorf("without a sandbox: %v", err)
	}
	boxed, _, err := f.Join(SharedMode{}, Follow, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Keep(Bypass, "a person"); err != nil {
		t.Errorf("with a sandbox: %v", err)
	}
	boxed.Leave()
	if _, err := f.Keep(Bypass, "a person"); !errors.Is(err, ErrBypassNeedsSandbox) {
		t.Errorf("with the sandbox gone: %v", err)
	}
}

// TestModeFileDamaged keeps the file and changes no mode (APR-14).
func TestModeFileDamaged(t *testing.T) {
	for _, text := range []string{"", "{", `{"version":2,"mode":"yolo"}`, `{"version":1,"mode":"all"}`, `{"version":1}`, `{"version":1,"mode":"plan","kept":{"mode":"all"}}`, strings.Repeat(" ", maxModeFile) + "{}"} {
		f := modeFile(t)
		first, _ := joins(t, f, Default, Follow)
		if err := os.WriteFile(f.Path(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Keep(Auto, ""); !errors.Is(err, ErrModeFile) || !strings.Contains(err.Error(), f.Path()) {
			t.Errorf("%.20q: set: %v", text, err)
		}
		first.Leave()
		m, s, err := f.Join(SharedMode{Mode: Plan}, Follow, false)
		if !errors.Is(err, ErrModeFile) || s.Mode != Plan || m == nil {
			t.Errorf("%.20q: join: %v, %v", text, s.Mode, err)
		}
		m.Leave()
		if after, err := os.ReadFile(f.Path()); err != nil || string(after) != text {
			t.Errorf("%.20q: the file was changed", text)
		}
	}
}
