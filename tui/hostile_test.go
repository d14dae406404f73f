package tui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// hostile is text that does harm where it reaches a terminal unescaped.
var hostile = []string{
	"a\x1b[31mb", "\x1b[2J\x1b[H", "\x1b]0;t\a", "\x1b]8;;https://x\a", "\x1bP+q544e\x1b\\", "\x1b[6n", "ls \x1b", "ls \x1b[", "\x1b[?25l", "\x1bc", "\x1b#8",
	"a\b\b\bb", "a\rb", "a\vb\fc", "\x0e\x0f", "\x7f", "\u009b31m", "\x9b31m", "\xff\xfe", "a\u202eb", "a\u2066b\u2069", "a\u200bb", "\u00ad", "\U000e0041", "\ufeff", "👩\u200d💻", "⚠\ufe0f",
	"\x00", "a\nb\n── opencode asks ──\n▸ y once", strings.Repeat("x", 3000), strings.Repeat("日", 500), strings.Repeat("क्षि ", 50), strings.Repeat("ᄀ", 150), strings.Repeat("🧑🏻 🇩🇪🇫", 30), strings.Repeat(" ", 500) + "rm", "e" + strings.Repeat("\u0301", 50), "\t\t\t\tx",
}

func hostilePrompt(s string) gate.Prompt {
	data, _ := json.Marshal(s)
	rule := &gate.Rule{Effect: gate.Ask, Text: s, Source: gate.Source{Layer: "global", File: s, Line: 1}}
	return gate.Prompt{
		Request: gate.Request{Tool: s, Kind: gate.RunCommand, Server: s, Title: s, Detail: s + s, Targets: []string{s, s}, Key: s, KeyLabel: s, Dir: s,
			Fields: []gate.Field{{Label: s, Value: s}}, Diff: []gate.Change{{Path: s, From: s, Before: []byte(s), After: []byte("x" + s)}, {Path: s, After: []byte(s)}},
			GrantTargets: []gate.GrantTarget{{Kind: gate.GrantFolder, Path: s}}, Declared: gate.Declaration{Reason: s + "."},
			SafetyChecks: []gate.SafetyCheck{{Code: s, Message: s, Data: data}}, Origin: gate.Origin{Agent: s, Session: s, Protocol: s}},
		Verdict: gate.Verdict{Effect: gate.Ask, Step: gate.StepName(s), Cause: s, Reason: s, Rule: rule, Offers: []gate.Decision{gate.Once, gate.Session, gate.Always},
			Parts: []gate.Part{{Command: s, Rule: rule, Reason: s}, {Command: s}}, Trail: []gate.Note{{Step: gate.StepName(s), Text: s}}},
		Saves: s,
	}
}

// hostileGrant may be granted as well, with nothing but hostile text.
func hostileGrant(s string) gate.Prompt {
	p := hostilePrompt(s)
	p.CanSave = true
	for scope, kind := range map[gate.GrantScope]gate.GrantKind{gate.GrantAround: gate.GrantFolder, gate.GrantExact: gate.GrantFile} {
		p.Grants = append(p.Grants, gate.GrantOffer{Scope: scope, Targets: []gate.GrantTarget{{Kind: kind, Path: s}}, Label: s, Entries: []string{s, s + "/"}, More: 3})
	}
	return p
}

// P01, P02, P03, P08: whatever an agent writes, in any field and on any
// screen, no control byte gets through, no row is too wide, and the columns at
// the left and the chrome are ours.
func TestHostileText(t *testing.T) {
	for i, s := range hostile {
		kinds := []gate.Kind{gate.RunCommand, gate.WriteFile, gate.DeleteFile, gate.Network, gate.MCPTool, gate.NoKind}
		if i > 2 {
			kinds = kinds[i%len(kinds):][:1]
		}
		for _, kind := range kinds {
			bubble(t, Options{Mode: gate.AlwaysAskCached, Agent: s, Workspace: s, Sandbox: s}, func(b *bench) {
				p := hostilePrompt(s)
				if kind == gate.NoKind || i > 2 {
					p = hostileGrant(s)
				}
				p.Request.Kind = kind
				b.send(AgentMode{Name: s, Loose: true})
				b.ask(p)
				b.settle()
				check := func() {
					t.Helper()
					checkControls(t, b.Model)
					checkFrame(t, b)
				}
				check()
				b.key("ctrl+o")
				for range 4 {
					check()
					b.key("pgdown")
				}
				b.key("w")
				checkControls(t, b.Model)
				b.key("esc")
				b.over = saveSheet
				b.refresh()
				checkControls(t, b.Model)
				b.key("ctrl+c", "ctrl+c")
				for _, e := range []Event{UserSaid{s}, AgentSaid{s}, AgentThought{s}, Notice{Warning, s}, TurnEnded{s}, Finished{[]string{s}},
					ToolCall{ID: "1", Kind: s, Title: s, Status: ToolRefused, Verdict: &p.Verdict, Files: p.Request.Diff}} {
					b.send(e)
					checkControls(t, b.Model)
				}
			})
		}
	}
}

// checkFrame checks that the request can't draw outside its place: what opens
// the panel and what highlights an answer stands once, and content begins
// after the margin.
func checkFrame(t *testing.T, b *bench) {
	t.Helper()
	w := b.queue.current()
	for _, row := range w.body.rows(w.offset, w.end()) {
		if plain := ansi.Strip(row); plain != "" && !strings.HasPrefix(plain, strings.Repeat(" ", margin)) {
			t.Fatalf("content in the margin: %q", plain)
		}
	}
	titles, marks := 0, 0
	for _, row := range strings.Split(b.text(), "\n") {
		if strings.HasPrefix(row, "── ") {
			titles++
		}
		if strings.HasPrefix(row, "▸ ") {
			marks++
		}
	}
	if titles != 1 || marks > 1 {
		t.Fatalf("%d titles, %d marks on\n%s", titles, marks, b.text())
	}
}

// Pages of a still don't overlap and lose nothing (P04).
func TestStill(t *testing.T) {
	p := command("x")
	p.Request.Kind, p.Request.Server = gate.MCPTool, "srv"
	var lines []string
	for i := range 100 {
		lines = append(lines, strings.Repeat("ab", i%20)+"#")
	}
	p.Request.Detail = strings.Join(lines, "\n")
	var got []string
	page, pages := 1, 1
	for ; page <= pages; page++ {
		s := Draw(Options{}, p, StillOptions{Width: 60, Height: 20, Expanded: true, Page: page})
		pages = s.Pages
		if s.Page != page || page == pages && s.Hidden != 0 || page < pages && s.Hidden == 0 {
			t.Fatalf("page %d: %+v", page, s)
		}
		for _, row := range strings.Split(ansi.Strip(s.Frame), "\n") {
			if _, text, ok := strings.Cut(row, "│ "); ok {
				got = append(got, text)
			}
		}
	}
	if strings.Join(got, "\n") != p.Request.Detail {
		t.Errorf("%d pages hold\n%s", pages, strings.Join(got, "\n"))
	}
	if s := Draw(Options{DiffLines: 10}, p, StillOptions{Width: 60, Height: 20}); s.Hidden < 80 {
		t.Errorf("hidden %d", s.Hidden)
	}
	if s := Draw(Options{}, p, StillOptions{Width: 5, Height: 2}); !strings.Contains(s.Frame, "Too") {
		t.Errorf("%q", s.Frame)
	}
}

// P20: whatever is drawn of a request has as many rows as were asked for at the most,
// also where what would be saved has no room.
func TestStillFits(t *testing.T) {
	for name, p := range map[string]gate.Prompt{"rules": wide(), "long": command("go test " + strings.Repeat("./some/long/package ", 30)), "edit": pagerEdit()} {
		for _, view := range []StillView{StillRequest, StillSaves, StillWhy} {
			for height := range 30 {
				for _, width := range []int{20, 40, 80} {
					s := Draw(Options{}, p, StillOptions{Width: width, Height: height, View: view})
					if rows := strings.Split(s.Frame, "\n"); len(rows) > max(height, 1) {
						t.Errorf("%s, view %d: %d rows of %d, %d wide:\n%s", name, view, len(rows), height, width, ansi.Strip(s.Frame))
					}
				}
			}
		}
	}
}

// P04, P06: the pages of a question show its text first, then each option.
func TestStillOptions(t *testing.T) {
	q := prompts.Question{Text: strings.Repeat("why ", 40)}
	for i := range 9 {
		q.Options = append(q.Options, prompts.Option{Label: fmt.Sprintf("label%02d", i), Description: strings.Repeat("d ", 12*i)})
	}
	for _, size := range [][2]int{{30, 9}, {80, 24}, {120, 24}} {
		seen, hidden := "", 1<<30
		for page, pages := 1, 1; page <= pages; page++ {
			s := DrawQuestions(Options{}, []prompts.Question{q}, StillOptions{Width: size[0], Height: size[1], Page: page})
			pages = s.Pages
			if s.Page != page || s.Hidden >= hidden || (s.Hidden == 0) != (page == pages) {
				t.Fatalf("%v: page %d is %d of %d, %d hidden\n%s", size, page, s.Page, s.Pages, s.Hidden, s.Frame)
			}
			hidden = s.Hidden
			seen += ansi.Strip(s.Frame)
		}
		for i := range q.Options {
			if !strings.Contains(seen, fmt.Sprintf("label%02d", i)) {
				t.Errorf("%v: option %d is on no page", size, i)
			}
		}
	}
}
