package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// bundle is several messages at once, in order.
type bundle []tea.Msg

// ask puts a request into the queue, unless a message that is still on its way
// to the agent refuses it too (TAM-21). That is known only of an agent whose
// turns are seen here: one of several may ask in answer to the message.
func (m *Model) ask(a Approval) tea.Cmd {
	if m.steering != "" && a.From == nil {
		m.transcript.add(entry{kind: noticeEntry, text: m.tr("refused with the same message: %s", title(a.Prompt.Request))})
		answer := gate.Answer{Decision: gate.Refuse, Message: m.steering}
		return calling(func() { a.Answer(answer) })
	}
	changes := a.Prompt.Request.Diff
	m.queue.add(&waiting{id: a.ID, from: a.From, approval: &a, choice: firstChoice(&a.Prompt), ready: len(changes) == 0})
	if len(changes) == 0 {
		return m.arrived()
	}
	return tea.Batch(m.arrived(), diffing(a.ID, 0, changes))
}

// title names a request in one line of plain text.
func title(r gate.Request) string {
	what := strings.Join(r.Targets, " ")
	if what == "" {
		what = r.Detail
	}
	if r.Kind == gate.MCPTool {
		return r.Server + ":" + r.Tool
	}
	return strings.TrimSpace(r.Tool + " " + what)
}

// withdraw takes something out of the queue that is no longer asked.
func (m *Model) withdraw(msg Withdraw) {
	w := m.queue.find(msg.ID)
	if w == nil {
		return
	}
	what := m.tr("a question")
	if w.approval != nil {
		what = title(w.approval.Prompt.Request)
	}
	if w == m.queue.current() {
		if m.over == reasonLine {
			w.words = m.reason
		}
		m.closeSheet()
	}
	m.queue.remove(w)
	m.salvage(w)
	if msg.Why != "" {
		what += " · " + m.known(msg.Why)
	}
	m.transcript.add(entry{kind: noticeEntry, text: m.tr("no longer asked: %s", what)})
}

// happen shows an event.
func (m *Model) happen(e Event) tea.Cmd {
	t := &m.transcript
	switch e := e.(type) {
	case UserSaid:
		m.userSaid(e.Text)
	case AgentSaid:
		m.steering = ""
		t.say(agentEntry, e.Text)
	case AgentThought:
		m.steering = ""
		t.say(thoughtEntry, e.Text)
	case ToolCall:
		return m.called(e)
	case Tasks:
		m.tasks, m.tasksOf = e.List, e.Agent
	case ModeChanged:
		m.mode = e.Mode
	case AgentMode:
		m.agentMode = e
	case AgentStarting:
		m.starting = e.Name
	case AgentReady:
		m.starting = ""
		return m.sendNext()
	case AgentGone:
		m.agentGone()
	case Prompted:
		return m.send(e.Text, true)
	case TurnStarted:
		m.turn, m.cancelled, m.steering = true, false, ""
		m.starting, t.ended = "", true
	case TurnEnded:
		if m.cancelled {
			m.notice = "" // the cancelling is over
		}
		m.turn, m.cancelled, m.steering = false, false, ""
		if e.Reason != "" {
			t.add(entry{kind: noticeEntry, text: m.tr("turn ended: %s", m.known(e.Reason))})
		}
		return m.callBack(m.tr("the turn has ended"))
	case Notice:
		t.add(entry{kind: noticeEntry, text: m.known(e.Text), severity: e.Severity})
	case TimedApprovals:
		return m.setTimed(e.List)
	case Connected:
		m.agents = e.Agents
	case Finished:
		m.finished = nil
		for _, s := range e.Summary {
			m.finished = append(m.finished, m.known(s))
		}
	}
	return nil
}

// userSaid shows a prompt. One that was sent from here is shown already.
func (m *Model) userSaid(text string) {
	if m.transcript.lastSent() == strings.TrimSpace(text) {
		return
	}
	m.transcript.add(entry{kind: userEntry, text: text})
}

func (m *Model) called(c ToolCall) tea.Cmd {
	e := m.transcript.update(c)
	if c.Verdict != nil && c.Verdict.Message != "" {
		// A draft that refused everything stands there once already.
		e.said = m.transcript.lastSent() == strings.TrimSpace(c.Verdict.Message)
	}
	if c.Verdict != nil && c.Verdict.Warning != "" {
		m.remind(line(m.known(c.Verdict.Warning)) + " · " + line(title(c.Verdict.Request)))
	}
	if e.call.Status == ToolRefused && len(e.call.Files) > 0 && e.diffs == nil {
		files := e.call.Files
		e.call.Files = nil // from now on its diffs are shown
		return diffingCall(c.ID, files)
	}
	return nil
}

// submit sends what was typed to the agent.
func (m *Model) submit() tea.Cmd {
	if m.composer.value() == "" {
		return nil
	}
	if m.aside {
		// It is back since a moment: Enter was meant for what was asked.
		m.say(m.tr("%s came too early: not taken", keyName("enter")))
		return nil
	}
	if cmd, ok := m.rulesCommand(m.composer.value()); ok {
		return cmd
	}
	if m.opts.Submit == nil {
		m.say(m.tr("there is no agent to send this to"))
		return nil
	}
	if m.gone {
		m.say(m.tr("the agent is gone: ctrl+d leaves, and your text stays until then"))
		return nil
	}
	m.transcript.up = 0
	return m.send(m.composer.take(), false)
}

// setsMode reports whether the mode can be changed here.
func (m *Model) setsMode() bool { return m.opts.SetMode != nil }

func (m *Model) cycleMode() tea.Cmd {
	if !m.setsMode() {
		m.say(m.tr("the mode can't be changed here"))
		return nil
	}
	// One change at a time: the header shows the mode in force, and a second
	// press goes on from where the first one leads.
	m.steps++
	if m.steps > 1 {
		return nil
	}
	return settingMode(m.opts, m.mode.Cycle())
}

// modeLater refuses to change the mode while something waits: the change could
// settle it, and no key but an answer's may do that.
func (m *Model) modeLater() tea.Cmd {
	m.say(m.tr("answer first: the mode is changed when nothing waits"))
	return nil
}

func (m *Model) modeSet(msg modeMsg) tea.Cmd {
	if msg.err != nil {
		m.say(m.known(msg.err.Error()))
		m.steps = 0
		return nil
	}
	m.mode = msg.mode
	if m.steps--; m.steps > 0 {
		return settingMode(m.opts, m.mode.Cycle())
	}
	return nil
}

// toggleTasks shows or hides the checklist. Where what waits takes the whole
// screen there is no room beside it, and it
// opens on a sheet.
func (m *Model) toggleTasks() tea.Cmd {
	if m.lay.whole {
		return m.showTasks()
	}
	m.hideTasks = !m.hideTasks
	if m.tasks.Total == 0 {
		m.say(m.tr("the agent has made no checklist"))
	}
	return nil
}

// interrupt is Ctrl+C: it clears what was typed, else cancels, else leaves
// when it is pressed twice.
func (m *Model) interrupt() tea.Cmd {
	switch f := m.field(); {
	case !f.empty() && (f != &m.composer || f.value() != m.returned):
		f.clear()
		return nil
	case m.leaving != 0 && m.bounced && m.arming.held:
		m.say(m.tr("ctrl+c again leaves"))
		return m.leaveUnlessHeld()
	case m.leaving != 0 && (m.bounced || len(m.queue.items) == 0):
		// Also when the program asks on, whatever was cancelled.
		return m.quit()
	case len(m.queue.items) > 0:
		return m.cancelTurn()
	case m.turn && !m.cancelled:
		m.cancelled = true
		m.takeBack()
		m.say(m.tr("the turn is being cancelled; ctrl+c again leaves"))
		return cancelling(m.opts)
	case m.cancelled && m.turn && m.arming.held:
		m.say(m.tr("the turn is being cancelled; ctrl+c again leaves"))
		return m.leaveUnlessHeld()
	case m.cancelled && m.turn:
		return m.quit()
	case len(m.unsent) > 0: // the agent is still being started
		m.takeBack()
		return m.mayLeave(true)
	}
	return m.mayLeave(false)
}

// leaveUnlessHeld takes a Ctrl+C that came soon after one that cancelled. A key
// that bounced, or is held, cancels and doesn't leave too. Its first repeat
// comes as late as when somebody presses it again, but others follow that one.
func (m *Model) leaveUnlessHeld() tea.Cmd {
	if m.arming.fast {
		return nil
	}
	m.serial++
	m.goes = m.serial
	return after(holdTime, leaveMsg{m.goes})
}

// mayLeave lets the next Ctrl+C leave, for a while. After one that cancelled, a
// key that bounces doesn't.
func (m *Model) mayLeave(cancelled bool) tea.Cmd {
	m.serial++
	m.leaving, m.bounced = m.serial, cancelled
	m.say(m.tr("ctrl+c again leaves"))
	return after(leaveTime, forgetMsg{m.leaving})
}

// leave is Ctrl+D.
func (m *Model) leave() tea.Cmd {
	switch {
	case !m.composer.empty() && !m.gone:
		return nil
	case m.turn && !m.cancelled && !m.gone:
		m.say(m.tr("a turn is running: ctrl+c cancels it"))
		return nil
	}
	return m.quit()
}

// leaveEnd leaves the end screen with any key that was pressed on it.
func (m *Model) leaveEnd(key string, mayAnswer bool) tea.Cmd {
	if mayAnswer || key == "ctrl+c" {
		return m.quit()
	}
	return nil
}

func (m *Model) quit() tea.Cmd {
	m.quitting = true
	return quitting()
}

// openReason opens the line for a comment. It goes with the highlighted answer
// if that is a plain yes, and else with a no.
func (m *Model) openReason() tea.Cmd {
	w := m.queue.current()
	m.agrees = false
	if i := m.highlighted(w); i >= 0 {
		o := m.offers(w)[i]
		m.agrees = o.name == "once" && o.off == ""
	}
	m.over = reasonLine
	return nil
}

func (m *Model) toggleFull() tea.Cmd {
	w := m.queue.current()
	w.full = !w.full
	return nil
}
