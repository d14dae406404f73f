package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// readFile is a request to read a file in a folder of so many entries, which
// may be granted.
func readFile(entries int) gate.Prompt {
	p := command("")
	p.Request.Tool, p.Request.Kind, p.Request.Targets = "read", gate.NoKind, []string{"src/a.go"}
	p.Request.Key, p.Request.KeyLabel, p.Saves = "", "", ""
	p.Request.Declared.Tier = gate.Read
	p.Verdict.Offers = []gate.Decision{gate.Once}
	p.Verdict.Reason = "no rule matches, and mode always-ask-cached asks"
	around := gate.GrantOffer{Scope: gate.GrantAround, Targets: []gate.GrantTarget{{Kind: gate.GrantFolder, Path: "/w/src", Tier: gate.Read}}, Label: "files directly in /w/src to read"}
	for i := range min(entries, 24) {
		around.Entries = append(around.Entries, fmt.Sprintf("file%02d.go", i))
	}
	if entries > 2 {
		around.Entries[2] = "lib/"
	}
	around.More = max(0, entries-24)
	p.Grants = []gate.GrantOffer{around,
		{Scope: gate.GrantExact, Targets: []gate.GrantTarget{{Kind: gate.GrantFile, Path: "/w/src/a.go", Tier: gate.Read}}, Label: "/w/src/a.go to read"}}
	p.CanSave = true
	return p
}

// TAM-07, TAM-20: each key gives its answer; this call only is highlighted at
// first, and is what the approve key means whatever is highlighted.
func TestGrantKeys(t *testing.T) {
	exact, around := gate.Answer{Decision: gate.Once, Grant: gate.GrantExact}, gate.Answer{Decision: gate.Once, Grant: gate.GrantAround}
	saved := func(a gate.Answer) gate.Answer { a.Remember = true; return a }
	rows := []struct {
		keys string
		list bool
		want gate.Answer
	}{
		{"y", false, once}, {"s", false, exact}, {"f", false, around}, {"n", false, gate.Answer{}},
		{"r s", false, saved(exact)}, {"r f", false, saved(around)}, {"r y", false, once}, {"r ctrl+enter", false, once}, {"r wait r s", false, exact},
		{"enter", false, once}, {"up enter", false, exact}, {"up up enter", false, around}, {"up up up up ctrl+q", false, once}, {"down enter", false, gate.Answer{}},
		{"enter", true, once}, {"up enter", true, exact}, {"up up enter", true, around}, {"esc", true, gate.Answer{}},
		{"up up up enter wait down enter", true, saved(around)}, {"up up up enter wait enter wait down down enter", true, exact},
	}
	for _, row := range rows {
		o := Options{Mode: gate.AlwaysAskCached}
		if row.list {
			o.AnswerKeys = AnswerList
		}
		t.Run(row.keys, func(t *testing.T) {
			bubble(t, o, func(b *bench) {
				id := b.ask(readFile(3))
				b.settle()
				for _, k := range strings.Fields(row.keys) {
					if k == "wait" {
						b.settle()
						continue
					}
					b.wantWaiting(id)
					b.key(k)
				}
				b.wantAnswer(id, row.want)
			})
		})
	}
}

// TAM-07: the labels name the folder and switch with the toggle.
func TestGrantLabels(t *testing.T) {
	bubble(t, Options{AnswerKeys: AnswerList}, func(b *bench) {
		b.ask(readFile(3))
		b.settle()
		b.wantText("[ ] Remember across sessions", "Approve Directory: /w/src", "  Approve File", "▸ Approve Once", "Deny")
		b.wantNoText("for this session")
		b.key("up", "up", "up", "enter")
		b.wantText("▸ [x] Remember across sessions", "Always Approve Directory: /w/src", "Always Approve File", "  Approve Once")
	})
	bubble(t, Options{}, func(b *bench) {
		b.ask(readFile(3))
		b.settle()
		b.wantText("r [ ] remember across sessions", "f directory: /w/src", "s file", "▸ y once", "n no")
		b.key("r")
		b.wantText("r [x] remember across sessions", "f always directory: /w/src", "s always file")
		b.key("q")
		b.wantText("▸ Enter deny and send message")
	})
	rows := []struct {
		kinds []gate.GrantKind
		want  string
	}{
		{[]gate.GrantKind{gate.GrantFile, gate.GrantFile}, "Approve Files"}, {[]gate.GrantKind{gate.GrantURL}, "Approve"},
		{[]gate.GrantKind{gate.GrantTree, gate.GrantFolder}, "Approve"}, {[]gate.GrantKind{gate.GrantFolder}, "Approve"},
		{[]gate.GrantKind{gate.GrantFile, gate.GrantURL}, "Approve"},
	}
	for _, row := range rows {
		var targets []gate.GrantTarget
		for _, k := range row.kinds {
			targets = append(targets, gate.GrantTarget{Kind: k, Path: "/x"})
		}
		if _, got := exactLabels(targets, &wording{}); got != row.want {
			t.Errorf("%v: %q, want %q", row.kinds, got, row.want)
		}
	}
}

// TAM-07: a few entries of the folder in the dock, all that are known when
// everything is shown, the rest as a count.
func TestGrantEntries(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		b.ask(readFile(30))
		b.settle()
		b.wantText("files directly in /w/src to read", "/w/src/a.go to read", "file00.go  file01.go  lib/", "file05.go  and 24 more")
		b.wantNoText("file06.go")
		b.key("ctrl+o")
		b.settle()
		b.wantText("file23.go", "and 6 more")
		b.wantNoText("file24.go")
		b.key("esc")
		b.settle()
		b.wantNoText("file06.go")
	})
}

// TAM-11: where no store or no folder is offered there is no such answer, and
// where no grants are, their keys are letters.
func TestGrantsThatAreNotOffered(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		p := readFile(3)
		p.CanSave, p.Grants = false, p.Grants[1:]
		id := b.ask(p)
		b.settle()
		b.wantNoText("remember")
		b.wantText("▸ y once")
		b.key("f")
		b.wantWaiting(id)
		b.wantText("no one directory holds")
		b.key("a")
		b.wantWaiting(id)
		if b.over != noSheet {
			t.Error("a sheet opened")
		}
		b.settle()
		b.key("r")
		b.settle()
		b.key("s")
		b.wantAnswer(id, gate.Answer{Decision: gate.Once, Grant: gate.GrantExact})
		for _, k := range []string{"f", "r"} {
			id := b.ask(command("ls"))
			b.settle()
			b.key(k)
			b.wantWaiting(id)
			if got := b.field().value(); got != k {
				t.Errorf("%s wrote %q", k, got)
			}
			b.key("backspace")
			b.settle()
			b.key("y")
		}
	})
}

// APR-30, TAM-20, BEY-03: grants wait for the arming, a word that begins with
// their letter is a message, and they are given after reading to the end.
func TestGrantsWait(t *testing.T) {
	for _, k := range []string{"f", "s", "r", "enter"} {
		bubble(t, Options{}, func(b *bench) {
			id := b.ask(readFile(3))
			b.key(k)
			b.wantWaiting(id)
			b.wantText("came too early")
			if b.queue.current().remember {
				t.Errorf("%s flipped the toggle", k)
			}
		})
	}
	for _, text := range []string{"first read it", "read less", "stop"} {
		bubble(t, Options{}, func(b *bench) {
			id := b.ask(readFile(3))
			b.settle()
			b.typing(text)
			b.wantWaiting(id)
			if got := b.field().value(); got != text || b.queue.current().remember {
				t.Errorf("the draft is %q", got)
			}
		})
	}
	for _, k := range []string{"f", "s"} {
		bubble(t, Options{}, func(b *bench) {
			p := readFile(3)
			p.Request.Diff = edit(300).Request.Diff
			id := b.ask(p)
			b.settle()
			b.key(k)
			b.wantWaiting(id)
			b.wantText("the rest of it comes first", "after the rest also: f directory, s file")
		})
	}
}

// TAM-07: a narrow screen has every answer, and none allows what another says.
func TestGrantsOnANarrowScreen(t *testing.T) {
	for _, width := range []int{30, 40, 59} {
		for _, o := range []Options{{}, {AnswerKeys: AnswerList}} {
			bubble(t, o, func(b *bench) {
				b.send(tea.WindowSizeMsg{Width: width, Height: 34})
				id := b.ask(readFile(3))
				b.settle()
				if o.AnswerKeys == AnswerList {
					b.wantText("[ ] Remember", "Folder", "File", "Approve Once", "Deny")
				} else {
					b.wantText("r [ ] save", "f folder", "s file", "y once", "n no")
				}
				checkFrame(t, b)
				b.key("up", "up", "enter")
				b.wantAnswer(id, gate.Answer{Decision: gate.Once, Grant: gate.GrantAround})
			})
		}
	}
	// The smallest screen takes answers too, once all was read.
	bubble(t, Options{}, func(b *bench) {
		b.send(tea.WindowSizeMsg{Width: minWidth, Height: minHeight})
		p := readFile(0)
		id := b.ask(p)
		b.queue.current().seen = 1000
		b.settle()
		b.wantText("r [ ] save", "f folder", "s file", "y once", "n no")
		b.key("s")
		b.wantAnswer(id, gate.Answer{Decision: gate.Once, Grant: gate.GrantExact})
	})
}

// BEY-03: the rows of the two views differ, so that rows read in one don't
// count as others in the other.
func TestGrantViewsAreReadApart(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		p := readFile(24)
		p.Request.Diff = edit(300).Request.Diff
		b.ask(p)
		b.settle()
		b.key("ctrl+o")
		b.settle()
		b.key("pgdown")
		b.settle()
		b.key("esc")
		b.settle()
		if w := b.queue.current(); w.seen != w.end() {
			t.Errorf("%d rows count as read, %d were shown", w.seen, w.end())
		}
	})
}

// APR-30: no other key than these allows or grants.
func TestOnlyTheListedKeysGrant(t *testing.T) {
	want := map[string]gate.GrantScope{"y": 0, "enter": 0, "ctrl+enter": 0, "ctrl+q": 0, "s": gate.GrantExact, "f": gate.GrantAround}
	for _, key := range everyKey() {
		bubble(t, Options{}, func(b *bench) {
			id := b.ask(readFile(3))
			b.settle()
			b.key(key)
			for _, a := range b.answers[id] {
				if scope, ok := want[key]; a.Decision != gate.Refuse && a.Decision != gate.CancelTurn && (!ok || a.Grant != scope || a.Remember) {
					t.Errorf("%q answers %+v", key, a)
				}
			}
		})
	}
}

// BEY-01, TAM-07: for an agent's hook, whose session ends with the request, the same
// is granted as in a session, but only for good; the card says so, and no switch
// pretends that there is a choice.
func TestGrantsOfAHook(t *testing.T) {
	for keys, want := range map[string]gate.Answer{
		"y": once, "s": {Decision: gate.Once, Grant: gate.GrantExact, Remember: true}, "f": {Decision: gate.Once, Grant: gate.GrantAround, Remember: true},
		"enter": once, "up enter": {Decision: gate.Once, Grant: gate.GrantExact, Remember: true}, "r wait s": {Decision: gate.Once, Grant: gate.GrantExact, Remember: true},
	} {
		bubble(t, Options{Mode: gate.AlwaysAskCached}, func(b *bench) {
			p := readFile(3)
			p.Brief = true
			id := b.ask(p)
			b.settle()
			b.wantText("s always file", "f always directory", "the hook ends with this request; only what is saved lasts")
			b.wantNoText("remember across sessions")
			for k := range strings.FieldsSeq(keys) {
				if b.settle(); k != "wait" {
					b.key(k)
				}
			}
			b.wantAnswer(id, want)
		})
	}
	bubble(t, Options{}, func(b *bench) {
		p := command("ls")
		p.Brief, p.Verdict.Offers, p.Request.Origin.Session = true, []gate.Decision{gate.Once, gate.Always}, ""
		b.ask(p)
		b.settle()
		b.wantText("s session: the agent doesn't say which session it is")
	})
}

// A program of one's own may offer a grant that covers nothing.
func TestGrantOfNothing(t *testing.T) {
	for _, width := range []int{40, 80} {
		bubble(t, Options{Mode: gate.AlwaysAskCached}, func(b *bench) {
			p := readFile(0)
			p.Grants = []gate.GrantOffer{{Scope: gate.GrantExact}, {Scope: gate.GrantAround}}
			id := b.ask(p)
			b.send(tea.WindowSizeMsg{Width: width, Height: 24})
			b.settle()
			b.key("y")
			b.wantAnswer(id, once)
		})
	}
}
