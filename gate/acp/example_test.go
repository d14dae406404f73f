package acp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// scripted is an agent in the same process: it asks to run a command and says
// what became of it.
func scripted(r io.Reader, w io.Writer) *acp.Conn {
	var conn *acp.Conn
	conn = acp.NewConn(r, w, acp.Handler{Request: func(ctx context.Context, method string, params json.RawMessage) (any, error) {
		switch method {
		case "initialize":
			return map[string]any{"protocolVersion": 1}, nil
		case "session/new":
			return map[string]any{"sessionId": "s1"}, nil
		case "session/prompt":
			var answer struct {
				Outcome struct{ OptionID string }
			}
			err := conn.Call(ctx, "session/request_permission", map[string]any{
				"sessionId": "s1",
				"toolCall":  map[string]any{"toolCallId": "c1", "kind": "execute", "rawInput": map[string]any{"command": "go test"}},
				"options":   []map[string]any{{"optionId": "once", "kind": "allow_once", "name": "Allow"}},
			}, &answer)
			if err != nil {
				return nil, err
			}
			err = conn.Notify("session/update", map[string]any{"sessionId": "s1", "update": map[string]any{
				"sessionUpdate": "agent_message_chunk",
				"content":       map[string]any{"type": "text", "text": "I was told: " + answer.Outcome.OptionID},
			}})
			return map[string]any{"stopReason": "end_turn"}, err
		}
		return nil, acp.Errorf(acp.CodeMethodNotFound, "no method %s", method)
	}})
	return conn
}

// host connects a host and a scripted agent in memory.
func host(o acp.Options) (h *acp.Host, end func()) {
	toHost, fromAgent := io.Pipe()
	toAgent, fromHost := io.Pipe()
	agent := scripted(toAgent, fromAgent)
	served := make(chan error, 1)
	go func() { served <- agent.Serve(context.Background()) }()
	h = acp.NewHost(toHost, fromHost, o)
	return h, func() {
		h.Close()
		agent.Close()
		<-served
	}
}

func ExampleHost() {
	ctx := context.Background()
	h, end := host(acp.Options{
		Workspace: "/home/u/project",
		Decide: func(_ context.Context, q gate.Request) gate.Verdict {
			fmt.Printf("the agent wants %s: %s\n", q.Kind, q.Targets[0])
			return gate.Verdict{Effect: gate.Allow, Cause: gate.Allow.String()}
		},
		Events: func(e acp.Event) {
			if c, ok := e.(acp.AgentChunk); ok {
				fmt.Println(c.Text)
			}
		},
	})
	defer end()
	if _, err := h.Initialize(ctx); err != nil {
		fmt.Println(err)
	}
	if err := h.NewSession(ctx); err != nil {
		fmt.Println(err)
	}
	reason, err := h.Prompt(ctx, "Run the tests.")
	fmt.Println(reason, err)
	// Output:
	// the agent wants run_command: go test
	// I was told: once
	// end_turn <nil>
}

// BenchmarkPermission is one turn with one permission request.
func BenchmarkPermission(b *testing.B) {
	h, end := host(acp.Options{Workspace: "/home/u/project", Decide: allowAll})
	defer end()
	if _, err := h.Initialize(b.Context()); err != nil {
		b.Fatal(err)
	}
	if err := h.NewSession(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := h.Prompt(b.Context(), "go"); err != nil {
			b.Fatal(err)
		}
	}
}
