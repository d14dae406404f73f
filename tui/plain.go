package tui

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// Plain asks in lines instead of on a screen: for people who listen to a screen
// reader, and for terminals on which no cursor can be moved (BEY-13). It says
// and takes what a [Console] does. Nothing is drawn over, no colour is needed,
// and each change is said in a line of its own.
//
// An answer is a word or a number, and Enter. The prompt for it comes half a
// second after what is asked, and what was typed before the prompt never
// answers. The end of the input refuses, and with nothing asked it leaves.
// Ctrl+C cancels the turn, and leaves when it comes once more.
//
// Its methods may be called from any number of goroutines, also before Run.
type Plain struct {
	wording
	opts Options
	in   io.Reader
	out  io.Writer
	mail *mailbox

	input chan typedLine

	// What follows belongs to the goroutine of Run.
	items  []*asked         // what waits, oldest first; the first is asked
	asking uint64           // what the last prompt was for; 0 is the next prompt to the agent
	open   bool             // the cursor stands behind a prompt
	fresh  bool             // nothing that was typed so far answers what is asked
	due    <-chan time.Time // when its prompt is printed
	since  time.Time        // when it was

	later    []Event  // what happened while something was asked
	unsent   []string // prompts that wait to be sent, oldest first
	sending  bool     // the one before them isn't done
	gone     bool     // the agent, for good
	sent     string   // a line that was sent as it was typed
	said     string   // the agent's words that are no whole line yet
	calls    transcript
	timed    []gate.Approved  // what is approved for a while
	ends     <-chan time.Time // when the first of it does
	tasks    prompts.TodoList
	mode     gate.Mode
	starting bool // the agent isn't ready yet
	turn     bool
	cancel   bool // the turn was told to stop
	broken   time.Time
	leave    bool // after one Ctrl+C another one leaves
	// cancelled says that the last Ctrl+C cancelled something: the same key may
	// bounce, and another one leaves whatever is asked by then.
	cancelled bool
	parting   time.Time        // when a Ctrl+D refused after which another one leaves
	goes      <-chan time.Time // when that other one leaves, if no more follow
	done      bool
}

var (
	_ gate.Approver    = (*Plain)(nil)
	_ prompts.Prompter = (*Plain)(nil)
)

// NewPlain makes a plain screen on a terminal that is read line by line, such
// as [OpenLineTerminal] takes. What in has as a method Discard() error is
// called before each question, to drop what was typed ahead; what out has as
// Size() (columns, rows int) says how much is read at a time.
func NewPlain(o Options, in io.Reader, out io.Writer) *Plain {
	return &Plain{wording: newWording(o.Language), opts: o, in: in, out: out, mail: newMailbox(), input: make(chan typedLine), mode: o.Mode}
}

// Approve asks about p and waits for the answer, as [Console.Approve] does.
func (p *Plain) Approve(ctx context.Context, prompt gate.Prompt) (gate.Answer, error) {
	return p.mail.approve(ctx, nil, prompt)
}

// Ask puts q to the person and waits for the answer, as [Console.Ask] does.
// Several options are chosen by numbers or words with commas between (APR-40a).
func (p *Plain) Ask(ctx context.Context, q prompts.Question) (prompts.Answer, error) {
	return p.mail.ask(ctx, nil, q)
}

// Show says what happened. It returns at once.
func (p *Plain) Show(e Event) { p.mail.post(e) }

// Quit ends Run, as if the person had left.
func (p *Plain) Quit() { p.mail.post(quitMsg{}) }

// Run asks and tells until the person leaves or ctx ends; then it returns nil,
// or the cause of ctx's end. Everything that still waits gets [ErrEnded]. It
// can be called once. One read of the input may still wait when it returns: it
// ends with the input.
func (p *Plain) Run(ctx context.Context) error {
	if err := p.mail.open(); err != nil {
		return err
	}
	defer p.mail.close()
	stop := make(chan struct{})
	defer close(stop)
	p.since = clock()
	go p.read(stop)
	p.greet()
	for !p.done {
		select {
		case <-ctx.Done():
			p.endLine()
			return context.Cause(ctx)
		case <-p.mail.wake:
			for _, msg := range p.mail.take() {
				p.take(msg)
			}
		case l := <-p.input:
			p.typed(l)
		case <-p.due:
			p.due, p.fresh = nil, false
			p.drop()
		case <-p.ends:
			p.timeOut()
		case <-p.goes:
			p.done = true
		}
		if !p.done {
			p.step()
		}
	}
	p.endLine()
	return nil
}

func (p *Plain) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case Approval:
		w := &asked{id: msg.ID, from: msg.From, approval: &msg}
		p.add(w, title(msg.Prompt.Request))
		changes := msg.Prompt.Request.Diff // its prompt may be renewed meanwhile
		go func() { p.mail.post(diffsMsg{w.id, 0, compute(changes)}) }()
	case Question:
		p.add(&asked{id: msg.ID, from: msg.From, question: &msg, ready: true}, questionTitle(&msg.Question, &p.wording))
	case diffsMsg:
		if w := p.find(msg.id); w != nil {
			w.diffs, w.ready = msg.diffs, true
		}
	case Renewal:
		p.renew(msg)
	case Withdraw:
		p.withdraw(msg)
	case modeMsg:
		if msg.err != nil {
			p.line(p.fact(p.tr("Warning"), line(p.known(msg.err.Error()))))
		} else {
			p.happen(ModeChanged{msg.mode})
		}
	case sentMsg:
		p.sending = false
		p.sendNext()
	case pastMsg:
		p.tellPast(msg)
	case quitMsg:
		p.done = true
	case Event:
		if len(p.items) > 0 && !urgent(msg) {
			p.later = append(p.later, msg)
		} else {
			p.happen(msg)
		}
	}
}

// step presents what is to be asked now, unless that is on its way, and prints
// its prompt.
func (p *Plain) step() {
	w := p.front()
	id := uint64(0)
	if w != nil {
		if id = w.id; !w.ready {
			return
		}
	}
	if id != p.asking {
		p.asking, p.fresh, p.due = id, true, nil
		p.tellLater()
		if w != nil {
			p.present(w)
		}
	}
	if w == nil && p.fresh {
		p.fresh = false
		p.drop()
	}
	switch {
	case p.open:
	case w != nil && p.fresh:
		if p.due == nil {
			p.due = time.After(quietTime)
		}
	case w != nil:
		p.prompt(w.ask(&p.wording))
	case p.gone:
		p.prompt(p.tr("No agent (:help for more): "))
	case !p.turn && !p.starting && p.opts.Submit != nil:
		p.prompt(p.tr("Next prompt (:help for more): "))
	}
}

// prompt prints what the cursor stands behind.
func (p *Plain) prompt(text string) {
	fmt.Fprint(p.out, text)
	p.open = true
}

// drop drops what was typed before this moment. What can't be dropped is known
// by its time.
func (p *Plain) drop() {
	if d, ok := p.in.(interface{ Discard() error }); ok {
		_ = d.Discard()
	}
	p.since = clock()
}

// line prints one line, broken between words where the terminal is narrower.
// Further rows are indented: no content begins where ours does. The text is
// escaped already.
func (p *Plain) line(text string) {
	p.endLine()
	width, _ := p.size()
	if diffview.Width(text) >= width {
		text = strings.Join(diffview.WrapWords(text, width-5), "\n    ")
	}
	fmt.Fprintln(p.out, text)
}

func (p *Plain) lines(rows []string) {
	for _, r := range rows {
		p.line(strings.TrimRight(r, " "))
	}
}

func (p *Plain) endLine() {
	if p.open {
		fmt.Fprintln(p.out)
		p.open = false
	}
}

// width and rows are how much fits on the terminal; rows leaves room for the
// answers.
func (p *Plain) size() (width, rows int) {
	width, rows = 80, 24
	if s, ok := p.out.(interface{ Size() (columns, rows int) }); ok {
		if c, r := s.Size(); c > 0 && r > 0 {
			width, rows = c, r
		}
	}
	return max(width, minWidth), min(max(rows-9, 5), p.opts.diffLines())
}

func (p *Plain) front() *asked {
	if len(p.items) == 0 {
		return nil
	}
	return p.items[0]
}

func (p *Plain) find(id uint64) *asked {
	for _, w := range p.items {
		if w.id == id {
			return w
		}
	}
	return nil
}

func (p *Plain) add(w *asked, what string) {
	p.items = append(p.items, w)
	if n := len(p.items); n > 1 {
		p.line(p.n(n, "%s waiting. New at the end: %s", "%s waiting. New at the end: %s", line(what)))
	}
}

func (p *Plain) remove(w *asked) {
	for i := range p.items {
		if p.items[i] == w {
			p.items = append(p.items[:i:i], p.items[i+1:]...)
			return
		}
	}
}

func (p *Plain) withdraw(msg Withdraw) {
	w := p.find(msg.ID)
	if w == nil {
		return
	}
	p.remove(w)
	what := p.tr("the question")
	if w.approval != nil {
		what = title(w.approval.Prompt.Request)
	}
	if msg.Why != "" {
		what += " · " + p.known(msg.Why)
	}
	p.line(p.tr("No longer asked: %s", line(what)))
}

// asked is one thing that waits, and how far it has come.
type asked struct {
	id       uint64
	from     *Client   // nil for the only agent
	approval *Approval // one of the two is set
	question *Question

	diffs []*diffview.Diff
	ready bool

	rows    []string     // what there is to read
	read    int          // rows that were printed
	saving  *plainChoice // an answer that waits for its second word
	comment string       // goes with yes or no
	warned  bool         // that nothing is chosen
}

func (w *asked) unread() int { return len(w.rows) - w.read }

// more prints the next rows; 0 means all that are left.
func (w *asked) more(p *Plain, n int) {
	to := len(w.rows)
	if n > 0 {
		to = min(to, w.read+n)
	}
	if w.question != nil && len(w.rows)-to <= len(w.brief(p)) {
		to = len(w.rows) // as short as what would stand in its place
	}
	p.lines(w.rows[w.read:to])
	w.read = to
	if left := w.unread(); left > 0 {
		p.line(p.n(left, "%s line not shown yet. Type more, or all.", "%s lines not shown yet. Type more, or all."))
	}
}

// present prints what is asked, as much as is read at a time.
func (p *Plain) present(w *asked) {
	width, rows := p.size()
	p.line("")
	if w.question != nil {
		w.rows = plainQuestion(&w.question.Question, &p.wording, width-1)
	} else {
		w.rows = plainRequest(&w.approval.Prompt, w.diffs, p.modeOf(w), &p.wording, width-1)
	}
	p.line(p.heading(w))
	w.more(p, rows)
	p.tellAnswers(w)
	switch {
	case w.saving == nil:
	case w.unread() > 0:
		w.saving = nil
		p.line(p.tr("First the rest of it."))
	default:
		w.tellChoice(p, w.saving) // it was chosen before rules changed
	}
}

// modeOf is the mode in which w is asked.
func (p *Plain) modeOf(w *asked) gate.Mode {
	if w.from != nil {
		return w.approval.Prompt.Verdict.Mode
	}
	return p.mode
}

func (p *Plain) heading(w *asked) string {
	var text string
	if w.question != nil {
		q := &w.question.Question
		text = p.tr("Question: %s", questionTitle(q, &p.wording))
		if q.Agent != "" {
			text = p.tr("Question from %s: %s", q.Agent, questionTitle(q, &p.wording))
		}
	} else {
		text = p.tr("Request: %s asks", requestAsker(w.approval.Prompt.Request, &p.wording))
	}
	if w.from != nil && w.from.Workspace != "" {
		text = p.tr("%s, in %s", text, w.from.Workspace)
	}
	if n := len(p.items); n > 1 {
		text = p.tr("%s, 1 of %d waiting", text, n)
	}
	return p.tr("%s.", line(text))
}

func requestAsker(r gate.Request, t *wording) string {
	if r.Origin.Agent != "" {
		return r.Origin.Agent
	}
	return t.tr("the agent")
}
