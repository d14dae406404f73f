package gate

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrSettled is what the cause with which a prompt is withdrawn is when a
// change of mode, rules or grants settled its request: a [*SettledError].
var ErrSettled = errors.New("a change of mode or rules settled this request")

// A SettledError says what settled a request that waited for a person.
type SettledError struct{ Verdict Verdict }

// Error says how it was settled and by what, with the rule's place (BEY-04).
func (e *SettledError) Error() string {
	v := &e.Verdict
	s := "refused meanwhile"
	if v.Allowed() {
		s = "allowed meanwhile"
	}
	if v.Reason != "" {
		s += ": " + v.Reason
	}
	switch mode := v.Mode.String(); {
	case v.Rule != nil && !strings.Contains(v.Reason, v.Rule.Text):
		s += " · " + v.Rule.String()
	case v.Rule == nil && strings.HasPrefix(v.Cause, "mode") && !strings.Contains(v.Reason, mode):
		s += " · mode " + mode
	}
	return s
}

// Is reports whether target is [ErrSettled].
func (e *SettledError) Is(target error) bool { return target == ErrSettled }

// Decide settles one request: it evaluates the steps, and when they end in an
// ask it waits for a person. When ctx ends it asks no more and denies; what is
// then left is to record that, and an [AuditLog] that another process keeps
// locked is waited for no longer than two seconds. The verdict is Allow or Deny,
// is in the audit log, and may be acted on.
func (g *Gate) Decide(ctx context.Context, req Request) Verdict {
	if g == nil {
		return invalidGate(req)
	}
	if req.ID == "" {
		req.ID = newID()
	}
	start := g.now()
	v := g.record(&req, runFrom(ctx), g.decide(ctx, req), g.now().Sub(start))
	// Only what is in the log may last: an approval that was turned into a
	// refusal must not pass the next request.
	if remember := v.remember; remember != nil {
		v.remember = nil
		if v.Effect == Allow {
			remember(&v)
		}
	}
	return v
}

// newID names a request: short enough to type, long enough not to meet again.
func newID() string { return rand.Text()[:10] }

func (g *Gate) decide(ctx context.Context, req Request) Verdict {
	r := runFrom(ctx)
	r.consult = &consultation{hookList: g.opts.Hooks, reviewer: g.opts.Reviewer}
	for {
		changed, s := g.current()
		v := g.evaluate(ctx, s, req, r)
		switch {
		case g.state.Load() != s:
			// A reviewer's verdict asked for under an older mode is thrown
			// away with the rest.
		case v.Effect == Allow && ctx.Err() != nil:
			v = Ended(ctx, v)
			v.Step = StepValid // nobody was asked
			return v
		case v.Effect != Ask:
			return v
		default:
			return g.wait(ctx, req, v, r, changed)
		}
	}
}

// current returns the state and the channel that closes when it is replaced.
func (g *Gate) current() (<-chan struct{}, *state) {
	changed := *g.changed.Load()
	return changed, g.state.Load()
}

type reply struct {
	answer Answer
	err    error
}

// wait asks a person while it watches for the end of ctx and for a change
// that settles the request. Each evaluation begins with the request as it
// came, since the tool's own word depends on the policy.
func (g *Gate) wait(ctx context.Context, req Request, v Verdict, r run, changed <-chan struct{}) Verdict {
	ctx, span := g.startSpan(ctx, v.Request)
	asking, withdraw := context.WithCancelCause(ctx)
	defer withdraw(nil)
	replies := make(chan reply, 1)
	prompt := g.prompt(v)
	r.consult = nil
	var shown *showing
	revise := func(e Edit) (Prompt, error) { return g.revise(asking, req, prompt, r, e) }
	if v.Request.MayEdit() {
		prompt.Revise = func(e Edit) (Prompt, error) { return shown.revised(e, revise) }
	}
	shown = newShowing(g, prompt)
	go g.approve(asking, shown, replies)
	for {
		select {
		case <-ctx.Done():
			withdraw(context.Cause(ctx))
			v = Ended(ctx, v)
		case <-changed:
			var s *state
			changed, s = g.current()
			next := g.evaluate(ctx, s, req, r)
			if next.Effect == Ask {
				v = next
				shown.renew(g.prompt(v), shown.editStale(revise))
				continue
			}
			withdraw(&SettledError{next})
			v = next
		case got := <-replies:
			v = g.answered(ctx, req, v, r, shown, got)
		}
		span.End(Attr{"decision", v.Cause})
		return v
	}
}

// approve shields the gate from an approver that panics or ends its
// goroutine: it always replies.
func (g *Gate) approve(ctx context.Context, shown *showing, replies chan<- reply) {
	r := reply{err: errors.New("the approver ended without an answer")}
	defer func() {
		if fault := recover(); fault != nil {
			r = reply{err: fmt.Errorf("the approver failed: %v", fault)}
		}
		replies <- r
	}()
	answer, err := g.opts.Approver.Approve(ctx, shown.first())
	r = reply{answer, err}
}

// completed adds to a prompt what takes longer than the gate may: listing
// folders takes as long as their disk does.
func (g *Gate) completed(p Prompt) Prompt {
	p.Grants = listed(p.Grants)
	if g.opts.SaveRules != nil {
		p.Widths, p.Unruled = g.widths(p.Request)
	}
	return p
}

func (g *Gate) prompt(v Verdict) Prompt {
	p := Prompt{Request: v.Request, Verdict: v, Since: g.now(), Grants: v.grants, CanSave: g.opts.Grants != nil, SavedIn: g.opts.SavedIn,
		turn: g.state.Load().session.turns[v.Request.Origin.Session]}
	for _, d := range v.Offers {
		switch d {
		case Session:
			p.Session = sessionScope(&v)
		case Always:
			p.Saves = v.Request.Key
		}
	}
	return p
}

// sessionScope says what a session answer would cover.
func sessionScope(v *Verdict) string {
	req := &v.Request
	if !v.Mode.byTier() {
		return req.KeyLabel
	}
	return "every call of " + req.Tool + " at tier " + req.Declared.Tier.String()
}

// answered applies a person's answer. What changed meanwhile counts: a deny
// stays a deny, and a forced ask can't be remembered.
func (g *Gate) answered(ctx context.Context, req Request, v Verdict, r run, all *showing, got reply) Verdict {
	if ctx.Err() != nil {
		return Ended(ctx, v)
	}
	switch {
	case errors.Is(got.err, ErrUnanswered):
		return refused(v, CauseUnanswered, got.err.Error())
	case errors.Is(got.err, ErrHandedOver):
		return refused(v, CauseHandedOver, got.err.Error()+": "+v.Reason)
	case errors.Is(got.err, ErrNoApprover):
		v = refused(v, CauseNoApprover, got.err.Error()+because(v.Reason)+"; "+v.wayOut)
		v.Step = StepReach
		return v
	case got.err != nil:
		return refused(v, CauseError, "asking a person failed: "+got.err.Error())
	}
	shown, ok := all.at(got.answer.Renewal)
	if !ok {
		return refused(v, CauseError, "the answer is to a prompt that was never asked")
	}
	if err := got.answer.contradiction(); err != nil {
		return refused(v, CauseError, "the answer contradicts itself: "+err.Error())
	}
	_, s := g.current()
	if next := g.evaluate(ctx, s, req, r); next.Effect == Deny {
		return next
	} else if next.Effect == Ask {
		v = next
	}
	v.Message = got.answer.Message
	if got.answer.Edited != nil && got.answer.Decision.allows() {
		return g.approveEdited(ctx, req, v, r, got.answer)
	}
	switch d := got.answer.Decision; d {
	case CancelTurn:
		return refused(v, CauseCancelled, ErrTurnCancelled.Error())
	case Once:
		if got.answer.Grant != NoGrant {
			return g.approveGranting(v, shown, got.answer)
		}
		return approved(v, CauseUserOnce, "a person approved it once")
	case Turn, Until:
		return g.approveTimed(v, shown, got.answer)
	case Session, Always:
		if got.answer.Rule != "" {
			return g.approveRule(v, req, shown, got.answer)
		}
		return g.approveLasting(v, shown, d)
	}
	return refused(v, CauseUserRefused, "the person declined it")
}

// approvedOnly approves once what was to be remembered.
func approvedOnly(v Verdict) Verdict {
	v = approved(v, CauseUserOnce, "a person approved it")
	v.Warning = "it can only be approved once, so nothing was remembered"
	return v
}

func approved(v Verdict, cause, reason string) Verdict {
	v.Effect, v.Cause, v.Reason, v.Step, v.Offers = Allow, cause, reason, StepAsk, nil
	return v
}

// approveLasting approves for the session or for always, which is remembered
// once it is recorded. What was not offered, or would now cover something else
// than was shown, is approved once, with a warning (APR-12).
func (g *Gate) approveLasting(v Verdict, shown Prompt, d Decision) Verdict {
	moved := d == Session && sessionScope(&v) != shown.Session || d == Always && v.Request.Key != shown.Saves
	if moved || !shown.Offers(d) || !(Prompt{Verdict: v}).Offers(d) {
		return approvedOnly(v)
	}
	if d == Session {
		v = approved(v, CauseUserSession, "a person approved it for this session")
		v.remember = g.rememberSession
		return v
	}
	v = approved(v, CauseUserAlways, "a person approved it for always")
	switch {
	case g.opts.Approvals == nil:
		v.Warning = "approved, but there is no file to save the approval in: it holds for this session"
	case LooksSecret(v.Request.Key):
		v.Warning = unsaved(ErrSecretKey)
	}
	v.remember = g.rememberAlways
	return v
}

func (g *Gate) rememberSession(v *Verdict) {
	if v.Mode.byTier() {
		g.rememberTool(v.Request.sessionTool())
	} else {
		g.Remember(v.Request.Key)
	}
	kept := v.kept(sessionScope(v))
	v.Kept = &kept
}

func (g *Gate) rememberAlways(v *Verdict) {
	req := &v.Request
	g.Remember(req.Key)
	if g.opts.Approvals == nil {
		return
	}
	if err := g.opts.Approvals.Save(req.Key, req.KeyLabel, g.now()); err != nil {
		v.Warning = unsaved(err)
		return
	}
	g.Refresh()
}

func unsaved(err error) string { return "approved, but saving the approval failed: " + err.Error() }

// approveGranting approves and grants what the person was shown, if that is
// still what the request touches (TAM-07, APR-12).
func (g *Gate) approveGranting(v Verdict, shown Prompt, a Answer) Verdict {
	offer, ok := offerOf(shown.Grants, a.Grant)
	if now, still := offerOf(v.grants, a.Grant); !ok || !still || !slices.Equal(now.Targets, offer.Targets) {
		return approvedOnly(v)
	}
	if !a.Remember {
		v = approved(v, CauseUserSession, "a person approved it, and for this session "+offer.Label)
		v.remember = func(v *Verdict) {
			if err := g.grantKeys(offer.Targets); err != nil {
				v.Warning = "approved, but only once: " + err.Error()
			}
		}
		return v
	}
	v = approved(v, CauseUserAlways, "a person approved it, and for always "+offer.Label)
	if g.opts.Grants == nil {
		v.Warning = "approved, but there is nothing to save the grant in: it holds for this session"
	}
	v.remember = func(v *Verdict) { g.saveGrants(v, offer.Targets) }
	return v
}

func (g *Gate) saveGrants(v *Verdict, targets []GrantTarget) {
	if g.opts.Grants == nil {
		_ = g.grantKeys(targets) // fails only with a store
		return
	}
	grants := make([]Grant, len(targets))
	for i, t := range targets {
		grants[i] = Grant{GrantTarget: t, Saved: true}
	}
	err := g.opts.Grants.Grant(grants...)
	if err == nil {
		g.Refresh()
		return
	}
	v.Warning = "approved, but saving the grant failed: " + err.Error()
	if err := g.grantKeys(targets); err != nil {
		v.Warning += "; " + err.Error()
	}
}
