package tui

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/tui/tuitest"
)

// typist types, pastes and resizes at a console on which requests come and go,
// and watches that nothing of it decides anything.
type typist struct {
	t    *testing.T
	term *tuitest.Term
	c    *Console
	rng  *rand.Rand

	mu       sync.Mutex
	changed  time.Time // when what is shown may have changed last
	burst    bool      // a word is being typed
	refuses  bool      // it is a reason: what is shown took answers before it began
	waiting  int
	withdraw []context.CancelFunc
	doing    string
	answers  int
	sent     int // prompts
	reasons  int // refusals with a message
	reason   string
	reasoned time.Time
	meant    int // answers that were given on purpose
	letters  int // that were pressed alone, which may answer
}

// What is promised, apart from how it is kept.
const (
	quiet = 500 * time.Millisecond // since a change
	gap   = 130 * time.Millisecond // between the letters of a word
)

var rounds = flag.Int("rounds", 150, "how long TestTypingDecidesNothing types")

// wait lets time pass in the bubble.
func (p *typist) wait(from, to time.Duration) {
	<-time.After(from + time.Duration(p.rng.Int64N(int64(to-from)+1)))
}

// shown is what tells one request on the screen from another.
func (p *typist) shown() string {
	synctest.Wait()
	m := p.c.model
	id := uint64(0)
	if w := m.queue.current(); w != nil {
		id = w.id
	}
	return fmt.Sprint(id, m.width, m.height, m.returns)
}

// happens does something and notes whether that changed what is shown.
func (p *typist) happens(doing string, f func()) {
	before := p.shown()
	p.doing = doing
	f()
	if p.shown() != before {
		p.mu.Lock()
		p.changed = time.Now()
		p.mu.Unlock()
	}
}

func (p *typist) ask(n int) {
	ctx, cancel := context.WithCancel(context.Background())
	p.mu.Lock()
	p.waiting++
	p.withdraw = append(p.withdraw, cancel)
	p.mu.Unlock()
	go func() {
		a, err := p.c.Approve(ctx, command(fmt.Sprintf("make target-%d", n)))
		p.mu.Lock()
		defer p.mu.Unlock()
		p.waiting--
		if err != nil {
			return // it may have gone unseen; happens notes if it was shown
		}
		if a.Decision != gate.CancelTurn {
			if a.Message != "" {
				p.reasons++
			} else {
				p.answers++
			}
			since := time.Since(p.changed)
			switch {
			case a.Message != "" && a.Decision == gate.Refuse && (p.refuses || a.Message == p.reason && time.Since(p.reasoned) <= steerTime):
				// It refuses all that wait, and what comes meanwhile (TAM-21).
				if p.refuses {
					p.reason, p.reasoned = a.Message, time.Now()
				}
			case since < quiet:
				p.t.Errorf("round %d: %v after %v, while %s", n, a.Decision, since, p.doing)
			case p.burst:
				p.t.Errorf("round %d: %v %q while %s", n, a.Decision, a.Message, p.doing)
			}
		}
		p.changed = time.Now() // the next is shown
	}()
}

// typed is what people type while they wait for an agent. Words that begin
// with an answer's letter, or consist of nothing else, are among them.
var typed = []string{"yes", "no", "say", "nay", "any", "days", "synonym", "please stop", "and then run it", "ys", "an", "sad", "as", "fix it", "yy s a", "add n",
	"why", "wait, don't", "explain", "try it", "make it", "maybe", "x-ray", "zip it"}

func (p *typist) round(n int) {
	switch p.rng.IntN(10) {
	case 0, 1, 2:
		p.happens("a request came", func() { p.ask(n) })
	case 3:
		p.happens("resizing", func() { p.term.Resize(60+p.rng.IntN(80), 16+p.rng.IntN(30)) })
	case 4:
		p.happens("pasting", func() { p.term.Paste("y\nyes\ra\ns\n") })
	case 5:
		p.happens("a request went", func() {
			if i := len(p.withdraw); i > 0 {
				p.withdraw[p.rng.IntN(i)]()
			}
		})
	case 6:
		p.happens("looking at another", func() { p.term.Key("ctrl+n") })
	case 7:
		p.happens("coming back", func() { p.term.Focus(false); p.term.Focus(true) })
	}
	if p.rng.IntN(3) > 0 {
		p.wait(0, 700*time.Millisecond)
	}
	if p.rng.IntN(3) == 0 {
		p.doing = "pressing a letter"
		p.letters++
		p.term.Type([]string{"y", "n", "s", "d"}[p.rng.IntN(4)])
		p.wait(holdTime+paintTime, quiet)
	}
	p.word(typed[p.rng.IntN(len(typed))], p.rng.IntN(2) == 0)
	p.clear()
	if p.rng.IntN(4) == 0 {
		p.wait(0, 900*time.Millisecond)
	}
	if p.waiting > 4 {
		p.answer()
	}
}

// clear takes back what was written, so that the next word begins anew.
func (p *typist) clear() {
	p.term.Key("ctrl+e")
	for range 6 {
		p.term.Key("ctrl+u", "backspace")
	}
}

// answer is what somebody does who has read what is asked.
func (p *typist) answer() {
	for tries := 0; p.left() > 0; tries++ {
		if tries == 50 {
			p.t.Fatalf("can't be answered:\n%s", p.term.Screen())
		}
		p.doing = "answering"
		p.wait(2*time.Second, 3*time.Second)
		p.term.Key("n")
		p.meant++
		p.wait(holdTime+paintTime, time.Second)
	}
}

func (p *typist) left() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting
}

// word types at the speed of somebody who types, and often ends with Enter. That
// may refuse, with the word as the reason, only what took answers before it
// began and is still the same.
func (p *typist) word(word string, enter bool) {
	seen := p.shown()
	p.mu.Lock()
	p.burst, p.doing = true, fmt.Sprintf("typing %q", word)
	armed := time.Since(p.changed) >= quiet
	p.mu.Unlock()
	for _, r := range word {
		p.term.Type(string(r))
		p.wait(time.Millisecond, gap)
		switch p.rng.IntN(24) {
		case 0, 1:
			p.happens("a request came during "+p.doing, func() { p.ask(-1) })
		case 2:
			p.happens("a request went during "+p.doing, func() {
				if i := len(p.withdraw); i > 0 {
					p.withdraw[p.rng.IntN(i)]()
				}
			})
		}
	}
	if enter {
		still := p.shown() == seen
		p.mu.Lock()
		p.doing += ", Enter"
		p.refuses = armed && still
		p.mu.Unlock()
		p.term.Key("enter")
	}
	synctest.Wait()
	p.mu.Lock()
	p.burst, p.refuses = false, false
	p.mu.Unlock()
}

// APR-30, TAM-20: however somebody types and pastes while requests appear, go
// and change and the terminal is resized, nothing is decided within half a
// second of a change, nor by a word, nor by the Enter behind one that was begun
// before. 10,000 rounds take minutes: -rounds.
func TestTypingDecidesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		term := tuitest.NewTerm(t, 80, 24)
		p := &typist{t: t, term: term, rng: rand.New(rand.NewPCG(1, 2))}
		p.c = NewConsole(Options{Submit: func(string) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.sent++
		}}, term.Options()...)
		done := make(chan error, 1)
		go func() { done <- p.c.Run(context.Background()) }()
		term.WaitFor("Nothing has happened")
		for n := range *rounds {
			p.round(n)
			if t.Failed() {
				t.Fatalf("\n%s", term.Screen())
			}
		}
		p.answer()
		if p.answers < p.meant || p.answers > p.meant+p.letters {
			t.Errorf("%d answers, but %d were meant, and %d letters pressed", p.answers, p.meant, p.letters)
		}
		if p.sent == 0 || p.reasons == 0 {
			t.Errorf("%d prompts and %d reasons were sent, want some of each", p.sent, p.reasons)
		}
		term.Settle()
		p.c.Quit()
		if err := <-done; err != nil {
			t.Error(err)
		}
		<-time.After(5 * time.Second) // timers end with the bubble
	})
}
