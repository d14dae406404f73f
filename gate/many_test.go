package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// A waitingRoom is an approver that answers in the order in which it is asked,
// once everybody waits.
type waitingRoom struct {
	mu    sync.Mutex
	queue []*waitingPrompt
}

type waitingPrompt struct {
	Prompt
	reply     chan reply
	withdrawn error
}

func (w *waitingRoom) Approve(ctx context.Context, p Prompt) (Answer, error) {
	one := &waitingPrompt{Prompt: p, reply: make(chan reply, 1)}
	w.mu.Lock()
	w.queue = append(w.queue, one)
	w.mu.Unlock()
	select {
	case r := <-one.reply:
		return r.answer, r.err
	case <-ctx.Done():
		w.mu.Lock()
		defer w.mu.Unlock()
		one.withdrawn = context.Cause(ctx)
		return Answer{Decision: Always}, one.withdrawn
	}
}

// TestAThousandWait: requests of fifty agents reach the approver in each
// agent's order, and each is settled exactly once, whatever ends it first: an
// answer, an approver's error, its turn, its context, or a new rule (APR-12,
// APR-15a, APR-30).
func TestAThousandWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const agents, each = 50, 20
		room, log := &waitingRoom{}, &countingLog{seen: map[string]int{}}
		g, err := New(Options{Workspace: "/w", Mode: Default, Approver: room, Audit: log, Approvals: KeepApprovals()})
		if err != nil {
			t.Fatal(err)
		}
		// How a request ends follows from its number.
		ends := []string{CauseUserOnce, CauseUserRefused, CauseError, CauseCancelled, "context", CauseRuleAllow, CauseRuleDeny}
		end := func(n int) string { return ends[n%len(ends)] }
		turn, endTurn := context.WithCancel(t.Context())
		var mu sync.Mutex
		got := map[string][]string{}
		var all sync.WaitGroup
		for n := range agents * each {
			agent, seq := n%agents, n/agents
			req := shellRun(fmt.Sprintf("work %s %d", end(n), n))
			req.ID, req.Origin.Agent = fmt.Sprint(n), fmt.Sprint(agent)
			req.Detail = fmt.Sprint(seq)
			ctx := t.Context()
			if end(n) == "context" {
				ctx = turn
			}
			all.Go(func() {
				v := g.Decide(ctx, req)
				mu.Lock()
				defer mu.Unlock()
				got[req.ID] = append(got[req.ID], v.Cause)
			})
			if agent == agents-1 {
				synctest.Wait() // each agent's request waits before its next one comes
			}
		}
		if len(room.queue) != agents*each {
			t.Fatalf("%d wait", len(room.queue))
		}
		next := map[string]int{}
		for _, p := range room.queue {
			if agent := p.Request.Origin.Agent; p.Request.Detail != fmt.Sprint(next[agent]) {
				t.Fatalf("%s is before its turn", p.Request.ID)
			} else {
				next[agent]++
			}
		}

		// Everything ends at once, while the person goes through the queue.
		all.Go(endTurn)
		all.Go(func() { _ = g.AddRule(Deny, "shell(work rule-deny)") })
		all.Go(func() { _ = g.AddRule(Allow, "shell(work rule-allow)") })
		all.Go(func() {
			answers := map[string]reply{
				CauseUserOnce: {answer: Answer{Decision: Once}}, CauseUserRefused: {}, CauseError: {answer: Answer{Decision: Once}, err: errors.New("no screen")},
				CauseCancelled: {answer: Answer{Decision: CancelTurn}},
			}
			for _, p := range room.queue {
				if r, ok := answers[strings.Fields(p.Request.Targets[0])[1]]; ok {
					p.reply <- r
				}
			}
		})
		all.Wait()
		synctest.Wait() // for the approver's own part of it
		for n := range agents * each {
			id, want := fmt.Sprint(n), end(n)
			if want == "context" {
				want = CauseWithdrawn
			}
			if !slices.Equal(got[id], []string{want}) || log.seen[id] != 1 {
				t.Errorf("%s ended by %v, recorded %d times, want once by %s", id, got[id], log.seen[id], want)
			}
		}
		for _, p := range room.queue {
			if word := strings.Fields(p.Request.Targets[0])[1]; strings.HasPrefix(word, "rule-") && !errors.Is(p.withdrawn, ErrSettled) {
				t.Errorf("%s was withdrawn with %v", p.Request.ID, p.withdrawn)
			}
		}
	})
}
