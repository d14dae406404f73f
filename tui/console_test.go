package tui

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui/tuitest"
)

// start runs a console on a terminal in memory.
func start(t *testing.T, o Options, terminal ...tuitest.Option) (c *Console, term *tuitest.Term, done <-chan error) {
	t.Helper()
	term = tuitest.NewTerm(t, 80, 24, terminal...)
	c = NewConsole(o, term.Options()...)
	ended := make(chan error, 1)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		ended <- c.Run(context.Background())
	}()
	t.Cleanup(func() {
		c.Quit()
		<-finished
	})
	return c, term, ended
}

// 200 requests from 20 goroutines are each settled exactly once, some by the
// person, some by their own context, the rest by the end of the screen, and
// none of those by a yes.
func TestConsoleSettlesEachRequestOnce(t *testing.T) {
	c, term, done := start(t, Options{})
	var wg sync.WaitGroup
	var settled, withdrawn, ended, cancelled atomic.Int32
	errGone := errors.New("settled by a rule")
	for g := range 20 {
		wg.Go(func() {
			for i := range 10 {
				ctx, cancel := context.WithCancelCause(t.Context())
				if (g+i)%2 == 0 {
					cancel(errGone)
				}
				a, err := c.Approve(ctx, command(fmt.Sprintf("cmd %d %d", g, i)))
				cancel(nil)
				settled.Add(1)
				switch {
				case errors.Is(err, errGone):
					withdrawn.Add(1)
				case errors.Is(err, ErrEnded):
					ended.Add(1)
				case err == nil && a.Decision == gate.CancelTurn:
					cancelled.Add(1)
				default:
					t.Errorf("answer %v, %v", a, err)
				}
			}
		})
	}
	term.WaitFor("waiting")
	term.Key("ctrl+c") // settles what waits now; others come
	term.Settle()
	c.Quit()
	wg.Wait()
	if err := <-done; err != nil {
		t.Error(err)
	}
	// A context that ended counts as such only while the screen is there.
	if n := settled.Load(); n != 200 || withdrawn.Load() == 0 || withdrawn.Load()+ended.Load()+cancelled.Load() != 200 {
		t.Errorf("%d settled: %d withdrawn, %d at the end, %d cancelled", n, withdrawn.Load(), ended.Load(), cancelled.Load())
	}
}

// APR-30: the end of the program is a refusal for everything that waits.
func TestConsoleEndsWithoutAYes(t *testing.T) {
	c, term, done := start(t, Options{})
	errs := make(chan error, 3)
	for range 2 {
		go func() {
			_, err := c.Approve(t.Context(), command("ls"))
			errs <- err
		}()
	}
	go func() {
		_, err := c.Ask(t.Context(), prompts.Question{Text: "?"})
		errs <- err
	}()
	term.WaitFor("3 waiting")
	c.Quit()
	for range 3 {
		if err := <-errs; !errors.Is(err, ErrEnded) {
			t.Errorf("%v, want %v", err, ErrEnded)
		}
	}
	<-done
	if _, err := c.Approve(t.Context(), command("ls")); !errors.Is(err, ErrEnded) {
		t.Errorf("after the end: %v", err)
	}
	if err := c.Run(t.Context()); err == nil {
		t.Error("a console runs twice")
	}
}

// The answers that a person types reach who asked, through a real program.
func TestConsoleAnswers(t *testing.T) {
	t.Parallel()
	c, term, _ := start(t, Options{Agent: "opencode"})
	c.Show(AgentSaid{"Hello."})
	answers := make(chan gate.Answer, 1)
	go func() {
		a, err := c.Approve(t.Context(), command("go test ./..."))
		if err != nil {
			t.Error(err)
		}
		answers <- a
	}()
	term.WaitFor("run_command", "go test ./...", "a moment", "Hello.")
	if got := term.Title(); got != "[!] approval waiting" {
		t.Errorf("title %q", got)
	}
	term.WaitGone("a moment")
	term.Key("y")
	if a := <-answers; a.Decision != gate.Once {
		t.Errorf("answer %v", a)
	}
	replies := make(chan prompts.Answer, 1)
	go func() {
		a, err := c.Ask(t.Context(), choice)
		if err != nil {
			t.Error(err)
		}
		replies <- a
	}()
	term.WaitFor("Which colour?")
	term.WaitGone("a moment")
	term.Key("2")
	if a := <-replies; a.Text != "green" {
		t.Errorf("reply %v", a)
	}
}

// The end of a context withdraws what it asked and says why.
func TestConsoleWithdraws(t *testing.T) {
	c, term, _ := start(t, Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	errs := make(chan error, 1)
	go func() {
		_, err := c.Approve(ctx, command("ls"))
		errs <- err
	}()
	term.WaitFor("run_command")
	gone := errors.New("the mode settled it")
	cancel(gone)
	if err := <-errs; !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
	term.WaitFor("no longer asked: bash ls", "the mode settled it")
}

func TestConsoleEndsWithItsContext(t *testing.T) {
	term := tuitest.NewTerm(t, 80, 24)
	c := NewConsole(Options{}, term.Options()...)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	term.WaitFor("blitz-approve")
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Show and Approve don't need a running screen, and don't wait for one.
func TestConsoleBeforeRun(t *testing.T) {
	c := NewConsole(Options{})
	for range 10000 {
		c.Show(AgentSaid{"x"})
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := c.Approve(ctx, command("ls")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

// An answer that comes together with the end of the context doesn't count.
func TestAnswerAfterTheEnd(t *testing.T) {
	c := NewConsole(Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		answers := make(chan gate.Answer, 1)
		answers <- once
		if a, err := await(ctx, c.mail, 1, answers, func() {}); err == nil {
			t.Fatalf("answer %v", a)
		}
	}
}
