package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

// An offer is one answer on the answers line.
type offer struct {
	name     string // that of its binding
	decision gate.Decision
	scope    gate.GrantScope // what a yes grants as well
	key      string          // the key that gives it
	label    string          // after the key
	brief    string          // the same without what it covers; empty where label is
	long     string          // without letters
	off      string          // why it can't be given now; empty when it can
	later    bool            // it can once all was on the screen
	after    int             // blanks behind it, in place of a key that it has at other times
	run      func(*Model) tea.Cmd
}

// offers are the answers to the request w, in the order in which they are
// shown: approve, session, always, deny.
func (m *Model) offers(w *waiting) []offer {
	p := &w.approval.Prompt
	once := offer{name: "once", decision: gate.Once, label: m.tr("once"), long: m.tr("Approve"), run: (*Model).approve}
	switch {
	case !p.Offers(gate.Once):
		once.off = whyNotOffered(p, &m.wording)
	case w.rev.pending:
		once.off = m.tr("your edit is still being checked")
	case w.rev.barred != "":
		once.off = m.known(w.rev.barred)
	case !w.ready:
		once.off = m.tr("the changes are still being compared")
	case w.unseen() > 0 && !w.asked:
		once.label = m.tr("show the rest")
		once.long = m.tr("Show the rest")
	case w.unseen() > 0:
		once.label = m.n(w.unseen(), "once, %s line unread", "once, %s lines unread")
		once.long = m.n(w.unseen(), "Approve with %s line unread", "Approve with %s lines unread")
	case w.opaque():
		once.label, once.long = m.tr("once, binary content unseen"), m.tr("Approve with binary content unseen")
	}
	deny := offer{name: "deny", decision: gate.Refuse, label: m.tr("no"), long: m.tr("Deny"), run: (*Model).deny}
	if m.drafting() {
		deny.label, deny.long = m.tr("deny and send message"), m.tr("Deny and send message")
		deny.run = (*Model).denyAndSend
	}
	if w.grants() != nil {
		return m.withGrants(w, once, deny)
	}
	letters, list := sessionLabels(p, &m.wording)
	session := offer{name: "session", decision: gate.Session, label: letters, long: list, run: (*Model).approveSession}
	always := offer{name: "always", decision: gate.Always, label: m.tr("always…"), long: m.tr("Always…"), run: (*Model).askAlways}
	if !p.Offers(gate.Always) && p.Offers(gate.Session) {
		always.label, always.long = m.tr("for a while…"), m.tr("For a while…")
	}
	for _, o := range []*offer{&session, &always} {
		switch {
		case w.rev.edit != nil:
			o.off = m.tr("you have edited it")
		case !p.Offers(o.decision) && !(o.decision == gate.Always && p.Offers(gate.Session)):
			o.off = whyNotOffered(p, &m.wording)
		case w.opaque():
			o.off = m.tr("binary content isn't shown")
		default:
			m.afterAll(w, o)
		}
	}
	if session.off != "" || !m.labelFits(p) {
		session.label, session.long = m.tr("session"), m.tr("Approve for this session")
	}
	return m.keyed(w, []offer{once, session, always, deny})
}

// afterAll takes an offer back that needs all of the request to have been on the
// screen (BEY-03).
func (m *Model) afterAll(w *waiting, o *offer) {
	if !w.ready || w.rev.pending || w.unseen() > 0 {
		o.off, o.later = m.tr("the rest of it comes first"), true
	}
}

// keyed notes the key of each offer; of no, the last one, also that Esc refuses
// where it does.
func (m *Model) keyed(w *waiting, offers []offer) []offer {
	for i := range offers {
		o := &offers[i]
		o.key = m.keyOf(requestScreen, o.name)
		if o.name != "deny" || w.full || m.width < terse {
			continue
		}
		also := "/" + m.keyOf(requestScreen, "no")
		if m.escRefuses() {
			o.key += also
		} else {
			o.after = diffview.Width(also) // what stands behind it keeps its place
		}
	}
	return offers
}

func whyNotOffered(p *gate.Prompt, t *wording) string {
	switch {
	case p.Request.Unrevealed:
		return t.tr("the agent doesn't say what this will do")
	case len(p.Request.SafetyChecks) > 0:
		return t.tr("safety checks are asked each time")
	case p.Verdict.Forced:
		return t.tr("this is asked each time")
	case p.Request.Key == "" && len(p.Request.GrantTargets) == 0:
		return t.tr("there is nothing to remember it by")
	case p.Brief && p.Request.Origin.Session == "":
		return t.tr("the agent doesn't say which session it is")
	}
	return t.tr("not offered for this request")
}

// highlighted is the offer that Enter takes. With a draft that is always the
// refusal that sends it (TAM-21); -1 is none.
func (m *Model) highlighted(w *waiting) int {
	switch {
	case m.drafting():
		return len(m.offers(w)) - 1
	case w.pushed:
		return -1
	}
	return w.choice
}

// choose moves the highlight, over what is off.
func (m *Model) choose(by int) {
	w := m.queue.current()
	if w.pushed {
		w.pushed = false // now the highlight shows
		return
	}
	offers := m.offers(w)
	for i := w.choice + by; i >= 0 && i < len(offers); i += by {
		if offers[i].off == "" {
			w.choice = i
			return
		}
	}
}

// answerRows draws the answers that can be given, and under them what keeps the
// others. The spots are where they can be clicked.
func (m *Model) answerRows(w *waiting, width int) (rows []string, spots []spot) {
	offers := m.offers(w)
	rows, spots = m.answersOf(w, offers, width)
	// A row of the request is worth more than that Esc refuses too.
	last := &offers[len(offers)-1]
	last.key, last.after = m.keyOf(requestScreen, last.name), 0
	if few, at := m.answersOf(w, offers, width); len(few) < len(rows) {
		rows, spots = few, at
	}
	return append(rows, m.withheldRows(offers, width)...), spots
}

func (m *Model) answersOf(w *waiting, offers []offer, width int) (rows []string, spots []spot) {
	var cells []string
	var of []int // the offer in each cell
	place := func(gap int) {
		more, at := flowAt(cells, gap, width)
		for _, s := range at {
			if s.choice < len(of) {
				spots = append(spots, spot{s.y + len(rows), s.from, s.to, of[s.choice]})
			}
		}
		rows, cells, of = append(rows, more...), nil, nil
	}
	for i, o := range offers {
		if o.off != "" {
			continue
		}
		cell := m.answerCell(o, i == m.highlighted(w), width) + strings.Repeat(" ", o.after)
		cells, of = append(cells, cell), append(of, i)
		if o.name == "remember" && width >= terse && m.height >= 14 {
			place(0)
		}
	}
	gap := 1
	if w.grants() == nil || width >= terse {
		hints := m.hintCells()
		// A row of the request is worth more than that it can be edited.
		if few := m.hintCells("edit"); len(flow(slices.Concat(cells, hints), gap, width)) > len(flow(slices.Concat(cells, few), gap, width)) {
			hints = few
		}
		cells = append(cells, hints...)
	}
	if width >= 100 && len(flow(cells, 3, width)) == len(flow(cells, gap, width)) {
		gap = 3 // as long as it costs no row
	}
	place(gap)
	return rows, spots
}

// withheldRows say what keeps the answers that aren't drawn.
func (m *Model) withheldRows(offers []offer, width int) (rows []string) {
	var reasons, later []string
	off := map[string][]string{}
	lasting := 0 // answers that hold for more than this call
	for _, o := range offers {
		switch {
		case o.later:
			later = append(later, m.briefly(o))
		case o.off != "":
			if off[o.off] == nil {
				reasons = append(reasons, o.off)
			}
			off[o.off] = append(off[o.off], m.briefly(o))
			continue
		}
		if o.lasts() {
			lasting++
		}
	}
	once := slices.IndexFunc(offers, func(o offer) bool { return o.name == "once" && o.off == "" }) >= 0
	var texts []string
	for _, r := range reasons {
		if once && lasting == 0 {
			texts = append(texts, m.tr("only once: %s", r))
		} else {
			texts = append(texts, m.fact(m.list(off[r]), r))
		}
	}
	if once && len(later) > 0 {
		texts = append(texts, m.tr("after the rest also: %s", m.list(later)))
	}
	for _, t := range texts {
		for _, l := range words(t, width-2) {
			rows = append(rows, "  "+m.theme.muted.Render(l))
		}
	}
	return rows
}

// lasts reports whether an answer holds for more than this call.
func (o offer) lasts() bool {
	return o.decision == gate.Session || o.decision == gate.Always || o.scope != gate.NoGrant
}

// briefly names an answer, without what it covers; on a narrow screen by its key.
func (m *Model) briefly(o offer) string {
	if m.width < terse {
		return m.offerName(o)
	}
	label := strings.TrimSuffix(o.label, "…")
	if o.brief != "" {
		label = o.brief
	}
	if m.opts.AnswerKeys == AnswerLetters {
		return o.key + " " + label
	}
	return m.offerName(o)
}

func (m *Model) offerName(o offer) string {
	if m.opts.AnswerKeys == AnswerLetters {
		return o.key
	}
	return strings.TrimSuffix(o.long, "…")
}

// answerRoom is how wide one answer may be. What is remembered is among the
// facts of the request if it doesn't fit in there.
func answerRoom(width int) int { return max(16, width/2) }

func (m *Model) labelFits(p *gate.Prompt) bool {
	_, session := sessionLabels(p, &m.wording)
	if m.opts.AnswerKeys == AnswerLetters {
		session, _ = sessionLabels(p, &m.wording)
	}
	return diffview.Width(session)+2 <= answerRoom(m.width)
}

// coversLabel stands before what the answer for the session covers, where it says
// that not itself.
func (m *Model) coversLabel(p *gate.Prompt) string {
	switch {
	case m.labelFits(p):
		return ""
	case m.opts.AnswerKeys == AnswerLetters:
		return m.tr("%s covers", m.keyOf(requestScreen, "session"))
	}
	return m.tr("session")
}

func sessionLabels(p *gate.Prompt, t *wording) (letters, list string) {
	covers := namesOf(&p.Request).line(sessionCovers(p, t))
	return t.tr("session: %s", covers), t.tr("Approve %s for this session", covers)
}

// answerCell draws one answer. The highlighted one has a sign of its own, so
// that it shows without colours too.
func (m *Model) answerCell(o offer, highlighted bool, width int) string {
	th := &m.theme
	text := o.long
	drafting := m.drafting()
	switch {
	case m.opts.AnswerKeys == AnswerLetters && drafting && highlighted:
		text = keyName("enter") + " " + o.label
	case m.opts.AnswerKeys == AnswerLetters:
		text = o.key + " " + o.label
	}
	text = diffview.Truncate(text, answerRoom(width))
	switch {
	case o.off != "":
		return th.muted.Render("  " + text)
	case m.held != nil && m.held.binding.name == o.name:
		return th.key.Render("▸ ") + th.focus.Render(text)
	case m.arming.armed && highlighted:
		return th.key.Render("▸ ") + th.focus.Render(text)
	case highlighted:
		return th.muted.Render("▸ " + text)
	case !m.arming.armed || drafting:
		return th.muted.Render("  " + text)
	case m.opts.AnswerKeys == AnswerLetters:
		return "  " + th.key.Render(o.key) + th.text.Render(text[len(o.key):])
	}
	return "  " + th.text.Render(text)
}

// settle gives an answer to one request and takes it out of the queue. It is
// the only place that answers.
func (m *Model) settle(w *waiting, a gate.Answer) tea.Cmd {
	m.queue.remove(w)
	m.salvage(w)
	m.over = noSheet
	m.reason.clear()
	a.Renewal = w.approval.Prompt.Renewal
	if a.Decision != gate.Refuse && a.Decision != gate.CancelTurn {
		a.Edited = w.rev.edit // what was shown, and nothing else
	}
	return calling(func() { w.approval.Answer(a) })
}

// enter takes the highlighted answer.
func (m *Model) enter() tea.Cmd {
	w := m.queue.current()
	if m.mistaken(w) {
		return nil
	}
	o := m.offers(w)[m.highlighted(w)]
	if o.off != "" {
		m.say(o.off)
		return nil
	}
	return o.run(m)
}

// offered reports whether d can be given now, and says why the key does nothing
// if it can't.
func (m *Model) offered(w *waiting, d gate.Decision, key string) bool {
	offers := m.offers(w)
	i := slices.IndexFunc(offers, func(o offer) bool { return o.decision == d && o.scope == gate.NoGrant && o.name != "remember" })
	if i < 0 {
		m.say(m.tr("this is remembered by what it touches, not as a whole"))
		return false
	}
	if off := offers[i].off; off != "" {
		m.say(m.fact(cmp.Or(key, m.offerName(offers[i])), off))
		return false
	}
	return true
}

// approve allows the request once. While a part of it was never on the screen
// it shows the rest instead, and asks for one more key (BEY-03).
func (m *Model) approve() tea.Cmd {
	w := m.queue.current()
	if !m.offered(w, gate.Once, m.keyOf(requestScreen, "once")) {
		return nil
	}
	if w.unseen() > 0 && !w.asked {
		w.asked, w.full, w.cut = true, true, false
		m.layOut()
		w.fresh()
		return nil
	}
	return m.settle(w, gate.Answer{Decision: gate.Once})
}

// approveSession remembers for the session, or grants exactly what the request
// touches where that is offered instead.
func (m *Model) approveSession() tea.Cmd {
	w := m.queue.current()
	if w.grants() != nil {
		return m.grant(gate.GrantExact)
	}
	if !m.offered(w, gate.Session, m.keyOf(requestScreen, "session")) {
		return nil
	}
	return m.settle(w, gate.Answer{Decision: gate.Session})
}

// denyAndSend refuses every request of the agent that waits, with the draft as
// the reason (TAM-21).
func (m *Model) denyAndSend() tea.Cmd {
	shown := m.queue.current()
	message, from := shown.words.take(), shown.from
	m.transcript.add(entry{kind: userEntry, text: message})
	var cmds []tea.Cmd
	if from == nil {
		m.steering = message
		cmds = append(cmds, after(steerTime, steeredMsg{message}))
	}
	for _, w := range m.queue.of(from) {
		if w.approval != nil {
			cmds = append(cmds, m.settle(w, gate.Answer{Decision: gate.Refuse, Message: message}))
		}
	}
	return tea.Batch(cmds...)
}

// turnReason has the line that Tab opens go with the other answer.
func (m *Model) turnReason() tea.Cmd {
	m.agrees = !m.agrees
	return nil
}

// agreeing and refusing say with which answer it goes.
func (m *Model) agreeing() bool { return m.agrees }
func (m *Model) refusing() bool { return !m.agrees }

// giveReason and comment end it.
func (m *Model) giveReason() tea.Cmd {
	return m.settle(m.queue.current(), gate.Answer{Decision: gate.Refuse, Message: m.reason.take()})
}

func (m *Model) comment() tea.Cmd {
	w := m.queue.current()
	if !m.offered(w, gate.Once, m.keyOf(requestScreen, "once")) {
		return nil
	}
	if w.unseen() > 0 && !w.asked {
		m.over = noSheet
		return m.approve()
	}
	return m.settle(w, gate.Answer{Decision: gate.Once, Message: m.reason.take()})
}

// cancelTurn settles everything that waits as cancelled and ends the turn
// (APR-30); of several agents, those of the one whose request is shown. It
// needs no arming: it allows nothing.
func (m *Model) cancelTurn() tea.Cmd {
	var cmds []tea.Cmd
	from := m.queue.current().from
	for _, w := range m.queue.of(from) {
		if w.approval != nil {
			cmds = append(cmds, m.settle(w, gate.Answer{Decision: gate.CancelTurn}))
		} else {
			cmds = append(cmds, m.decline(w))
		}
	}
	if from != nil {
		if from.Cancel != nil {
			cmds = append(cmds, calling(from.Cancel))
		}
		return tea.Batch(cmds...)
	}
	m.cancelled = true
	m.takeBack()
	m.returned = m.composer.value()
	cmds = append(cmds, cancelling(m.opts))
	if !m.turn {
		cmds = append(cmds, m.mayLeave(true))
	}
	return tea.Batch(cmds...)
}
