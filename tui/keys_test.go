package tui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// shownOn are functions that bring the bench to each screen with something
// that waits, armed and read to the end.
var shownOn = map[screen]func(b *bench){
	requestScreen:  func(b *bench) { b.ask(command("ls")); b.settle() },
	fullScreen:     func(b *bench) { b.ask(command("ls")); b.settle(); b.key("ctrl+o"); b.settle() },
	saveScreen:     func(b *bench) { b.ask(command("ls")); b.settle(); b.key("a"); b.settle() },
	reasonScreen:   func(b *bench) { b.ask(command("ls")); b.settle(); b.key("tab"); b.settle() },
	sheetScreen:    func(b *bench) { b.ask(command("ls")); b.settle(); b.key("?"); b.settle() },
	smallScreen:    func(b *bench) { b.ask(command("ls")); b.send(tea.WindowSizeMsg{Width: 20, Height: 5}); b.settle() },
	questionScreen: func(b *bench) { b.ask(command("ls")); b.question(choice); b.key("ctrl+n"); b.settle() },
	homeScreen:     func(b *bench) {},
	listScreen:     func(b *bench) { b.ask(command("ls")); b.group(pages()...); b.key("ctrl+n"); b.fill(); b.settle() },
	planScreen:     func(b *bench) { b.ask(command("ls")); b.question(revised); b.key("ctrl+n"); b.settle() },
	editScreen:     func(b *bench) { b.ask(editable("ls")); b.settle(); b.run(b.editHere()); b.run(b.refresh()); b.settle() },
	lineScreen: func(b *bench) {
		b.ask(command("ls"))
		b.question(revised)
		b.key("ctrl+n", "f3")
		b.settle()
	},
}

// editable is a command that the person may edit.
func editable(line string) gate.Prompt {
	p := command(line)
	p.Request.Editable, p.Revise = true, func(e gate.Edit) (gate.Prompt, error) { return command(e.Command), nil }
	return p
}

// settling lists, for each screen that asks something else, the keys that
// settle what is shown, one way or the other. Space, a paste and unknown keys
// never do.
var settling = map[screen][]string{
	questionScreen: {"enter", "esc", "1", "2", "3", "ctrl+c"},
	listScreen:     {"enter", "ctrl+c"}, // Esc asks once more: there are answers
	planScreen:     {"enter", "esc", "1", "2", "3", "ctrl+c"},
	lineScreen:     {},
}

func TestOnlyTheListedKeysSettleQuestions(t *testing.T) {
	t.Parallel()
	for s, want := range settling {
		for _, key := range append(everyKey(), "paste") {
			bubble(t, Options{}, func(b *bench) {
				shownOn[s](b)
				if got := b.screen(); got != s {
					t.Fatalf("screen %d, want %d\n%s", got, s, b.text())
				}
				b.queue.current().asked = true // as if it had been read
				b.run(b.refresh())
				b.settle()
				if key == "paste" {
					b.send(tea.PasteMsg{Content: "1\ny\n"})
				} else {
					b.key(key)
				}
				b.drain()
				if settled := len(b.replies)+len(b.groups) > 0; settled != slices.Contains(want, key) {
					t.Errorf("on screen %d the key %q settles: %v\n%s", s, key, settled, b.text())
				}
			})
		}
	}
}

// Before the arming nothing settles, whatever is pressed.
func TestNothingSettlesBeforeTheArming(t *testing.T) {
	t.Parallel()
	for _, s := range []screen{questionScreen, listScreen, planScreen} {
		for _, key := range everyKey() {
			if key == "ctrl+c" { // refuses everything, at any time
				continue
			}
			bubble(t, Options{}, func(b *bench) {
				shownOn[s](b)
				b.send(tea.WindowSizeMsg{Width: 90, Height: 30}) // looks different: not armed
				b.key(key)
				if len(b.replies)+len(b.groups) > 0 {
					t.Errorf("on screen %d the key %q settles before the arming", s, key)
				}
			})
		}
	}
}

// allowing lists, for each screen, the keys that allow the request that is
// shown. No other key does, on any screen (APR-30).
var allowing = map[screen][]string{
	requestScreen: {"y", "s", "t", "m", "enter", "ctrl+enter", "ctrl+q"},
	fullScreen:    {"y", "s", "t", "m", "enter", "ctrl+enter", "ctrl+q"},
	saveScreen:    {"enter"},
	reasonScreen:  {"ctrl+enter", "ctrl+q", "enter"},
}

func everyKey() []string {
	keys := []string{"enter", "esc", "tab", "shift+tab", "space", "backspace", "delete", "up", "down", "left", "right", "home", "end",
		"pgup", "pgdown", "f1", "f2", "f5", "insert", "ctrl+enter", "shift+enter", "alt+enter", "alt+y", "alt+a", "é", "日"}
	for r := '!'; r <= '~'; r++ {
		keys = append(keys, string(r))
	}
	for r := 'a'; r <= 'z'; r++ {
		keys = append(keys, "ctrl+"+string(r))
	}
	return keys
}

func TestOnlyTheListedKeysAllow(t *testing.T) {
	t.Parallel()
	for s, show := range shownOn {
		for _, key := range everyKey() {
			bubble(t, Options{}, func(b *bench) {
				show(b)
				if got := b.screen(); got != s {
					t.Fatalf("screen %d, want %d\n%s", got, s, b.text())
				}
				b.key(key)
				if allowed, want := b.allowed(), slices.Contains(allowing[s], key); allowed != want {
					t.Errorf("on screen %d the key %q allows: %v, want %v", s, key, allowed, want)
				}
			})
		}
	}
}

// allowed reports whether any request was allowed.
func (b *bench) allowed() bool {
	for _, answers := range b.answers {
		for _, a := range answers {
			if a.Decision != gate.Refuse && a.Decision != gate.CancelTurn {
				return true
			}
		}
	}
	return false
}

// With the list no letter allows, on any screen (TAM-20).
func TestOnlyTheListedKeysAllowWithTheList(t *testing.T) {
	t.Parallel()
	for _, s := range []screen{requestScreen, fullScreen, reasonScreen, editScreen} {
		for _, key := range everyKey() {
			bubble(t, Options{AnswerKeys: AnswerList}, func(b *bench) {
				shownOn[s](b)
				if got := b.screen(); got != s {
					t.Fatalf("screen %d, want %d\n%s", got, s, b.text())
				}
				b.key(key)
				want := len([]rune(key)) > 1 && slices.Contains(allowing[s], key)
				if allowed := b.allowed(); allowed != want {
					t.Errorf("on screen %d the key %q allows: %v, want %v", s, key, allowed, want)
				}
			})
		}
	}
}

// What isn't a key never allows, on any screen: pastes, the wheel, the focus,
// sizes, and the click that brings the window to the front, wherever it is
// (APR-30, BEY-02).
func TestOnlyKeysAndMeantClicksAllow(t *testing.T) {
	t.Parallel()
	events := map[string]func(b *bench){
		"pastes": func(b *bench) {
			for _, s := range []string{"y", "\r", "y\ny\n", "1\n", "\x11", ""} {
				b.send(tea.PasteMsg{Content: s})
				b.wait(repeatGap)
			}
		},
		"the wheel": func(b *bench) {
			for y := range b.height {
				b.send(tea.MouseWheelMsg{X: 4, Y: y, Button: tea.MouseWheelDown})
			}
		},
		"sizes": func(b *bench) {
			for w := 20; w < 160; w += 20 {
				b.send(tea.WindowSizeMsg{Width: w, Height: 24})
			}
		},
		"focusing clicks": func(b *bench) {
			for y := range b.height {
				for x := y % 12; x < b.width; x += 12 {
					click := tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}
					b.send(tea.BlurMsg{})
					b.wait(repeatGap)
					if x/12%2 == 0 { // terminals tell of the focus before the click, or after it
						b.send(tea.FocusMsg{})
						b.send(click)
					} else {
						b.send(click)
						b.send(tea.FocusMsg{})
					}
				}
			}
		},
	}
	for s, show := range shownOn {
		for name, f := range events {
			for _, o := range []Options{{Mouse: true}, {Mouse: true, AnswerKeys: AnswerList}} {
				bubble(t, o, func(b *bench) {
					if o.AnswerKeys == AnswerList && (s == saveScreen || s == sheetScreen) {
						return // reached by letters
					}
					show(b)
					f(b)
					b.settle()
					if b.allowed() || len(b.replies)+len(b.groups) > 0 {
						t.Errorf("on screen %d %s answer\n%s", s, name, b.text())
					}
				})
			}
		}
	}
}

// Every binding of every table does what its row says: it is found by its key
// and changes something that can be seen, or settles.
func TestEveryBindingDoesSomething(t *testing.T) {
	t.Parallel()
	long := edit(300)
	for s, show := range shownOn {
		for _, bind := range newKeymap(Options{})[s] {
			for _, key := range bind.keys {
				bubble(t, Options{SetMode: func(gate.Mode) error { return nil }}, func(b *bench) {
					if s == homeScreen {
						for range 60 {
							b.send(Notice{Text: "a line"})
						}
						b.key("pgup")
						b.typing(strings.Repeat("x", map[bool]int{true: 1}[bind.name == "submit"]))
					}
					if s == requestScreen || s == fullScreen {
						b.ask(long)
						b.ask(long)
						for range 60 {
							b.send(Notice{Text: "a line"})
						}
						b.queue.look(1)
						b.settle()
						if s == fullScreen {
							b.key("ctrl+o")
						}
						b.key("pgdown", "pgdown", "K")
						b.queue.current().choice = 3
						b.settle()
						if bind.name == "next-answer" {
							b.queue.current().choice = 0
						}
						b.refresh()
					} else if s == questionScreen {
						q := several()
						for len(q.Options) < 9 {
							q.Options = append(q.Options, prompts.Option{Label: "another"})
						}
						q.Text, q.Notes = strings.Repeat("A long question.\n", 40), true
						b.ask(command("ls"))
						b.group(choice, q, choice)
						b.key("ctrl+n", "right", "pgdown", "down")
						b.settle()
					} else if s == listScreen {
						b.send(tea.WindowSizeMsg{Width: 80, Height: 14})
						b.ask(command("ls"))
						b.group(choice, choice, choice, choice, choice, choice, choice, choice)
						b.key("ctrl+n", "right", "right", "right", "right", "right", "right", "right", "right", "pgdown")
						if bind.name == "page-down" {
							b.key("pgup")
						}
						b.settle()
						if bind.name == "next-question" {
							return // it is the last page
						}
					} else if s == planScreen {
						show(b)
						b.key("f3", "x", "enter", "shift+down", "f3", "y", "enter", "]")
						if bind.name == "uncomment" {
							b.key("m")
						}
						b.settle()
						if bind.name == "editor" || bind.name == "option" && key > "3" {
							return // has a test of its own; a plan has three options
						}
						if strings.HasSuffix(bind.name, "-question") {
							return // for a plan among several questions: TestGroupWithDocument
						}
					} else if s == editScreen && bind.name == "editor" {
						return // has a test of its own
					} else if s >= ruleListScreen {
						show(b)
						switch bind.name {
						case "file":
							return // has a test of its own
						case "trust":
							b.rules.pages[0].Offer = &RuleOffer{Lines: []string{"+ x"}, Accept: func() error { return nil }}
						}
					} else if s == sheetScreen && bind.name == "suspend" {
						return // it is said in the notice, which a sheet has no row for
					} else if s == sheetScreen {
						show(b)
						b.key("down")
						b.settle()
					} else {
						show(b)
					}
					before, queue, quit := b.text(), len(b.queue.items), b.quit
					b.key(key)
					b.drain()
					if b.text() == before && len(b.queue.items) == queue && b.quit == quit {
						t.Errorf("screen %d: %s (%q) does nothing on\n%s", s, bind.name, key, before)
					}
				})
			}
		}
	}
}

// The hints and the help sheet are made from the table (style: one table).
func TestHelpListsEveryKey(t *testing.T) {
	for s, show := range shownOn {
		if s == sheetScreen || s == smallScreen || s == saveScreen {
			continue
		}
		bubble(t, Options{}, func(b *bench) {
			show(b)
			text := strings.Join(b.helpRows(b.screen()), "\n")
			for _, bind := range b.keys[s] {
				if bind.when != nil && !bind.when(b.Model) || bind.grants && !b.granting() {
					continue // it means nothing there
				}
				for _, k := range bind.keys {
					if bind.name != "option" && !strings.Contains(text, keyName(k)) {
						t.Errorf("screen %d: the help sheet lacks %q", s, k)
					}
				}
			}
		})
	}
}

func TestKeysCanBeChanged(t *testing.T) {
	bubble(t, Options{Keys: map[string]string{"approve": "ctrl+y f9", "why": "v"}}, func(b *bench) {
		id := b.ask(command("ls"))
		b.settle()
		b.key("ctrl+q")
		b.wantWaiting(id)
		b.key("v")
		b.wantText("Why this is asked")
		b.key("esc")
		b.settle()
		b.key("ctrl+y")
		b.wantAnswer(id, once)
	})
}

func TestCheckKeys(t *testing.T) {
	for _, keys := range []map[string]string{
		{"aprove": "f5"}, {"approve": "esc"}, {"approve": "y"}, {"approve": ""}, {"enter": "f5"}, {"deny": "enter"}, {"cancel": "f5"}, {"no": "x"},
	} {
		if CheckKeys(keys) == nil {
			t.Errorf("%v is accepted", keys)
		}
		m := New(Options{Keys: keys})
		if b, ok := m.keys.find(requestScreen, "esc"); !ok || b.name != "no" {
			t.Errorf("%v: Esc no longer refuses", keys)
		}
	}
	for _, keys := range []map[string]string{{"approve": "f5 ctrl+y", "once": "o"}, {"once": "n", "deny": "y"}} {
		if err := CheckKeys(keys); err != nil {
			t.Errorf("%v: %v", keys, err)
		}
	}
}

// A key that two commands would share is refused, and neither has it: no key
// may approve that the person takes for a no.
func TestSharedKeysAreRefused(t *testing.T) {
	for _, keys := range []map[string]string{{"once": "n"}, {"session": "w"}, {"once": "g", "why": "g"}, {"why": "esc y"}, {"once": "n", "deny": "enter"}} {
		err := CheckKeys(keys)
		if err == nil {
			t.Errorf("%v is accepted", keys)
		}
		m := New(Options{Keys: keys})
		for key, name := range map[string]string{"y": "once", "n": "deny", "w": "why", "g": ""} {
			if b, _ := m.keys.find(requestScreen, key); b.name != name {
				t.Errorf("%v: %q is %q, not %q", keys, key, b.name, name)
			}
		}
	}
	if both := map[string]string{"once": "g", "why": "g"}; KeyConflict(both, "once") == nil || KeyConflict(both, "deny") != nil {
		t.Error("a conflict is laid to the wrong command")
	}
	err := CheckKeys(map[string]string{"once": "n"})
	if want := `"once" and "deny" would both have the key "n"`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TAM-20: with the list, letters go to the composer and arrows answer.
func TestListKeys(t *testing.T) {
	bubble(t, Options{AnswerKeys: AnswerList}, func(b *bench) {
		id := b.ask(command("ls"))
		b.settle()
		b.wantText("Approve", "for this session", "Deny")
		b.key("y")
		b.wantWaiting(id)
		b.wantText("› y", "Deny and send message")
		b.key("backspace", "down")
		b.settle()
		b.key("enter")
		b.wantAnswer(id, gate.Answer{Decision: gate.Session})
	})
}

// find is what a key does on a screen, whatever is shown there.
func (k keymap) find(s screen, key string) (binding, bool) {
	for _, b := range k[s] {
		if slices.Contains(b.keys, key) {
			return b, true
		}
	}
	return binding{}, false
}
