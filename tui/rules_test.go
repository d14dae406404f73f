package tui

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// shelf is a rule book in memory.
type shelf struct {
	mu       sync.Mutex
	rules    []string // "allow shell(ls)"
	done     []string
	fails    error
	sampled  int
	offer    []string // what waits for trust
	problem  string
	checking chan struct{}
}

func newShelf() *shelf {
	return &shelf{rules: []string{"deny shell(rm *)", "deny write(keys/**)", "ask shell(git push)", "allow shell(go test)", "allow shell(make)", "allow web(go.dev)"}}
}

func (s *shelf) note(format string, args ...any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails != nil {
		return s.fails
	}
	s.done = append(s.done, fmt.Sprintf(format, args...))
	return nil
}

func (s *shelf) did() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.done, "|")
}

func (s *shelf) set(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

var shelfEffects = map[string]gate.Effect{"deny": gate.Deny, "ask": gate.Ask, "allow": gate.Allow}

func (s *shelf) load() []RulePage {
	s.mu.Lock()
	defer s.mu.Unlock()
	global := RuleGroup{Title: "global · ~/.blitz/settings.toml", Problem: s.problem,
		File: &RuleFile{Name: "~/.blitz/settings.toml", Content: func() (string, error) { return "[permissions]\n", nil },
			Save: func(before, after string) error { return s.note("saved %q over %q", after, before) }}}
	for i, r := range s.rules {
		mark, text, _ := strings.Cut(r, " ")
		it := RuleItem{Rule: true, Effect: shelfEffects[mark], Mark: mark, Text: text, Value: text, Aside: "shell, prefix",
			Source:  gate.Source{Layer: "global", File: "~/.blitz/settings.toml", Line: i + 3},
			Details: []gate.Field{{Label: "is read as", Value: "commands that begin so"}, {Label: "does", Value: strings.Repeat("a long story ", 120)}}}
		if s.problem == "" {
			it.Change = func(text string) error { return s.note("%s becomes %s", r, text) }
			it.Remove = func() error {
				err := s.note("removed %s", r)
				if err == nil {
					s.set(func() { s.rules = append(s.rules[:i:i], s.rules[i+1:]...) })
				}
				return err
			}
			it.Removing = "take it out of ~/.blitz/settings.toml"
		}
		global.Items = append(global.Items, it)
	}
	setting := RuleItem{Text: "ui.theme = dark", Value: "dark", Choices: []string{"auto", "dark", "light"},
		Check: func(v string) (string, error) {
			if v == "drak" {
				return "", errors.New(`unknown value "drak" for ui.theme`)
			}
			return "holds from the next start", nil
		},
		Change: func(v string) error { return s.note("ui.theme = %s", v) }}
	approval := RuleItem{Mark: "always", Text: "run make in ~/shop", Removing: "ask again from now on", Remove: func() error { return s.note("revoked make") }}
	pages := []RulePage{
		{Name: "Rules", Groups: []RuleGroup{global}},
		{Name: "Remembered", Groups: []RuleGroup{{Title: "approvals.json", Items: []RuleItem{approval}, Clear: func() error { return s.note("cleared") }, Clearing: "take all of it back"}}},
		{Name: "Settings", Groups: []RuleGroup{{Title: "global", Items: []RuleItem{setting}}}},
		{Name: "Trust", Empty: "nothing of this project waits for trust"},
	}
	if len(s.offer) > 0 {
		shown := strings.Join(s.offer, "\n")
		pages[3].Offer = &RuleOffer{Lines: append([]string{}, s.offer...), Accept: func() error {
			s.mu.Lock()
			changed := shown != strings.Join(s.offer, "\n")
			s.mu.Unlock()
			if changed {
				return errors.New("the file has changed meanwhile, and nothing was saved")
			}
			return s.note("trusted %q", shown)
		}}
	}
	return pages
}

func (s *shelf) book() RuleBook {
	return RuleBook{
		Load: s.load,
		Calls: func(gate.Effect, string) PastMatches {
			return PastMatches{Calls: 3, Refused: 1, Samples: []PastCall{{Target: "rm -rf build", Refused: true}, {Target: "rm x"}}}
		},
		Read: func(effect gate.Effect, rule string) (string, error) {
			if _, err := gate.ParseRule(effect, rule, gate.Source{}); err != nil {
				return "", err
			}
			return "read as " + rule, nil
		},
		Places: []RuleAdder{
			{Name: "your settings", Add: func(e gate.Effect, r string) error {
				err := s.note("%s %s", e, r)
				if err == nil {
					s.set(func() { s.rules = append(s.rules, e.String()+" "+r) })
				}
				return err
			}},
			{Name: "this session", Add: func(e gate.Effect, r string) error { return s.note("session %s %s", e, r) }},
		},
		Sample: func(text string) (gate.Verdict, error) {
			s.set(func() { s.sampled++ })
			if s.checking != nil {
				<-s.checking
			}
			v := gate.Verdict{Effect: gate.Ask, Step: "rule-ask", Reason: "an ask rule matches " + text, Rule: &gate.Rule{Effect: gate.Ask, Text: "shell(git push)", Source: gate.Source{Layer: "global", File: "~/.blitz/settings.toml", Line: 5}}}
			for range 40 {
				v.Trail = append(v.Trail, gate.Note{Step: "rules", Text: "nothing"})
			}
			return v, nil
		},
	}
}

// open opens the screen of rules of a shelf.
func (b *bench) open(s *shelf) *shelf {
	b.opts.Rules = s.book()
	b.key("ctrl+s")
	b.settle()
	return s
}

func init() {
	show := func(keys ...string) func(b *bench) {
		return func(b *bench) {
			b.ask(command("ls"))
			b.settle()
			b.open(newShelf())
			b.key(keys...)
			b.settle()
		}
	}
	shownOn[ruleListScreen] = show("j", "j")
	shownOn[ruleSearchScreen] = show("/", "m")
	shownOn[ruleLookScreen] = show("j", "enter", "pgdown")
	shownOn[ruleFormScreen] = show("a", "x")
	shownOn[ruleConfirmScreen] = show("d")
	shownOn[ruleSampleScreen] = show("t", "x", "pgdown")
}

// BEY-08, BEY-09: rules by source, with how each is read; search; all about
// one, with past calls.
func TestRulesAreListed(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.open(newShelf())
		b.wantText("Rules", "Remembered", "Settings", "Trust", "global · ~/.blitz/settings.toml", "▸ deny  shell(rm *)", "ask   shell(git push)", "shell, prefix")
		b.key("/")
		b.typing("go")
		b.wantText("allow shell(go test)", "allow web(go.dev)")
		b.wantNoText("shell(make)")
		b.key("enter", "down", "enter")
		b.settle()
		b.wantText("web(go.dev)", "is read as")
		b.key("pgdown", "pgdown", "pgdown")
		b.wantText("written in", "~/.blitz/settings.toml:8", "past calls", "it covers 3 calls of those in the log, of which 1 refused", "✗ rm -rf build")
		b.key("esc", "esc")
		b.wantText("shell(make)")
		b.key("esc")
		b.wantText("Nothing has happened yet")
	})
}

// APR-15: rules are added, changed and removed during a session, checked as
// they are typed; one key more removes.
func TestRulesAreChanged(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		s := b.open(newShelf())
		b.key("a")
		b.wantText("Add a rule", "▸deny", "▸your settings")
		b.typing("shell(go")
		b.wantText("the closing parenthesis is missing")
		b.key("enter")
		b.wantText("this can't be saved")
		b.typing(" vet)")
		b.wantText("read as shell(go vet)")
		b.key("tab", "down")
		b.wantText("▸ask", "▸this session")
		b.key("up", "enter")
		b.settle()
		b.wantText("added to your settings: ask shell(go vet)", "ask   shell(go vet)")
		b.key("j", "e")
		b.wantText("Change a rule of ~/.blitz/settings.toml:4", "› write(keys/**)")
		b.key("ctrl+u")
		b.typing("write(secret/**)")
		b.key("enter")
		b.settle()
		b.key("d")
		b.wantText("take it out of ~/.blitz/settings.toml?")
		b.key("n")
		b.key("d")
		b.key("enter") // too early
		if strings.Contains(s.did(), "removed") {
			t.Error("removed before the question was on the screen")
		}
		b.wantText("◌ a moment")
		b.settle()
		b.key("enter")
		b.settle()
		if want := "ask shell(go vet)|deny write(keys/**) becomes write(secret/**)|removed deny write(keys/**)"; s.did() != want {
			t.Errorf("done %s, want %s", s.did(), want)
		}
		b.wantNoText("write(keys/**)")
	})
}

// Errors of what was tried are shown, and what was typed stays.
func TestRulesThatCannotBeSaved(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		s := b.open(newShelf())
		s.set(func() { s.fails = errors.New("the disk is full") })
		b.key("a")
		b.typing("shell(go vet)")
		b.key("enter")
		b.settle()
		b.wantText("the disk is full", "› shell(go vet)")
		b.key("x")
		b.wantText("› shell(go vet)x")
		b.key("esc", "d")
		b.settle()
		b.key("enter")
		b.wantText("the disk is full", "shell(rm *)")
	})
}

// A file that can't be read says so, with its line, and nothing in it can be
// changed in place.
func TestBrokenRuleFile(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		s := newShelf()
		s.problem = "~/.blitz/settings.toml:3:1: this is not valid TOML"
		b.open(s)
		b.wantText("~/.blitz/settings.toml:3:1: this is not")
		b.wantNoText("e edit")
		b.wantNoText("d remove")
		b.key("e")
		b.wantText("it can't be changed: ~/.blitz/settings.toml:3:1")
		b.key("d")
		b.wantText("it can't be removed: ~/.blitz/settings.toml:3:1")
		if s.did() != "" {
			t.Error(s.did())
		}
	})
}

// Nothing on this screen answers what waits, and what comes while it is open
// says so without taking its place; Esc goes back, and arms anew (APR-30).
func TestRulesWhileSomethingWaits(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.open(newShelf())
		id := b.ask(command("rm -rf build"))
		b.wantText("1 waiting", "one waits: Esc", "▸ deny  shell(rm *)")
		b.settle()
		b.key("y", "s", "enter", "esc")
		b.wantWaiting(id)
		b.settle()
		b.key("esc")
		b.wantText("rm -rf build", "y once")
		b.key("y")
		b.wantWaiting(id)
		b.settle()
		b.key("y")
		b.wantAnswer(id, once)
	})
	// What is withdrawn meanwhile doesn't close it.
	bubble(t, Options{}, func(b *bench) {
		id := b.ask(command("rm -rf build"))
		b.open(newShelf())
		b.send(Withdraw{ID: id})
		b.wantText("▸ deny  shell(rm *)")
		b.wantNoText("waiting")
	})
}

// APR-21: what is remembered is taken back one by one, or all.
func TestRememberedIsTakenBack(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		s := b.open(newShelf())
		b.key("tab")
		b.settle()
		b.wantText("always run make in ~/shop")
		b.key("d")
		b.settle()
		b.key("enter")
		b.settle()
		b.key("D")
		b.wantText("take all of it back?")
		b.settle()
		b.key("enter")
		b.settle()
		if want := "revoked make|cleared"; s.did() != want {
			t.Errorf("%s, want %s", s.did(), want)
		}
	})
}

// A setting is checked as it is typed, and Tab goes through what it may be.
func TestSettingsAreChanged(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		s := b.open(newShelf())
		b.key("right", "right", "e")
		b.settle()
		b.wantText("Change ui.theme = dark", "▸dark", "holds from the next start")
		b.key("ctrl+u")
		b.typing("drak")
		b.wantText(`unknown value "drak" for ui.theme`)
		b.key("tab")
		b.wantText("▸auto")
		b.key("shift+tab")
		b.wantText("▸light", "› light")
		b.key("enter")
		b.settle()
		if s.did() != "ui.theme = light" {
			t.Error(s.did())
		}
	})
}

// BEY-09: what would happen is said at each key, one question at a time.
func TestSampleBox(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		s := newShelf()
		s.checking = make(chan struct{})
		b.open(s)
		b.key("t")
		b.wantText("What would happen to", "Write a request")
		b.typing("git push")
		b.wantText("looking …")
		s.set(func() {
			if s.sampled != 1 {
				t.Errorf("%d questions at once", s.sampled)
			}
		})
		close(s.checking)
		b.drain()
		b.wantText("? ask", "you would be asked", "an ask rule matches git push", "ask shell(git push)", "~/.blitz/settings.toml:5", "rule-ask")
		s.set(func() {
			if s.sampled != 2 {
				t.Errorf("%d questions for a word that was typed meanwhile", s.sampled)
			}
		})
	})
	// It begins with the command that waits.
	bubble(t, Options{}, func(b *bench) {
		b.ask(command("make install"))
		b.open(newShelf())
		b.key("t")
		b.wantText("try › make install", "an ask rule matches make install")
	})
}

// APR-15a: a quiet line and a mark say that something waits for trust; one key
// shows it, one more trusts exactly what was shown.
func TestTrustLine(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		s := newShelf()
		s.offer = []string{"shop/.blitz/settings.toml has changed:", "+ permissions.allow = shell(curl *)", "  permissions.allow = shell(make)"}
		b.opts.Rules = s.book()
		b.wantNoText("untrusted")
		b.send(RulesChanged{Waiting: 1})
		b.wantText("1 untrusted", "1 setting of this project waits for trust  ctrl+l look")
		b.key("ctrl+l")
		b.settle()
		b.wantText("has changed:", "+ permissions.allow = shell(curl *)", "y trust this")
		// Changed meanwhile: nothing is trusted, and it is shown anew.
		s.set(func() { s.offer[1] = "+ permissions.allow = shell(*)" })
		b.key("y")
		b.settle()
		b.wantText("has changed meanwhile", "shell(*)")
		if s.did() != "" {
			t.Fatal(s.did())
		}
		b.key("y")
		b.drain()
		if !strings.Contains(s.did(), "shell(*)") {
			t.Errorf("trusted %q", s.did())
		}
		b.send(RulesChanged{})
		b.key("esc")
		b.wantNoText("untrusted")
		b.key("ctrl+l")
		b.wantText("nothing of this project waits for trust")
	})
}

// The sentence over an offer is broken between its words, however long the path
// in it is; a value keeps each of its blanks.
func TestOfferKeepsItsWords(t *testing.T) {
	path := "/" + strings.Repeat("long/", 10)
	for width := 12; width < 90; width++ {
		var rows []string
		for _, r := range offerRows(&RuleOffer{Lines: []string{path + " would loosen:", "+ a =  b   c"}}, width) {
			rows = append(rows, r.text)
		}
		text := strings.Join(rows, "\n")
		if !strings.Contains(text, "would") || !strings.Contains(text, "loosen:") || !strings.Contains(strings.Join(rows, ""), "+ a =  b   c") {
			t.Fatalf("at %d columns:\n%s", width, text)
		}
	}
}

// Nothing is trusted that was never on the screen, nor by a key that comes too
// early.
func TestTrustIsReadToItsEnd(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		s := newShelf()
		s.offer = []string{"shop/.blitz/settings.toml would loosen:"}
		for i := range 60 {
			s.offer = append(s.offer, fmt.Sprintf("+ permissions.allow = shell(tool%d %s)", i, strings.Repeat("x", 90)))
		}
		b.opts.Rules = s.book()
		b.send(RulesChanged{Waiting: 60})
		b.key("ctrl+l", "y")
		b.settle()
		pages := 0
		for ; s.did() == "" && pages < 30; pages++ {
			b.key("y")
			b.settle()
		}
		if pages < 5 {
			t.Fatalf("trusted after %d pages: the rest was never shown", pages)
		}
		if !strings.Contains(s.did(), "tool59") {
			t.Fatalf("never trusted\n%s", b.text())
		}
	})
}

// What comes from a project is escaped, wherever it stands (P01).
func TestHostileRules(t *testing.T) {
	evil := "shell(\x1b[31mls\r\n\u202e\u200b)"
	s := newShelf()
	s.rules = []string{"allow " + evil}
	s.offer = []string{"+ " + evil, evil}
	s.problem = evil
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 40}} {
		bubble(t, Options{}, func(b *bench) {
			b.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			b.open(s)
			for _, keys := range []string{"", "enter", "esc", "t", "esc", "/", "esc", "tab", "tab", "tab", "e", "esc", "D", "esc"} {
				if keys != "" {
					b.key(keys)
				}
				checkControls(t, b.Model)
				if rows := strings.Count(b.View().Content, "\n") + 1; rows != size[1] {
					t.Errorf("%d rows on %v after %q\n%s", rows, size, keys, b.text())
				}
			}
		})
	}
}

// What was written in the editor and can't be saved is there the next time; the
// keys that were meant for the editor do nothing here.
func TestRuleFileInTheEditor(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		s := b.open(newShelf())
		file := b.rules.pages[0].Groups[0].File
		s.set(func() { s.fails = errors.New("settings.toml:2:1: unknown key alow") })
		b.send(rulesWrittenMsg{b.rules.opened, file, "[permissions]\n", "[permissions]\nalow = []\n", nil})
		b.wantText("not saved; E goes on with what you wrote", "unknown key alow")
		if kept := b.keptFiles[file.Name]; kept != (writtenFile{"[permissions]\n", "[permissions]\nalow = []\n"}) {
			t.Errorf("kept: %q", kept)
		}
		if b.arming.armed {
			t.Error("armed at once after the editor")
		}
		s.set(func() { s.fails = nil })
		b.send(rulesWrittenMsg{b.rules.opened, file, "[permissions]\n", "[permissions]\nallow = []\n", nil})
		if len(b.keptFiles) > 0 || !strings.Contains(s.did(), "allow = []") {
			t.Errorf("kept %q, done %s", b.keptFiles, s.did())
		}
		// What is kept elsewhere doesn't take the place of what came meanwhile.
		s.set(func() { s.fails = fmt.Errorf("%w; what you wrote is in /tmp/a", ErrRuleFileChanged) })
		b.send(rulesWrittenMsg{b.rules.opened, file, "[permissions]\n", "[permissions]\ndeny = []\n", nil})
		b.wantText("what you wrote is in /tmp/a")
		b.wantNoText("E goes on")
		if len(b.keptFiles) > 0 {
			t.Errorf("kept %q", b.keptFiles)
		}
		b.send(rulesWrittenMsg{b.rules.opened, file, "a", "b", errors.New("exit status 1")})
		b.wantText("the editor failed, nothing was changed")
	})
}

// A command word opens it too, and is not sent to the agent.
func TestRulesByAWord(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		s := newShelf()
		b.opts.Rules = s.book()
		b.typing(":settings")
		b.key("enter")
		b.settle()
		b.wantText("ui.theme = dark")
		b.key("esc")
		b.wantNoText(":settings")
		if len(b.submitted) > 0 {
			t.Errorf("%q was sent", b.submitted)
		}
	})
}

// A change that someone else makes is shown, with the mark where it was.
func TestRulesChangeElsewhere(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		s := b.open(newShelf())
		b.key("j", "j")
		b.wantText("▸ ask   shell(git push)")
		s.set(func() { s.rules = append([]string{"deny shell(dd)"}, s.rules...) })
		b.send(RulesChanged{})
		b.wantText("deny  shell(dd)", "▸ ask   shell(git push)")
	})
}

// The screen of rules and settings. Look at the files when they change.
func TestGoldenRules(t *testing.T) {
	screens := map[string]func(*testing.T, int, int) *Model{}
	for name, part := range map[string]struct {
		page int
		keys []string
	}{
		"list": {0, []string{"j", "j", "j"}}, "look": {0, []string{"enter"}}, "add": {0, []string{"a", "s", "h"}}, "remove": {0, []string{"d"}},
		"try": {0, []string{"t", "l", "s"}}, "search": {0, []string{"/", "g", "o"}}, "settings": {2, []string{"e"}}, "trust": {3, nil}, "help": {0, []string{"?"}},
	} {
		screens[name] = func(t *testing.T, width, height int) (m *Model) {
			s := newShelf()
			s.offer = []string{"~/src/shop/.blitz/settings.toml has changed since you trusted it, and would loosen:", "+ permissions.allow = shell(curl *)", "  permissions.allow = shell(make)", "- permissions.allow = shell(touch)"}
			bubble(t, Options{Agent: "opencode", Workspace: "~/src/shop", Rules: s.book()}, func(b *bench) {
				m = b.Model
				b.send(tea.WindowSizeMsg{Width: width, Height: height})
				b.send(RulesChanged{Waiting: 1})
				if name != "list" {
					b.ask(command("rm -rf build"))
				}
				b.send(m.openRules(part.page)())
				b.settle()
				b.key(part.keys...)
				b.settle()
			})
			return m
		}
	}
	goldens(t, "rules/", screens)
}

// A long list is drawn by its window.
func BenchmarkManyRules(b *testing.B) {
	s := newShelf()
	for i := range 10_000 {
		s.rules = append(s.rules, fmt.Sprintf("allow shell(tool%d sub)", i))
	}
	m := New(Options{Rules: s.book()})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	m.openRules(0)
	m.Update(rulesLoadedMsg{m.rules.opened, 1, s.load()})
	b.Run("move", func(b *testing.B) {
		for b.Loop() {
			m.Update(press("down"))
			m.View()
		}
	})
	b.Run("search", func(b *testing.B) {
		m.Update(press("/"))
		for b.Loop() {
			m.Update(press("t"))
			m.View()
			m.Update(press("backspace"))
			m.View()
		}
	})
}

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "just now", 90 * time.Second: "1 min ago", 5 * time.Hour: "5 h ago", 50 * time.Hour: "2 days ago", 24 * time.Hour: "1 day ago"} {
		if got := (&wording{}).ago(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
