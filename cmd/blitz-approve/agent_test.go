//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gofrs/flock"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// fakeAgent is a program that the scripts start as an agent. Its arguments
// are what it does, in this order, each in the form VERB or VERB:REST:
//
//	run:COMMAND            asks for a command and runs it if it may
//	edit:FILE:OLD:NEW      asks for a replacement in a file and does it
//	write:FILE:TEXT        asks to write a whole file and does it; @rows is a long text
//	delete:FILE            asks to delete a file and does it
//	leave:COMMAND          asks for a command and exits before the answer
//	child:FILE             starts a process that holds FILE
//	read:FILE              asks to read a file and does it
//	plan:TEXT              hands in a plan
//	heard:FILE             writes the prompt into a file, as it was sent
//	fs:FILE:TEXT           has the editor write a file, unasked
//	get:FILE               has the editor read a file
//	term:COMMAND           has the editor run a command, unasked
//	form:TEXT              asks a question
//	ext                    calls a method of its own
//	tool:NAME:ARGUMENTS    asks for a tool of the first server that it was given, and calls it
//	named:SERVER:NAME      asks for a tool of a server by its name, and doesn't call it
//	titled:NAME            asks for a tool of the first server by the title alone
//	hooked:COMMAND         tells of a command, runs its own hook on it as Claude Code does, and then as run
//	nested:COMMAND         the same, but another agent that it runs as a tool runs the hook
//	unsaid:COMMAND         as hooked, but doesn't tell of the command before
//	say:TEXT, flood:COUNT
//
// A prompt that begins with a line "do" brings its own steps, one a line. The
// words die and nonsense are all that such an agent does.
// What became of each request is said, for the screen.
func fakeAgent(args []string) int {
	switch {
	case len(args) == 1 && args[0] == "die":
		fmt.Fprintln(os.Stderr, "no key for the model")
		return 7
	case len(args) == 1 && args[0] == "nonsense":
		fmt.Println("this is not JSON")
		fmt.Println(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"one"}}`)
		return 0
	case len(args) == 2 && args[0] == "hold":
		return holdFile(args[1])
	case len(args) == 3 && args[0] == "nest":
		return nestedAgent(args[1], args[2])
	}
	a := &program{steps: args, sessions: map[string]*scripted{}}
	a.conn = acp.NewConn(os.Stdin, os.Stdout, acp.Handler{Request: a.request})
	if err := a.conn.Serve(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// holdFile locks a file, says so, and stays, even when it is asked to go by a
// closed input.
func holdFile(name string) int {
	if err := flock.New(name).Lock(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("held")
	select {}
}

// A program is the agent with all its sessions.
type program struct {
	conn  *acp.Conn
	steps []string

	mu       sync.Mutex
	sessions map[string]*scripted
}

// A scripted is one session.
type scripted struct {
	conn  *acp.Conn
	name  string
	cwd   string
	tools *mcp.ClientSession // nil without a server
	given string             // its name
	steps []string
	calls int

	prompt json.RawMessage
}

type fields = map[string]any

var errTurnCancelled = errors.New("the turn was cancelled")

func (a *program) request(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case "initialize":
		return fields{"protocolVersion": 1, "agentInfo": fields{"name": "fake", "version": "1"}}, nil
	case "session/new":
		return a.open(ctx, params)
	case "session/prompt":
		var p struct {
			SessionID string
			Prompt    []struct{ Text string }
		}
		err := json.Unmarshal(params, &p)
		a.mu.Lock()
		s := a.sessions[p.SessionID]
		a.mu.Unlock()
		if s == nil || err != nil {
			return nil, acp.Errorf(acp.CodeInvalidParams, "no such session (%v)", err)
		}
		s.prompt = params
		steps, own := strings.CutPrefix(p.Prompt[0].Text, "do\n")
		if own {
			return s.turn(ctx, strings.Split(steps, "\n")), nil
		}
		return s.turn(ctx, s.steps), nil
	}
	return nil, acp.Errorf(acp.CodeMethodNotFound, "no %s", method)
}

func (a *scripted) turn(ctx context.Context, steps []string) fields {
	for _, s := range steps {
		err := a.step(ctx, s)
		if errors.Is(err, errTurnCancelled) {
			return fields{"stopReason": "cancelled"}
		}
		if err != nil {
			a.say("could not: %s", err)
		}
	}
	a.say("That was all.")
	return fields{"stopReason": "end_turn"}
}

// open opens a session. A server that it is given is started, as agents do.
func (a *program) open(ctx context.Context, params json.RawMessage) (any, error) {
	var p struct {
		Cwd        string
		MCPServers []struct {
			Name, Command string
			Args          []string
		}
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	s := &scripted{conn: a.conn, name: fmt.Sprint("s", len(a.sessions)+1), cwd: p.Cwd, steps: a.steps}
	a.sessions[s.name] = s
	opened := fields{"sessionId": s.name}
	if len(p.MCPServers) == 0 {
		return opened, nil
	}
	s.given = p.MCPServers[0].Name
	cmd := exec.Command(p.MCPServers[0].Command, p.MCPServers[0].Args...)
	cmd.Stderr = os.Stderr
	var err error
	s.tools, err = mcp.NewClient(&mcp.Implementation{Name: "fake", Version: "1"}, nil).Connect(context.WithoutCancel(ctx), &mcp.CommandTransport{Command: cmd}, nil)
	return opened, err
}

func (a *scripted) useTool(ctx context.Context, name, args string) error {
	if a.tools == nil {
		return errors.New("no server was given")
	}
	input := fields{"_name": "mcp__" + a.given + "__" + name}
	if err := json.Unmarshal([]byte(args), &input); err != nil {
		return err
	}
	return a.use(ctx, "other", input, func() error {
		r, err := a.tools.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(args)})
		if err != nil {
			return err
		}
		a.say("%s said %s", name, r.Content[0].(*mcp.TextContent).Text)
		return nil
	})
}

func (a *scripted) step(ctx context.Context, step string) error {
	verb, rest, _ := strings.Cut(step, ":")
	parts := strings.SplitN(strings.Replace(rest, "@rows", manyRows(), 1), ":", 3)
	path := filepath.Join(a.cwd, parts[0])
	switch verb {
	case "say":
		a.say("%s", rest)
	case "run":
		return a.use(ctx, "execute", fields{"command": rest}, func() error {
			cmd := exec.CommandContext(ctx, "sh", "-c", rest)
			cmd.Dir = a.cwd
			return cmd.Run()
		})
	case "edit":
		input := fields{"file_path": path, "old_string": parts[1], "new_string": parts[2]}
		return a.use(ctx, "edit", input, func() error {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, []byte(strings.Replace(string(text), parts[1], parts[2], 1)), 0o644)
		})
	case "write":
		input := fields{"file_path": path, "content": parts[1]}
		return a.use(ctx, "edit", input, func() error { return os.WriteFile(path, []byte(parts[1]), 0o644) })
	case "delete":
		return a.use(ctx, "delete", fields{"file_path": path}, func() error { return os.Remove(path) })
	case "read":
		return a.use(ctx, "read", fields{"file_path": path}, func() error {
			_, err := os.ReadFile(path)
			return err
		})
	case "plan":
		return a.use(ctx, "switch_mode", fields{"plan": rest}, func() error { return nil })
	case "heard":
		return os.WriteFile(path, a.prompt, 0o644)
	case "leave":
		return a.leave(rest)
	case "tool":
		return a.useTool(ctx, parts[0], strings.TrimPrefix(rest, parts[0]+":"))
	case "named":
		return a.use(ctx, "other", fields{"_name": "mcp__" + parts[0] + "__" + parts[1], "x": 1}, func() error { return nil })
	case "titled":
		return a.use(ctx, "other", fields{"_title": "mcp__" + a.given + "__" + rest, "x": 1}, func() error { return nil })
	case "hooked", "nested", "unsaid":
		return a.hooked(ctx, verb, rest)
	case "flood":
		a.flood(rest)
	case "child":
		return a.child(filepath.Join(a.cwd, rest))
	case "fs":
		return a.call(ctx, "fs/write_text_file", fields{"path": path, "content": parts[1]})
	case "get":
		return a.call(ctx, "fs/read_text_file", fields{"path": path})
	case "term":
		return a.call(ctx, "terminal/create", fields{"command": rest})
	case "form":
		return a.call(ctx, "elicitation/create", fields{"mode": "form", "message": rest, "requestedSchema": fields{
			"type": "object", "properties": fields{"name": fields{"type": "string"}}, "required": []string{"name"}}})
	case "sure":
		return a.call(ctx, "elicitation/create", fields{"mode": "form", "message": rest, "requestedSchema": fields{
			"type": "object", "properties": fields{"sure": fields{"type": "boolean"}}}})
	case "ext":
		return a.call(ctx, "_fake/thing", fields{"of": "mine"})
	default:
		return fmt.Errorf("unknown step %q", step)
	}
	return nil
}

// call has the other end do something, and says what it answered.
func (a *scripted) call(ctx context.Context, method string, params fields) error {
	params["sessionId"] = a.name
	var answer json.RawMessage
	if err := a.conn.Call(ctx, method, params, &answer); err != nil {
		return err
	}
	a.say("%s answered %s", method, answer)
	return nil
}

// manyRows is a text that no small terminal shows at once.
func manyRows() string {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "row %d\n", i+1)
	}
	return b.String()
}

// leave asks and exits; what is written by then is read by the host.
func (a *scripted) leave(command string) error {
	const ask = `{"jsonrpc":"2.0","id":"last","method":"session/request_permission","params":{"sessionId":"s1",` +
		`"toolCall":{"toolCallId":"last","kind":"execute","rawInput":{"command":%q}},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}`
	fmt.Printf(ask+"\n", command)
	os.Exit(9)
	return nil
}

// use asks for one thing, does it if it may, and says what became of it.
func (a *scripted) use(ctx context.Context, kind string, input fields, do func() error) error {
	a.calls++
	n := a.calls
	ok, err := a.allowed(ctx, kind, input)
	if err != nil {
		return err
	}
	if !ok {
		a.say("Request %d was refused.", n)
		return nil
	}
	if err := do(); err != nil {
		return err
	}
	a.say("Request %d was done.", n)
	return nil
}

func (a *scripted) allowed(ctx context.Context, kind string, input fields) (bool, error) {
	var answer struct {
		Outcome struct{ Outcome, OptionID string }
	}
	call := fields{"toolCallId": fmt.Sprint("call-", a.calls), "title": "harmless, really", "kind": kind, "rawInput": input}
	for _, name := range []string{"name", "title"} {
		if value, ok := input["_"+name]; ok {
			call[name] = value
			delete(input, "_"+name)
		}
	}
	err := a.conn.Call(ctx, "session/request_permission", fields{
		"sessionId": a.name,
		"toolCall":  call,
		"options": []fields{
			{"optionId": "always", "name": "Always", "kind": "allow_always"},
			{"optionId": "yes", "name": "Yes", "kind": "allow_once"},
			{"optionId": "no", "name": "No", "kind": "reject_once"},
		},
	}, &answer)
	if answer.Outcome.Outcome == "cancelled" {
		return false, errTurnCancelled
	}
	return answer.Outcome.Outcome == "selected" && answer.Outcome.OptionID != "no", err
}

func (a *scripted) say(format string, args ...any) {
	a.update(fields{"sessionUpdate": "agent_message_chunk", "content": fields{"type": "text", "text": fmt.Sprintf(format, args...) + "\n\n"}})
}

func (a *scripted) update(u fields) {
	_ = a.conn.Notify("session/update", fields{"sessionId": a.name, "update": u})
}

// flood sends calls that nobody could read, lines that are no message, and
// updates of nothing.
func (a *scripted) flood(count string) {
	var n int
	_, _ = fmt.Sscan(count, &n)
	for i := range n {
		a.update(fields{"sessionUpdate": "tool_call", "toolCallId": fmt.Sprint("flood-", i), "title": strings.Repeat("\x1b[2J🌊", 40), "kind": "read"})
		a.update(fields{"sessionUpdate": "what", "x": nil})
		if i%100 == 0 {
			_, _ = io.WriteString(os.Stderr, strings.Repeat("noise ", 1000)+"\n")
		}
	}
}

// child leaves a process behind that would outlive the agent.
func (a *scripted) child(lock string) error {
	cmd := exec.Command("fake-agent", "hold", lock)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	_, err = io.ReadFull(out, make([]byte, len("held\n")))
	return err
}
