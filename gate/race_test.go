package gate

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
)

// TestAnswersMeanWhatWasShown holds an answer to the prompt that the person
// saw, also when mode or rules changed meanwhile (APR-15a, TAM-20).
func TestAnswersMeanWhatWasShown(t *testing.T) {
	rows := []struct {
		name   string
		mode   Mode
		change func(*Gate)
		req    Request
		answer Decision
		cause  string
	}{
		{"a wider session by a new mode", Default, func(g *Gate) { _ = g.SetMode(WriteMode) }, shellRun("make"), Session, CauseUserOnce},
		{"always, not offered when shown", AlwaysAsk, func(g *Gate) { g.RemoveRule(Ask, "write(a)") }, edit("a"), Always, CauseUserOnce},
		{"always, no longer offered", Default, func(g *Gate) { _ = g.AddRule(Ask, "shell(make)") }, shellRun("make"), Always, CauseUserOnce},
		{"the same mode", Default, func(g *Gate) { g.Refresh() }, shellRun("make"), Session, CauseUserSession},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPerson()
				g, _ := New(Options{Workspace: "/w", Mode: row.mode, Approver: p, Approvals: KeepApprovals()})
				if strings.Contains(row.name, "when shown") {
					_ = g.AddRule(Ask, "write(a)")
				}
				verdict := make(chan Verdict)
				go func() { verdict <- g.Decide(t.Context(), row.req) }()
				<-p.asked
				row.change(g)
				synctest.Wait()
				p.answer <- Answer{Decision: row.answer}
				v := <-verdict
				if v.Cause != row.cause {
					t.Errorf("%s, want %s", v.Cause, row.cause)
				}
				if s := g.state.Load().session; row.cause == CauseUserOnce && (len(s.keys)+len(s.tools) > 0 || v.Warning == "") {
					t.Errorf("remembered %v %v, warning %q", s.keys, s.tools, v.Warning)
				}
			})
		})
	}
}

// TestNewPatternsCount re-reads the tool's own word when a change wakes a
// request, so that a pattern's allow ends with the pattern (TAM-14, TAM-16).
func TestNewPatternsCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPerson()
		var with Policy
		with.Shell.Patterns = append(with.Shell.Patterns, struct{ Match, Approval string }{"make", "allow"})
		_ = with.AddRule(Ask, "shell(make)", Source{})
		g, _ := New(Options{Workspace: "/w", Mode: Default, Approver: p, Policy: with})
		verdict := make(chan Verdict)
		go func() { verdict <- g.Decide(t.Context(), shellRun("make")) }()
		<-p.asked
		g.SetPolicy(Policy{})
		synctest.Wait()
		p.answer <- Answer{}
		if v := <-verdict; v.Cause != CauseUserRefused {
			t.Errorf("%s · %s: the old pattern still counts", v.Effect, v.Cause)
		}
	})
}

// TestBrokenParts that panic, or end their goroutine, never allow and never
// take the program down (APR-12, APR-14a).
func TestBrokenParts(t *testing.T) {
	fault := func() { panic("broken") }
	hook := []Hook{{Name: "h", Answer: func(context.Context, Request) (HookAnswer, error) { fault(); return HookAnswer{}, nil }}}
	reviewer := reviewerFunc(func(context.Context, Request) (Review, error) { fault(); return Review{}, nil })
	rows := []struct {
		name  string
		opts  Options
		ctx   func(context.Context) context.Context
		cause string
	}{
		{"hook", Options{Mode: Default, Hooks: hook, Approver: always(Answer{})}, nil, CauseUserRefused},
		{"reviewer", Options{Mode: Auto, Reviewer: reviewer, Approver: always(Answer{})}, nil, CauseUserRefused},
		{"log", Options{Mode: Yolo, Audit: panickingLog{}}, nil, CauseAuditFailed},
		{"nil approver function", Options{Mode: Default, Approver: ApproverFunc(nil)}, nil, CauseError},
		{"approver that ends its goroutine", Options{Mode: Default, Approver: ApproverFunc(func(context.Context, Prompt) (Answer, error) {
			runtime.Goexit()
			return Answer{}, nil
		})}, nil, CauseError},
		{"permits", Options{Mode: Yolo}, func(ctx context.Context) context.Context {
			return Unattended(ctx, func(Request) bool { fault(); return true })
		}, CauseUnattendedRefused},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			row.opts.Workspace = "/w"
			g, _ := New(row.opts)
			ctx := t.Context()
			if row.ctx != nil {
				ctx = row.ctx(ctx)
			}
			if v := g.Decide(ctx, edit("a")); v.Allowed() || v.Cause != row.cause {
				t.Errorf("%s · %s (%s), want %s", v.Effect, v.Cause, v.Reason, row.cause)
			}
		})
	}
}

type panickingLog struct{}

func (panickingLog) Record(Record) error { panic("broken") }

// TestHooksAreAskedOnce, however often a request is evaluated again, and a
// hook that ignores the end of the turn can't hold it up (APR-30).
func TestHooksAreAskedOnce(t *testing.T) {
	var g *Gate
	asked := 0
	hook := Hook{Name: "h", Answer: func(context.Context, Request) (HookAnswer, error) {
		asked++
		g.Remember("another")
		return HookAnswer{}, nil
	}}
	g, _ = New(Options{Workspace: "/w", Mode: Default, Hooks: []Hook{hook}, Approver: always(Answer{})})
	if g.Decide(t.Context(), edit("a")); asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		defer close(stuck)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		slow := Hook{Name: "slow", Answer: func(context.Context, Request) (HookAnswer, error) { <-stuck; return HookAnswer{Effect: HookAllow}, nil }}
		g, _ := New(Options{Workspace: "/w", Mode: Default, Hooks: []Hook{slow}, Approver: always(Answer{Decision: Once})})
		verdict := make(chan Verdict)
		go func() { verdict <- g.Decide(ctx, edit("a")) }()
		synctest.Wait()
		cancel()
		if v := <-verdict; v.Cause != CauseWithdrawn {
			t.Errorf("a stuck hook: %s · %s", v.Effect, v.Cause)
		}
		again, end := context.WithCancel(t.Context())
		defer end()
		late := Hook{Name: "late", Answer: func(context.Context, Request) (HookAnswer, error) {
			end()
			return HookAnswer{Effect: HookAllow}, nil
		}}
		g, _ = New(Options{Workspace: "/w", Mode: Default, Hooks: []Hook{late}, Approver: always(Answer{Decision: Once})})
		if v := g.Decide(again, edit("a")); v.Cause != CauseWithdrawn {
			t.Errorf("an allow after the end of the turn: %s · %s", v.Effect, v.Cause)
		}
	})
}

// TestAuditSaysWhatHeld: the mode that was decided in, and no credential in
// any field (BEY-12).
func TestAuditSaysWhatHeld(t *testing.T) {
	log := &keptLog{}
	g, _ := New(Options{Workspace: "/w", Mode: AlwaysAsk, Audit: log})
	g.Decide(Headless(t.Context()), edit("a"))
	g.Decide(Planning(t.Context()), edit("a"))
	if log.records[0].Mode != "yolo" || log.records[1].Mode != "plan" {
		t.Errorf("the modes are %s and %s", log.records[0].Mode, log.records[1].Mode)
	}
	const token = "ghp_0123456789abcdefghijklmnop"
	review := reviewerFunc(func(context.Context, Request) (Review, error) {
		return Review{Allow: true, Reason: "it holds " + token}, nil
	})
	var p Policy
	_ = p.AddRule(Deny, "shell(echo "+token+")", Source{})
	g, _ = New(Options{Workspace: "/w", Mode: Auto, Audit: log, Reviewer: review, Policy: p, Approver: always(Answer{Message: token})})
	req := edit("a")
	req.Origin.Agent, req.Tool = token, "edit"
	g.Decide(t.Context(), req)
	g.Decide(t.Context(), shellRun("echo "+token))
	for _, r := range log.records[2:] {
		if s := strings.Join(append(append(r.Targets, r.Parts...), r.Cause, r.Reason, r.Rule, r.Message, r.Agent, r.Warning), " "); strings.Contains(s, token) || r.Redacted == 0 {
			t.Errorf("the token is in %s", s)
		}
	}
}

type keptLog struct{ records []Record }

func (l *keptLog) Record(r Record) error {
	l.records = append(l.records, r)
	return nil
}
