package tui

import (
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// lineEnd says what ended a line.
type lineEnd uint8

const (
	enterEnd     lineEnd = iota
	interruptEnd         // Ctrl+C: what was typed before it counts for nothing
	inputEnd             // Ctrl+D on an empty line, or no more input
)

// typedLine is one line that was typed.
type typedLine struct {
	text string
	end  lineEnd
	at   time.Time // when its first bytes were read
}

// read is the one reader of the input (APR-40a). A failed read ends it.
func (p *Plain) read(stop <-chan struct{}) {
	var rest []byte
	var began time.Time
	send := func(l typedLine) bool {
		select {
		case p.input <- l:
			return true
		case <-stop:
			return false
		}
	}
	chunk := make([]byte, 4<<10)
	for {
		n, err := p.in.Read(chunk)
		now := clock()
		if len(rest) == 0 {
			began = now
		}
		rest = append(rest, chunk[:n]...)
		for {
			i := strings.IndexAny(string(rest), "\n\x03")
			if i < 0 {
				break
			}
			l := typedLine{text: strings.TrimSuffix(string(rest[:i]), "\r"), at: began}
			if rest[i] == ctrlC {
				l.text, l.end = "", interruptEnd
			}
			rest, began = rest[i+1:], now
			if !send(l) {
				return
			}
		}
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			p.Quit()
			return
		case err != nil || n == 0:
			rest = nil
			if !send(typedLine{end: inputEnd, at: now}) {
				return
			}
		}
	}
}

// typed takes a line for what is asked, or as the next prompt to the agent.
func (p *Plain) typed(l typedLine) {
	if l.end == enterEnd {
		p.open = false // Enter has ended the line on the terminal
	}
	p.goes = nil
	if l.end != interruptEnd {
		p.leave = false
	}
	if l.end != inputEnd {
		p.parting = time.Time{}
	}
	w := p.front()
	switch {
	case l.end == interruptEnd:
		p.interrupt(l.at)
	case l.end == inputEnd:
		p.inputEnded(w, l.at)
	case w != nil && (w.id != p.asking || p.fresh), w == nil && p.asking != 0, l.at.Before(p.since):
		p.line(p.tr("Not taken, since it was typed too early: %s", line(l.text)))
	case w == nil:
		p.home(strings.TrimSpace(l.text))
	default:
		p.fresh = true
		w.answer(p, strings.TrimSpace(l.text))
	}
}

// inputEnded refuses what is asked, and else leaves. Where several agents ask they
// might never stop: there it also leaves when it comes once more, unless the key
// is held.
func (p *Plain) inputEnded(w *asked, at time.Time) {
	p.endLine()
	again := !p.parting.IsZero() && at.Sub(p.parting) >= repeatGap
	if w == nil || again {
		p.done = true
		return
	}
	p.line(p.tr("End of input."))
	w.refuse(p, "")
	if p.opts.Several {
		p.parting = at
		p.line(p.tr("Ctrl+D again leaves, and refuses what waits."))
	}
}

// interrupt is Ctrl+C: it cancels the turn with everything that waits
// (APR-30). Once more, with nothing typed between, it leaves, also when the
// program has gone on asking. A key that bounces, or is held, does the first
// only: its first repeat comes as late as when somebody presses it again, but
// others follow that one.
func (p *Plain) interrupt(at time.Time) {
	p.endLine()
	gap := at.Sub(p.broken)
	p.broken = at
	bounced := p.cancelled && gap < holdTime
	switch {
	case p.leave && p.cancelled && !bounced && gap < repeatGap:
		p.goes = time.After(holdTime)
	case p.leave && !bounced && (p.cancelled || len(p.items) == 0):
		p.done = true
	case len(p.items) > 0 || p.turn && !p.cancel || len(p.unsent) > 0:
		p.cancelTurn()
	case bounced:
	default:
		p.leave, p.cancelled = true, false
		p.line(p.tr("Ctrl+C again leaves."))
	}
}

// cancelTurn ends the turn, with everything that waits; of several agents, that
// of the one who asks.
func (p *Plain) cancelTurn() {
	if w := p.front(); w != nil && w.from != nil {
		p.cancelFor(w.from)
		return
	}
	p.takeBack()
	for len(p.items) > 0 {
		p.items[0].cancel(p)
	}
	p.cancel, p.leave, p.cancelled = true, true, true
	p.line(p.tr("The turn is cancelled. Ctrl+C again leaves."))
	if p.opts.Cancel != nil {
		go p.opts.Cancel()
	}
}

// cancelFor ends the turn of one of several agents, with what it asks.
func (p *Plain) cancelFor(from *Client) {
	for _, w := range slices.Clone(p.items) {
		if w.from == from {
			w.cancel(p)
		}
	}
	p.line(p.tr("The turn of %s is cancelled.", line(from.Agent)))
	if from.Cancel != nil {
		go from.Cancel()
	}
}

// home takes a line while nothing is asked.
func (p *Plain) home(text string) {
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "":
	case ":help":
		p.lines(p.homeHelp())
	case ":quit":
		p.done = true
	case ":tasks":
		p.tellTasks()
	case ":revoke":
		p.revoke()
	case ":mode":
		p.setMode(strings.TrimSpace(rest))
	default:
		if p.opts.Submit == nil {
			p.line(p.tr("There is no agent to send this to."))
			return
		}
		if p.gone {
			p.tell(p.tr("Not sent"), text)
			p.line(p.tr("The agent is gone: nothing is sent any more. Leave with :quit, and start it again."))
			return
		}
		p.send(text, false)
	}
}

func (p *Plain) homeHelp() []string {
	rows := []string{p.tr("A line is the next prompt to the agent. Lines that begin with a colon are for this program:")}
	for _, c := range [][2]string{
		{":mode", p.tr("say the mode")},
		{":mode NAME", p.tr("change it")},
		{":tasks", p.tr("read the task list")},
		{":revoke", p.tr("end what is approved for a while")},
		{":quit", p.tr("leave; Ctrl+D does too")},
	} {
		rows = append(rows, "  "+pad(c[0], 13)+c[1])
	}
	return append(rows, p.tr("Ctrl+C cancels the turn; once more, it leaves."))
}

func (p *Plain) setMode(name string) {
	if name == "" {
		p.line(p.tr("Mode: %s.", p.mode))
		return
	}
	mode, err := gate.ParseMode(name)
	switch {
	case err != nil:
		p.line(p.fact(p.tr("Warning"), line(p.known(err.Error()))))
	case p.opts.SetMode == nil:
		p.line(p.tr("The mode can't be changed here."))
	default:
		go func() { p.mail.post(modeMsg{mode, p.opts.SetMode(mode)}) }()
	}
}
