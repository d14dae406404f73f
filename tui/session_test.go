package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// checkControls checks that a frame holds no control byte but ours (P01), and
// no row that is too wide.
func checkControls(t *testing.T, m *Model) {
	t.Helper()
	if err := controls(m.View(), m.width); err != nil {
		t.Fatal(err)
	}
}

func controls(v tea.View, width int) error {
	rest := sgr.ReplaceAllString(v.Content, "")
	for _, s := range append(strings.Split(rest, "\n"), v.WindowTitle) {
		for _, r := range s {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x200b {
				return fmt.Errorf("%U is on the screen: %q", r, s)
			}
		}
	}
	for _, row := range strings.Split(v.Content, "\n") {
		if w := max(ansi.StringWidth(row), ansi.StringWidthWc(row)); w > width {
			return fmt.Errorf("a row of %d cells on a screen of %d: %q", w, width, ansi.Strip(row))
		}
	}
	return nil
}

func TestAnswersOfARequest(t *testing.T) {
	refuse := func(m string) gate.Answer { return gate.Answer{Decision: gate.Refuse, Message: m} }
	tests := map[string]gate.Answer{
		"y":                          once,
		"enter":                      once,
		"ctrl+enter":                 once,
		"ctrl+q":                     once,
		"s":                          {Decision: gate.Session},
		"right enter":                {Decision: gate.Session},
		"n":                          refuse(""),
		"d":                          refuse(""),
		"esc":                        refuse(""),
		"down down down enter":       refuse(""),
		"a wait enter":               {Decision: gate.Always},
		"a wait esc wait n":          refuse(""),
		"down down enter wait enter": {Decision: gate.Always},
		"tab wait o k enter":         {Decision: gate.Once, Message: "ok"},
		"tab tab wait b a d enter":   refuse("bad"),
		"tab wait o k ctrl+q":        {Decision: gate.Once, Message: "ok"},
		"tab x esc wait y":           once,
		"h e l l o enter":            refuse("hello"),
		"h ctrl+c wait y":            once,
		"ctrl+c":                     {Decision: gate.CancelTurn},
	}
	for keys, want := range tests {
		t.Run(keys, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				id := b.ask(command("ls"))
				b.settle()
				for _, k := range strings.Fields(keys) {
					if k == "wait" {
						b.settle()
						continue
					}
					b.wantWaiting(id)
					b.key(k)
				}
				b.wantAnswer(id, want)
			})
		})
	}
}

// P20: what would be saved is shown whole, in the matcher's own form, before
// the key that saves it.
func TestAlwaysShowsWhatItSaves(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		line := "go test " + strings.Repeat("./some/long/package ", 6) + "-run X"
		id := b.ask(command(line))
		b.settle()
		b.key("a")
		b.wantWaiting(id)
		flat := strings.Join(strings.Fields(b.text()), "")
		if want := strings.Join(strings.Fields("will be saved shell("+line+")"), ""); !strings.Contains(flat, want) {
			t.Errorf("the rule isn't shown whole:\n%s", b.text())
		}
		b.wantText("will be saved", "exactly this command", "Esc back")
	})
}

// What is too long to be shown whole can't be saved.
func TestAlwaysThatDoesNotFit(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		p := command("ls")
		p.Saves = strings.Repeat("x", 3000)
		id := b.ask(p)
		b.settle()
		b.key("a")
		b.wantText("too small to show", "run_command  ls")
		b.settle()
		b.key("enter")
		b.wantAnswer(id, once)
	})
}

// Only what is offered can be answered, and the screen says why (APR-15).
func TestAnswersThatAreNotOffered(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		p := command("rm -rf /")
		p.Verdict.Forced = true
		p.Verdict.Offers = []gate.Decision{gate.Once}
		id := b.ask(p)
		b.settle()
		b.wantText("only once: this is asked each time")
		b.wantNoText("a always")
		b.key("s", "a")
		b.wantWaiting(id)
		if b.over != noSheet {
			t.Error("the line of a opened")
		}
		b.key("right", "right") // over what is off to no
		b.key("enter")
		b.wantAnswer(id, gate.Answer{})
	})
	bubble(t, Options{}, func(b *bench) {
		p := command("ls")
		p.Verdict.Offers = nil
		id := b.ask(p)
		b.settle()
		b.key("y", "s", "a", "enter", "ctrl+q")
		b.wantWaiting(id)
	})
}

// TAM-21: a draft makes the answer "Deny and send message"; it is sent to all
// that waits, and to what the same batch still asks.
func TestDraft(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		one, two := b.ask(command("one")), b.ask(command("two"))
		q := b.question(choice)
		b.settle()
		b.typing("use make")
		b.wantText("▸ Enter deny and send message", "› use make")
		// With a draft, letters and arrows edit it.
		b.key("y", "left", "backspace", "e", "right", "backspace", "space", "i", "t")
		b.wantWaiting(one)
		b.key("enter")
		want := gate.Answer{Decision: gate.Refuse, Message: "use make it"}
		if got := b.answers[one]; len(got) == 1 {
			want.Message = got[0].Message
		}
		b.wantAnswer(one, want)
		b.wantAnswer(two, want)
		if len(b.replies[q]) > 0 {
			t.Error("the question was answered too")
		}
		three := b.ask(command("three"))
		b.wantAnswer(three, want)
		b.send(AgentSaid{"All right."})
		four := b.ask(command("four"))
		b.wantWaiting(four)
	})
	bubble(t, Options{}, func(b *bench) {
		b.ask(command("one"))
		b.settle()
		b.typing("x")
		b.key("enter")
		b.wait(steerTime + time.Millisecond)
		b.wantWaiting(b.ask(command("two")))
	})
}

func TestHome(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.typing("do it")
		b.key("shift+enter")
		b.typing("now")
		b.key("enter")
		b.drain()
		if len(b.submitted) != 1 || b.submitted[0] != "do it\nnow" {
			t.Fatalf("submitted %q", b.submitted)
		}
		b.send(UserSaid{"do it\nnow"})
		if n := strings.Count(b.text(), "do it"); n != 1 {
			t.Errorf("the prompt is shown %d times", n)
		}
		b.send(TurnStarted{})
		b.key("ctrl+c")
		b.drain()
		if b.cancels != 1 || b.quit {
			t.Fatalf("cancels %d, quit %v", b.cancels, b.quit)
		}
		b.send(TurnEnded{Reason: "cancelled"})
		b.key("ctrl+c")
		b.wantText("ctrl+c again leaves")
		b.wait(leaveTime)
		b.key("ctrl+c")
		if b.quit {
			t.Fatal("left after the time was over")
		}
		b.key("ctrl+c")
		b.drain()
		if !b.quit {
			t.Error("not left")
		}
	})
	bubble(t, Options{}, func(b *bench) {
		b.key("ctrl+d")
		b.drain()
		if !b.quit {
			t.Error("Ctrl+D doesn't leave")
		}
	})
}

func TestMode(t *testing.T) {
	fail := errors.New("bypass needs a sandbox\x1b[2J")
	var got []gate.Mode
	o := Options{Mode: gate.Default, SetMode: func(m gate.Mode) error {
		got = append(got, m)
		if m == gate.Auto {
			return fail
		}
		return nil
	}}
	bubble(t, o, func(b *bench) {
		b.key("shift+tab")
		b.wantText("accept edits")
		b.key("shift+tab")
		b.wantText("accept edits", "needs a sandbox")
		checkControls(t, b.Model)
		b.send(ModeChanged{gate.Yolo})
		b.wantText("yolo", "no sandbox")
		// Only from the top level: it could settle what waits.
		b.ask(command("ls"))
		b.settle()
		b.key("shift+tab")
		if len(got) != 2 {
			t.Errorf("modes %v were set", got)
		}
		b.send(AgentMode{Name: "bypassPermissions", Loose: true})
		b.wantText("asks nothing")
	})
}

// What is shown never changes under the cursor; withdrawing says so.
func TestQueue(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		one, two, three := b.ask(command("one")), b.ask(command("two")), b.ask(command("three"))
		b.settle()
		b.key("ctrl+n")
		b.wantText("2 of 3", "run_command  two")
		b.send(Withdraw{ID: one, Why: "an allow rule was added"})
		b.wantText("1 of 2", "run_command  two")
		b.ask(command("four"))
		b.wantText("1 of 3", "run_command  two")
		b.settle()
		b.key("y")
		b.wantAnswer(two, once)
		b.wantText("run_command  three")
		b.send(Withdraw{ID: three})
		b.send(Withdraw{ID: three})
		b.wantText("run_command  four")
		if len(b.answers[one])+len(b.answers[three]) > 0 {
			t.Error("a withdrawn request was answered")
		}
	})
}

// The last diff of a request that is gone is dropped.
func TestStaleMessagesAreDropped(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(diffsMsg{id: 7})
		b.send(callDiffMsg{id: "x"})
		b.send(armMsg{serial: 99})
		b.send(paintedMsg{frame: 99})
		b.send(forgetMsg{serial: 9})
		b.send(Withdraw{ID: 9})
		if b.arming.armed {
			t.Error("a stale message armed")
		}
	})
}

func TestTitleAndStatus(t *testing.T) {
	bubble(t, Options{Workspace: "a\x1b]0;b\x07"}, func(b *bench) {
		checkControls(t, b.Model)
		b.ask(command("ls"))
		v := b.View()
		if v.WindowTitle != "[!] approval waiting" || v.ProgramStatus.State != tea.ProgramStateBlocked {
			t.Errorf("title %q, status %v", v.WindowTitle, v.ProgramStatus)
		}
		b.send(quitMsg{})
		if v := b.View(); v.WindowTitle != "" || v.ProgramStatus.State != tea.ProgramStateIdle {
			t.Errorf("at the end: title %q, status %v", v.WindowTitle, v.ProgramStatus)
		}
	})
}

// APR-43: the checklist stands beside a wide transcript and folds on a narrow
// screen.
func TestTasks(t *testing.T) {
	list := prompts.TodoList{Done: 1, Total: 3, Items: []prompts.Todo{
		{Content: "find the bug", Status: prompts.Done}, {Content: "fix\x1b it", Status: prompts.InProgress}, {Content: "add a test", Status: prompts.Pending}}}
	bubble(t, Options{}, func(b *bench) {
		b.send(Tasks{List: list})
		b.wantText("1/3 ▸ fix")
		b.wantNoText("find the bug")
		b.send(tea.WindowSizeMsg{Width: 120, Height: 30})
		b.wantText("✓ find the bug", "▸ fix", "○ add a test", "1/3")
		checkControls(t, b.Model)
		b.key("ctrl+t")
		b.wantNoText("find the bug")
		b.key("ctrl+t")
		b.wantText("find the bug")
	})
}

// Refused calls stay with their diff; every call says its cause (BEY-04).
func TestTranscript(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		rule := &gate.Rule{Effect: gate.Deny, Text: "write(*.go)", Source: gate.Source{File: "s.toml", Line: 4}}
		b.send(ToolCall{ID: "1", Kind: "grep", Title: "x", Status: ToolRunning})
		b.send(ToolCall{ID: "1", Status: ToolDone, Verdict: &gate.Verdict{Effect: gate.Allow, Cause: "mode-default"}})
		b.send(ToolCall{ID: "2", Kind: "edit", Title: "a.go", Status: ToolRefused, Verdict: &gate.Verdict{Rule: rule, Message: "not now"},
			Files: []gate.Change{{Path: "a.go", Before: []byte("old\n"), After: []byte("new\n")}}})
		b.drain()
		b.wantText("✓ grep   x", "mode default", "✗ edit   a.go", "deny write(*.go) · s.toml:4", "not now", "- old", "+ new")
		if n := strings.Count(b.text(), "grep"); n != 1 {
			t.Errorf("the call is shown %d times", n)
		}
		b.send(AgentSaid{"Hel"})
		b.send(AgentSaid{"lo"})
		b.wantText("Hello")
		for i := range 100 {
			b.send(Notice{Text: strings.Repeat("n", i+1)})
		}
		b.key("pgup")
		before := b.text()
		b.send(Notice{Text: "new at the end"})
		strip := func(s string) string { return s[:strings.Index(s, "▼")] }
		if strip(b.text()) != strip(before) {
			t.Error("new text moved what is being read")
		}
	})
}

// BEY-04: a rule that only had a person asked isn't what refused or allowed.
func TestTranscriptSaysWhoSettled(t *testing.T) {
	ask := &gate.Rule{Effect: gate.Ask, Text: "shell(git push)", Source: gate.Source{File: "s.toml", Line: 3}}
	for want, v := range map[string]gate.Verdict{
		"user refused · ask shell(git push) · s.toml:3": {Cause: gate.CauseUserRefused, Rule: ask},
		"user once · ask shell(git push) · s.toml:3":    {Effect: gate.Allow, Cause: gate.CauseUserOnce, Rule: ask},
		"cancelled · ask shell(git push) · s.toml:3":    {Cause: gate.CauseCancelled, Rule: ask},
	} {
		bubble(t, Options{}, func(b *bench) {
			b.send(tea.WindowSizeMsg{Width: 160, Height: 40})
			b.send(ToolCall{ID: "1", Kind: "run", Title: "git push", Status: ToolRefused, Verdict: &v})
			b.wantText(want)
			b.wantNoText("deny shell")
			b.wantNoText("allow shell")
		})
	}
}

// The transcript of a long day doesn't keep every file that was written.
func TestTranscriptIsLight(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		v := &gate.Verdict{Effect: gate.Allow, Cause: "mode-default", Trail: make([]gate.Note, 9), Request: gate.Request{Diff: []gate.Change{{Path: "a.go", After: []byte("new\n")}}}}
		b.send(ToolCall{ID: "1", Kind: "edit", Status: ToolRunning, Verdict: v, Files: v.Request.Diff})
		b.send(ToolCall{ID: "1", Status: ToolDone})
		b.send(ToolCall{ID: "2", Kind: "edit", Status: ToolRefused, Verdict: v, Files: v.Request.Diff})
		b.drain()
		b.wantText("+ new", "mode default") // the refused one, and why it ran
		for _, e := range b.Model.transcript.entries {
			if e.call.Files != nil || e.call.Verdict.Request.Diff != nil || e.call.Verdict.Trail != nil {
				t.Errorf("call %s still holds what it does to files", e.call.ID)
			}
		}
		if v.Request.Diff == nil {
			t.Error("the verdict of the sender was changed")
		}
	})
}

func TestViewBeforeASizeAndTwice(t *testing.T) {
	m := New(Options{})
	if v := m.View(); !v.AltScreen {
		t.Error("the first view isn't on the alternate screen")
	}
	m.Update(tea.KeyPressMsg{Code: 'y', Text: "y"})
	m.Update(Approval{ID: 1, Prompt: edit(50), Answer: func(gate.Answer) { t.Error("answered") }})
	m.View()
	for _, show := range shownOn {
		bubble(t, Options{}, func(b *bench) {
			show(b)
			one, two := b.View(), b.View()
			if one.Content != two.Content || *one.ProgramStatus != *two.ProgramStatus {
				t.Error("View changes something")
			}
		})
	}
}

// Resizing to anything at any time neither fails nor draws too wide a row, and
// no key approves where the answers don't fit (P03, P05).
func TestSizes(t *testing.T) {
	bubble(t, Options{Agent: strings.Repeat("agent", 9), Workspace: "/a/b/c", Mode: gate.Yolo}, func(b *bench) {
		id := b.ask(edit(40))
		b.question(plan)
		b.send(AgentSaid{"# x\n\n- " + strings.Repeat("日本", 50)})
		b.send(UserSaid{strings.Repeat("wide ", 60)})
		for range 2 {
			for w := 1; w < 130; w += 7 {
				for h := 1; h < 40; h += 3 {
					b.send(tea.WindowSizeMsg{Width: w, Height: h})
					checkControls(t, b.Model)
					if n := strings.Count(b.View().Content, "\n") + 1; n > h {
						t.Fatalf("%d rows on a screen of %d×%d\n%s", n, w, h, b.text())
					}
				}
			}
			b.key("ctrl+n")
		}
		for _, size := range [][2]int{{1, 1}, {20, 5}, {29, 30}, {80, 5}} {
			b.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			b.settle()
			b.key("y", "enter", "s", "a", "ctrl+q", "ctrl+enter")
			b.wantWaiting(id)
		}
		b.wantText("Too small")
		b.send(tea.WindowSizeMsg{Width: 40, Height: 10})
		b.settle()
		b.wantText("no")
		b.key("n")
		b.wantAnswer(id, gate.Answer{})
	})
}

// A line that was opened for one request isn't there for the next.
func TestSheetsCloseWithTheirRequest(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.ask(command("one"))
		two := b.ask(command("two"))
		b.settle()
		b.key("tab")
		b.settle()
		b.typing("no")
		b.key("enter")
		if b.screen() != requestScreen || !b.reason.empty() {
			t.Fatalf("screen %d, reason %q", b.screen(), b.reason.value())
		}
		b.settle()
		b.key("a")
		b.send(Withdraw{ID: two})
		b.ask(command("three"))
		if b.screen() != requestScreen {
			t.Errorf("screen %d after the request was withdrawn", b.screen())
		}
	})
}

// Where nothing can be written, a paste goes nowhere.
func TestPasteWhereNothingIsWritten(t *testing.T) {
	for _, s := range []screen{saveScreen, sheetScreen, smallScreen} {
		bubble(t, Options{}, func(b *bench) {
			shownOn[s](b)
			b.send(tea.PasteMsg{Content: "x"})
			if !b.composer.empty() {
				t.Errorf("screen %d: the paste became a draft that can't be seen", s)
			}
		})
	}
}

// TAM-07: in the mode that asks for grants, the prompt names what they cover.
func TestGrantsAreNamed(t *testing.T) {
	p := command("")
	p.Request.Kind, p.Request.Tool, p.Request.Targets = gate.NoKind, "read", []string{"src/a.go"}
	p.Request.GrantTargets = []gate.GrantTarget{{Kind: gate.GrantFile, Path: "/w/src/a.go", Tier: gate.Read}, {Kind: gate.GrantFolder, Path: "/w/src", Tier: gate.Read}}
	bubble(t, Options{Mode: gate.AlwaysAskCached}, func(b *bench) {
		b.ask(p)
		b.wantText("covers", "file /w/src/a.go (read)", "folder /w/src (read)")
		b.send(ModeChanged{gate.Default})
		b.wantNoText("folder /w/src")
		// It was drawn anew, so it is read anew.
		b.settle()
		b.key("y")
		b.wantAnswer(b.last, once)
	})
}

// APR-03, TAM-20: the card says what s covers, which in a mode that looks at tiers is
// every such call and not the one that is shown, and doesn't say it as if it were so
// already; the panel that a opens says the same of what lasts a while.
func TestCardSaysWhatSessionCovers(t *testing.T) {
	for _, o := range []Options{{}, {AnswerKeys: AnswerList}} {
		bubble(t, o, func(b *bench) {
			p := command("npm run lint -- --fix ./src/and/a/long/path/to/it")
			p.Session = "every call of bash at tier exec"
			b.ask(p)
			b.settle()
			b.wantText("every call of bash at tier exec")
			b.wantNoText("remembers")
			b.wantNoText("this exact command")
			if o.AnswerKeys == AnswerLetters {
				b.wantText("s covers     every call of bash at tier exec")
				b.key("a", "tab")
				b.wantText("▸ every call of bash at tier exec", "(•) 15 minutes")
			}
		})
	}
	bubble(t, Options{}, func(b *bench) {
		p := command("ls")
		p.Verdict.Offers = []gate.Decision{gate.Once, gate.Always}
		b.ask(p)
		b.settle()
		b.wantNoText("s covers")
	})
}

// BEY-04: w says in a person's words what has a request asked and what would let it
// pass; the names that the log has for steps and causes stay there.
func TestWhyInWords(t *testing.T) {
	why := func(p gate.Prompt) string {
		return strings.Join(whyRows(&p, &theme{wording: newWording("")}, 200), "\n")
	}
	forced := pushCommand()
	ruled := wide()
	ruled.Verdict.Mode = gate.Default
	keyed := command("make > out")
	keyed.Verdict.Offers, keyed.Unruled = []gate.Decision{gate.Once}, "it writes a file by redirection"
	for name, row := range map[string]struct {
		p    gate.Prompt
		want []string
	}{
		"a rule":     {forced, []string{"ask shell(git push *)", "~/.blitz/settings.toml:12", "change that rule, in its file", "blocked files"}},
		"rules fit":  {ruled, []string{"default", "always… lists the rules and approvals", "a mode that asks less"}},
		"no rule":    {keyed, []string{"no rule can allow it: it writes a file by redirection"}},
		"its grants": {readFile(3), []string{"a grant of what it touches"}},
	} {
		got := why(row.p)
		for _, s := range row.want {
			if !strings.Contains(got, s) {
				t.Errorf("%s: no %q in\n%s", name, s, got)
			}
		}
		for _, s := range []string{"tier", "step ", "cause ", "cmd:", "hard-policy", "rule-ask"} {
			if strings.Contains(got, s) {
				t.Errorf("%s: %q in\n%s", name, s, got)
			}
		}
	}
	for _, s := range []gate.StepName{gate.StepValid, gate.StepHardPolicy, gate.StepDeclare, gate.StepDeny, gate.StepForce, gate.StepUnattended, gate.StepPlan, gate.StepAllow,
		gate.StepOpenMode, gate.StepRemembered, gate.StepMode, gate.StepDontAsk, gate.StepReview, gate.StepReach, gate.StepAsk} {
		if w := newWording(""); lookedAt(s, &w) == string(s) && s != gate.StepMode {
			t.Errorf("%s has no words", s)
		}
	}
}
