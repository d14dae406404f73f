package main

import (
	"context"
	"time"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/agenthook"
	"github.com/blitz-approve/blitz-approve/gate"
)

const (
	// againTime is how long a yes may be old when the agent comes again with the
	// same call: it may have tried the command in its sandbox before.
	againTime = 10 * time.Minute
	// againLooked is how many records are looked at.
	againLooked = 1000
	// againMessage tells the record of a yes that was given before from that of
	// the person's, which counts for one further event only.
	againMessage = "approved before the call, which the agent comes again with"
)

// approvedBefore reports that a person has just approved, once, all that the
// call of an event does, by the event that came before with the same call. The
// log knows it, since each event has a process of its own.
func (m *machine) approvedBefore(e agenthook.Event) bool {
	before, comes := e.Before()
	if !comes {
		return false
	}
	requests := before.Requests(m.workspace)
	for i := range requests {
		if !m.justApproved(&requests[i]) {
			return false
		}
	}
	return len(requests) > 0
}

// justApproved looks for the newest record of a request in its session.
func (m *machine) justApproved(r *gate.Request) bool {
	digest, looked := r.Digest(), 0
	for record, err := range gate.Records(m.auditPath()) {
		// A record of the future is one from before the clock was set back.
		if err == nil && time.Since(record.Time).Abs() > againTime {
			return false
		}
		if looked++; looked > againLooked {
			return false
		}
		if err != nil || record.Digest != digest || record.Session != r.Origin.Session ||
			record.Agent != r.Origin.Agent || record.Protocol != r.Origin.Protocol || record.Workspace != m.workspace {
			continue
		}
		return record.Verdict == gate.Allow.String() && record.Cause == gate.CauseUserOnce && record.Message != againMessage
	}
	return false
}

// A sameAnswer gives the person's yes to the same call again.
type sameAnswer struct{}

func (sameAnswer) Approve(context.Context, gate.Prompt) (gate.Answer, error) {
	return gate.Answer{Decision: gate.Once, Message: againMessage}, nil
}
