package tui

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// waitingAgent runs a test with an agent whose turns end when next is written to.
func waitingAgent(t *testing.T, f func(b *bench, sent func() []string, next chan struct{})) {
	t.Helper()
	var b *bench
	next := make(chan struct{}, 9)
	o := Options{Submit: func(s string) {
		b.note(func() { b.submitted = append(b.submitted, s) })
		<-next
	}}
	bubble(t, o, func(bench *bench) {
		b, next = bench, make(chan struct{}, 9)
		defer close(next)
		f(b, func() (sent []string) {
			b.drain()
			b.note(func() { sent = slices.Clone(b.submitted) })
			return sent
		}, next)
	})
}

func (b *bench) prompts() (list []string) {
	for _, e := range b.transcript.entries {
		if e.kind == userEntry {
			list = append(list, e.text)
		}
	}
	return list
}

// Prompts go out one by one in the order in which they were typed, and are listed
// once, each where its turn begins. Ctrl+C takes back those that wait (APR-30).
func TestPromptsWaitInOrder(t *testing.T) {
	waitingAgent(t, func(b *bench, sent func() []string, next chan struct{}) {
		b.send(AgentStarting{Name: "slow"})
		for _, s := range []string{"one", "two", "three"} {
			b.typing(s)
			b.key("enter")
		}
		b.send(Prompted{"zero"})
		if got := sent(); len(got) > 0 {
			t.Errorf("sent %q before the agent was ready", got)
		}
		b.send(AgentReady{})
		b.send(UserSaid{"zero"})
		b.send(TurnStarted{})
		b.send(AgentSaid{"It is done."})
		b.send(TurnEnded{})
		next <- struct{}{}
		if got, want := sent(), []string{"zero", "one"}; !slices.Equal(got, want) {
			t.Errorf("sent %q, want %q", got, want)
		}
		b.send(UserSaid{"one"})
		b.send(TurnStarted{})
		if got, want := b.prompts(), []string{"zero", "one", "two", "three"}; !slices.Equal(got, want) {
			t.Errorf("listed %q, want %q", got, want)
		}
		b.ask(command("make"))
		b.key("ctrl+c")
		b.send(TurnEnded{Reason: "cancelled"})
		next <- struct{}{}
		if got, want := sent(), []string{"zero", "one"}; !slices.Equal(got, want) {
			t.Errorf("sent %q after the turn was cancelled, want %q", got, want)
		}
		if got, want := b.prompts(), []string{"zero", "one"}; !slices.Equal(got, want) {
			t.Errorf("listed %q, want %q", got, want)
		}
		b.wantText("2 prompts were not sent")
		if got := b.composer.value(); got != "two\n\nthree" {
			t.Errorf("back on the line is %q", got)
		}
		b.wait(leaveTime)
		b.key("ctrl+c") // it doesn't clear what was just given back
		if got := b.composer.value(); got != "two\n\nthree" {
			t.Errorf("a second Ctrl+C leaves %q", got)
		}
	})
}

// Ctrl+C takes back what waits for an agent that is being started, too.
func TestPromptsTakenBackAtTheStart(t *testing.T) {
	waitingAgent(t, func(b *bench, sent func() []string, _ chan struct{}) {
		b.send(AgentStarting{Name: "slow"})
		b.typing("one")
		b.key("enter")
		b.typing("half")
		b.key("ctrl+c", "ctrl+c")
		b.send(AgentReady{})
		if got := sent(); len(got) > 0 || b.composer.value() != "one" || b.quit {
			t.Errorf("sent %q, on the line %q, left %v", got, b.composer.value(), b.quit)
		}
	})
}

// What is typed for an agent that has ended stays, and the screen says so.
func TestAgentGone(t *testing.T) {
	waitingAgent(t, func(b *bench, sent func() []string, _ chan struct{}) {
		b.send(AgentStarting{Name: "slow"})
		b.typing("one")
		b.key("enter")
		b.send(AgentGone{})
		b.wantText("1 prompt was not sent")
		b.key("enter")
		b.wantText("the agent is gone: ctrl+d leaves")
		if got := sent(); len(got) > 0 || b.composer.value() != "one" {
			t.Errorf("sent %q, on the line %q", got, b.composer.value())
		}
		b.key("ctrl+u")
		b.wantText("the agent is gone · ctrl+d leaves")
		b.key("x", "ctrl+d")
		if !b.quit {
			t.Error("it doesn't leave")
		}
	})
}

// An agent that ends in the middle of a turn keeps nobody: that its turn has
// ended too may be known only later.
func TestAgentGoneInATurn(t *testing.T) {
	waitingAgent(t, func(b *bench, _ func() []string, _ chan struct{}) {
		b.send(TurnStarted{})
		b.key("ctrl+d")
		b.wantText("a turn is running")
		b.send(AgentGone{})
		b.key("ctrl+d")
		if !b.quit {
			t.Error("it doesn't leave")
		}
	})
}

// In lines it is the same; what waited is said when its turn begins.
func TestPlainPromptsWait(t *testing.T) {
	next := make(chan struct{}, 9)
	var sent []string
	o := Options{Submit: func(s string) {
		sent = append(sent, s)
		<-next
	}}
	inLines(t, o, func(y *listener) {
		next = make(chan struct{}, 9)
		defer close(next)
		y.Show(AgentStarting{Name: "slow"})
		y.blindly("one\n")
		y.blindly("two\n")
		y.blindly("three\n")
		y.Show(AgentReady{})
		y.Show(UserSaid{"one"})
		y.Show(TurnStarted{})
		y.Show(TurnEnded{})
		next <- struct{}{}
		synctest.Wait()
		y.Show(UserSaid{"two"})
		y.Show(TurnStarted{})
		y.types("\x03")
		y.sees("You: one", "You: two", "Not sent: three")
		y.Show(TurnEnded{Reason: "cancelled"})
		next <- struct{}{}
		y.Show(AgentGone{})
		y.types("four\n")
		y.sees("Not sent: four", "The agent is gone: nothing is sent any more.")
		if want := []string{"one", "two"}; !slices.Equal(sent, want) {
			t.Errorf("sent %q, want %q", sent, want)
		}
		if strings.Contains(y.out.String(), "You: three") {
			t.Error(y.out.String())
		}
	})
}
