package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// asks puts a request of one of several agents into the queue.
func (b *bench) asks(from *Client, p gate.Prompt) uint64 {
	b.t.Helper()
	b.last++
	id := b.last
	b.send(Approval{ID: id, From: from, Prompt: p, Answer: func(a gate.Answer) {
		b.note(func() { b.answers[id] = append(b.answers[id], a) })
	}})
	return id
}

// among runs a test with a request of one agent, two of another and one more of
// the first, in this order.
func among(t *testing.T, f func(b *bench, ids [4]uint64, cancelled map[string]int)) {
	t.Helper()
	bubble(t, Options{Several: true, Agent: "desk"}, func(b *bench) {
		cancelled := map[string]int{}
		client := func(name string) *Client {
			return &Client{Agent: name, Workspace: "/w/" + name, Cancel: func() { b.note(func() { cancelled[name]++ }) }}
		}
		one, two := client("one"), client("two")
		ids := [4]uint64{b.asks(one, command("a")), b.asks(two, command("b")), b.asks(two, command("c")), b.asks(one, command("d"))}
		b.settle()
		f(b, ids, cancelled)
	})
}

// Ctrl+C cancels the turn of the agent whose request is shown, and no other
// (APR-30, BEY-01).
func TestCancelOfOneAgent(t *testing.T) {
	among(t, func(b *bench, ids [4]uint64, cancelled map[string]int) {
		b.key("ctrl+c")
		cancel := gate.Answer{Decision: gate.CancelTurn}
		b.wantAnswer(ids[0], cancel)
		b.wantAnswer(ids[3], cancel)
		b.wantWaiting(ids[1])
		b.wantWaiting(ids[2])
		if cancelled["one"] != 1 || cancelled["two"] != 0 {
			t.Errorf("cancelled: %v", cancelled)
		}
		b.settle()
		b.key("y")
		b.wantAnswer(ids[1], once)
	})
}

// A question is cancelled like a request.
func TestCancelOfOneAgentsQuestion(t *testing.T) {
	bubble(t, Options{Several: true}, func(b *bench) {
		from := &Client{Agent: "one"}
		replies := map[string]error{}
		b.send(Question{ID: 1, From: from, Question: prompts.Question{Text: "which?"}, Answer: func(_ prompts.Answer, err error) {
			b.note(func() { replies["one"] = err })
		}})
		b.send(Questions{ID: 2, From: &Client{Agent: "two"}, Questions: []prompts.Question{{Text: "where?"}, {Text: "when?"}}, Answer: func(_ []prompts.Answer, err error) {
			b.note(func() { replies["two"] = err })
		}})
		b.settle()
		b.key("ctrl+c")
		b.drain()
		if len(replies) != 1 || replies["one"] == nil {
			t.Errorf("replies: %v", replies)
		}
	})
}

// A message that refuses goes to the agent whose request is shown, for all that
// it asks, and to no other. What it asks next may be in answer to the message:
// that is asked anew (TAM-21).
func TestMessageToOneAgent(t *testing.T) {
	among(t, func(b *bench, ids [4]uint64, _ map[string]int) {
		one := b.queue.current().from
		b.typing("no way")
		b.key("enter")
		refused := gate.Answer{Decision: gate.Refuse, Message: "no way"}
		b.wantAnswer(ids[0], refused)
		b.wantAnswer(ids[3], refused)
		b.wantWaiting(ids[1])
		two := b.queue.current().from
		b.wantWaiting(b.asks(two, command("e")))
		b.wantWaiting(b.asks(one, command("f")))
		b.settle()
		b.key("y")
		b.wantAnswer(ids[1], once)
	})
}

// What is shown stays while others come and go; the header names its agent, its
// workspace and its mode (BEY-01).
func TestShownStays(t *testing.T) {
	among(t, func(b *bench, ids [4]uint64, _ map[string]int) {
		b.wantText("one · /w/one", "always ask", "1 of 4", "run_command  a")
		before := b.text()
		p := command("f")
		p.Verdict.Mode = gate.Yolo
		late := b.asks(&Client{Agent: "three", Workspace: "/w/three"}, p)
		b.send(Withdraw{ID: ids[1], Why: "the agent has gone"})
		b.send(Connected{Agents: 3})
		b.wantText("one · /w/one", "1 of 4", "run_command  a", "3 agents", "no longer asked: bash b")
		if !b.arming.armed {
			t.Errorf("a newcomer disarms\n%s\n%s", before, b.text())
		}
		b.key("y")
		b.wantAnswer(ids[0], once)
		b.wantWaiting(ids[2])
		b.send(Withdraw{ID: ids[2]})
		b.send(Withdraw{ID: ids[3]})
		b.wantText("three · /w/three", "yolo", "run_command  f")
		b.wantWaiting(late)
	})
}

// While something waits Ctrl+D leaves when it is pressed twice, and not when it is
// held or another key comes between (BEY-01).
func TestLeavesWhileAsked(t *testing.T) {
	among(t, func(b *bench, ids [4]uint64, _ map[string]int) {
		b.key("ctrl+d")
		b.wantText("ctrl+d again leaves, and refuses what waits")
		b.wait(leaveTime)
		b.key("ctrl+d", "j")
		b.wait(repeatGap)
		b.key("ctrl+d")
		for range 20 {
			b.wait(33 * time.Millisecond)
			b.key("ctrl+d")
		}
		b.wait(leaveTime)
		if b.quit {
			t.Fatal("it left by accident")
		}
		b.wantWaiting(ids[0])
		b.key("ctrl+d")
		b.wait(repeatGap)
		b.key("ctrl+d")
		if !b.quit {
			t.Error("it doesn't leave")
		}
	})
	inLines(t, Options{Several: true}, func(y *listener) {
		one, two := y.asks(command("one")), y.asks(command("two"))
		y.blindly("") // the end of the input
		gives(t, one, gate.Answer{})
		y.sees("Ctrl+D again leaves, and refuses what waits.")
		three := y.asks(command("three"))
		y.blindly("") // held
		gives(t, two, gate.Answer{})
		time.Sleep(repeatGap)
		y.blindly("")
		select {
		case <-y.ended:
		default:
			t.Error("it doesn't leave")
		}
		if a, ok := <-three; ok {
			t.Errorf("what waited was answered with %+v", a)
		}
	})
}

// With nothing asked there is nobody to type to, and no mode.
func TestEmptyDesk(t *testing.T) {
	bubble(t, Options{Several: true, Agent: "desk", Welcome: []string{"How to connect:", "    run this"}}, func(b *bench) {
		b.wantText("How to connect:", "       run this", "nothing waits", "0 agents")
		b.wantNoText("always ask")
		b.typing("hello")
		b.key("enter", "shift+tab")
		b.wantNoText("hello")
		if strings.Contains(b.text(), "mode") {
			t.Error(b.text())
		}
		b.key("ctrl+d")
		if !b.quitting {
			t.Error("it stays")
		}
	})
}
