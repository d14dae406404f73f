package tui

import (
	"fmt"
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// greet says where one is.
func (p *Plain) greet() {
	where := []string{p.tr("blitz-approve in lines.")}
	if p.opts.Agent != "" {
		where = append(where, p.tr("Agent: %s.", line(p.opts.Agent)))
	}
	if p.opts.Workspace != "" {
		where = append(where, p.tr("Workspace: %s.", line(p.opts.Workspace)))
	}
	if p.opts.Several {
		where = append(where, p.tr("What agents on this machine ask is asked here."))
		p.line(strings.Join(where, " "))
		p.lines(p.opts.Welcome)
		return
	}
	where = append(where, p.tr("Mode: %s.", p.mode))
	if p.opts.Sandbox != "" {
		where = append(where, p.tr("Sandbox: %s.", line(p.opts.Sandbox)))
	} else {
		where = append(where, p.tr("No sandbox."))
	}
	p.line(strings.Join(where, " "))
}

// urgent events are told at once, also while something is asked; the others
// wait, so that they don't tear an answer apart.
func urgent(e Event) bool {
	switch e := e.(type) {
	case ModeChanged, AgentMode, TimedApprovals, Finished, AgentGone:
		return true
	case Notice:
		return e.Severity != Info
	case ToolCall:
		return e.Verdict != nil && e.Verdict.Warning != ""
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
			p.tell(p.tr("You"), e.Text)
		}
	case ToolCall:
		p.called(e)
	case Tasks:
		p.tasks, e.List = e.List, p.tasks
		if e.Agent != "" {
			p.line(line(e.Agent))
		}
		p.tellChanged(e.List)
	case ModeChanged:
		p.mode = e.Mode
		p.line(p.tr("Mode: %s.", e.Mode))
	case AgentMode:
		said := p.tr("The agent's own mode: %s.", line(e.Name))
		if e.Loose {
			said += " " + p.tr("It asks nothing in that mode.")
		}
		p.line(said)
	case TimedApprovals:
		p.setTimed(e.List)
	case AgentStarting:
		p.starting = true
		p.line(p.tr("Starting %s.", line(e.Name)))
	case AgentReady:
		p.starting = false
		p.line(p.tr("The agent is ready."))
		p.sendNext()
	case AgentGone:
		p.agentGone()
	case Prompted:
		p.send(e.Text, true)
	case TurnStarted:
		p.turn, p.cancel = true, false
	case TurnEnded:
		// That Ctrl+C again leaves has been said of the turn that it cancelled.
		p.turn, p.leave, p.cancel = false, p.leave && p.cancelled, false
		if e.Reason != "" {
			p.line(p.tr("Turn ended: %s.", line(p.known(e.Reason))))
		} else {
			p.line(p.tr("Turn ended."))
		}
	case Notice:
		p.tell([]string{p.tr("Note"), p.tr("Warning"), p.tr("Error")}[min(e.Severity, Failure)], p.known(e.Text))
	case Finished:
		p.line(p.tr("Done."))
		for _, s := range e.Summary {
			p.lines(indent(diffview.EscapeLines(p.known(s)), 2))
		}
		p.done = true
	}
}

// tell prints text with its name before each line, so that no line can pass
// for another's.
func (p *Plain) tell(name, text string) {
	for _, l := range diffview.EscapeLines(text) {
		p.line(p.fact(name, l))
	}
}

// say prints what the agent says by whole lines.
func (p *Plain) say(text string) {
	p.said += text
	if i := strings.LastIndexByte(p.said, '\n'); i >= 0 {
		whole := p.said[:i]
		p.said = p.said[i+1:]
		if strings.TrimSpace(whole) != "" {
			p.tell(p.tr("Agent"), strings.Trim(whole, "\n"))
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
	what := line(strings.TrimSpace(nameAndPlace(e.call.Kind, e.call.Place) + " " + e.call.Title))
	refused := e.call.Verdict != nil && !e.call.Verdict.Allowed()
	switch e.call.Status {
	case ToolRefused:
		if decided {
			p.line(p.tr("Not run: %s (%s).", what, line(cause(e.call.Verdict, &p.wording))))
		}
	case ToolRunning:
		if decided {
			p.line(p.tr("Runs: %s (%s).", what, line(cause(e.call.Verdict, &p.wording))))
		}
	case ToolDone:
		p.line(p.tr("Done: %s.", what))
	case ToolFailed:
		if !refused { // then that it isn't run has been said
			p.line(p.tr("Failed: %s.", what))
		}
	}
	if decided && c.Verdict.Warning != "" {
		p.line(p.fact(p.tr("Warning"), line(p.known(c.Verdict.Warning))))
	}
}

// tellChanged tells the tasks that were not there before as they are now.
func (p *Plain) tellChanged(before prompts.TodoList) {
	p.line(p.tasksSaid(p.tasks))
	for i, t := range p.tasks.Items {
		if i >= len(before.Items) || before.Items[i] != t {
			p.line(p.taskSaid(i, t))
		}
	}
}

// tellTasks reads the whole list.
func (p *Plain) tellTasks() {
	p.line(p.tasksSaid(p.tasks))
	for i, t := range p.tasks.Items {
		p.line(p.taskSaid(i, t))
	}
}

func (w *wording) tasksSaid(l prompts.TodoList) string {
	return w.tr("Tasks: %d of %d done.", l.Done, l.Total)
}

func (w *wording) taskSaid(i int, t prompts.Todo) string {
	status := map[prompts.Status]string{prompts.Done: w.tr("done"), prompts.InProgress: w.tr("in progress"), prompts.Pending: w.tr("to do")}[t.Status]
	return fmt.Sprintf("  %d ", i+1) + w.fact(status, line(t.Content))
}
