package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// errPassOn says that the editor may answer a request.
var errPassOn = errors.New("the editor may answer this")

// clientCall decides on what an agent wants the editor to do: to read or write
// a file, or to run a command. It is an action as any other. The error is
// [errPassOn] if it may be done; every other is the answer, and says why.
func (g *guarded) clientCall(ctx context.Context, e envelope) error {
	if g == nil {
		return errNotOpened
	}
	if repeats(e.params) {
		return Errorf(CodeInvalidParams, "%s: %s", e.method, errTwoReadings)
	}
	id := g.proxy.newCard()
	said, err := clientCallOf(e.method, id, parseObject(e.params))
	if err != nil {
		return err
	}
	asked := parseCall(said)
	card := &card{id: id}
	ctx, release := g.host.waiting(onCard(ctx, card))
	defer release()
	if ctx.Err() != nil {
		return Errorf(CodeCancelled, "cancelled")
	}
	read := func() []gate.Request { return marked(g.host.reading(asked).requests(), parseObject(asked.RawInput)) }
	if actions := read(); g.leave.take(actions) && g.stands(ctx, actions) {
		return errPassOn
	}
	s := g.host.settle(ctx, id, read)
	g.closeCard(card, s)
	switch {
	case s.cancelled || ctx.Err() != nil:
		return Errorf(CodeCancelled, "cancelled")
	case !s.allowed:
		g.host.queueNote(s.refused.Message)
		return Errorf(CodeInternal, "%s", s.refused.Refusal())
	}
	for _, c := range s.comments {
		g.host.queueNote(c)
	}
	return errPassOn
}

// stands reports whether what was approved is denied by nothing that has been
// said since, such as a rule or another mode.
func (g *guarded) stands(ctx context.Context, actions []gate.Request) bool {
	check := g.host.options.Check
	return check != nil && !slices.ContainsFunc(actions, func(r gate.Request) bool {
		return check(g.host.underPlan(ctx), r).Effect == gate.Deny
	})
}

// newCard names a call that the agent made no tool call of.
func (p *Proxy) newCard() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cards++
	return strings.Trim(p.agent.prefix, `"`) + fmt.Sprint("call-", p.cards)
}

// clientArguments are those that editors know. Tools of agents have others, for
// which one that an editor overlooks must not be taken.
var clientArguments = map[string]map[string]bool{
	"fs/write_text_file": names("path", "content"),
	"fs/read_text_file":  names("path", "line", "limit"),
	"terminal/create":    names("command", "args", "env", "cwd"),
}

// clientCallOf is a request for a file or a terminal in the form of a tool
// call, in which all of its parameters are arguments.
func clientCallOf(method, id string, params object) (object, error) {
	call := object{}
	input := object{}
	known := clientArguments[method]
	for name, value := range params {
		switch {
		case name == "sessionId", name == "_meta", name == "outputByteLimit":
		case known != nil && !known[name]:
			input["other "+name] = value
		default:
			input[name] = value
		}
	}
	kind := "other"
	switch method {
	case "fs/write_text_file":
		kind = "edit"
		if _, ok := params.optional("content"); !ok {
			return nil, Errorf(CodeInvalidParams, "%s: there is no content", method)
		}
	case "fs/read_text_file":
		kind = "read"
	case "terminal/create":
		kind = "execute"
		if dir := params.text("cwd"); dir != "" && !filepath.IsAbs(dir) {
			return nil, Errorf(CodeInvalidParams, "%s: the cwd must be absolute", method)
		}
	default:
		call["name"], _ = encode(method)
	}
	if kind == "edit" || kind == "read" {
		if path := params.text("path"); !filepath.IsAbs(path) {
			return nil, Errorf(CodeInvalidParams, "%s: the path must be absolute", method)
		}
	}
	call["toolCallId"], _ = encode(id)
	call["kind"], _ = encode(kind)
	raw, err := json.Marshal(input)
	if err != nil {
		return nil, err
	}
	call["rawInput"] = raw
	return call, nil
}

// marked has a person asked about a command of several words that comes with
// arguments: some editors read the first as one program, others as a line for
// a shell.
func marked(requests []gate.Request, input object) []gate.Request {
	command := input.text("command")
	if len(input.texts("args")) > 0 && quoteWord(command) != command {
		for i := range requests {
			requests[i].Targets = append(slices.Clone(requests[i].Targets), command)
			forceReason(&requests[i], "the editor may read its program as a line for a shell")
		}
	}
	return requests
}
