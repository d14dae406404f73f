package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// types is somebody who types without a pause.
func (b *bench) types(s string) {
	for _, r := range s {
		b.typing(string(r))
		b.wait(100 * time.Millisecond)
	}
}

// wantSubmitted checks what went to the agent as prompts.
func (b *bench) wantSubmitted(want ...string) {
	b.t.Helper()
	b.drain()
	b.note(func() {
		if !slices.Equal(b.submitted, want) {
			b.t.Fatalf("sent %q, want %q\n%s", b.submitted, want, b.text())
		}
	})
}

// asking puts something before the person that needs an answer.
var asking = map[string]func(b *bench) uint64{
	"request": func(b *bench) uint64 { return b.ask(command("make install")) },
	"edit":    func(b *bench) uint64 { return b.ask(edit(3)) },
	"question": func(b *bench) uint64 {
		return b.question(choice)
	},
	"closed question": func(b *bench) uint64 { return b.question(closed(choice, false)) },
	"open question":   func(b *bench) uint64 { return b.question(prompts.Question{Text: "Which name?"}) },
	"several":         func(b *bench) uint64 { return b.question(several()) },
	"plan":            func(b *bench) uint64 { return b.question(pagerPlan) },
	"pages":           func(b *bench) uint64 { return b.group(choice, choice) },
}

func (b *bench) wantUndecided(id uint64) {
	b.t.Helper()
	b.drain()
	if len(b.answers[id]) > 0 || len(b.replies[id]) > 0 || len(b.groups[id]) > 0 {
		b.t.Fatalf("decided: %v %v %v\n%s", b.answers[id], b.replies[id], b.groups[id], b.text())
	}
}

// APR-30, TAM-20, TAM-21: somebody types the next prompt, and goes on when
// something is asked. All of it is the prompt, and the Enter behind it sends it;
// nothing is decided, however long they type.
func TestTypingGoesOn(t *testing.T) {
	for name, ask := range asking {
		for _, keys := range []AnswerKeys{AnswerLetters, AnswerList} {
			for _, height := range []int{24, 12} {
				t.Run(name, func(t *testing.T) {
					bubble(t, Options{AnswerKeys: keys}, func(b *bench) {
						b.send(tea.WindowSizeMsg{Width: 80, Height: height})
						b.send(TurnStarted{})
						b.types("also up")
						id := ask(b)
						b.types("date 1 space, yes")
						b.wantText("next prompt › also update 1 space, yes")
						b.types(" no and more of it; n")
						b.key("backspace", "enter")
						b.wantUndecided(id)
						b.wantSubmitted("also update 1 space, yes no and more of it;")
						b.wantNoText("next prompt ›")
						b.settle()
						b.wantUndecided(id)
						b.wantNoText("kept for later")
					})
				})
			}
		}
	}
}

// What was begun before is set aside after a pause: it is no reason and no
// answer, the Enter that was meant for it answers nothing, and it comes back
// when nothing waits.
func TestUnfinishedPromptIsSetAside(t *testing.T) {
	for name, ask := range asking {
		t.Run(name, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				b.types("also up")
				id := ask(b)
				b.types("date")
				b.settle()
				b.wantText("kept for later: also update")
				b.key("enter")
				b.wantUndecided(id)
				b.wantText("an arrow key chooses")
				b.send(tea.WindowSizeMsg{Width: 100, Height: 40})
				b.settle()
				b.wantText("kept for later: also update")
				b.send(Withdraw{ID: id})
				b.wantText("› also update")
				b.types(" it")
				b.key("enter")
				b.wantSubmitted("also update it")
			})
		})
	}
	bubble(t, Options{}, func(b *bench) {
		b.types("also")
		one, two := b.ask(command("one")), b.ask(command("two"))
		b.settle()
		b.wantNoText("▸")
		b.key("down") // shows what is highlighted
		b.wantText("▸ y once")
		b.key("enter")
		b.wantAnswer(one, once)
		b.key("y") // too early, and not a part of the prompt
		b.wantText("y came too early", "kept for later: also")
		b.settle()
		b.key("enter") // nothing was typed since
		b.wantAnswer(two, once)
		b.wantText("› also")
	})
	bubble(t, Options{}, func(b *bench) {
		b.types("also")
		id := b.question(choice)
		b.settle()
		b.key("up", "enter")
		b.wantReply(id, ans("red", "red"), nil)
		b.wantText("› also")
	})
}

// The Enter that answered the last request doesn't send what comes back.
func TestPromptComesBackUnsent(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.types("also")
		b.ask(command("one"))
		b.settle()
		b.key("y", "enter")
		b.wantSubmitted()
		b.wantText("› also", "Enter came too early")
		b.key("!", "enter")
		b.wantSubmitted("also!")
	})
}

// TAM-21: what is typed on a request that takes answers is a reason, and has
// nothing of the prompt in it. Ctrl+C clears it first, and then cancels.
func TestReasonBesideAPrompt(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.types("a stray w")
		one := b.ask(command("one"))
		b.settle()
		b.types("not that")
		b.wantText("kept for later: a stray w", "› not that", "deny and send message")
		b.key("ctrl+c")
		b.wantNoText("not that")
		b.wantWaiting(one)
		b.types("use make")
		b.key("enter")
		b.wantAnswer(one, gate.Answer{Decision: gate.Refuse, Message: "use make"})
		b.wantText("› a stray w")

		b.wait(steerTime)
		two := b.ask(command("two"))
		b.settle()
		b.key("ctrl+c")
		b.wantAnswer(two, gate.Answer{Decision: gate.CancelTurn})
		b.key("ctrl+c") // it doesn't clear what is just back
		if got := b.composer.value(); got != "a stray w" {
			t.Errorf("the prompt is %q", got)
		}
	})
}

// A reason that was begun isn't lost with its request, and doesn't refuse the
// next one.
func TestReasonOutlivesItsRequest(t *testing.T) {
	for _, line := range []bool{false, true} {
		bubble(t, Options{}, func(b *bench) {
			one, two := b.ask(command("one")), b.ask(command("two"))
			b.settle()
			if line {
				b.key("tab")
			}
			b.types("no, use ma")
			b.send(Withdraw{ID: one})
			b.types("ke")
			b.key("enter")
			b.wantWaiting(two)
			b.wantSubmitted("no, use make")
		})
	}
	client := &Client{Agent: "codex"}
	bubble(t, Options{Several: true}, func(b *bench) {
		for id := range uint64(2) {
			b.send(Approval{ID: id + 1, From: client, Prompt: command("make"), Answer: func(a gate.Answer) { b.note(func() { b.answers[id+1] = append(b.answers[id+1], a) }) }})
		}
		b.settle()
		b.types("no, use ma")
		b.send(Withdraw{ID: 1})
		b.wantText("Not sent: no, use ma")
		b.types("ke it so")
		b.key("enter")
		b.wantWaiting(2)
	})
}

// Each request has a reason of its own.
func TestReasonStaysWithItsRequest(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.ask(command("one"))
		b.ask(command("two"))
		b.settle()
		b.types("not that")
		b.key("ctrl+n")
		b.wantNoText("not that")
		b.key("ctrl+p")
		b.wantText("› not that")
	})
}

// A paste that began before what is asked belongs to the prompt, however long
// it takes, and Enter right behind it answers nothing.
func TestPasteGoesOn(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.types("see ")
		b.send(tea.PasteStartMsg{})
		id := b.ask(command("ls"))
		b.settle()
		b.wantNoText("kept for later")
		b.send(tea.PasteMsg{Content: "y\nthat"})
		b.send(tea.PasteEndMsg{})
		b.wait(400 * time.Millisecond)
		b.key("enter")
		b.wantWaiting(id)
		b.wantSubmitted("see y\nthat")
		b.settle()
		b.key("y")
		b.wantAnswer(id, once)
	})
}

// A change of what is asked under the typing decides nothing either, and what is
// written keeps its place.
func TestRenewalUnderTyping(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.types("also up")
		id := b.ask(command("ls"))
		b.types("dat")
		p := command("ls")
		p.Renewal, p.Verdict.Reason = 1, "a new rule"
		b.send(Renewal{ID: id, Prompt: p})
		b.types("e it")
		b.key("enter")
		b.wantWaiting(id)
		b.wantSubmitted("also update it")
		b.settle()
		// A reason that is being written when it changes: Enter comes too early.
		b.types("because ")
		p.Renewal = 2
		b.send(Renewal{ID: id, Prompt: p})
		b.types(strings.Repeat("of it ", 5))
		b.key("enter")
		b.wantWaiting(id)
		b.wantText("Enter came too early")
		b.settle()
		b.key("enter")
		b.wantAnswer(id, gate.Answer{Decision: gate.Refuse, Message: "because " + strings.TrimSpace(strings.Repeat("of it ", 5)), Renewal: 2})
	})
}

// TAM-20: the comment that Tab opens goes with the highlighted answer, which
// stands before the line; Tab changes it, and that has to be seen first.
func TestCommentGoesWithTheHighlightedAnswer(t *testing.T) {
	agree, refuse := gate.Answer{Decision: gate.Once, Message: "why not"}, gate.Answer{Decision: gate.Refuse, Message: "why not"}
	for _, row := range []struct {
		keys, says string
		want       gate.Answer
	}{
		{"tab", "yes, and ›", agree},
		{"right tab", "no, because ›", refuse}, // session takes no comment
		{"left right right right tab", "no, because ›", refuse},
		{"tab tab", "no, because ›", refuse},
		{"right right right tab tab", "yes, and ›", agree},
	} {
		bubble(t, Options{}, func(b *bench) {
			id := b.ask(command("ls"))
			b.settle()
			b.key(strings.Fields(row.keys)...)
			b.wantText(row.says)
			b.key("enter") // too early
			b.wantWaiting(id)
			b.typing("why not")
			b.settle()
			b.wantText(row.says)
			b.key("enter")
			b.wantAnswer(id, row.want)
		})
	}
	bubble(t, Options{}, func(b *bench) { // a prompt was set aside: nothing is highlighted
		b.typing("also")
		b.ask(command("ls"))
		b.settle()
		b.key("tab")
		b.wantText("no, because ›")
		b.settle()
		b.key("tab", "enter")
		b.wantWaiting(b.last)
	})
}

// APR-30, APR-40a: any key that chooses says that the person answers now: Enter
// answers behind it, although a prompt was set aside. Until then the last row
// doesn't say that it does.
func TestChoosingEndsTheDoubt(t *testing.T) {
	for key, want := range map[string]prompts.Answer{
		"1":     ans("red", "red"),
		"space": ans("red", "red"),
	} {
		bubble(t, Options{}, func(b *bench) {
			b.send(TurnStarted{})
			b.types("also add docs")
			id := b.question(several())
			b.settle()
			b.wantNoText("Enter answer")
			b.key("enter")
			b.wantUndecided(id)
			b.wantText("kept for later; an arrow key")
			b.wait(repeatGap)
			b.key(key)
			b.wantText("Enter answer")
			b.wait(repeatGap)
			b.key("enter")
			b.wantReply(id, want, nil)
		})
	}
	bubble(t, Options{}, func(b *bench) { // digits that begin a word choose nothing
		b.send(TurnStarted{})
		b.types("also add docs")
		b.question(several())
		b.settle()
		b.send(press("1"))
		b.send(press("s"))
		b.wantText("Enter answer") // words do
		b.wait(repeatGap)
		b.key("backspace", "backspace", "enter")
		b.wantText("kept for later; an arrow key")
	})
}
