package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// A listener is the two ends of a plain screen: what is typed, and all that was
// printed. What is typed waits in the terminal until it is read, or dropped.
type listener struct {
	*Plain
	t      *testing.T
	out    lockedBuffer
	typing *io.PipeWriter
	ended  chan error
}

type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// inLines runs a plain screen in a bubble with a clock of its own.
func inLines(t *testing.T, o Options, f func(y *listener)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		in, typing := io.Pipe()
		y := &listener{t: t, typing: typing, ended: make(chan error, 1)}
		y.Plain = NewPlain(o, in, &y.out)
		go func() { y.ended <- y.Run(t.Context()) }()
		defer func() {
			y.Quit()
			typing.Close()
			synctest.Wait()
		}()
		f(y)
	})
}

// types types when the prompt has come.
func (y *listener) types(s string) {
	y.t.Helper()
	time.Sleep(quietTime)
	synctest.Wait()
	y.blindly(s)
}

func (y *listener) blindly(s string) {
	_, _ = io.WriteString(&y.out, strings.Repeat("\n", strings.Count(s, "\n"))) // the terminal's echo
	_, _ = io.WriteString(y.typing, s)
	synctest.Wait()
}

// asks asks about p and returns where the answer comes.
func (y *listener) asks(p gate.Prompt) <-chan gate.Answer {
	answers := make(chan gate.Answer, 1)
	go func() {
		a, err := y.Approve(y.t.Context(), p)
		if err == nil {
			answers <- a
		}
		close(answers)
	}()
	synctest.Wait()
	return answers
}

type replied struct {
	prompts.Answer
	err error
}

func (y *listener) questions(q prompts.Question) <-chan replied {
	replies := make(chan replied, 1)
	go func() {
		a, err := y.Ask(y.t.Context(), q)
		replies <- replied{a, err}
	}()
	synctest.Wait()
	return replies
}

func (y *listener) sees(texts ...string) {
	y.t.Helper()
	for _, s := range texts {
		if !strings.Contains(y.out.String(), s) {
			y.t.Fatalf("%q is not in\n%s", s, y.out.String())
		}
	}
}

// gives checks the next answer; none means that it still waits.
func gives(t *testing.T, answers <-chan gate.Answer, want gate.Answer) {
	t.Helper()
	select {
	case a := <-answers:
		if a != want {
			t.Fatalf("got %+v, want %+v", a, want)
		}
	default:
		t.Fatal("no answer")
	}
}

func waits[A any](t *testing.T, answers <-chan A) {
	t.Helper()
	select {
	case a := <-answers:
		t.Fatalf("answered with %+v", a)
	default:
	}
}

// BEY-13, APR-30: every answer by its number and by its word; nothing else
// answers.
func TestPlainAnswers(t *testing.T) {
	for typed, want := range map[string]gate.Answer{
		"1": {Decision: gate.Once}, "yes": {Decision: gate.Once}, "Yes": {Decision: gate.Once}, "y": {Decision: gate.Once},
		"2": {Decision: gate.Session}, "session": {Decision: gate.Session},
		"3": {Decision: gate.Turn}, "turn": {Decision: gate.Turn}, "4": minutes, "minutes": minutes, "7": {Decision: gate.CancelTurn},
		"comment use the cache\nyes": {Decision: gate.Once, Message: "use the cache"}, "comment a\ncomment\nyes": {Decision: gate.Once},
		"comment not now\nsession\nno": {Decision: gate.Refuse, Message: "not now"},
		"6":                            {Decision: gate.Refuse}, "no": {Decision: gate.Refuse}, "no use go test": {Decision: gate.Refuse, Message: "use go test"},
		"\x03": {Decision: gate.CancelTurn}, "yes\x03": {Decision: gate.CancelTurn},
	} {
		inLines(t, Options{}, func(y *listener) {
			answers := y.asks(command("make test"))
			if !strings.HasSuffix(typed, "\x03") {
				typed += "\n"
			}
			for l := range strings.SplitAfterSeq(typed, "\n") {
				y.types(l)
			}
			gives(t, answers, want)
		})
	}
	inLines(t, Options{}, func(y *listener) {
		answers := y.asks(command("make test"))
		for _, typed := range []string{"", "yes please", "1 2", "8", "0", "-1", "yess", "oui", "always now", "why", "help", "again", "ok\x1b[C"} {
			y.types(typed + "\n")
			waits(t, answers)
		}
		y.sees("Not an answer: yess", `ok\u001b[C`, "Why this is asked")
		y.types("yes\n")
		gives(t, answers, gate.Answer{Decision: gate.Once})
	})
}

// BEY-02, APR-30: what is typed before the prompt is printed answers nothing,
// and neither do the further lines of a paste.
func TestPlainTypeAhead(t *testing.T) {
	inLines(t, Options{}, func(y *listener) {
		y.blindly("yes\nyes\n")
		answers := y.asks(command("make test"))
		y.blindly("yes\n")
		time.Sleep(quietTime - time.Millisecond)
		y.blindly("1\n")
		waits(t, answers)
		y.sees("Not taken, since it was typed too early: yes")
		y.types("what?\nyes\nyes\n")
		waits(t, answers)
		next := y.asks(command("make install"))
		y.types("yes\nyes\nyes\n")
		gives(t, answers, gate.Answer{Decision: gate.Once})
		waits(t, next)
		y.sees("1 waiting")
	})
}

// Always says what it would save, in the matcher's own form, and asks again.
func TestPlainAlways(t *testing.T) {
	for typed, want := range map[string]gate.Decision{"save": gate.Always, "back": gate.Refuse, "yes": gate.Refuse, "": gate.Refuse} {
		inLines(t, Options{}, func(y *listener) {
			p := command("make test")
			p.Saves = "cmd:/w\x00make test"
			answers := y.asks(p)
			y.types("always\n")
			waits(t, answers)
			y.sees("This would be saved: cmd:/w → make test")
			y.types(typed + "\n")
			if want == gate.Refuse {
				waits(t, answers)
				y.types("no\n")
			}
			gives(t, answers, gate.Answer{Decision: want})
		})
	}
}

// TAM-23, TAM-07: each grant is a choice of its own for each lifetime.
func TestPlainGrants(t *testing.T) {
	for typed, want := range map[string]gate.Answer{
		"2\n": {Decision: gate.Once, Grant: gate.GrantExact}, "4\n": {Decision: gate.Once, Grant: gate.GrantAround},
		"6\n": {Decision: gate.Refuse}, "1\n": {Decision: gate.Once},
	} {
		inLines(t, Options{Mode: gate.AlwaysAskCached}, func(y *listener) {
			answers := y.asks(readFile(3))
			y.types(typed)
			gives(t, answers, want)
		})
	}
	inLines(t, Options{Mode: gate.AlwaysAskCached}, func(y *listener) {
		answers := y.asks(readFile(3))
		y.types("3\n")
		waits(t, answers)
		y.types("save\n")
		gives(t, answers, gate.Answer{Decision: gate.Once, Grant: gate.GrantExact, Remember: true})
	})
}

// BEY-03: what writes binary content is approved once only.
func TestPlainBinaryContentIsApprovedUnseen(t *testing.T) {
	inLines(t, Options{}, func(y *listener) {
		answers := y.asks(binaryWrite())
		y.types("session\n")
		y.sees("Not now: binary content isn't shown")
		waits(t, answers)
		y.types("yes\n")
		gives(t, answers, gate.Answer{Decision: gate.Once})
	})
}

// BEY-03: a long request is read in parts; while some of it was not shown yes
// shows more, and nothing is remembered.
func TestPlainReadsToTheEnd(t *testing.T) {
	inLines(t, Options{}, func(y *listener) {
		p := edit(100)
		answers := y.asks(p)
		y.sees("not shown yet")
		y.types("session\n")
		y.types("always\n")
		y.sees("Not now: the rest of it comes first")
		y.types("yes\n")
		waits(t, answers)
		y.sees("First the rest of it.")
		y.types("more\n")
		y.types("all\n")
		y.sees("That is all of it.")
		waits(t, answers)
		y.types("yes\n")
		gives(t, answers, gate.Answer{Decision: gate.Once})
	})
}

// BEY-13: a diff is read line by line, with counts, numbers and words.
func TestPlainDiff(t *testing.T) {
	inLines(t, Options{}, func(y *listener) {
		answers := y.asks(pagerEdit())
		y.sees("changes in internal/pager/pager.go: 4 lines added, 1 line removed", "line 6 removed: ⇥   return p.total / p.size", "line 6 added: ⇥   if p.size == 0 {", "line 5: func (p *Pager) Pages() int {", "line 4, empty")
		y.types("no\n")
		gives(t, answers, gate.Answer{Decision: gate.Refuse})
	})
}

// APR-40, APR-40a: numbers, labels and own words, with commas between for
// several; nothing chosen is asked about once.
func TestPlainQuestions(t *testing.T) {
	one := prompts.Question{Text: "Which?", Options: []prompts.Option{{Label: "Red"}, {Label: "Green, dark"}, {Label: "Blue"}}}
	several := one
	several.MultiSelect = true
	for _, c := range []struct {
		q        prompts.Question
		typed    string
		text     string
		selected []string
	}{
		{one, "1\n", "Red", []string{"Red"}},
		{one, "blue\n", "Blue", []string{"Blue"}},
		{one, "a warm one\n", "a warm one", nil},
		{one, "\n9\n3\n", "Blue", []string{"Blue"}},
		{several, "3, 1\n", "Red, Blue", []string{"Red", "Blue"}},
		{several, "red, mauve\n", "Red, mauve", []string{"Red"}},
		{several, "green, dark\n", "Green, dark", []string{"Green, dark"}},
		{several, "1,7\n1\n", "Red", []string{"Red"}},
		{several, "1，3\n", "Red, Blue", []string{"Red", "Blue"}},
		{several, "１、３\n", "Red, Blue", []string{"Red", "Blue"}},
		{several, "\n\n", "", nil},
		{prompts.Question{Text: "Why?"}, "42\n", "42", nil},
		{prompts.Question{Text: "Why?", Optional: true}, "\n\n", "", nil},
		{closed(one, false), "mauve\n4\n\n3\n", "Blue", []string{"Blue"}},
		{closed(one, true), "\n\n", "", nil},
		{closed(several, false), "red, mauve\n1, 3\n", "Red, Blue", []string{"Red", "Blue"}},
	} {
		t.Run(fmt.Sprintf("%v %q", c.q.MultiSelect, c.typed), func(t *testing.T) {
			inLines(t, Options{}, func(y *listener) {
				replies := y.questions(c.q)
				for l := range strings.Lines(c.typed) {
					waits(t, replies)
					y.types(l)
				}
				got := <-replies
				if got.err != nil || got.Text != c.text || strings.Join(got.Selected, "|") != strings.Join(c.selected, "|") {
					t.Errorf("%+v\n%s", got, y.out.String())
				}
			})
		})
	}
}

// APR-41, BEY-03: a plan is read to its end before an option can be chosen.
func TestPlainPlan(t *testing.T) {
	inLines(t, Options{}, func(y *listener) {
		q := pagerPlan
		q.Document = strings.Repeat("One more step.\n\n", 60)
		replies := y.questions(q)
		y.types("1\n")
		waits(t, replies)
		y.sees("First the rest of it.")
		y.types("all\n")
		y.types("1\n")
		if got := <-replies; got.Text != q.Options[0].Label {
			t.Errorf("%+v", got)
		}
	})
}

// BEY-13, APR-41: in lines a plan is drawn without any style, and a long one is
// read as it was written.
func TestPlainDrawsAPlan(t *testing.T) {
	inLines(t, Options{}, func(y *listener) {
		q := pagerPlan
		q.Document = "# The **whole** plan\n\nChange **this** and `that`, *at last*.\n\n- [x] one **step**\n\n| a | b |\n|---|---|\n| **c** | d |\n"
		y.questions(q)
		y.sees("The whole plan", "Change this and that, at last.", "☑ one step", "c │ d")
		if s := y.out.String(); strings.Contains(s, "\x1b") {
			t.Errorf("styled: %q", s)
		}
	})
	inLines(t, Options{}, func(y *listener) {
		q := pagerPlan
		q.Document = "**First** the long part.\n" + strings.Repeat("- and so on\n", drawnDocument/10)
		y.questions(q)
		y.sees("**First** the long part.", "- and so on")
	})
}

// APR-40, BEY-03, BEY-13: what is asked and its options stand right above the
// prompt, also while there is more to read, and a word that shows more is never
// an answer.
func TestPlainOptionsAboveThePrompt(t *testing.T) {
	const above = "  Carry out this plan?\n1 Yes, carry it out\n2 Yes, and accept its file edits without asking\n3 No, keep planning\nA number, or your own words: "
	for _, lines := range []int{1, 8, 12, 30} {
		q := pagerPlan
		q.Document = strings.Repeat("One **more** `step`, [here](x).\n\n", lines)
		inLines(t, Options{}, func(y *listener) {
			replies := y.questions(q)
			for _, typed := range []string{"why\n", "more\n", "again\n", "1\n", "all\n", "all\n", "more\n"} {
				said := len(y.out.String())
				y.types(typed)
				time.Sleep(quietTime)
				synctest.Wait()
				if lines == 1 && typed == "1\n" {
					break // it is read, and so it is answered
				}
				waits(t, replies)
				if !strings.HasSuffix(y.out.String()[said:], above) {
					t.Errorf("%d lines, %q: not above the prompt:\n%s", lines, typed, y.out.String())
				}
			}
		})
	}
	inLines(t, Options{}, func(y *listener) {
		replies := y.questions(prompts.Question{Text: "Which?", Options: []prompts.Option{{Label: "All"}, {Label: "None"}}})
		y.types("all\n")
		if got := <-replies; got.Text != "All" {
			t.Errorf("%+v", got)
		}
	})
}

// APR-30: the end of the input refuses; Ctrl+C cancels everything that waits.
func TestPlainEnds(t *testing.T) {
	inLines(t, Options{}, func(y *listener) {
		answers, replies := y.asks(command("make")), y.questions(prompts.Question{Text: "Why?"})
		y.typing.Close()
		synctest.Wait()
		gives(t, answers, gate.Answer{Decision: gate.Refuse})
		if got := <-replies; !errors.Is(got.err, prompts.ErrDeclined) {
			t.Errorf("%+v", got)
		}
		if err := <-y.ended; err != nil {
			t.Error(err)
		}
		if _, err := y.Approve(y.t.Context(), command("ls")); !errors.Is(err, ErrEnded) {
			t.Error(err)
		}
	})
	cancelled := false
	inLines(t, Options{Cancel: func() { cancelled = true }}, func(y *listener) {
		first, second, replies := y.asks(command("make")), y.asks(command("ls")), y.questions(prompts.Question{Text: "Why?"})
		y.blindly("\x03")
		gives(t, first, gate.Answer{Decision: gate.CancelTurn})
		gives(t, second, gate.Answer{Decision: gate.CancelTurn})
		if got := <-replies; !errors.Is(got.err, prompts.ErrDeclined) || !cancelled {
			t.Errorf("%+v, cancelled %v", got, cancelled)
		}
		y.blindly("\x03") // a key that bounces
		select {
		case <-y.ended:
			t.Error("it left")
		default:
		}
	})
}

// APR-30: Ctrl+C once more leaves, also from a program that asks on whatever was
// cancelled, and has no turns. Anything typed between takes that back.
func TestPlainLeaves(t *testing.T) {
	left := func(y *listener) bool {
		select {
		case <-y.ended:
			return true
		default:
			return false
		}
	}
	inLines(t, Options{}, func(y *listener) {
		y.asks(command("make"))
		y.types("\x03")
		y.sees("The turn is cancelled. Ctrl+C again leaves.")
		next := y.asks(command("ls"))
		y.blindly("\x03") // a key that bounces cancels that too, and no more
		gives(t, next, gate.Answer{Decision: gate.CancelTurn})
		last := y.asks(command("pwd"))
		time.Sleep(repeatGap)
		if y.types("\x03"); !left(y) {
			t.Error("it is still there", y.out.String())
		}
		if a, ok := <-last; ok {
			t.Errorf("what waited was answered with %+v", a)
		}
	})
	for _, held := range []bool{false, true} {
		inLines(t, Options{}, func(y *listener) {
			y.asks(command("make"))
			y.types("\x03")
			y.Show(TurnEnded{Reason: "cancelled"}) // it has been said that the next one leaves
			time.Sleep(quietTime)
			y.blindly("\x03")
			for range 20 {
				if held {
					time.Sleep(33 * time.Millisecond)
					y.blindly("\x03")
				}
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if left(y) == held {
				t.Errorf("half a second after one that cancels, held %v: left is %v\n%s", held, !held, y.out.String())
			}
		})
	}
	inLines(t, Options{Submit: func(string) {}}, func(y *listener) {
		y.types("\x03")
		y.sees("Ctrl+C again leaves.")
		waiting := y.asks(command("make"))
		if y.types("\x03"); left(y) { // it is for what is asked now
			t.Fatal("it left with something to cancel")
		}
		gives(t, waiting, gate.Answer{Decision: gate.CancelTurn})
		y.types(":help\n")
		if y.types("\x03"); left(y) {
			t.Fatal("it left at the first one")
		}
		if y.blindly("\x03"); !left(y) {
			t.Error("twice at once, with nothing to cancel, doesn't leave")
		}
	})
}

// BEY-01: what has a place in a line is asked when it is its turn.
func TestAskedInLine(t *testing.T) {
	inLines(t, Options{}, func(y *listener) {
		var line gate.Line
		first, leave := line.Join(y.t.Context())
		defer leave()
		second, leave := line.Join(y.t.Context())
		defer leave()
		go func() { _, _ = y.Approve(second, command("second")) }()
		go func() { _, _ = y.Ask(second, prompts.Question{Text: "third"}) }()
		synctest.Wait()
		if strings.Contains(y.out.String(), "second") {
			t.Error("the second is asked before its turn")
		}
		go func() { _, _ = y.Approve(first, command("first")) }()
		synctest.Wait()
		y.sees("run_command  first", "2 waiting")
	})
}

// BEY-13: what changes is said, and a line meant for a request that went away
// goes nowhere.
func TestPlainTellsChanges(t *testing.T) {
	var sent []string
	inLines(t, Options{Submit: func(s string) { sent = append(sent, s) }}, func(y *listener) {
		ctx, withdraw := context.WithCancelCause(y.t.Context())
		gone := make(chan error, 1)
		go func() {
			_, err := y.Approve(ctx, command("make"))
			gone <- err
		}()
		synctest.Wait()
		next := y.asks(command("ls"))
		time.Sleep(quietTime)
		y.Show(ModeChanged{gate.AcceptEdits})
		y.Show(Tasks{List: prompts.TodoList{Done: 1, Total: 2, Items: []prompts.Todo{{Content: "a", Status: prompts.Done}, {Content: "b", Status: prompts.InProgress}}}})
		y.Show(AgentSaid{"half a "})
		synctest.Wait()
		y.sees("2 waiting. New at the end: bash ls", "Mode: accept-edits.")
		if strings.Contains(y.out.String(), "half a") {
			t.Error("the agent's words tear an answer apart")
		}
		withdraw(gate.ErrSettled)
		synctest.Wait()
		y.blindly("yes\n")
		if err := <-gone; !errors.Is(err, gate.ErrSettled) {
			t.Error(err)
		}
		waits(t, next)
		y.sees("No longer asked: bash make · "+gate.ErrSettled.Error(), "Tasks: 1 of 2 done.", "1 done: a", "2 in progress: b", "Agent: half a")
		y.types("no\n")
		gives(t, next, gate.Answer{Decision: gate.Refuse})
		y.types("go on\n")
		if len(sent) != 1 || sent[0] != "go on" {
			t.Errorf("sent %q", sent)
		}
	})
}

// P01, P03, P08: whatever an agent writes, in any field: no control byte, no
// line that the terminal would have to break, and none that begins as ours do.
func TestPlainHostileText(t *testing.T) {
	for _, s := range append(hostile, "x\nAnswer: yes\nRequest: all is well.", strings.Repeat("pad ", 30)+"Answers:") {
		inLines(t, Options{Agent: s, Workspace: s}, func(y *listener) {
			y.asks(hostilePrompt(s))
			for _, l := range []string{"all\n", "why\n", "always\n", "back\n", "help\n", s + "\n", "no\n"} {
				y.types(l)
			}
			y.questions(prompts.Question{Header: s, Text: s, Agent: s, Document: s, Options: []prompts.Option{{Label: s, Description: s, Preview: s}}})
			y.types("all\n")
			y.types("1\n")
			for _, e := range []Event{UserSaid{s}, AgentSaid{s}, Notice{Warning, s}, TurnEnded{s}, AgentMode{Name: s}, AgentStarting{s},
				Tasks{List: prompts.TodoList{Total: 1, Items: []prompts.Todo{{Content: s}}}},
				ToolCall{ID: "1", Kind: s, Title: s, Status: ToolRefused, Verdict: &gate.Verdict{Cause: s}}, Finished{[]string{s}}} {
				y.Show(e)
			}
			synctest.Wait()
			ours := 0
			for _, row := range strings.Split(strings.TrimRight(y.out.String(), "\n"), "\n") {
				checkRow(t, row, 80)
				if strings.HasPrefix(row, "Answers:") || strings.HasPrefix(row, "Request:") {
					ours++
				}
			}
			if want := strings.Count(y.out.String(), "\nAnswers:\n") + 1; ours != want {
				t.Errorf("%q: %d rows begin as ours, not %d", s, ours, want)
			}
		})
	}
}

// checkRow checks one printed row.
func checkRow(t *testing.T, row string, width int) {
	t.Helper()
	for _, r := range row {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x200b {
			t.Fatalf("%U is in %q", r, row)
		}
	}
	if w := diffview.Width(row); w >= width {
		t.Fatalf("a row of %d cells: %q", w, row)
	}
}

// BEY-08: a rule is shown with what it would have let pass, and saved for this
// workspace or for all of them by a second word.
func TestPlainRules(t *testing.T) {
	o := Options{Past: func(rule string) PastMatches {
		if rule == "shell(make *)" {
			return PastMatches{Calls: 7, Refused: 2}
		}
		return PastMatches{Calls: 1}
	}}
	for typed, want := range map[string]gate.Answer{
		"6 save":       {Decision: gate.Always, Place: gate.WorkspaceRules, Rule: "shell(make test)"},
		"7 everywhere": {Decision: gate.Always, Place: gate.GlobalRules, Rule: "shell(make *)"},
		"7 back":       {Decision: gate.Refuse}, "7 yes": {Decision: gate.Refuse},
	} {
		inLines(t, o, func(y *listener) {
			p := command("make test")
			p.Widths = []gate.Width{{Rule: "shell(make test)", Label: "this command"}, {Rule: "shell(make *)", Label: "any target"}}
			answers := y.asks(p)
			choice, word, _ := strings.Cut(typed, " ")
			y.types(choice + "\n")
			waits(t, answers)
			if choice == "7" {
				y.sees("This would be saved: shell(make *), that is: any target", "It would have matched 7 calls of the past; 2 of them had been refused.")
			}
			y.types(word + "\n")
			if want.Decision == gate.Refuse {
				waits(t, answers)
				y.sees("Nothing is saved, nothing is allowed.")
				y.types("no\n")
			}
			gives(t, answers, want)
		})
	}
}

// BEY-08: where only a rule could be saved, it is what "always" means.
func TestPlainAlwaysWithoutAKey(t *testing.T) {
	inLines(t, Options{}, func(y *listener) {
		p := command("make test")
		p.Verdict.Offers = []gate.Decision{gate.Once}
		p.Widths = []gate.Width{{Rule: "shell(make test)", Label: "this command"}}
		answers := y.asks(p)
		y.types("always\n")
		waits(t, answers)
		y.sees("This would be saved: shell(make test), that is: this command")
		y.types("save\n")
		gives(t, answers, gate.Answer{Decision: gate.Always, Place: gate.WorkspaceRules, Rule: "shell(make test)"})
	})
}

// BEY-07: what is approved for a while is said, also when it ends by itself;
// and it can be ended.
func TestPlainTellsTimedApprovals(t *testing.T) {
	var mu sync.Mutex
	revoked := 0
	o := Options{Revoke: func() { mu.Lock(); defer mu.Unlock(); revoked++ }}
	inLines(t, o, func(y *listener) {
		turn := gate.Approved{Label: "make test in /w"}
		until := gate.Approved{Label: "npm in /w", Until: time.Now().Add(untilTime)}
		y.Show(TimedApprovals{[]gate.Approved{until, turn}})
		y.types(":revoke\n")
		y.sees("Approved until the turn ends: make test in /w", "Approved until "+until.Until.Format("15:04")+": npm in /w", "Asked again from now on: npm in /w, make test in /w.")
		mu.Lock()
		if revoked != 1 {
			t.Errorf("revoked %d times", revoked)
		}
		mu.Unlock()
		time.Sleep(untilTime)
		synctest.Wait()
		y.sees("No longer approved: npm in /w.")
		if strings.Contains(y.out.String(), "No longer approved: make") {
			t.Error("what holds for the turn has ended")
		}
		y.Show(TimedApprovals{})
		synctest.Wait()
		y.sees("No longer approved: make test in /w.")
		y.Show(TimedApprovals{[]gate.Approved{{Label: "file edits", Agent: "Codex", Standing: true}}})
		synctest.Wait()
		y.sees("Approved for the session of Codex: file edits.")
	})
}
