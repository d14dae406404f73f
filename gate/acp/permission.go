package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// Kinds of permission options.
const (
	allowOnce  = "allow_once"
	rejectOnce = "reject_once"
)

// permission answers session/request_permission. Only an option of kind
// allow_once ever allows: what is meant to last is remembered by the gate,
// since agents take one "always" for far more than it says.
func (h *hosted) permission(ctx context.Context, raw json.RawMessage) (any, error) {
	o := parseObject(raw)
	var offered permissionOptions
	if options := o["options"]; options != nil {
		if err := json.Unmarshal(options, &offered); err != nil {
			return nil, Errorf(CodeInvalidParams, "session/request_permission: %s", err)
		}
	}
	if err := h.ours(o.text("sessionId")); err != nil {
		return nil, err
	}
	asked := h.said(o.object("toolCall"))
	if asked.ID == "" {
		return nil, Errorf(CodeInvalidParams, "session/request_permission: the tool call has no id")
	}
	ctx, release := h.waiting(ctx)
	defer release()
	if ctx.Err() != nil {
		return permissionCancelled, nil
	}
	h.track(asked, false)
	r := h.reading(asked)
	if plan, ok := r.plan(); ok {
		return h.planPermission(ctx, offered, asked.ID, plan, r.planAgain), nil
	}
	if r.entersPlan() {
		return h.enterPermission(ctx, offered, asked.ID, r), nil
	}
	return h.decide(ctx, offered, asked), nil
}

// maxChanges is how often a request is put before the gate anew because what
// it is about changed while it waited.
const maxChanges = 3

// decide asks the gate. What was allowed must still be what will happen: if a
// file or the agent's account changed meanwhile, the gate decides again.
func (h *hosted) decide(ctx context.Context, offered permissionOptions, asked Call) permissionResult {
	id := asked.ID
	read := func() []gate.Request { return h.reading(asked).requests() }
	s := h.settle(ctx, id, read)
	switch {
	case s.cancelled:
		return permissionCancelled
	case !s.allowed:
		h.queueNote(s.refused.Message)
		return h.reject(offered, id)
	}
	return h.allow(ctx, offered, id, s, func() bool { return slices.EqualFunc(s.actions, read(), sameAction) })
}

// A settlement is what came of everything that one call does. The zero
// settlement refuses.
type settlement struct {
	allowed   bool
	cancelled bool           // or withdrawn, before it was settled
	refused   gate.Verdict   // why, where a verdict refused it
	actions   []gate.Request // what was allowed
	comments  []string       // a person's words to it
}

// settle puts all that a call does before the gate; read reads it again.
func (h *hosted) settle(ctx context.Context, id string, read func() []gate.Request) settlement {
	requests := read()
	at := leads(requests)
	for range maxChanges {
		s := settlement{allowed: len(requests) > 0, actions: requests}
		for _, request := range requests {
			v := h.verdict(ctx, id, request)
			switch {
			case ctx.Err() != nil:
				return settlement{cancelled: true}
			case !v.Allowed() && v.Cause == gate.CauseCancelled:
				h.Cancel()
				return settlement{cancelled: true}
			case !v.Allowed():
				return settlement{refused: v}
			}
			s.comments = append(s.comments, v.Message)
		}
		now := read()
		nowAt := leads(now)
		if slices.EqualFunc(requests, now, sameAction) && slices.Equal(at, nowAt) {
			return s
		}
		h.notice(Warning, "what the agent asked for changed while it waited; the gate decides again")
		requests, at = now, nowAt
	}
	h.notice(Warning, keepsChanging)
	return settlement{refused: gate.Verdict{Cause: gate.CauseError, Reason: keepsChanging}}
}

const keepsChanging = "what the agent asked for keeps changing; it was refused"

// leads are the places that the files of requests lead to now.
func leads(requests []gate.Request) (list []string) {
	for i := range requests {
		list = append(list, requests[i].Leads()...)
	}
	return list
}

func (h *hosted) verdict(ctx context.Context, id string, request gate.Request) gate.Verdict {
	v := gate.Verdict{Cause: gate.CauseNoApprover, Reason: "there is no gate that could allow it", Request: request}
	if h.options.Decide != nil {
		v = h.options.Decide(h.underPlan(ctx), request)
	}
	if ctx.Err() != nil && v.Allowed() {
		// The request is gone: an allow that comes too late allows nothing.
		v = gate.Ended(ctx, v)
	}
	h.emit(Decided{CallID: id, Verdict: v})
	return v
}

// sameAction reports whether two requests do the same; how the agent words it
// doesn't matter.
func sameAction(a, b gate.Request) bool {
	return a.Kind == b.Kind && a.Tool == b.Tool && a.Server == b.Server && a.Dir == b.Dir &&
		a.Detail == b.Detail && a.Unrevealed == b.Unrevealed && a.Declared == b.Declared &&
		slices.Equal(a.Targets, b.Targets) && slices.EqualFunc(a.Diff, b.Diff, sameChange)
}

func sameChange(a, b gate.Change) bool {
	same := func(x, y []byte) bool { return (x == nil) == (y == nil) && bytes.Equal(x, y) }
	return a.Path == b.Path && a.From == b.From && same(a.Before, b.Before) && same(a.After, b.After)
}

// allow answers with an option that allows once. still reports whether what was
// allowed is what will happen, since the choice of an option takes its time.
func (h *hosted) allow(ctx context.Context, offered permissionOptions, id string, s settlement, still func() bool) permissionResult {
	ways := offered.of(allowOnce)
	if len(ways) == 0 {
		h.notice(Warning, "the agent offers no way to allow this once; it was refused")
		return h.reject(offered, id)
	}
	way, ok := h.way(ctx, ways)
	switch {
	case ctx.Err() != nil:
		return permissionCancelled
	case !ok:
		return h.reject(offered, id)
	case len(ways) > 1 && !still():
		h.notice(Warning, keepsChanging)
		return h.reject(offered, id)
	}
	for _, c := range s.comments {
		h.queueNote(c)
	}
	if h.approved != nil {
		h.approved(id, s.actions)
	}
	return selected(way)
}

// way is the option with which to allow. Some agents offer several for once: the
// variants of a plan, or the answers to a question, of which the person chooses.
func (h *hosted) way(ctx context.Context, ways permissionOptions) (permissionOption, bool) {
	if len(ways) == 1 || h.options.Prompter == nil || h.options.Unattended {
		return ways[0], true
	}
	q := prompts.Question{Text: h.texts().ways(), Closed: true}
	for _, o := range ways {
		q.Options = append(q.Options, prompts.Option{Label: o.Name})
	}
	a, err := h.ask(ctx, q)
	i := slices.IndexFunc(ways, func(o permissionOption) bool { return o.Name == a.Text })
	if err != nil || i < 0 {
		return permissionOption{}, false
	}
	return ways[i], true
}

func (h *hosted) reject(offered permissionOptions, id string) permissionResult {
	h.setStatus(id, StatusRefused)
	if ways := offered.of(rejectOnce); len(ways) > 0 {
		return selected(ways[0])
	}
	return permissionCancelled
}

// of are the options of a kind, each name once. An id that another kind has too
// says nothing and is passed over.
func (offered permissionOptions) of(kind string) (list permissionOptions) {
	for _, o := range offered {
		unclear := slices.ContainsFunc(offered, func(other permissionOption) bool {
			return other.ID == o.ID && other.Kind != kind
		}) || slices.ContainsFunc(list, func(other permissionOption) bool {
			return other.ID == o.ID || other.Name == o.Name
		})
		if o.Kind == kind && !unclear {
			list = append(list, o)
		}
	}
	return list
}
