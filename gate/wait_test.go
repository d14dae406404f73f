package gate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A person answers prompts in a test; it stands for the one part that can't
// be real.
type person struct {
	asked  chan Prompt
	answer chan Answer
}

func newPerson() *person { return &person{asked: make(chan Prompt), answer: make(chan Answer)} }

func (p *person) Approve(ctx context.Context, prompt Prompt) (Answer, error) {
	select {
	case p.asked <- prompt:
	case <-ctx.Done():
		return Answer{}, context.Cause(ctx)
	}
	select {
	case a := <-p.answer:
		return a, nil
	case <-ctx.Done():
		return Answer{}, context.Cause(ctx)
	}
}

// always answers every prompt alike.
func always(a Answer) Approver {
	return ApproverFunc(func(context.Context, Prompt) (Answer, error) { return a, nil })
}

func decideOne(t *testing.T, opts Options, req Request) Verdict {
	t.Helper()
	opts.Workspace, opts.Home = "/w", "/home/u"
	g, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return g.Decide(t.Context(), req)
}

// TestAnswers turns each answer into a verdict, a cause and what is
// remembered (APR-03, APR-12).
func TestAnswers(t *testing.T) {
	rows := []struct {
		answer         Decision
		want           Effect
		cause          string
		session, saved bool
	}{
		{Refuse, Deny, CauseUserRefused, false, false},
		{Once, Allow, CauseUserOnce, false, false},
		{Session, Allow, CauseUserSession, true, false},
		{Always, Allow, CauseUserAlways, true, true},
		{CancelTurn, Deny, CauseCancelled, false, false},
		{Decision(99), Deny, CauseUserRefused, false, false},
	}
	for _, row := range rows {
		t.Run(row.answer.String(), func(t *testing.T) {
			approvals := KeepApprovals()
			g, _ := New(Options{Workspace: "/w", Mode: Default, Approver: always(Answer{Decision: row.answer, Message: "m"}), Approvals: approvals})
			v := g.Decide(t.Context(), edit("a"))
			if v.Effect != row.want || v.Cause != row.cause || v.Message != "m" || v.Step != "ask" {
				t.Errorf("%s · %s, want %s · %s", v.Effect, v.Cause, row.want, row.cause)
			}
			g.opts.Approver = always(Answer{})
			next := g.Decide(t.Context(), edit("b"))
			if got := next.Cause == CauseSessionRule; got != row.session {
				t.Errorf("the next edit is decided by %s, remembered should be %v", next.Cause, row.session)
			}
			if got := approvals.has("write:/w"); got != row.saved {
				t.Errorf("saved: %v, want %v", got, row.saved)
			}
		})
	}
}

// TestForcedAskIsNotRemembered takes a session answer to a forced ask as once
// (APR-15, TAM-11).
func TestForcedAskIsNotRemembered(t *testing.T) {
	var p Policy
	_ = p.AddRule(Ask, "write(ci/**)", Source{})
	approvals := KeepApprovals()
	g, _ := New(Options{Workspace: "/w", Mode: Default, Policy: p, Approver: always(Answer{Decision: Always}), Approvals: approvals})
	v := g.Decide(t.Context(), edit("ci/x"))
	if v.Cause != CauseUserOnce || v.Warning == "" || len(approvals.List()) != 0 {
		t.Errorf("%s, warning %q, saved %v", v.Cause, v.Warning, approvals.List())
	}
}

// TestApproverFails denies what an approver could not answer (APR-12).
func TestApproverFails(t *testing.T) {
	broken := ApproverFunc(func(context.Context, Prompt) (Answer, error) {
		return Answer{Decision: Always}, errors.New("no screen")
	})
	if v := decideOne(t, Options{Mode: Default, Approver: broken}, edit("a")); v.Allowed() || v.Cause != CauseError {
		t.Errorf("an error: %s · %s", v.Effect, v.Cause)
	}
	panics := ApproverFunc(func(context.Context, Prompt) (Answer, error) { panic("broken") })
	if v := decideOne(t, Options{Mode: Default, Approver: panics}, edit("a")); v.Allowed() || v.Cause != CauseError {
		t.Errorf("a panic: %s · %s", v.Effect, v.Cause)
	}
	var none *Gate
	if v := none.Decide(t.Context(), edit("a")); v.Allowed() || v.Cause != CauseInvalid {
		t.Errorf("a nil gate: %s · %s", v.Effect, v.Cause)
	}
}

// TestDecideEndsWithItsContext returns at once, and late answers count for
// nothing (APR-30).
func TestDecideEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPerson()
		g, _ := New(Options{Workspace: "/w", Mode: Default, Approver: p})
		ctx, cancel := context.WithCancel(t.Context())
		verdict := make(chan Verdict)
		go func() { verdict <- g.Decide(ctx, edit("a")) }()
		<-p.asked
		cancel()
		if v := <-verdict; v.Allowed() || v.Cause != CauseWithdrawn {
			t.Errorf("%s · %s, want a withdrawn deny", v.Effect, v.Cause)
		}
		if v := g.Decide(ctx, edit("a")); v.Allowed() || v.Cause != CauseWithdrawn {
			t.Errorf("already ended: %s · %s", v.Effect, v.Cause)
		}
	})
}

// TestWhoEndedWhatWaited: a screen that closed and a turn that the agent ended are
// no answers of a person, and the log doesn't say so (APR-12, APR-30).
func TestWhoEndedWhatWaited(t *testing.T) {
	closed := fmt.Errorf("%w: the terminal was closed", ErrUnanswered)
	ends := []struct {
		cause          error
		word, who, why string
	}{
		{closed, CauseUnanswered, "gate", "nobody answered: the terminal was closed"},
		{ErrTurnCancelled, CauseCancelled, "person", "the person cancelled the turn"},
		{ErrWithdrawn, CauseWithdrawn, "agent", "the agent withdrew it"},
		{Withdrawn(errors.New("the agent has gone")), CauseWithdrawn, "agent", "the agent has gone"},
		{nil, CauseWithdrawn, "agent", "it was withdrawn before it was settled"},
	}
	for _, end := range ends {
		synctest.Test(t, func(t *testing.T) {
			p, log := newPerson(), &keptLog{}
			g, _ := New(Options{Workspace: "/w", Mode: Default, Approver: p, Audit: log})
			ctx, cancel := context.WithCancelCause(t.Context())
			verdict := make(chan Verdict)
			go func() { verdict <- g.Decide(ctx, edit("a")) }()
			<-p.asked
			cancel(end.cause)
			for when, v := range map[string]Verdict{"while it waited": <-verdict, "before it was decided": g.Decide(ctx, edit("a"))} {
				if v.Allowed() || v.Cause != end.word || v.Who() != end.who || v.Reason != end.why {
					t.Errorf("%v, %s: %s · %s by %s · %s", end.cause, when, v.Effect, v.Cause, v.Who(), v.Reason)
				}
			}
			for _, r := range log.records {
				if r.Who != end.who || r.Cause != end.word || r.Reason != end.why {
					t.Errorf("%v is logged as %s by %s · %s", end.cause, r.Cause, r.Who, r.Reason)
				}
			}
		})
	}
	ended := ApproverFunc(func(context.Context, Prompt) (Answer, error) { return Answer{Decision: Once}, closed })
	if v := decideOne(t, Options{Mode: Default, Approver: ended}, edit("a")); v.Allowed() || v.Who() != "gate" || v.Reason != closed.Error() {
		t.Errorf("the screen ended: %s by %s · %s", v.Effect, v.Who(), v.Reason)
	}
}

// TestChangesSettleWhatWaits re-evaluates a waiting request at each change of
// mode, rules or memory (APR-15a).
func TestChangesSettleWhatWaits(t *testing.T) {
	rows := []struct {
		name   string
		change func(*Gate)
		want   Effect
		cause  string
	}{
		{"mode allows", func(g *Gate) { _ = g.SetMode(AcceptEdits) }, Allow, "mode-accept-edits"},
		{"mode refuses", func(g *Gate) { _ = g.SetMode(DontAsk) }, Deny, "mode-dont-ask"},
		{"rule denies", func(g *Gate) { _ = g.AddRule(Deny, "write(a)") }, Deny, "rule-deny"},
		{"rule allows", func(g *Gate) { _ = g.AddRule(Allow, "write(a)") }, Allow, "rule-allow"},
		{"policy denies", func(g *Gate) {
			var p Policy
			_ = p.AddRule(Deny, "edit", Source{})
			g.SetPolicy(p)
		}, Deny, "rule-deny"},
		{"key remembered", func(g *Gate) { g.Remember("write:/w") }, Allow, "session-rule"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPerson()
				g, _ := New(Options{Workspace: "/w", Mode: Default, Approver: p})
				verdict := make(chan Verdict)
				go func() { verdict <- g.Decide(t.Context(), edit("a")) }()
				<-p.asked
				row.change(g)
				if v := <-verdict; v.Effect != row.want || v.Cause != row.cause {
					t.Errorf("%s · %s, want %s · %s", v.Effect, v.Cause, row.want, row.cause)
				}
			})
		})
	}
}

// TestAnswerMeetsNewRules holds an answer against the rules of the moment it
// is given: a deny added meanwhile wins (APR-15, APR-15a).
func TestAnswerMeetsNewRules(t *testing.T) {
	var g *Gate
	racing := ApproverFunc(func(context.Context, Prompt) (Answer, error) {
		// The rule lands while the answer is on its way.
		_ = g.AddRule(Deny, "write(a)")
		return Answer{Decision: Once}, nil
	})
	g, _ = New(Options{Workspace: "/w", Mode: Default, Approver: racing})
	if v := g.Decide(t.Context(), edit("a")); v.Allowed() || v.Cause != CauseRuleDeny {
		t.Errorf("%s · %s, want the deny rule", v.Effect, v.Cause)
	}
}

// TestSessionRules are added and removed while a session runs (APR-15).
func TestSessionRules(t *testing.T) {
	g, _ := New(Options{Workspace: "/w", Mode: Default, Approver: always(Answer{})})
	if err := g.AddRule(Allow, "write(a)"); err != nil {
		t.Fatal(err)
	}
	g.SetPolicy(Policy{})
	if v := g.Decide(t.Context(), edit("a")); v.Cause != CauseRuleAllow || v.Rule.Source.Layer != SessionLayer {
		t.Errorf("a session rule outlives new settings, got %s", v.Cause)
	}
	if !g.RemoveRule(Allow, "write(a)") || g.RemoveRule(Allow, "write(a)") {
		t.Error("the rule is removed once")
	}
	if v := g.Check(t.Context(), edit("a")); v.Effect != Ask {
		t.Errorf("without it: %s", v.Effect)
	}
	if err := g.AddRule(Deny, "read(x)"); !errors.Is(err, ErrRule) {
		t.Errorf("read rules hold from the start only, got %v", err)
	}
}

// TestBypassNeedsSandbox at the start and when switching (APR-14).
func TestBypassNeedsSandbox(t *testing.T) {
	g, _ := New(Options{Workspace: "/w", Mode: Bypass})
	if g.Mode() != Default || g.ModeNote() == "" {
		t.Errorf("started in %s with note %q", g.Mode(), g.ModeNote())
	}
	if err := g.SetMode(Bypass); !errors.Is(err, ErrBypassNeedsSandbox) || g.Mode() != Default {
		t.Errorf("switching: %v, now %s", err, g.Mode())
	}
	boxed, _ := New(Options{Workspace: "/w", Mode: Bypass, Sandboxed: true})
	if boxed.Mode() != Bypass || boxed.ModeNote() != "" {
		t.Errorf("in a sandbox it starts in %s", boxed.Mode())
	}
}

// TestModeNames takes the spellings that users bring (APR-14).
func TestModeNames(t *testing.T) {
	for word, want := range map[string]Mode{
		"acceptEdits": AcceptEdits, "dontAsk": DontAsk, "bypassPermissions": Bypass, "manual": Default, "plan": Plan, " write ": WriteMode,
	} {
		if got, err := ParseMode(word); err != nil || got != want {
			t.Errorf("%q is %v, %v", word, got, err)
		}
	}
	for _, m := range Modes() {
		if got, err := ParseMode(m.String()); err != nil || got != m {
			t.Errorf("%s doesn't read back: %v, %v", m, got, err)
		}
	}
	if _, err := ParseMode("yes"); err == nil {
		t.Error("an unknown word must be an error")
	}
	if got := Default.Cycle().Cycle().Cycle().Cycle(); got != Default {
		t.Errorf("the cycle ends at %s", got)
	}
}

// TestHooksAndReviewer stand between the mode and the person (APR-14a).
func TestHooksAndReviewer(t *testing.T) {
	hook := func(effect HookEffect, err error) []Hook {
		return []Hook{{Name: "h", Answer: func(context.Context, Request) (HookAnswer, error) {
			return HookAnswer{Effect: effect, Reason: "because"}, err
		}}}
	}
	review := func(r Review, err error) Reviewer {
		return reviewerFunc(func(context.Context, Request) (Review, error) { return r, err })
	}
	rows := []struct {
		name  string
		opts  Options
		want  Effect
		cause string
	}{
		{"hook allows", Options{Mode: Default, Hooks: hook(HookAllow, nil)}, Allow, "hook-allow"},
		{"hook denies", Options{Mode: Default, Hooks: hook(HookDeny, nil)}, Deny, "hook-deny"},
		{"a hook's deny beats another's allow", Options{Mode: Default, Hooks: append(hook(HookAllow, nil), hook(HookDeny, nil)...)}, Deny, "hook-deny"},
		{"hook says nothing", Options{Mode: Default, Hooks: hook(HookSilent, nil)}, Allow, "user-once"},
		{"hook fails", Options{Mode: Default, Hooks: hook(HookAllow, errors.New("x"))}, Allow, "user-once"},
		{"reviewer allows", Options{Mode: Auto, Reviewer: review(Review{Allow: true, Reason: "tests only"}, nil)}, Allow, "auto-allow: tests only"},
		{"reviewer denies", Options{Mode: Auto, Reviewer: review(Review{Reason: "no"}, nil)}, Deny, "auto-deny"},
		{"reviewer fails", Options{Mode: Auto, Reviewer: review(Review{Allow: true}, errors.New("x"))}, Allow, "user-once"},
		{"reviewer in another mode", Options{Mode: Default, Reviewer: review(Review{}, nil)}, Allow, "user-once"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			row.opts.Approver = always(Answer{Decision: Once})
			if v := decideOne(t, row.opts, edit("a")); v.Effect != row.want || v.Cause != row.cause {
				t.Errorf("%s · %s, want %s · %s", v.Effect, v.Cause, row.want, row.cause)
			}
		})
	}
	var p Policy
	_ = p.AddRule(Ask, "write(a)", Source{})
	forced := Options{Mode: Auto, Policy: p, Hooks: hook(HookAllow, nil), Reviewer: review(Review{Allow: true}, nil), Approver: always(Answer{})}
	if v := decideOne(t, forced, edit("a")); v.Cause != CauseUserRefused {
		t.Errorf("a forced ask goes to the person, got %s", v.Cause)
	}
}

type reviewerFunc func(context.Context, Request) (Review, error)

func (f reviewerFunc) Review(ctx context.Context, r Request) (Review, error) { return f(ctx, r) }

// TestReviewerTimesOut leaves the request to a person after two minutes, also
// when the reviewer ignores its context (APR-14a).
func TestReviewerTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		defer close(stuck)
		slow := reviewerFunc(func(context.Context, Request) (Review, error) {
			<-stuck
			return Review{Allow: true}, nil
		})
		start := time.Now()
		v := decideOne(t, Options{Mode: Auto, Reviewer: slow, Approver: always(Answer{})}, edit("a"))
		if v.Cause != CauseUserRefused || time.Since(start) != ReviewTimeout {
			t.Errorf("%s after %v", v.Cause, time.Since(start))
		}
	})
}

// TestStaleReview throws away a verdict that was asked for under an older
// mode (APR-14a).
func TestStaleReview(t *testing.T) {
	var g *Gate
	switches := reviewerFunc(func(context.Context, Request) (Review, error) {
		_ = g.SetMode(DontAsk)
		return Review{Allow: true}, nil
	})
	g, _ = New(Options{Workspace: "/w", Mode: Auto, Reviewer: switches, Approver: always(Answer{Decision: Once})})
	if v := g.Decide(t.Context(), edit("a")); v.Cause != CauseModeDontAsk {
		t.Errorf("%s · %s, want the new mode's deny", v.Effect, v.Cause)
	}
}

// TestSpan keeps the person's time apart (APR-12).
func TestSpan(t *testing.T) {
	tr := &recordingTracer{}
	decideOne(t, Options{Mode: Default, Approver: always(Answer{Decision: Once}), Tracer: tr}, edit("a"))
	decideOne(t, Options{Mode: AcceptEdits, Approver: always(Answer{}), Tracer: tr}, edit("a"))
	want := "approval tool=edit kind=write_file decision=user-once"
	if len(tr.spans) != 1 || tr.spans[0] != want {
		t.Errorf("spans %q, want only %q", tr.spans, want)
	}
}

type recordingTracer struct{ spans []string }

func (r *recordingTracer) Start(ctx context.Context, name string, attrs ...Attr) (context.Context, Span) {
	return ctx, &recordedSpan{r, name, attrs}
}

type recordedSpan struct {
	r     *recordingTracer
	name  string
	attrs []Attr
}

func (s *recordedSpan) End(attrs ...Attr) {
	text := s.name
	for _, a := range append(s.attrs, attrs...) {
		text += " " + a.Name + "=" + a.Value
	}
	s.r.spans = append(s.r.spans, text)
}

// TestManyAtOnce settles a thousand requests from fifty goroutines exactly
// once each, while answers, modes and contexts change under them (APR-12).
func TestManyAtOnce(t *testing.T) {
	log := &countingLog{seen: map[string]int{}}
	var g *Gate
	answers := ApproverFunc(func(ctx context.Context, p Prompt) (Answer, error) {
		switch len(p.Request.Targets[0]) % 3 {
		case 0:
			return Answer{Decision: Once}, nil
		case 1:
			<-ctx.Done()
			return Answer{Decision: Once}, context.Cause(ctx)
		}
		return Answer{}, errors.New("no screen")
	})
	g, _ = New(Options{Workspace: "/w", Mode: Default, Approver: answers, Audit: log})
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			for j := range 20 {
				ctx, cancel := context.WithCancel(t.Context())
				req := edit(repeat("x", 1+(i+j)%3))
				req.ID = fmt.Sprintf("%d-%d", i, j)
				done := make(chan struct{})
				go func() {
					defer close(done)
					g.Decide(ctx, req)
				}()
				if (i+j)%7 == 0 {
					_ = g.SetMode([]Mode{AcceptEdits, Default}[j%2])
				}
				// One in three is answered; the others end by their context
				// or by an approver that fails, whichever comes first.
				if (i+j)%3 != 2 {
					cancel()
				}
				<-done
				cancel()
			}
		})
	}
	wg.Wait()
	if len(log.seen) != 1000 {
		t.Errorf("%d requests were settled, want 1000", len(log.seen))
	}
	for id, n := range log.seen {
		if n != 1 {
			t.Errorf("%s was settled %d times", id, n)
		}
	}
}

type countingLog struct {
	mu   sync.Mutex
	seen map[string]int
}

func (l *countingLog) Record(r Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen[r.ID]++
	return nil
}

// TestNobodyDecided names nobody in the log where nobody answered, or where
// somebody else is asked, which isn't a refusal there (APR-11).
func TestNobodyDecided(t *testing.T) {
	closed, end := context.WithCancelCause(t.Context())
	waiting := ApproverFunc(func(ctx context.Context, _ Prompt) (Answer, error) {
		end(ErrUnanswered)
		<-ctx.Done()
		return Answer{Decision: Once}, nil
	})
	failing := func(err error) Approver {
		return ApproverFunc(func(context.Context, Prompt) (Answer, error) { return Answer{Decision: Once}, err })
	}
	for name, row := range map[string]struct {
		ctx            context.Context
		approver       Approver
		cause, verdict string
	}{
		"there is nobody":        {t.Context(), failing(fmt.Errorf("%w: no desk", ErrNoApprover)), CauseNoApprover, "deny"},
		"the terminal is closed": {t.Context(), failing(fmt.Errorf("the terminal is gone: %w", ErrUnanswered)), CauseUnanswered, "deny"},
		"it ends before":         {closed, waiting, CauseUnanswered, "deny"},
		"it fails":               {t.Context(), failing(errors.New("no screen")), CauseError, "deny"},
		"somebody else is asked": {t.Context(), failing(fmt.Errorf("the agent asks: %w", ErrHandedOver)), CauseHandedOver, "ask"},
	} {
		t.Run(name, func(t *testing.T) {
			log := &records{}
			g, err := New(Options{Workspace: "/w", Mode: Default, Approver: row.approver, Audit: log})
			if err != nil {
				t.Fatal(err)
			}
			v := g.Decide(row.ctx, edit("a"))
			if r := log.list[0]; v.Allowed() || v.Cause != row.cause || r.Cause != row.cause || r.Who != "gate" || r.Verdict != row.verdict {
				t.Errorf("%s by %s; the log has %s by %s, of %s", v.Effect, v.Cause, r.Verdict, r.Cause, r.Who)
			}
		})
	}
}
