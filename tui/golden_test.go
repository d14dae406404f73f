package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui/tuitest"
)

// frozen is a model that takes what a test sends before the program runs, and
// then only sizes and keys, so that its frames don't depend on time.
type frozen struct{ *Model }

func (f frozen) Init() tea.Cmd { return nil }

func (f frozen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case tea.WindowSizeMsg:
		f.Model.Update(msg)
		// As if it had been painted and looked at for long enough.
		if w := f.queue.current(); w != nil {
			w.mark()
		}
		f.arming.armed = true
		f.meet()
		f.refresh()
	case tea.QuitMsg:
		return f, tea.Quit
	}
	return f, nil
}

// shop is a screen for one agent on which nothing has happened.
func shop() *Model {
	return New(Options{Agent: "opencode", Workspace: "~/src/shop", Mode: gate.Default, Sandbox: "landlock", SetMode: func(gate.Mode) error { return nil }})
}

// story is the beginning of a session.
func story() []Event {
	built := gate.Source{Layer: "built-in"}
	file := func(line int) gate.Source { return gate.Source{Layer: "global", File: "settings.toml", Line: line} }
	return []Event{
		UserSaid{"Fix the off-by-one in the pager and add a test."},
		AgentSaid{"I'll look at the pager first:\n\n- read `PageSize` and its callers\n- **fix** the rounding\n"},
		ToolCall{ID: "1", Kind: "grep", Title: `"PageSize" internal/`, Status: ToolDone, Verdict: &gate.Verdict{Effect: gate.Allow, Rule: &gate.Rule{Effect: gate.Allow, Text: "shell(grep)", Source: built}}},
		ToolCall{ID: "2", Kind: "read", Title: "internal/pager/pager.go", Status: ToolDone, Verdict: &gate.Verdict{Effect: gate.Allow, Cause: "mode-default"}},
		ToolCall{ID: "3", Kind: "bash", Title: "rm -rf build", Status: ToolRefused, Verdict: &gate.Verdict{Rule: &gate.Rule{Text: "shell(rm *)", Source: file(9)}}},
		ToolCall{ID: "4", Kind: "bash", Title: "go test ./...", Status: ToolRunning, Verdict: &gate.Verdict{Effect: gate.Allow, Rule: &gate.Rule{Effect: gate.Allow, Text: "shell(go test)", Source: file(3)}}},
		Tasks{List: prompts.TodoList{Done: 1, Total: 3, Items: []prompts.Todo{{Content: "find the bug", Status: prompts.Done}, {Content: "fix the pager", Status: prompts.InProgress}, {Content: "add a test", Status: prompts.Pending}}}},
	}
}

func pagerEdit() gate.Prompt {
	p := edit(0)
	before := "package pager\n\ntype Pager struct{ total, size int }\n\nfunc (p *Pager) Pages() int {\n\treturn p.total / p.size\n}\n"
	after := strings.Replace(before, "\treturn p.total / p.size\n", "\tif p.size == 0 {\n\t\treturn 0\n\t}\n\treturn (p.total + p.size - 1) / p.size\n", 1)
	p.Request.Targets = []string{"internal/pager/pager.go"}
	p.Request.Diff = []gate.Change{{Path: "internal/pager/pager.go", Before: []byte(before), After: []byte(after)}}
	p.Request.Title = "Fix rounding in Pages"
	p.Verdict.Reason = "no rule matches, and the mode default asks before edits"
	return p
}

func pushCommand() gate.Prompt {
	p := command("go build ./... && git push origin main --force-with-lease")
	rule := &gate.Rule{Effect: gate.Ask, Text: "shell(git push *)", Source: gate.Source{Layer: "global", File: "~/.blitz/settings.toml", Line: 12}}
	p.Verdict = gate.Verdict{Effect: gate.Ask, Step: "rule-ask", Cause: "rule-ask", Rule: rule, Reason: "an ask rule matches git push", Forced: true, Offers: []gate.Decision{gate.Once},
		Parts: []gate.Part{{Command: "go build ./...", Effect: gate.Allow, Reason: "auto-approved"}, {Command: "git push origin main --force-with-lease", Effect: gate.Ask, Rule: rule}},
		Trail: []gate.Note{{Step: "hard-policy", Text: "no path is blocked"}, {Step: gate.StepDeny, Text: "none of 4 deny rules matches"}}}
	p.Request.Title = "Build and publish"
	return p
}

var pagerPlan = prompts.Question{Header: "Plan", Text: "Carry out this plan?",
	Document: "# Fix the pager\n\nThe rounding is wrong when `total` isn't a multiple.\n\n1. change **Pages** in `pager.go`\n2. add a table test\n   - zero size\n   - exact multiple\n\n```go\nreturn (p.total + p.size - 1) / p.size\n```\n\n> Nothing else changes.\n",
	Options:  []prompts.Option{{Label: "Yes, carry it out"}, {Label: "Yes, and accept its file edits without asking"}, {Label: "No, keep planning"}}}

// The screens beside those of requests, questions and rules. Look at the files
// when they change.
func TestGoldenScreens(t *testing.T) {
	goldens(t, "", begun(map[string]func(m *Model){
		"home": func(m *Model) {},
		"help": func(m *Model) { waitingFor(m, pushCommand()); m.showHelp() },
		"remember": func(m *Model) {
			waitingFor(m, readFile(30))
			m.mode = gate.AlwaysAskCached
			m.queue.current().remember = true
			m.queue.current().full = true
		},
		"leftout": func(m *Model) {
			p := pagerEdit()
			p.Request.Editable, p.Revise = true, func(gate.Edit) (gate.Prompt, error) { return p, nil }
			waitingFor(m, p)
			w := m.queue.current()
			w.rev.left, w.rev.edit, w.rev.serial = map[hunkAt]bool{{0, 0}: true}, &gate.Edit{}, 1
		},
		"editline": func(m *Model) {
			waitingFor(m, command("go test ./..."))
			m.over = editLine
			m.edits.insert("go test ./pager")
		},
		"draft": func(m *Model) { waitingFor(m, command("make test")); m.queue.current().words.insert("use go test") },
		"aside": func(m *Model) { m.composer.insert("also update the readme"); waitingFor(m, command("make test")) },
		"yolo":  func(m *Model) { m.mode = gate.Yolo; m.opts.Sandbox = ""; waitingFor(m, pagerEdit()) },
		"turn": func(m *Model) {
			m.mode = gate.AcceptEdits
			m.Update(TurnStarted{})
			m.Update(AgentThought{"The tests call Pages with a size of 0, so that has to go first."})
			m.Update(ToolCall{ID: "5", Kind: "web", Title: "https://go.dev/doc", Status: ToolFailed, Verdict: &gate.Verdict{Effect: gate.Allow, Cause: "once"}})
			m.Update(Notice{Warning, "the audit log is nearly full"})
			m.untrusted = 2
		},
		"scrolled": func(m *Model) {
			for n := range 80 {
				m.Update(AgentSaid{fmt.Sprintf("Line %d of a long answer.\n\n", n)})
			}
			m.refresh()
			m.transcript.scroll(-7, m.lay.transcript)
		},
		"seats": func(m *Model) {
			m.opts.Several, m.agents = true, 3
			m.Update(Approval{ID: 1, From: &Client{Agent: "codex", Workspace: "~/src/cart"}, Prompt: from("codex", "a17", "npm test")})
			m.Update(Question{ID: 2, From: &Client{Agent: "gemini"}, Question: choice})
		},
		"nobody": func(m *Model) {
			m.opts.Several, m.opts.Agent, m.opts.Workspace = true, "desk", ""
			m.transcript, m.tasks = transcript{}, prompts.TodoList{}
		},
		"end": func(m *Model) {
			m.Update(Finished{Summary: []string{"2 files changed, 1 command run, 1 refused", "audit log: ~/.blitz/audit.jsonl"}})
		},
	}))
}

// waitingFor puts requests into the queue with their diffs computed.
func waitingFor(m *Model, ps ...gate.Prompt) {
	for i, p := range ps {
		id := uint64(i + 1)
		m.Update(Approval{ID: id, Prompt: p, Answer: func(gate.Answer) {}})
		m.Update(diffsMsg{id, 0, compute(p.Request.Diff)})
	}
}

// P19: without colours the same words and signs are there.
func TestNoColorSaysTheSame(t *testing.T) {
	var screens []string
	for _, opts := range [][]tuitest.Option{nil, {tuitest.Light()}, {tuitest.Colors(colorprofile.ASCII), tuitest.Environ("NO_COLOR=1")}} {
		m := New(Options{Agent: "opencode"})
		m.width, m.height = 80, 24
		waitingFor(m, pagerEdit())
		term := tuitest.Start(t, frozen{m}, 80, 24, opts...)
		term.WaitFor("opencode")
		term.Settle()
		screens = append(screens, term.Screen())
	}
	for _, s := range screens[1:] {
		if s != screens[0] {
			t.Errorf("the screens differ:\n%s\n%s", screens[0], s)
		}
	}
	for _, sign := range []string{"▸ y once", "- ", "+ ", "+4 −1"} {
		if !strings.Contains(screens[2], sign) {
			t.Errorf("no %q without colours:\n%s", sign, screens[2])
		}
	}
}
