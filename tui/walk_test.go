package tui

import (
	"errors"
	"flag"
	"fmt"
	"image/color"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

var (
	walks    = flag.Int("walks", 8, "how many walks TestWalks takes")
	walkSeed = flag.Uint64("walk-seed", 1, "the seed of the first one; the next has the next number")
)

// The walks go over all screens without a plan: keys of every table and
// unknown ones, words, pastes, clicks, the focus, resizing, themes; meanwhile
// things are asked, withdrawn and happen. After each message holds what
// [walker.check] and [walker.judge] say, and in the end everything was settled
// once (P03, APR-30, TAM-20). Many of them: -walks 5000 -walk-seed 100.
//
// What fails is taken again with fewer steps, until none can be left out.
func TestWalks(t *testing.T) {
	t.Parallel()
	for n := range *walks {
		seed := *walkSeed + uint64(n)
		o, steps := plannedWalk(seed)
		err := walk(t, o, steps)
		if err == nil {
			continue
		}
		steps = shorter(steps, func(steps []step) bool { return walk(t, o, steps) != nil })
		err = walk(t, o, steps)
		var names strings.Builder
		for _, s := range steps {
			fmt.Fprintf(&names, "\n  %s", s.name)
		}
		t.Fatalf("-walk-seed %d -walks 1, %q, keys %d, mouse %v, several %v:%s\n%v", seed, o.Language, o.AnswerKeys, o.Mouse, o.Several, names.String(), err)
	}
}

// A step of a walk depends only on itself and on the walker, so that others
// can be left out.
type step struct {
	name string
	run  func(w *walker)
}

// shorter leaves steps out for as long as the rest still fails.
func shorter(steps []step, fails func([]step) bool) []step {
	for size := len(steps) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(steps); {
			if fewer := slices.Delete(slices.Clone(steps), at, at+size); fails(fewer) {
				steps = fewer
			} else {
				at += size
			}
		}
	}
	return steps
}

// walker takes the steps of one walk, and sees to it that nothing goes wrong.
type walker struct {
	*bench
	clients []*Client
	shelf   *shelf

	shown   string    // what tells one thing on the screen from another
	changed time.Time // when that changed
	under   string    // what something was laid over
	looked  time.Time // and when that had changed
	input   string    // what the person did last
	burst   bool      // a word is being typed
	settled map[uint64]int
	prompts map[uint64]gate.Prompt // what is asked by now
	asked   []uint64
	asking  bool
	problem error
}

// walk takes the steps and says what went wrong.
func walk(t *testing.T, o Options, steps []step) (err error) {
	bubble(t, o, func(b *bench) {
		w := &walker{bench: b, shelf: newShelf(), settled: map[uint64]int{}, prompts: map[uint64]gate.Prompt{}}
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			}
			b.update(TimedApprovals{}) // ends the countdown
			b.wait(time.Hour)          // every timer
		}()
		b.opts.Rules = w.shelf.book()
		for _, name := range []string{"one", "two", "three"} {
			w.clients = append(w.clients, &Client{Agent: name, Workspace: "~/" + name})
		}
		w.take(tea.WindowSizeMsg{Width: 80, Height: 24})
		for _, s := range steps {
			if s.run(w); w.problem != nil || w.quitting {
				break
			}
		}
		w.leave()
		if err = w.problem; err != nil {
			err = fmt.Errorf("%w\n%s", err, b.text())
		}
	})
	return err
}

// take hands over a message, and everything that it leads to at once.
func (w *walker) take(msg tea.Msg) {
	for more := true; more && w.problem == nil; {
		w.handle(msg)
		select {
		case msg = <-w.msgs:
		default:
			more = false
		}
	}
}

func (w *walker) handle(msg tea.Msg) {
	changes, form := w.shelf.did(), w.screen() == ruleFormScreen
	w.update(msg)
	synctest.Wait() // what was decided is noted
	// The form asks nothing: what Enter saves there was written there.
	if did := w.shelf.did(); did != changes && !form {
		w.judge(0, "the rules: "+did, true, false)
	}
	w.check()
	id := uint64(0)
	page, renewal := 0, 0
	if q := w.queue.current(); q != nil {
		id, page, renewal = q.id, q.index, w.prompts[q.id].Renewal
	}
	s := fmt.Sprint(id, page, renewal, w.width, w.height, w.returns, w.screen())
	switch over := w.over != noSheet && w.over != saveSheet; {
	case s == w.shown:
	case !over && s == w.under: // only something that lay over it is gone
		w.shown, w.changed = s, w.looked
	default:
		if over && w.under == "" {
			w.under, w.looked = w.shown, w.changed
		}
		w.shown, w.changed = s, time.Now()
	}
	if w.over == noSheet {
		w.under = ""
	}
}

// pass lets time pass.
func (w *walker) pass(d time.Duration) {
	end := time.After(d)
	for w.problem == nil {
		select {
		case msg := <-w.msgs:
			w.handle(msg)
		case <-end:
			return
		}
	}
}

func (w *walker) fail(format string, args ...any) {
	if w.problem == nil {
		w.problem = fmt.Errorf(format, args...)
	}
}

// check looks at the frame: it has the size of the terminal and no control
// byte, and drawing it changes nothing.
func (w *walker) check() {
	v, again := w.View(), w.View()
	if v.Content != again.Content || (v.Cursor == nil) != (again.Cursor == nil) {
		w.fail("two frames of one moment differ")
	}
	if err := controls(v, w.width); err != nil {
		w.fail("%w", err)
	}
	rows := strings.Count(v.Content, "\n") + 1
	if s := w.screen(); w.width > 0 && (rows > w.height || rows < w.height && s != endScreen && s != smallScreen) {
		w.fail("%d rows on a screen of %d×%d", rows, w.width, w.height)
	}
	if c := v.Cursor; c != nil && (c.X < 0 || c.X >= w.width || c.Y < 0 || c.Y >= w.height) {
		w.fail("the cursor is at %d,%d on a screen of %d×%d", c.X, c.Y, w.width, w.height)
	}
}

// judge is told of each decision. Whatever was pressed, nothing is decided
// within half a second of a change of what is shown, nor by a word; nothing but
// a key or a click decides, and Esc allows nothing. Ctrl+C refuses at any time,
// and so does a message that is on its way to the agent.
func (w *walker) judge(id uint64, decides string, allows, steered bool) {
	w.note(func() {
		w.settled[id]++
		since := time.Since(w.changed)
		switch {
		case allows && (w.input == "key esc" || !strings.HasPrefix(w.input, "key ") && w.input != "click"):
			w.fail("%s allows: %s", w.input, decides)
		case !allows && w.input == "key ctrl+c", steered && w.asking:
		case since < quiet:
			w.fail("%s decides %v after a change: %s", w.input, since, decides)
		case w.burst:
			w.fail("a word decides: %s", decides)
		}
	})
}

func (w *walker) ask(msg func(id uint64, from *Client) tea.Msg, n int) {
	w.last++
	w.asked = append(w.asked, w.last)
	var from *Client
	if w.opts.Several {
		from = w.clients[n%len(w.clients)]
	}
	w.asking = true
	w.take(msg(w.last, from))
	w.asking = false
}

func (w *walker) approval(p gate.Prompt, n int) {
	w.ask(func(id uint64, from *Client) tea.Msg {
		w.prompts[id] = p
		return Approval{ID: id, From: from, Prompt: p, Answer: func(a gate.Answer) {
			allows := a.Decision != gate.Refuse && a.Decision != gate.CancelTurn
			if why := unasked(w.prompts[id], a); why != "" {
				w.note(func() { w.fail("%s: %+v", why, a) })
			}
			w.judge(id, fmt.Sprintf("%+v", a), allows, a.Decision == gate.Refuse && a.Message != "")
		}}
	}, n)
}

func (w *walker) questions(qs []prompts.Question, n int) {
	w.ask(func(id uint64, from *Client) tea.Msg {
		if len(qs) == 1 {
			return Question{ID: id, From: from, Question: qs[0], Answer: func(a prompts.Answer, err error) {
				w.judge(id, fmt.Sprintf("%+v %v", a, err), err == nil, false)
			}}
		}
		return Questions{ID: id, From: from, Questions: qs, Answer: func(a []prompts.Answer, err error) {
			w.judge(id, fmt.Sprintf("%+v %v", a, err), err == nil, false)
		}}
	}, n)
}

// withdraw takes back what waits, of those for which which holds.
func (w *walker) withdraw(why string, which func(i int, q *waiting) bool) {
	for i, q := range slices.Clone(w.queue.items) {
		if which(i, q) {
			w.note(func() { w.settled[q.id]++ })
			w.take(Withdraw{ID: q.id, Why: why})
		}
	}
}

// leave refuses what still waits, as a person can at any time, and checks that
// everything was settled once.
func (w *walker) leave() {
	for range 40 {
		if len(w.queue.items) == 0 || w.quitting || w.finished != nil || w.problem != nil {
			break
		}
		w.input = "key ctrl+c"
		w.take(press("ctrl+c"))
		w.pass(time.Second)
	}
	w.pass(time.Second)
	for _, id := range w.asked {
		waits := w.queue.find(id) != nil && (w.quitting || w.finished != nil) // refused with the end
		if n := w.settled[id]; !waits && n != 1 || waits && n != 0 {
			w.fail("number %d was settled %d times", id, n)
		}
	}
}

// plannedWalk is the walk of a seed.
func plannedWalk(seed uint64) (Options, []step) {
	rng := rand.New(rand.NewPCG(seed, 0))
	languages := append(Languages(), "")
	o := Options{
		Agent: "opencode", Workspace: "~/src/shop", Mode: []gate.Mode{gate.Default, gate.AlwaysAskCached}[rng.IntN(2)], Sandbox: "landlock",
		Several: rng.IntN(4) == 0, AnswerKeys: AnswerKeys(rng.IntN(4) / 3), Mouse: rng.IntN(2) == 0, Language: languages[rng.IntN(len(languages))],
		DiffLines: rng.IntN(2) * 7, Notify: Notify(rng.IntN(2)), Past: pastOf,
		SetMode: func(gate.Mode) error { return errors.New("not now") }, Revoke: func() {},
	}
	p := planner{rng, keysOf(o)}
	var steps []step
	for range 60 {
		steps = append(steps, p.step())
	}
	return o, steps
}

// keysOf are the keys of all tables, and some that are in none.
func keysOf(o Options) []string {
	keys := map[string]bool{}
	for _, table := range tables(o.AnswerKeys == AnswerLetters, nil) {
		for _, b := range table {
			for _, k := range b.keys {
				keys[k] = true
			}
		}
	}
	for _, k := range everyKey() {
		keys[k] = true
	}
	return slices.Sorted(maps.Keys(keys))
}

// planner makes up steps.
type planner struct {
	rng  *rand.Rand
	keys []string
}

// opening are the keys that lead to other screens, or answer: those that
// would come too seldom among all.
var opening = []string{"y", "enter", "n", "s", "a", "tab", "e", "w", "x", "ctrl+o", "ctrl+s", "?", "f1", "f3", "alt+t", "ctrl+n", "space", "pgdown", "down", "right", "1", "c", "|", "t", "/", "d", "esc", "backspace"}

// answering are the keys that settle something on some screen.
var answering = []string{"y", "y", "enter", "enter", "ctrl+q", "s", "a", "a", "t", "m", "f", "n", "esc", "1", "2"}

func (p *planner) step() step {
	rng := p.rng
	switch n := rng.IntN(100); {
	case n < 15:
		return p.answers()
	case n < 30:
		return p.key(opening[rng.IntN(len(opening))])
	case n < 42:
		return p.key(p.keys[rng.IntN(len(p.keys))])
	case n < 60:
		return p.waiting()
	case n < 74:
		return p.asks()
	case n < 77:
		return p.types()
	case n < 83:
		return p.resizes()
	case n < 88:
		return p.other()
	case n < 92:
		return p.withdraws()
	case n < 95:
		return p.renews()
	}
	return p.happens()
}

func (p *planner) key(name string) step {
	repeat := p.rng.IntN(12) == 0
	called := "key " + name
	if repeat {
		called += ", held down"
	}
	return step{called, func(w *walker) {
		k := press(name)
		w.input = "key " + name
		w.take(k)
		if repeat {
			w.pass(30 * time.Millisecond)
			k.IsRepeat = true
			w.take(k)
		}
		w.take(tea.KeyReleaseMsg(k))
	}}
}

// answers is somebody who has read what is shown, and writes nothing.
func (p *planner) answers() step {
	key := p.key(answering[p.rng.IntN(len(answering))])
	return step{"wait 2s, " + key.name + ", wait 300ms", func(w *walker) {
		if !w.field().empty() {
			w.input = "key ctrl+c"
			w.take(press("ctrl+c"))
		}
		w.pass(2 * time.Second)
		key.run(w)
		w.pass(300 * time.Millisecond)
	}}
}

func (p *planner) waiting() step {
	d := time.Duration(p.rng.IntN(200)) * time.Millisecond
	if p.rng.IntN(2) == 0 {
		d = 600*time.Millisecond + time.Duration(p.rng.IntN(1500))*time.Millisecond
	}
	return step{"wait " + d.String(), func(w *walker) { w.pass(d) }}
}

// types is somebody who types a word.
func (p *planner) types() step {
	word := typed[p.rng.IntN(len(typed))]
	gap := time.Millisecond + time.Duration(p.rng.Int64N(int64(gap)))
	return step{fmt.Sprintf("type %q, a key each %v", word, gap), func(w *walker) {
		// A key that was pressed just before may answer, or belong to the word.
		w.pass(holdTime)
		w.burst = true
		for _, r := range word {
			w.input = "key " + string(r)
			k := press(string(r))
			if r == ' ' {
				k = press("space")
			}
			w.take(k)
			w.pass(gap)
		}
		w.pass(holdTime)
		w.burst = false
	}}
}

func (p *planner) resizes() step {
	sizes := [][2]int{{80, 24}, {120, 40}, {40, 10}, {1 + p.rng.IntN(300), 1 + p.rng.IntN(100)}, {1 + p.rng.IntN(60), 1 + p.rng.IntN(16)}, {1, 1}}
	s := sizes[p.rng.IntN(len(sizes))]
	return step{fmt.Sprintf("resize to %d×%d", s[0], s[1]), func(w *walker) { w.take(tea.WindowSizeMsg{Width: s[0], Height: s[1]}) }}
}

// other is what else a terminal sends.
func (p *planner) other() step {
	s := p.text()
	x, y, n := p.rng.IntN(120), p.rng.IntN(40), p.rng.IntN(3)
	says := []tea.Msg{tea.BackgroundColorMsg{Color: color.White}, tea.BackgroundColorMsg{Color: color.Black},
		tea.ColorProfileMsg{Profile: []colorprofile.Profile{colorprofile.ASCII, colorprofile.ANSI, colorprofile.TrueColor}[n]}}[p.rng.IntN(3)]
	return []step{
		{fmt.Sprintf("paste %.40q", s), func(w *walker) { w.input = "paste"; w.take(tea.PasteMsg{Content: s}) }},
		{fmt.Sprintf("click %d,%d", x, y), func(w *walker) {
			w.input = "click"
			w.take(tea.MouseClickMsg{X: x % max(1, w.width), Y: y % max(1, w.height), Button: tea.MouseLeft})
		}},
		{fmt.Sprintf("wheel %d", n), func(w *walker) {
			w.take(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp + tea.MouseButton(n%2)})
		}},
		{"look away", func(w *walker) { w.take(tea.BlurMsg{}) }},
		{"look back", func(w *walker) { w.take(tea.FocusMsg{}) }},
		{fmt.Sprintf("the terminal says %+v", says), func(w *walker) { w.take(says) }},
	}[p.rng.IntN(6)]
}

func (p *planner) text() string {
	if p.rng.IntN(2) == 0 {
		return hostile[p.rng.IntN(len(hostile))]
	}
	return "y\nyes\ra\ns\n"
}

func (p *planner) withdraws() step {
	n := p.rng.IntN(10)
	return []step{
		{fmt.Sprintf("withdraw number %d", n), func(w *walker) {
			w.withdraw("", func(i int, _ *waiting) bool { return i == n%len(w.queue.items) })
		}},
		{"a rule settles what is shown", func(w *walker) {
			shown := w.queue.current()
			w.withdraw("a rule settles it now", func(_ int, q *waiting) bool { return q == shown })
		}},
		{"an agent leaves", func(w *walker) {
			w.withdraw("the agent has left", func(_ int, q *waiting) bool { return q.from == w.clients[n%3] })
			w.take(Connected{2})
		}},
	}[p.rng.IntN(3)]
}
