package tui

import "github.com/blitz-approve/blitz-approve/gate"

// DefaultDiffLines is how many rows of content a request shows before the
// rest is asked for, when [Options].DiffLines is 0 (APR-30).
const DefaultDiffLines = 120

// Options are what a screen shows and calls. The zero Options make a screen
// that only answers requests. Callbacks run off the goroutine that draws, may
// take their time, and may be nil.
type Options struct {
	// Agent and Workspace are names for the header.
	Agent, Workspace string
	Mode             gate.Mode
	// Several says that several agents ask on this screen, each through a
	// [Seat]. There is no agent to send prompts to, and no one mode: the header
	// names the agent, the workspace and the mode of what is shown.
	Several bool
	// Welcome is what stands on the screen while nothing has happened; empty
	// takes a sentence about one agent.
	Welcome []string
	// Sandbox names the OS sandbox that is active; empty means none.
	Sandbox string
	// DiffLines is how many rows of a request's content are shown before the
	// rest is asked for; 0 means [DefaultDiffLines].
	DiffLines  int
	AnswerKeys AnswerKeys
	// Submit takes what the person typed as the next prompt to the agent. The
	// next one is sent when it returns, which may be at the end of the turn;
	// until then it waits, and [Options.Cancel] comes with taking it back.
	Submit func(text string)
	// Cancel ends the running turn.
	Cancel func()
	// Revoke ends what is approved for the turn, until a time, or for the session
	// of one of several agents; the screen
	// waits for the [TimedApprovals] that say so (BEY-07).
	Revoke func()
	// Past says which calls of the past an allow rule would have let pass
	// (BEY-08).
	Past func(rule string) PastMatches
	// Rules are what the screen of rules and settings shows and does.
	Rules RuleBook
	// SetMode changes the mode. The screen shows the new mode when it returns
	// nil, or the error.
	SetMode func(gate.Mode) error
	// Keys gives commands other keys: a command's name, as [Commands] lists
	// them, to one or more keys with spaces between. What [CheckKeys] rejects
	// keeps its own keys.
	Keys  map[string]string
	Theme Theme
	// Language is one of [Languages]; empty, or anything else, is English. What
	// agents say, and what they want to run, is never translated.
	Language string
	// Terminal is what the screen is on, if that came from [OpenTerminal]: it
	// is lent to the person's editor, and to whoever Ctrl+Z goes back to.
	// Without it that key says so, and an editor gets the terminal as Bubble
	// Tea found it.
	Terminal *Terminal
	// Mouse has the wheel scroll and a click take a choice. The terminal's own
	// selection of text then needs a modifier.
	Mouse bool
	// Notify says how a person who looks at another window is called back.
	Notify Notify
}

// PastMatches are the calls of the past that a rule would have let pass.
type PastMatches struct {
	Calls   int
	Refused int // how many of them were refused
	// Samples are some of them, each once: those that were refused first.
	Samples []PastCall
	// Err says why they can't be counted.
	Err error
}

// A PastCall is one call of the past.
type PastCall struct {
	Target  string // the command, path, host or server:tool
	Refused bool
}

// AnswerKeys says which keys answer a request.
type AnswerKeys uint8

const (
	// AnswerLetters answers with y, s, a and n, and with arrows and Enter.
	AnswerLetters AnswerKeys = iota
	// AnswerList answers with arrows and Enter; letters go to the composer
	// (TAM-20).
	AnswerList
)

func (o Options) diffLines() int {
	if o.DiffLines > 0 {
		return o.DiffLines
	}
	return DefaultDiffLines
}
