package main

import (
	"cmp"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// show puts what happens at the agent on the screen.
func (sc *screen) show(e acp.Event) {
	switch e := e.(type) {
	case acp.PlanReviewed:
		if e.Result.Approved {
			before := sc.gate.Mode()
			notices := sc.endPlanning(e.Result)
			if now := sc.gate.Mode(); now != before {
				sc.console.Show(tui.ModeChanged{Mode: now})
			}
			for _, n := range notices {
				sc.console.Show(n)
			}
		}
		sc.console.Show(tui.Notice{Text: planOutcome(e)})
	case acp.Decided:
		// From here on the line says what was decided on, whatever the agent
		// calls it.
		if sc.decided == nil {
			sc.decided = map[string]bool{}
		}
		sc.decided[e.CallID] = whatRan(e.Verdict.Request) != ""
		sc.console.Show(screenEvent(e))
	case acp.CallUpdated:
		call := toolCall(e.Call)
		if sc.decided[call.ID] {
			call.Title = ""
		}
		sc.console.Show(call)
	case acp.TurnStarted:
		if !e.FollowUp { // the words of a follow-up stand at the calls they were said to
			sc.console.Show(tui.UserSaid{Text: e.Text})
		}
		sc.console.Show(tui.TurnStarted{})
	case acp.AgentExited:
		sc.console.Show(tui.AgentGone{}) // first: who reads that it has ended may leave
		sc.console.Show(screenEvent(e))
	default:
		if shown := screenEvent(e); shown != nil {
			sc.console.Show(shown)
		}
	}
}

func planOutcome(e acp.PlanReviewed) string {
	switch {
	case e.Result.Approved && e.Result.File != "":
		return "Plan approved and kept in " + e.Result.File + "."
	case e.Result.Approved:
		return "Plan approved."
	case e.Result.Feedback != "":
		return "Plan sent back: " + e.Result.Feedback
	}
	return "Plan not approved."
}

// screenEvent is what the screen shows of an event; nil for nothing.
func screenEvent(e acp.Event) tui.Event {
	switch e := e.(type) {
	case acp.TurnEnded:
		return tui.TurnEnded{Reason: turnReason(e)}
	case acp.AgentChunk:
		return tui.AgentSaid{Text: e.Text}
	case acp.ThoughtChunk:
		return tui.AgentThought{Text: e.Text}
	case acp.CallStarted:
		return toolCall(e.Call)
	case acp.Decided:
		v := e.Verdict
		return tui.ToolCall{ID: e.CallID, Verdict: &v, Files: v.Request.Diff, Status: decidedStatus(v), Title: whatRan(v.Request)}
	case acp.Todos:
		return tui.Tasks{List: e.List}
	case acp.ModeChanged:
		return tui.AgentMode{Name: e.Current.Name, Loose: e.Loosens}
	case acp.Notice:
		return tui.Notice{Severity: tui.Severity(e.Severity), Text: e.Text}
	case acp.Stderr:
		return tui.Notice{Text: "agent: " + e.Line}
	case acp.AgentExited:
		if e.Err == nil {
			return tui.Notice{Text: "The agent has ended."}
		}
		return tui.Notice{Severity: tui.Failure, Text: "The agent has ended: " + e.Err.Error()}
	}
	return nil
}

func turnReason(e acp.TurnEnded) string {
	switch {
	case e.Err != nil:
		return e.Err.Error()
	case e.Reason == acp.EndTurn:
		return ""
	}
	return strings.ReplaceAll(string(e.Reason), "_", " ")
}

func toolCall(c acp.Call) tui.ToolCall {
	return tui.ToolCall{ID: c.ID, Title: c.Title, Kind: kindName(c.Kind), Status: callStatus(c.Status)}
}

// kindName shortens the protocol's word where it is long.
func kindName(kind string) string {
	switch kind {
	case "execute":
		return "run"
	case "switch_mode":
		return "plan"
	}
	return kind
}

func callStatus(s acp.Status) tui.ToolStatus {
	switch s {
	case acp.StatusInProgress:
		return tui.ToolRunning
	case acp.StatusCompleted:
		return tui.ToolDone
	case acp.StatusFailed:
		return tui.ToolFailed
	case acp.StatusRefused, acp.StatusCancelled:
		return tui.ToolRefused
	}
	return tui.ToolPending
}

func decidedStatus(v gate.Verdict) tui.ToolStatus {
	if v.Allowed() {
		return tui.ToolRunning
	}
	return tui.ToolRefused
}

// settledCall is the line of a decision of which nothing more will be heard. What
// is left to the agent isn't decided.
func settledCall(id, kind string, v gate.Verdict) tui.ToolCall {
	call := tui.ToolCall{ID: id, Kind: kind, Title: cmp.Or(whatRan(v.Request), v.Request.Tool), Status: tui.ToolDone, Verdict: &v}
	switch {
	case v.Cause == gate.CauseLeft:
		call.Status = tui.ToolPending
	case !v.Allowed():
		call.Status = tui.ToolRefused
	}
	return call
}

// whatRan is the line of the transcript for a decided call: what was decided
// on, not what the agent called it.
func whatRan(req gate.Request) string { return strings.Join(req.Targets, "  ") }

// notices are the problems of the settings, for the screen.
func (m *machine) notices() []tui.Notice {
	list := m.noticesOf(m.problems, m.settings.Untrusted)
	if m.modeNote != "" {
		list = append(list, tui.Notice{Severity: tui.Warning, Text: m.modeNote})
	}
	return list
}

// noticesOf tells what is wrong. What waits for trust has a line of its own on
// the full screen.
func (m *machine) noticesOf(problems []settings.Problem, waiting []*settings.File) []tui.Notice {
	var list []tui.Notice
	for _, p := range problems {
		severity := tui.Failure
		if p.Severity == settings.Warning {
			severity = tui.Warning
		}
		list = append(list, tui.Notice{Severity: severity, Text: p.Error()})
	}
	for _, f := range waiting {
		if !m.plain {
			break
		}
		list = append(list, tui.Notice{Severity: tui.Warning, Text: untrusted(f)})
	}
	return list
}
