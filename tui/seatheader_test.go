package tui

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui/tuitest"
)

// An office is a screen on which several agents ask, each in a workspace and a
// mode of its own. What they ask names them.
type office struct {
	t     *testing.T
	c     *Console
	term  *tuitest.Term
	rand  *rand.Rand
	seats []*Seat
	asked int
	seen  int // how often the header was compared

	mu      sync.Mutex
	waiting map[int]context.CancelCauseFunc
}

var officeModes = []gate.Mode{gate.Default, gate.AcceptEdits, gate.Plan, gate.AlwaysAsk}

func openOffice(t *testing.T, seed uint64) *office {
	t.Cleanup(func() { time.Sleep(time.Minute) }) // after the end, for its timers
	c, term, _ := start(t, Options{Several: true, Agent: "the desk"})
	o := &office{t: t, c: c, term: term, rand: rand.New(rand.NewPCG(seed, 1)), waiting: map[int]context.CancelCauseFunc{}}
	for i := range officeModes {
		o.seats = append(o.seats, c.Seat(&Client{Agent: fmt.Sprint("agent", i), Workspace: fmt.Sprint("~/place", i)}))
	}
	return o
}

// comes has some agent ask something, from a goroutine of its own.
func (o *office) comes() {
	o.asked++
	n, who := o.asked, o.rand.IntN(len(o.seats))
	what := fmt.Sprintf("job-%d-%d", who, n)
	ctx, cancel := context.WithCancelCause(o.t.Context())
	o.mu.Lock()
	o.waiting[n] = cancel
	o.mu.Unlock()
	kind := o.rand.IntN(4)
	go func() {
		q := prompts.Question{Text: "Why " + what + "?", Agent: fmt.Sprint("agent", who), Options: []prompts.Option{{Label: "left"}, {Label: "right"}}}
		switch kind {
		case 0:
			_, _ = o.seats[who].Ask(ctx, q)
		case 1:
			_, _ = o.seats[who].AskGroup(ctx, []prompts.Question{q, q})
		default:
			p := command(what)
			p.Verdict.Mode = officeModes[who]
			_, _ = o.seats[who].Approve(ctx, p)
		}
		o.mu.Lock()
		delete(o.waiting, n)
		o.mu.Unlock()
	}()
}

// goes has one that waits settled elsewhere, whichever it is.
func (o *office) goes() {
	o.mu.Lock()
	var all []int
	for n := range o.waiting {
		all = append(all, n)
	}
	slices.Sort(all)
	if len(all) > 0 {
		o.waiting[all[o.rand.IntN(len(all))]](errors.New("settled by a rule"))
	}
	o.mu.Unlock()
}

var shownJob = regexp.MustCompile(`(?:run_command  |Why )job-(\d)-\d+`)

// check finds what is shown on the terminal, and compares the header with it.
func (o *office) check(after string) {
	o.t.Helper()
	synctest.Wait()
	o.term.Settle()
	screen := o.term.Screen()
	header, rest, _ := strings.Cut(screen, "\n")
	job := shownJob.FindStringSubmatch(rest)
	if job == nil && strings.Contains(header, "waiting") {
		return // a sheet lies over it, or it is scrolled away
	}
	want := "the desk"
	if job != nil {
		o.seen++
		want = fmt.Sprintf("agent%s · ~/place%s ", job[1], job[1])
	}
	mode := "" // a question is asked in none
	if job != nil && strings.HasPrefix(job[0], "run") {
		mode = strings.ReplaceAll(officeModes[job[1][0]-'0'].String(), "-", " ") + " "
	}
	if !strings.Contains(header+" ", want) || !strings.Contains(header, mode) {
		o.t.Fatalf("after %s the header doesn't name %q in mode %q:\n%s", after, want, mode, screen)
	}
}

// BEY-01: whatever comes, is withdrawn, is answered or looked at in whatever
// order, the header names the agent, the workspace and the mode of what is
// shown, on the terminal itself.
func TestHeaderNamesWhoAsks(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := openOffice(t, seed)
				o.check("the start")
				keys := []string{"ctrl+n", "ctrl+p", "y", "n", "esc", "enter", "ctrl+c", "w", "f1", "right", "1"}
				for range 120 {
					step := "a request"
					switch k := o.rand.IntN(10); {
					case k < 3:
						o.comes()
					case k < 5:
						step = "a withdrawal"
						o.goes()
					case k < 6:
						step = "both at once"
						o.goes()
						o.comes()
						o.comes()
					case k < 7:
						step = "another size"
						o.term.Resize(60+o.rand.IntN(90), 16+o.rand.IntN(30))
					default:
						step = keys[o.rand.IntN(len(keys))]
						time.Sleep(2 * time.Second)                                           // so that it may answer
						if step != "ctrl+c" || strings.Contains(o.term.Screen(), "waiting") { // else it leaves
							o.term.Key(step)
						}
					}
					o.check(step)
				}
				if o.seen < 40 {
					t.Errorf("only %d were seen", o.seen)
				}
			})
		})
	}
}
