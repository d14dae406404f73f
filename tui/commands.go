package tui

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// Everything that a Model does besides computing its next state is in this
// file: clock, timers, callbacks, diffs.

// diffTime bounds how long the diffs of one request may take.
const diffTime = 10 * time.Second

// colorTime bounds how long the colours of one screen may take.
const colorTime = time.Second

const (
	// steerTime is how long after a refusal with a message further requests
	// are taken for the same batch, unless the agent says something sooner.
	steerTime = 2 * time.Second
	// leaveTime is how long the second Ctrl+C is waited for.
	leaveTime = 3 * time.Second
)

type (
	// paintedMsg comes when the frame with this serial has reached the
	// terminal.
	paintedMsg struct{ frame int }
	// armMsg comes when the request may be armed.
	armMsg struct{ serial int }
	// heldMsg says that nothing followed a held letter.
	heldMsg struct{ serial int }
	// diffsMsg brings the diffs of a waiting request as it was at a revision.
	diffsMsg struct {
		id       uint64
		revision int
		diffs    []*diffview.Diff
	}
	// callDiffMsg brings the diffs of a tool call in the transcript.
	callDiffMsg struct {
		id    string
		diffs []*diffview.Diff
	}
	// coloredMsg says that there are colours to draw.
	coloredMsg struct{}
	// laidMsg brings rows that were laid out.
	laidMsg struct {
		take func(took time.Duration) tea.Cmd
		took time.Duration
	}
	// modeMsg says how changing the mode went.
	modeMsg struct {
		mode gate.Mode
		err  error
	}
	// steeredMsg ends the time in which a message sent with a refusal also
	// refuses what the same batch still asks.
	steeredMsg struct{ message string }
	// sentMsg says that the next prompt may be sent.
	sentMsg struct{}
	// timedMsg comes when the countdown reads differently.
	timedMsg struct{ serial int }
	// revisedMsg brings what the gate says of an edit.
	revisedMsg struct {
		id      uint64
		look    int // which one it is
		renewal int // that of the request when the gate was asked
		edit    *gate.Edit
		left    map[hunkAt]bool // the hunks left out; nil for an edit of the text
		prompt  gate.Prompt
		was     *diffview.Diff // of a command
		err     error
	}
	// rewrittenMsg brings a text back from the editor; no path is the command.
	rewrittenMsg struct {
		id                 uint64
		path, before, text string
		err                error
	}
	// pastMsg brings the past calls of a rule.
	pastMsg struct {
		id   uint64
		rule string
		past PastMatches
	}
	// editedMsg brings a document back from the editor.
	editedMsg struct {
		id   uint64
		text string
		err  error
	}
	// quitMsg leaves, whatever waits.
	quitMsg struct{}
	// leaveMsg says that no key followed a Ctrl+C that leaves.
	leaveMsg struct{ serial int }
	// lentMsg says that the terminal is back, and what went wrong meanwhile.
	lentMsg struct{ err error }
	// forgetMsg takes back the hint that Ctrl+C once more leaves.
	forgetMsg struct{ serial int }
)

func clock() time.Time { return time.Now() }

func after(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

// calling runs a callback off the goroutine that draws.
func calling(f func()) tea.Cmd {
	return func() tea.Msg {
		f()
		return nil
	}
}

// quitting ends the program; an embedder's program may do something else.
func quitting() tea.Cmd { return tea.Quit }

// groundAsking asks the terminal for its background.
func groundAsking() tea.Cmd { return tea.RequestBackgroundColor }

// wellAsking asks the terminal whether it is well.
func wellAsking() tea.Cmd { return tea.Raw(ansi.DeviceStatusReport(ansi.ANSIStatusReport(5))) }

// lending takes the program off the terminal while use has it.
func lending(use func() error) tea.Cmd {
	return tea.Exec(loan{use}, func(err error) tea.Msg { return lentMsg{err} })
}

// A loan is a use of the terminal by something else.
type loan struct{ use func() error }

func (l loan) Run() error        { return l.use() }
func (loan) SetStdin(io.Reader)  {}
func (loan) SetStdout(io.Writer) {}
func (loan) SetStderr(io.Writer) {}

// ringing sends what rings, or shows a notification.
func ringing(sequence string) tea.Cmd { return tea.Raw(sequence) }

// submitting sends a prompt. That it is done is told behind the events of its
// turn.
func (m *Model) submitting(text string) tea.Cmd {
	submit, mail := m.opts.Submit, m.mail
	return func() tea.Msg {
		submit(text)
		if mail == nil {
			return sentMsg{}
		}
		mail.post(sentMsg{})
		return nil
	}
}

func cancelling(o Options) tea.Cmd {
	if o.Cancel == nil {
		return nil
	}
	return calling(o.Cancel)
}

func revoking(o Options) tea.Cmd {
	if o.Revoke == nil {
		return nil
	}
	return calling(o.Revoke)
}

func lookingUp(o Options, id uint64, rule string) tea.Cmd {
	return func() tea.Msg { return pastMsg{id, rule, o.Past(rule)} }
}

func settingMode(o Options, mode gate.Mode) tea.Cmd {
	if o.SetMode == nil {
		return nil
	}
	return func() tea.Msg { return modeMsg{mode, o.SetMode(mode)} }
}

func diffing(id uint64, revision int, changes []gate.Change) tea.Cmd {
	return func() tea.Msg { return diffsMsg{id, revision, compute(changes)} }
}

func diffingCall(id string, changes []gate.Change) tea.Cmd {
	return func() tea.Msg { return callDiffMsg{id, compute(changes)} }
}

// revising has the gate look at an edit; msg brings what it says.
func revising(msg revisedMsg, p gate.Prompt) tea.Cmd {
	return func() tea.Msg {
		e := msg.edit
		if msg.prompt, msg.err = p.Revise(*e); msg.err == nil && e.Command != "" {
			was := gate.Change{Before: []byte(p.Request.Targets[0] + "\n"), After: []byte(e.Command + "\n")}
			msg.was = compute([]gate.Change{was})[0]
		}
		return msg
	}
}

// rewriting gives the screen to the person's editor.
func rewriting(o Options, id uint64, path, name, text string) tea.Cmd {
	e := &editing{editor: PersonsEditor(), name: name, text: text, terminal: o.Terminal}
	return tea.Exec(e, func(err error) tea.Msg { return rewrittenMsg{id, path, text, e.text, err} })
}

// editingPlan gives the screen to the person's editor.
func editingPlan(o Options, id uint64, text string) tea.Cmd {
	e := &editing{editor: PersonsEditor(), name: "plan.md", text: text, terminal: o.Terminal}
	return tea.Exec(e, func(err error) tea.Msg { return editedMsg{id, e.text, err} })
}

// replying gives the answers to the pages, each with how its document differs
// from the one that was shown.
func replying(answer func([]prompts.Answer, error), pages []*waiting, answers []prompts.Answer, err error) tea.Cmd {
	return calling(func() {
		for i := range answers {
			if a := &answers[i]; a.Document != "" && pages[i].plan != nil {
				d := compute([]gate.Change{{Path: "plan.md", Before: []byte(pages[i].plan.shown), After: []byte(a.Document)}})[0]
				a.Changes = unified(d)
			}
		}
		answer(answers, err)
	})
}

func layingOut(l laying) tea.Cmd {
	return func() tea.Msg {
		start := clock()
		take := l()
		return laidMsg{take, clock().Sub(start)}
	}
}

// highlighting finds colours; what was asked for is drawn without meanwhile.
func highlighting(parts []diffPart) tea.Cmd {
	if len(parts) == 0 {
		return nil
	}
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), colorTime)
		defer cancel()
		for _, p := range parts {
			p.diff.Highlight(ctx, p.options, p.from, p.to)
		}
		return coloredMsg{}
	}
}

func compute(changes []gate.Change) []*diffview.Diff {
	ctx, cancel := context.WithTimeout(context.Background(), diffTime)
	defer cancel()
	diffs := make([]*diffview.Diff, len(changes))
	for i, c := range changes {
		diffs[i] = diffview.Compute(ctx, diffview.File{Path: c.Path, From: c.From, Before: c.Before, After: c.After}, diffview.Limits{})
	}
	return diffs
}
