//go:build linux

package main

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/fakemodel"
)

// eachRealAgent runs a test with every agent, or skips it.
func eachRealAgent(t *testing.T, test func(t *testing.T, a realAgent)) {
	if os.Getenv(agentsVariable) == "" {
		t.Skipf("%s names no folder with agents from npm; .ci/agents makes one and runs these tests", agentsVariable)
	}
	for _, a := range realAgents {
		t.Run(a.name, func(t *testing.T) { test(t, a) })
	}
}

// TAM-24, APR-30: what a person allows happens, and what they refuse doesn't;
// a reason reaches the model.
func TestRealAgentAsks_APR30_TAM24(t *testing.T) {
	eachRealAgent(t, func(t *testing.T, a realAgent) {
		s := startReal(t, a, "", func(s *realSession) fakemodel.Scripts {
			return fakemodel.Scripts{"yes": s.writes("yes.txt"), "no": s.writes("no.txt"), "reason": s.writes("reason.txt")}
		})
		s.prompt("yes")
		s.answer("yes.txt", "y")
		s.idle()
		s.has("yes.txt")

		s.prompt("no")
		s.answer("no.txt", "n")
		s.idle()
		s.hasNot("no.txt")

		s.prompt("reason")
		s.answer("reason.txt", "\t\tnot in this folder")
		s.answer("no, because › not in this folder", "\r")
		// The reason is a prompt of its own. Gemini CLI goes on after the
		// refusal first; Copilot CLI ends its turn with it.
		answers := map[string]int{"gemini": 2, "copilot": 1}[a.name]
		s.must(s.term.until("the answer to the reason", func(screen string) bool {
			_, after, _ := strings.Cut(screen, "✗ edit   reason.txt")
			return strings.Count(after, "I wrote.") == answers
		}))
		s.idle()
		s.hasNot("reason.txt")

		s.leaves(0, s.keys("\x04"))
		if !bytes.Contains(s.asked.Bytes(), []byte("not in this folder")) {
			t.Error("the reason never reached the model")
		}
		records := s.logged("allow user-once yes.txt", "deny user-refused no.txt", "deny user-refused reason.txt")
		if got := records[2].Message; got != "not in this folder" {
			t.Errorf("the log has the reason as %q", got)
		}
	})
}

// APR-30: Ctrl+C at a request writes nothing, and during a command it ends
// the command; the session goes on.
func TestRealAgentIsCancelled_APR30(t *testing.T) {
	eachRealAgent(t, func(t *testing.T, a realAgent) {
		s := startReal(t, a, "", func(s *realSession) fakemodel.Scripts {
			return fakemodel.Scripts{"cancelled": s.writes("cancelled.txt"), "command": s.waits(), "next": s.writes("next.txt")}
		})
		s.prompt("cancelled")
		s.answer("cancelled.txt", "\x03")
		s.shows("turn ended: cancelled", "type the next prompt")
		s.hasNot("cancelled.txt")

		s.prompt("command")
		s.answer("sleep 3600", "y")
		pid := s.running()
		s.must(s.term.send("\x03"))
		s.gone(pid)
		s.idle()

		s.prompt("next")
		s.answer("next.txt", "y")
		s.idle()
		s.has("next.txt")

		s.leaves(0, s.keys("\x04"))
		s.hasNot("late")
		s.logged("deny cancelled cancelled.txt", "allow user-once echo $$ >", "allow user-once next.txt")
	})
}

// APR-30: whoever leaves while a command runs leaves nothing behind.
func TestRealAgentEndsWithTheProgram_APR30(t *testing.T) {
	eachRealAgent(t, func(t *testing.T, a realAgent) {
		for name, end := range map[string]struct {
			code int
			how  func(s *realSession)
		}{
			"keys": {0, func(s *realSession) {
				s.must(s.term.send("\x03"))
				s.idle()
				s.must(s.term.send("\x04"))
			}},
			"hangup":    {exitCancelled, func(s *realSession) { s.must(s.term.cmd.Process.Signal(syscall.SIGHUP)) }},
			"terminate": {exitCancelled, func(s *realSession) { s.must(s.term.cmd.Process.Signal(syscall.SIGTERM)) }},
		} {
			t.Run(name, func(t *testing.T) {
				s := startReal(t, a, "", func(s *realSession) fakemodel.Scripts {
					return fakemodel.Scripts{"command": s.waits()}
				})
				s.prompt("command")
				s.answer("sleep 3600", "y")
				pid := s.running()
				s.leaves(end.code, func() { end.how(s) })
				s.gone(pid)
				s.hasNot("late")
			})
		}
	})
}

// TAM-24: rules settle requests without a person.
func TestRealAgentMeetsRules_TAM24(t *testing.T) {
	const rules = `[permissions]
allow = ["shell(touch allowed.txt)"]
deny = ["shell(touch denied.txt)"]
`
	eachRealAgent(t, func(t *testing.T, a realAgent) {
		s := startReal(t, a, rules, func(s *realSession) fakemodel.Scripts {
			return fakemodel.Scripts{"rules": {
				{Calls: []fakemodel.Call{s.agent.run("touch allowed.txt")}},
				{Calls: []fakemodel.Call{s.agent.run("touch denied.txt")}},
				{Say: "I tried both."},
			}}
		})
		s.prompt("rules")
		s.shows("allow shell(touch allowed.txt)", "deny shell(touch denied.txt)", "type the next prompt")
		s.leaves(0, s.keys("\x04"))
		if _, err := os.Stat(s.path("allowed.txt")); err != nil {
			t.Error(err)
		}
		s.hasNot("denied.txt")
		records := s.logged("allow rule-allow touch allowed.txt", "deny rule-deny touch denied.txt")
		if got := records[1].Source; !strings.HasSuffix(got, "settings.toml:3") {
			t.Errorf("the log has the deny rule at %q", got)
		}
	})
}

// APR-43: a checklist is no action that needs a person. Gemini CLI asks for
// leave to set it but doesn't tell what is on it, and Copilot CLI has none.
func TestRealAgentSetsTodos_APR43(t *testing.T) {
	eachRealAgent(t, func(t *testing.T, a realAgent) {
		if a.name != "gemini" {
			t.Skipf("%s has no tool for a checklist", a.name)
		}
		s := startReal(t, a, "", func(*realSession) fakemodel.Scripts {
			todos := []args{{"description": "Read the code", "status": "in_progress"}, {"description": "Run the tests", "status": "pending"}}
			return fakemodel.Scripts{"todos": {{Calls: []fakemodel.Call{{Tool: "write_todos", Args: args{"todos": todos}}}}, {Say: "It is set."}}}
		})
		s.prompt("todos")
		s.shows("Set 2 todo(s)", "It is set.", "type the next prompt")
		s.leaves(0, s.keys("\x04"))
		s.logged("allow mode-auto")
	})
}

// APR-40, APR-43: an agent that can't ask the person and tells no list of tasks
// uses the tools that it is given, and its requests for them pass by themselves.
func TestRealAgentUsesOurTools_APR40_APR43(t *testing.T) {
	eachRealAgent(t, func(t *testing.T, a realAgent) {
		if a.name == "copilot" {
			t.Skip("copilot starts no servers while it is offline")
		}
		s := startReal(t, a, "", func(*realSession) fakemodel.Scripts {
			items := []args{{"content": "Read the code", "status": "in_progress"}, {"content": "Run the tests", "status": "pending"}}
			return fakemodel.Scripts{"ask": {
				{Calls: []fakemodel.Call{{Tool: "*_todo", Args: args{"items": items}}}},
				{Calls: []fakemodel.Call{{Tool: "*_ask_user_question", Args: args{"question": "Which store?", "options": []args{{"label": "SQLite"}, {"label": "Postgres"}}}}}},
				{Say: "I know."},
			}}
		})
		s.prompt("ask")
		s.shows("Read the code", "Run the tests", "Which store?", "SQLite")
		s.must(s.term.until("a question that takes keys", func(screen string) bool { return !strings.Contains(screen, "◌") }))
		s.must(s.term.send("2"))
		s.shows("I know.", "type the next prompt")
		s.leaves(0, s.keys("\x04"))
		if !bytes.Contains(s.asked.Bytes(), []byte(`{\"answer\":\"Postgres\"}`)) {
			t.Error("the answer never reached the model")
		}
		s.logged("allow tool-allow", "allow tool-allow")
	})
}

// BEY-01: an agent on its own comes to the desk by its hook, even where it was
// told to ask nobody: rules hold, a yes and a no count, and the reason for a no
// reaches the model.
func TestRealAgentComesByItsHook_BEY01(t *testing.T) {
	eachRealAgent(t, func(t *testing.T, a realAgent) {
		const rules = "[permissions]\ndeny = [\"shell(touch denied.txt)\"]\n"
		s, ended := startHooked(t, a, rules, "hooks", func(s *realSession) fakemodel.Scripts {
			return fakemodel.Scripts{"hooks": {
				{Calls: []fakemodel.Call{s.agent.write(s.path("yes.txt"))}},
				{Calls: []fakemodel.Call{s.agent.write(s.path("no.txt"))}},
				{Calls: []fakemodel.Call{s.agent.run("touch denied.txt")}},
				{Say: "I tried all."},
			}}
		})
		s.answer("yes.txt", "y")
		s.answer("no.txt", "not in this folder\r")
		select {
		case <-ended:
		case <-time.After(patience):
			t.Fatalf("it still runs:\n%s", s.term.text())
		}
		s.has("yes.txt")
		s.hasNot("no.txt")
		s.hasNot("denied.txt")
		for _, said := range []string{"not in this folder", "deny shell(touch denied.txt)"} {
			s.mu.Lock()
			if !bytes.Contains(s.asked.Bytes(), []byte(said)) {
				t.Errorf("%q never reached the model", said)
			}
			s.mu.Unlock()
		}
		s.must(s.term.send("\x04"))
		if code, err := s.term.ends(); code != 0 || err != nil {
			t.Errorf("the desk ended with %d, %v", code, err)
		}
	})
}

// BEY-01: a hosted agent whose hook is set up too is asked about once, in the
// session, and what a rule denies doesn't happen.
func TestRealAgentAsksOnce_BEY01(t *testing.T) {
	eachRealAgent(t, func(t *testing.T, a realAgent) {
		s := newReal(t, a, "[permissions]\ndeny = [\"shell(touch denied.txt)\"]\n", func(s *realSession) fakemodel.Scripts {
			return fakemodel.Scripts{"yes": s.writes("yes.txt"), "denied": {{Calls: []fakemodel.Call{s.agent.run("touch denied.txt")}}, {Say: "I tried."}}}
		})
		s.installs()
		s.hosts()
		s.prompt("yes")
		s.answer("yes.txt", "y")
		s.idle()
		s.has("yes.txt")
		s.logged("allow user-once yes.txt")
		s.prompt("denied")
		s.shows("I tried.", "type the next prompt")
		s.hasNot("denied.txt")
		s.leaves(0, s.keys("\x04"))
	})
}
