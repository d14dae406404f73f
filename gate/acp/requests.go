package acp

import (
	"encoding/json"

	"github.com/blitz-approve/blitz-approve/gate"
)

// Requests are the actions of one tool call, of which each has to be allowed:
// read as those of a request for permission are, with the files as they are on
// disk now. It is for agents that tell of their calls in another way, such as
// hooks; call is an object in the protocol's form, with toolCallId, name, kind
// and rawInput.
func Requests(origin gate.Origin, call json.RawMessage) []gate.Request {
	var said Call
	if json.Valid(call) {
		said = parseCall(parseObject(call))
	}
	r := reading{workspace: origin.Workspace, agent: origin.Agent, session: origin.Session}.of(Call{}, said)
	requests := r.requests()
	for i := range requests {
		requests[i].Origin.Protocol = origin.Protocol
	}
	return requests
}
