package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// Model is the screen as a Bubble Tea model, for programs that have one
// already; others use [Console]. It takes [Approval], [Question], [Withdraw]
// and every [Event] as messages. Update returns [tea.Quit] when the person
// leaves.
type Model struct {
	wording
	opts  Options
	mail  *mailbox // of the console; nil without one
	keys  keymap
	theme theme
	dark  bool
	// colors are those of the terminal, as far as it has said.
	colors colorprofile.Profile
	// themes counts changes of the theme: rows drawn in an earlier one are
	// drawn again.
	themes int

	width, height int
	lay           layout
	frame         face // what is on the screen
	under         face // what took answers before a sheet was laid over it
	frames        int  // counts its changes
	arming        arming
	echo          echo
	held          *held  // a letter that waits for the next key
	moved         *moved // letters that settled nothing, just now

	queue      queue
	transcript transcript
	tasks      prompts.TodoList
	tasksOf    string // the agent whose they are, where there are several
	hideTasks  bool
	composer   composer // the next prompt
	aside      bool     // which was begun before what is asked, and waits until nothing is
	reason     composer // the line that Tab opens
	agrees     bool     // it goes with a yes
	edits      composer // the line that e opens
	over       sheet
	sheet      reader
	drawSheet  func() []string // draws what lies over the screen
	sheetRows  []string

	rules     *rulesView             // the open screen of rules, or nil
	untrusted int                    // how many of the project's settings wait for trust
	keptFiles map[string]writtenFile // what was not saved, by file
	saving    saving
	timed     timed
	mode      gate.Mode
	steps     int    // presses of the mode key that are not done yet
	starting  string // the agent that isn't ready yet
	agentMode AgentMode
	turn      bool     // the agent works
	cancelled bool     // and was told to stop
	steering  string   // a message on its way to the agent with a refusal
	unsent    []*entry // prompts that wait to be sent, oldest first
	sending   bool     // the one before them isn't done
	returned  string   // what was taken back of them into the composer
	gone      bool     // the agent, for good
	agents    int      // that are connected, where several ask
	notice    string   // one line for the person, until the next key
	reminder  reminder // and one that stays until it was seen
	focus     focus
	clicked   clicked
	stood     standing  // where the choices stand
	stands    time.Time // and since when
	returns   int       // counts how often the focus came back
	stray     int       // counts what was typed where nothing is written
	environ   tea.EnvMsg
	leaving   int  // not 0 after one Ctrl+C, while another one leaves
	closed    bool // the last key was Esc, and closed something
	bounced   bool // that one has cancelled: the same key may bounce
	parting   int  // as leaving, after one Ctrl+D while something waits
	goes      int  // not 0 after one that leaves if no key follows
	serial    int
	finished  []string
	layings   []laying // asked for and not begun
	quitting  bool
}

// New makes a screen with nothing on it.
func New(o Options) *Model {
	m := &Model{wording: newWording(o.Language), opts: o, keys: newKeymap(o), mode: o.Mode, dark: true}
	m.theme = newTheme(o.Theme.on(m.dark, m.colors))
	m.theme.wording = m.wording
	return m
}

// Init asks the terminal for its background, and whether it answers.
func (m *Model) Init() tea.Cmd {
	if m.opts.Theme.Ground == GroundAuto {
		return tea.Batch(groundAsking(), m.askTerminal())
	}
	return m.askTerminal()
}

// Update takes one message. It changes the model it is called on and returns
// it.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	return m, tea.Batch(cmd, m.refresh(), m.startLaying(), m.coloring(), m.checking())
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteStartMsg:
		m.held, m.moved = nil, nil
		m.arming.pasting = true
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case tea.PasteEndMsg:
		return m.pasted()
	case uv.UnknownEvent:
		m.arming.cut = true
	case uv.UnknownCsiEvent:
		if isWell(string(msg)) {
			return m.answers()
		}
	case echoMsg:
		return m.gaveUp(msg)
	case tea.MouseWheelMsg:
		m.wheel(msg)
	case tea.MouseClickMsg:
		return m.click(msg)
	case tea.WindowSizeMsg:
		m.width, m.height = max(0, msg.Width), max(0, msg.Height)
	case tea.BackgroundColorMsg:
		m.setTheme(msg.IsDark(), m.colors)
	case tea.ColorProfileMsg:
		m.setTheme(m.dark, msg.Profile)
	case tea.FocusMsg:
		m.lookedAt(focused)
	case tea.BlurMsg:
		m.lookedAt(unfocused)
	case lentMsg:
		m.lent(msg)
	case tea.EnvMsg:
		m.environ = msg
	case bundle:
		var cmds []tea.Cmd
		for _, one := range msg {
			cmds = append(cmds, m.route(one))
		}
		return tea.Batch(cmds...)
	case Approval:
		return m.ask(msg)
	case Question:
		cmd := m.askQuestion(msg)
		return tea.Batch(cmd, m.arrived())
	case Questions:
		m.askGroup(msg)
		return m.arrived()
	case editedMsg:
		m.edited(msg)
	case Withdraw:
		m.withdraw(msg)
	case Renewal:
		return m.renew(msg)
	case RulesChanged, rulesLoadedMsg, rulesHistoryMsg, rulesCallsMsg, rulesCheckedMsg, rulesSampledMsg, rulesDoneMsg, rulesFileMsg, rulesWrittenMsg:
		return m.rulesMessage(msg)
	case Event:
		return m.happen(msg)
	case paintedMsg:
		return m.painted(msg)
	case armMsg:
		return m.arm(msg)
	case diffsMsg:
		// Those of what was asked before an edit would be shown for the edit.
		if w := m.queue.find(msg.id); w != nil && w.rev.serial == msg.revision {
			w.diffs, w.ready = m.noted(msg.diffs), true
		}
	case callDiffMsg:
		if e := m.transcript.calls[msg.id]; e != nil {
			e.diffs, e.rows = m.noted(msg.diffs), nil
		}
	case laidMsg:
		return msg.take(msg.took)
	case modeMsg:
		return m.modeSet(msg)
	case timedMsg:
		return m.countDown(msg)
	case pastMsg:
		return m.lookedUp(msg)
	case revisedMsg:
		return m.revised(msg)
	case rewrittenMsg:
		return m.rewritten(msg)
	case heldMsg:
		return m.heldLong(msg)
	case quitMsg:
		return m.quit()
	case leaveMsg:
		if m.goes == msg.serial {
			return m.quit()
		}
	case sentMsg:
		m.sending = false
		return m.sendNext()
	case steeredMsg:
		if m.steering == msg.message {
			m.steering = ""
		}
	case forgetMsg:
		if m.leaving == msg.serial || m.parting == msg.serial {
			m.leaving, m.parting, m.notice = 0, 0, ""
		}
	}
	return nil
}

// setTheme takes over what the terminal says of itself. Where that changes how
// rows look they are drawn anew.
func (m *Model) setTheme(dark bool, colors colorprofile.Profile) {
	was, is := m.opts.Theme.on(m.dark, m.colors), m.opts.Theme.on(dark, colors)
	m.dark, m.colors = dark, colors
	if was.Ground == is.Ground && was.NoColor == is.NoColor && was.Basic == is.Basic && was.Indexed == is.Indexed {
		return
	}
	m.theme = newTheme(is)
	m.theme.wording = m.wording
	m.themes++
	m.transcript.forget()
}

// screen says which keys hold.
func (m *Model) screen() screen {
	w := m.queue.current()
	switch {
	case m.finished != nil:
		return endScreen
	case m.rules != nil && m.over != helpSheet:
		return m.rules.screen()
	case w != nil && m.lay.small:
		return smallScreen
	case m.over == helpSheet || m.over == whySheet || m.over == tasksSheet:
		return sheetScreen
	case w == nil:
		return homeScreen
	case m.over == noteLine, m.over == commentLine:
		return lineScreen
	case w.lists:
		return listScreen
	case w.plan != nil:
		return planScreen
	case w.question != nil:
		return questionScreen
	case m.over == saveSheet:
		return saveScreen
	case m.over == reasonLine:
		return reasonScreen
	case m.over == editLine:
		return editScreen
	case w.full:
		return fullScreen
	}
	return requestScreen
}

// say shows one line until the next key.
func (m *Model) say(s string) { m.notice = s }
