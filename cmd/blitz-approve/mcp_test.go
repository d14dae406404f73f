//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// An mcpClient is another implementation's, with the program as its server.
type mcpClient struct {
	*sdk.ClientSession
	d      *office
	server *exec.Cmd
}

func (d *office) mcp(args ...string) *mcpClient {
	d.t.Helper()
	cmd := d.command(append([]string{"mcp", "--approval-mode", "default"}, args...)...)
	cmd.Stderr = os.Stderr
	client := sdk.NewClient(&sdk.Implementation{Name: "claude-code", Title: "Claude Code", Version: "2"}, nil)
	s, err := client.Connect(context.Background(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = cmd.Process.Kill() })
	return &mcpClient{s, d, cmd}
}

// call begins a call; the channel gets the text that comes back.
func (c *mcpClient) call(tool string, args map[string]any) <-chan string {
	got := make(chan string, 1)
	go func() {
		r, err := c.CallTool(c.d.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			got <- err.Error()
			return
		}
		got <- r.Content[0].(*sdk.TextContent).Text
	}()
	return got
}

func (d *office) got(reply <-chan string) string {
	d.t.Helper()
	select {
	case text := <-reply:
		return text
	case <-time.After(patience):
		screen := "(no desk)"
		if d.desk != nil {
			screen = d.desk.text()
		}
		d.t.Fatalf("no answer comes; on the desk is\n%s", screen)
		return ""
	}
}

func (d *office) gets(reply <-chan string, want string) {
	d.t.Helper()
	if text := d.got(reply); text != want {
		d.t.Errorf("it got  %s\nand not %s", text, want)
	}
}

// TestMCPWithoutDesk: what each tool says where nobody can be asked (APR-40,
// APR-41, APR-42, APR-43); approve refuses what rules don't let pass, and nothing
// but the answer that Claude Code knows is written (TAM-24).
func TestMCPWithoutDesk(t *testing.T) {
	d := newOffice(t)
	d.writes("settings.toml", "[permissions]\nallow = [\"shell(ls)\"]\ndeny = [\"shell(rm)\", \"WebSearch\"]\n[blitz]\nplan_review = \"agent-decides\"\n")
	c := d.mcp()
	question := map[string]any{"question": "Which store?"}
	d.gets(c.call("ask_user_question", question), "nobody can be asked from here; go on and use your own judgement")
	d.gets(c.call("enter_plan_mode", nil), "nobody can review a plan here; go on without planning")
	d.gets(c.call("exit_plan_mode", map[string]any{"plan": "# Plan"}), "this turn isn't planning, so there is no plan to hand in: go on with the task")
	d.gets(c.call("todo", map[string]any{"items": []any{map[string]any{"content": "a", "status": "Completed"}}}), `{"items":[{"content":"a","status":"done"}],"done":1,"total":1}`)

	approve := func(tool string, input map[string]any) <-chan string {
		return c.call("approve", map[string]any{"tool_name": tool, "input": input, "tool_use_id": "t1"})
	}
	d.gets(approve("Bash", map[string]any{"command": "ls"}), `{"behavior":"allow","updatedInput":{"command":"ls"}}`)
	d.gets(approve("Bash", map[string]any{"command": "touch it"}), `{"behavior":"deny","message":"Bash (touch it) was refused: nobody can be asked: no desk is open: have the user start blitz-approve in another terminal, then try again (no rule matches, and mode default asks); allow it with the rule shell(touch it), or choose a mode that lets it pass"}`)
	if text := d.got(approve("Bash", map[string]any{"command": "rm it"})); !strings.HasPrefix(text, `{"behavior":"deny","message":"Bash (rm it) was refused: `) || !strings.Contains(text, "deny shell(rm)") {
		t.Errorf("a deny rule: %s", text)
	}
	if text := d.got(approve("WebSearch", map[string]any{"query": "x"})); !strings.HasPrefix(text, `{"behavior":"deny"`) {
		t.Errorf("a deny rule for a tool: %s", text)
	}
	d.gets(approve("AskUserQuestion", map[string]any{"questions": []any{question}}), `{"behavior":"deny","message":"nobody can be asked from here; go on and use your own judgement"}`)
	d.gets(approve("AskUserQuestion", map[string]any{"questions": []any{map[string]any{"question": ""}}}), `{"behavior":"deny","message":"blitz-approve can't decide, so it was refused: question 1 of 1: the question is empty: say what you want to know"}`)
	d.gets(approve("ExitPlanMode", map[string]any{"plan": "# Plan"}), `{"behavior":"deny","message":"nobody can review the plan here: finish your turn and give the plan itself as your answer"}`)
	d.gets(approve("EnterPlanMode", map[string]any{}), `{"behavior":"deny","message":"nobody can review a plan here; go on without planning"}`)
	d.gets(approve("TodoWrite", map[string]any{"todos": []any{}}), `{"behavior":"allow","updatedInput":{"todos":[]}}`)
	d.runs("touch it", "audit", "--verdict", "deny", "--cause", "no-approver")
}

// TestMCPAtDesk: questions, plans and approvals of a headless agent reach the
// person at the desk, also one that opens later (BEY-01, APR-40, APR-41, BEY-05).
func TestMCPAtDesk(t *testing.T) {
	d := newOffice(t)
	d.writes("settings.toml", "[blitz]\nplan_review = \"agent-decides\"\n")
	c := d.mcp()
	d.gets(c.call("ask_user_question", map[string]any{"question": "Who?"}), "nobody can be asked from here; go on and use your own judgement")
	term := d.inbox()

	got := c.call("ask_user_question", map[string]any{"question": "Which store?", "options": []any{map[string]any{"label": "SQLite"}, map[string]any{"label": "Postgres"}}})
	d.sees(term, "Claude Code", "Which store?", "1 agent")
	d.takes(term, "Which store?")
	d.sends(term, "2")
	d.gets(got, `{"answer":"Postgres"}`)

	// A list of tasks is on the desk while the agent is there (APR-43).
	got = c.call("todo", map[string]any{"items": []any{map[string]any{"content": "Read the code", "status": "done"}, map[string]any{"content": "Run the tests", "status": "doing"}}})
	d.sees(term, "Run the tests", "1/2")
	d.got(got)
	d.sends(term, "\x14")
	if err := term.until("no tasks", func(screen string) bool { return !strings.Contains(screen, "Run the tests") }); err != nil {
		t.Fatal(err)
	}
	d.sends(term, "\x14")
	d.sees(term, "Run the tests")

	got = c.call("approve", map[string]any{"tool_name": "Bash", "input": map[string]any{"command": "touch it", "description": "Touch it"}})
	d.sees(term, "touch it", "Claude Code asks")
	d.answers(term, "e")
	d.sees(term, "run ›")
	d.sends(term, " too\r")
	d.sees(term, "you edited", "touch it too")
	d.answers(term, "y")
	d.gets(got, `{"behavior":"allow","updatedInput":{"command":"touch it too","description":"Touch it"}}`)

	got = c.call("approve", map[string]any{"tool_name": "Bash", "input": map[string]any{"command": "touch more"}})
	d.sees(term, "touch more", "1 waiting", "tool Bash · mcp")
	d.sends(term, "\x03")
	if text := d.got(got); !strings.HasPrefix(text, `{"behavior":"deny",`) || !strings.HasSuffix(text, `"interrupt":true}`) {
		t.Errorf("a cancelled turn: %s", text)
	}

	// Planning holds for what is approved meanwhile, and ends with the plan.
	got = c.call("enter_plan_mode", map[string]any{"reason": "it is large"})
	if text := d.got(got); !strings.HasPrefix(text, `{"planning":true`) {
		t.Errorf("begin to plan: %s", text)
	}
	got = c.call("approve", map[string]any{"tool_name": "Write", "input": map[string]any{"file_path": filepath.Join(d.work, "a.txt"), "content": "x"}})
	if text := d.got(got); !strings.Contains(text, "only reading is possible while planning") {
		t.Errorf("an edit while planning: %s", text)
	}
	got = c.call("exit_plan_mode", map[string]any{"plan": "# Two steps"})
	d.sees(term, "Two steps", "Yes, go ahead")
	d.takes(term, "Two steps")
	d.sends(term, "\r")
	d.gets(got, `{"approved":true,"mode":"default","plan_file":".blitz/plans/Claude-Code-1.md"}`)
	d.gets(c.call("exit_plan_mode", map[string]any{"plan": "# Two steps"}), "this turn isn't planning, so there is no plan to hand in: go on with the task")

	// A plan of Claude Code's own comes as a call to approve.
	got = c.call("approve", map[string]any{"tool_name": "ExitPlanMode", "input": map[string]any{"plan": "# Three steps"}})
	d.sees(term, "Three steps", "Yes, go ahead")
	d.takes(term, "Three steps")
	d.sends(term, "test it too\r")
	d.gets(got, `{"behavior":"deny","message":"test it too"}`)

	// Who has gone is asked for no more.
	c.call("ask_user_question", map[string]any{"question": "Still there?"})
	d.sees(term, "Still there?", "1 waiting")
	if err := c.server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	d.sees(term, "0 agents", "nothing waits")
	if strings.Contains(term.text(), "Run the tests") {
		t.Error("the tasks of an agent that has gone are still shown")
	}
	d.ends(term)
}

// takes waits until a question or a plan takes keys.
func (d *office) takes(term *terminal, text string) {
	d.t.Helper()
	err := term.until("keys are taken at "+text, func(screen string) bool {
		return strings.Contains(screen, text) && !strings.Contains(screen, "◌ a moment")
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

// writes puts a file into the gate's home.
func (d *office) writes(name, text string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.home, name), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}
