//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

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
//	say:TEXT, flood:COUNT
//
// The words die and nonsense are all that such an agent does.
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
	}
	a := &scripted{steps: args}
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

type scripted struct {
	conn  *acp.Conn
	cwd   string
	steps []string
	calls int

	prompt json.RawMessage
}

type fields = map[string]any

func (a *scripted) request(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case "initialize":
		return fields{"protocolVersion": 1, "agentInfo": fields{"name": "fake", "version": "1"}}, nil
	case "session/new":
		var p struct{ Cwd string }
		err := json.Unmarshal(params, &p)
		a.cwd = p.Cwd
		return fields{"sessionId": "s1"}, err
	case "session/prompt":
		a.prompt = params
		for _, s := range a.steps {
			if err := a.step(ctx, s); err != nil {
				a.say("could not: %s", err)
			}
		}
		a.say("That was all.")
		return fields{"stopReason": "end_turn"}, nil
	}
	return nil, acp.Errorf(acp.CodeMethodNotFound, "no %s", method)
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
	case "flood":
		a.flood(rest)
	case "child":
		return a.child(filepath.Join(a.cwd, rest))
	default:
		return fmt.Errorf("unknown step %q", step)
	}
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
	err := a.conn.Call(ctx, "session/request_permission", fields{
		"sessionId": "s1",
		"toolCall":  fields{"toolCallId": fmt.Sprint("call-", a.calls), "title": "harmless, really", "kind": kind, "rawInput": input},
		"options": []fields{
			{"optionId": "always", "name": "Always", "kind": "allow_always"},
			{"optionId": "yes", "name": "Yes", "kind": "allow_once"},
			{"optionId": "no", "name": "No", "kind": "reject_once"},
		},
	}, &answer)
	return answer.Outcome.Outcome == "selected" && answer.Outcome.OptionID != "no", err
}

func (a *scripted) say(format string, args ...any) {
	a.update(fields{"sessionUpdate": "agent_message_chunk", "content": fields{"type": "text", "text": fmt.Sprintf(format, args...) + "\n\n"}})
}

func (a *scripted) update(u fields) {
	_ = a.conn.Notify("session/update", fields{"sessionId": "s1", "update": u})
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
