package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/blitz-approve/blitz-approve/gate/mcp"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// A client is another implementation's, at the other end of a pipe.
type client struct {
	*sdk.ClientSession
	t      *testing.T
	conn   net.Conn
	stop   context.CancelFunc
	served chan error
}

func serve(t *testing.T, tools mcp.Tools) *client {
	t.Helper()
	ours, theirs := net.Pipe()
	c := &client{t: t, conn: theirs, served: make(chan error, 1)}
	var ctx context.Context
	ctx, c.stop = context.WithCancel(context.Background())
	t.Cleanup(c.stop)
	go func() { c.served <- mcp.Serve(ctx, ours, ours, "1", tools) }()
	var err error
	c.ClientSession, err = sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil).
		Connect(t.Context(), &sdk.IOTransport{Reader: theirs, Writer: theirs}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// call returns the one text of a result.
func (c *client) call(tool, args string) (text string, isError bool) {
	c.t.Helper()
	r, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		c.t.Fatal(err)
	}
	if len(r.Content) != 1 {
		c.t.Fatalf("%s: %d pieces of content", tool, len(r.Content))
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

func (c *client) leave() {
	c.t.Helper()
	_ = c.Close()
	if err := <-c.served; err != nil {
		c.t.Errorf("it ended with %v", err)
	}
}

// APR-40, APR-40a, APR-41, APR-42, APR-43: what is asked, what comes back, and
// that what is wrong is said to the model.
func TestTools(t *testing.T) {
	var asked prompts.AskArgs
	var plan, named string
	c := serve(t, mcp.Tools{
		Ask: func(ctx context.Context, a prompts.AskArgs) (prompts.AskResult, error) {
			asked, named = a, mcp.Client(ctx)
			return prompts.AskResult{Replies: []prompts.Reply{{Question: a.Question, Answer: "blue"}}}, nil
		},
		EnterPlan: func(_ context.Context, raw json.RawMessage) error {
			if strings.Contains(string(raw), "large") {
				return nil
			}
			return prompts.ErrNoPlanning
		},
		ExitPlan: func(_ context.Context, p string) (prompts.PlanResult, error) {
			plan = p
			return prompts.PlanResult{Approved: true, Mode: prompts.ModeDefault, File: ".blitz/plans/s-1.md"}, nil
		},
		Todo: func(context.Context, prompts.TodoList) error { return nil },
	})
	defer c.leave()
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Description == "" || !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s: %q, %+v", tool.Name, tool.Description, tool.Annotations)
		}
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "ask_user_question enter_plan_mode exit_plan_mode todo" {
		t.Errorf("the tools are %s", got)
	}
	for _, call := range []struct {
		tool, args, want string
		isError          bool
	}{
		{"ask_user_question", `{"question":"Which colour?","options":[{"label":"red"},"blue"]}`, `{"answer":"blue"}`, false},
		{"ask_user_question", `{"question":" "}`, "the question is empty: say what you want to know", true},
		{"ask_user_question", `{"question":"Which?","multi_select":true}`, "multi_select needs options to choose from", true},
		{"enter_plan_mode", `{"reason":"it is large"}`, `{"planning":true,"message":"you are planning: look around, change nothing, and hand in the plan with exit_plan_mode"}`, false},
		{"enter_plan_mode", `{}`, prompts.ErrNoPlanning.Error(), true},
		{"exit_plan_mode", `{"plan":"# Two steps"}`, `{"approved":true,"mode":"default","plan_file":".blitz/plans/s-1.md"}`, false},
		{"todo", `{"items":[{"content":" a ","status":"doing"},{"content":"b","status":"completed"}]}`,
			`{"items":[{"content":"a","status":"in_progress"},{"content":"b","status":"done"}],"done":1,"total":2}`, false},
		{"todo", `{"items":[{"content":"","status":"pending"}]}`, "item 1: its content is empty", true},
	} {
		if text, isError := c.call(call.tool, call.args); text != call.want || isError != call.isError {
			t.Errorf("%s %s: %q, error %t", call.tool, call.args, text, isError)
		}
	}
	if len(asked.Options) != 2 || plan != "# Two steps" || named != "tester" {
		t.Errorf("asked %+v, plan %q, by %q", asked, plan, named)
	}
}

// TAM-24: an answer to Claude Code is in its own form, and whatever goes wrong
// is a refusal.
func TestApprove(t *testing.T) {
	c := serve(t, mcp.Tools{Approve: func(_ context.Context, call mcp.Call) (mcp.Answer, error) {
		switch call.Tool {
		case "Bash":
			return mcp.Answer{Allow: true}, nil
		case "Write":
			return mcp.Answer{Allow: true, Input: json.RawMessage(`{"content":"mine"}`)}, nil
		case "Edit":
			return mcp.Answer{Message: "not this file", Stop: true}, nil
		}
		return mcp.Answer{}, errors.New("the log is full")
	}})
	defer c.leave()
	for args, want := range map[string]string{
		`{"tool_name":"Bash","input":{"command":"ls","n":1.50},"tool_use_id":"t"}`: `{"behavior":"allow","updatedInput":{"command":"ls","n":1.50}}`,
		`{"tool_name":"Write","input":{"content":"yours"}}`:                        `{"behavior":"allow","updatedInput":{"content":"mine"}}`,
		`{"tool_name":"Edit","input":{}}`:                                          `{"behavior":"deny","message":"not this file","interrupt":true}`,
		`{"tool_name":"Read","input":{}}`:                                          `{"behavior":"deny","message":"blitz-approve can't decide, so it was refused: the log is full"}`,
		`{"Tool_Name":"Bash","input":{}}`:                                          `{"behavior":"deny","message":"this is not a call that can be approved: it doesn't say which tool"}`,
		`{"tool_name":"Bash","input":[]}`:                                          `{"behavior":"deny","message":"this is not a call that can be approved: it doesn't say with what arguments"}`,
		`{"tool_name":7,"input":{}}`:                                               `{"behavior":"deny","message":"this is not a call that can be approved: tool_name is not a text"}`,
	} {
		if text, isError := c.call("approve", args); text != want || isError {
			t.Errorf("%s: %s, error %t", args, text, isError)
		}
	}
}

// APR-30: who asked and has gone, or took it back, is asked for no more. Other
// calls are served meanwhile.
func TestCallEndsWithItsClient(t *testing.T) {
	waits, ended := make(chan struct{}), make(chan error)
	ask := func(ctx context.Context, _ prompts.AskArgs) (prompts.AskResult, error) {
		waits <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
		return prompts.AskResult{}, ctx.Err()
	}
	c := serve(t, mcp.Tools{Ask: ask, Todo: func(context.Context, prompts.TodoList) error { return nil }})
	question := &sdk.CallToolParams{Name: "ask_user_question", Arguments: json.RawMessage(`{"question":"Well?"}`)}
	ctx, back := context.WithCancel(t.Context())
	go func() { _, _ = c.CallTool(ctx, question) }()
	<-waits
	if text, _ := c.call("todo", `{"items":[]}`); text != `{"items":[],"done":0,"total":0}` {
		t.Errorf("beside a question that waits: %s", text)
	}
	back()
	if err := <-ended; err == nil {
		t.Error("a call that was taken back goes on")
	}
	go func() { _, _ = c.CallTool(t.Context(), question) }()
	<-waits
	_ = c.conn.Close() // as when its process is killed
	if err := <-ended; err == nil {
		t.Error("a call goes on without its client")
	}
	c.leave()

	c = serve(t, mcp.Tools{Ask: ask})
	go func() { _, _ = c.CallTool(t.Context(), question) }()
	<-waits
	c.stop()
	if err := <-ended; err == nil {
		t.Error("a call goes on when the server ends")
	}
	if err := <-c.served; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}
