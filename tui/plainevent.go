package tui

import (
	"fmt"
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// greet says where one is.
func (p *Plain) greet() {
	where := "blitz-approve in lines."
	if p.opts.Agent != "" {
		where += " Agent: " + line(p.opts.Agent) + "."
	}
	if p.opts.Workspace != "" {
		where += " Workspace: " + line(p.opts.Workspace) + "."
	}
	if p.opts.Several {
		p.line(where + " What agents on this machine ask is asked here.")
		p.lines(p.opts.Welcome)
		return
	}
	where += " Mode: " + p.mode.String() + "."
	if p.opts.Sandbox != "" {
		where += " Sandbox: " + line(p.opts.Sandbox) + "."
	} else {
		where += " No sandbox."
	}
	p.line(where)
}

// urgent events are told at once, also while something is asked; the others
// wait, so that they don't tear an answer apart.
func urgent(e Event) bool {
	switch e := e.(type) {
	case ModeChanged, AgentMode, TimedApprovals, Finished:
		return true
	case Notice:
		return e.Severity != Info
	}
	return false
}

// tellLater tells what happened while something was asked.
func (p *Plain) tellLater() {
	later := p.later
	p.later = nil
	for _, e := range later {
		p.happen(e)
	}
	p.endSaid()
}

// happen tells an event.
func (p *Plain) happen(e Event) {
	switch e := e.(type) {
	case AgentSaid:
		p.say(e.Text)
		return
	case AgentThought:
		return // it is neither said nor done
	case RulesChanged:
		return // the commands rules, settings and trust tell
	}
	p.endSaid()
	switch e := e.(type) {
	case UserSaid:
		if strings.TrimSpace(e.Text) != p.sent {
			p.tell("You", e.Text)
		}
	case ToolCall:
		p.called(e)
	case Tasks:
		p.tasks, e.List = e.List, p.tasks
		p.tellChanged(e.List)
	case ModeChanged:
		p.mode = e.Mode
		p.line("Mode: " + e.Mode.String() + ".")
	case AgentMode:
		said := "The agent's own mode: " + line(e.Name) + "."
		if e.Loose {
			said += " It asks nothing in that mode."
		}
		p.line(said)
	case TimedApprovals:
		p.setTimed(e.List)
	case AgentStarting:
		p.starting = true
		p.line("Starting " + line(e.Name) + ".")
	case AgentReady:
		p.starting = false
		p.line("The agent is ready.")
	case TurnStarted:
		p.turn, p.cancel = true, false
	case TurnEnded:
		p.turn, p.cancel = false, false
		if e.Reason != "" {
			p.line("Turn ended: " + line(e.Reason) + ".")
		} else {
			p.line("Turn ended.")
		}
	case Notice:
		p.tell([]string{"Note", "Warning", "Error"}[min(e.Severity, Failure)], e.Text)
	case Finished:
		p.line("Done.")
		for _, s := range e.Summary {
			p.lines(indent(diffview.EscapeLines(s), 2))
		}
		p.done = true
	}
}

// tell prints text with its name before each line, so that no line can pass
// for another's.
func (p *Plain) tell(name, text string) {
	for _, l := range diffview.EscapeLines(text) {
		p.line(name + ": " + l)
	}
}

// say prints what the agent says by whole lines.
func (p *Plain) say(text string) {
	p.said += text
	if i := strings.LastIndexByte(p.said, '\n'); i >= 0 {
		whole := p.said[:i]
		p.said = p.said[i+1:]
		if strings.TrimSpace(whole) != "" {
			p.tell("Agent", strings.Trim(whole, "\n"))
		}
	}
}

func (p *Plain) endSaid() {
	if p.said != "" {
		p.say("\n")
	}
}

// called tells what became of a tool call: that it may run or not, with the
// cause, and how it ended.
func (p *Plain) called(c ToolCall) {
	decided := c.Verdict != nil
	e := p.calls.update(c)
	what := line(strings.TrimSpace(e.call.Kind + " " + e.call.Title))
	refused := e.call.Verdict != nil && !e.call.Verdict.Allowed()
	switch e.call.Status {
	case ToolRefused:
		if decided {
			p.line("Not run: " + what + " (" + line(cause(e.call.Verdict)) + ").")
		}
	case ToolRunning:
		if decided {
			p.line("Runs: " + what + " (" + line(cause(e.call.Verdict)) + ").")
		}
	case ToolDone:
		p.line("Done: " + what + ".")
	case ToolFailed:
		if !refused { // then that it isn't run has been said
			p.line("Failed: " + what + ".")
		}
	}
}

// tellChanged tells the tasks that were not there before as they are now.
func (p *Plain) tellChanged(before prompts.TodoList) {
	p.line(tasksSaid(p.tasks))
	for i, t := range p.tasks.Items {
		if i >= len(before.Items) || before.Items[i] != t {
			p.line(taskSaid(i, t))
		}
	}
}

// tellTasks reads the whole list.
func (p *Plain) tellTasks() {
	p.line(tasksSaid(p.tasks))
	for i, t := range p.tasks.Items {
		p.line(taskSaid(i, t))
	}
}

func tasksSaid(l prompts.TodoList) string {
	return fmt.Sprintf("Tasks: %d of %d done.", l.Done, l.Total)
}

func taskSaid(i int, t prompts.Todo) string {
	status := map[prompts.Status]string{prompts.Done: "done", prompts.InProgress: "in progress", prompts.Pending: "to do"}[t.Status]
	return fmt.Sprintf("  %d %s: %s", i+1, status, line(t.Content))
}
