package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

// saving is what the line that a opens has chosen so far.
type saving struct {
	place int // an index into [waiting.places]
	width int // an index into the prompt's widths
}

// keeping is one way to let an approval last: for how long, or where it is
// saved.
type keeping struct {
	name   string
	says   string
	answer gate.Answer // without the rule
}

// places are the ways to keep an approval of w, those that can be saved
// first.
func (w *waiting) places(t *wording) []keeping {
	p := &w.approval.Prompt
	var list []keeping
	if slices.Contains(p.Verdict.Offers, gate.Always) {
		where := t.tr("among your saved approvals, which are no rules; blitz-approve approvals revoke takes it back")
		list = append(list, keeping{t.tr("always"), where, gate.Answer{Decision: gate.Always}})
	}
	if len(p.Widths) > 0 {
		here, everywhere := gate.Answer{Decision: gate.Always, Place: gate.WorkspaceRules}, gate.Answer{Decision: gate.Always, Place: gate.GlobalRules}
		list = append(list,
			keeping{t.tr("rule here"), t.tr("as a rule in your own settings for this workspace"), here},
			keeping{t.tr("rule everywhere"), t.tr("as a rule in your settings for every workspace"), everywhere})
	}
	if p.Offers(gate.Session) {
		list = append(list,
			keeping{t.tr("15 minutes"), t.tr("not saved; the header counts down, and ctrl+r ends it"), minutes},
			keeping{t.tr("this turn"), t.tr("not saved; it ends with the agent's turn"), gate.Answer{Decision: gate.Turn}})
	}
	return list
}

func (m *Model) kept(w *waiting) keeping {
	list := w.places(&m.wording)
	return list[min(m.saving.place, len(list)-1)]
}

// width is the rule that is chosen, or nil where none is saved.
func (m *Model) chosenWidth(w *waiting) *gate.Width {
	if m.kept(w).answer.Place == "" {
		return nil
	}
	widths := w.approval.Prompt.Widths
	return &widths[min(m.saving.width, len(widths)-1)]
}

// askAlways shows what would be saved; [Model.saveAlways] saves it. One key
// alone writes nothing.
func (m *Model) askAlways() tea.Cmd {
	if !m.offered(m.queue.current(), gate.Always) {
		return nil
	}
	m.over, m.saving = saveSheet, saving{}
	return m.lookUp()
}

func (m *Model) saveAlways() tea.Cmd {
	w := m.queue.current()
	m.over = noSheet
	if !m.offered(w, gate.Always) {
		return nil
	}
	a := m.kept(w).answer
	if width := m.chosenWidth(w); width != nil {
		a.Rule = width.Rule
	}
	return m.settle(w, a)
}

// nextPlace goes through the ways to keep an approval, round and round.
func (m *Model) nextPlace(by int) tea.Cmd {
	n := len(m.queue.current().places(&m.wording))
	m.saving.place = (m.saving.place + by + n) % n
	return m.lookUp()
}

// keepsSaved reports whether the way that is chosen saves anything.
func (m *Model) keepsSaved() bool { return m.kept(m.queue.current()).answer.Decision == gate.Always }

// keepsUnsaved is the opposite.
func (m *Model) keepsUnsaved() bool { return !m.keepsSaved() }

// severalPlaces reports whether there is another way to keep what is shown.
func (m *Model) severalPlaces() bool { return len(m.queue.current().places(&m.wording)) > 1 }

// mayWiden says where there is a rule that is as much wider, or narrower.
func mayWiden(by int) func(*Model) bool {
	return func(m *Model) bool {
		w := m.queue.current()
		to := m.saving.width + by
		return m.chosenWidth(w) != nil && to >= 0 && to < len(w.approval.Prompt.Widths)
	}
}

// widen takes a wider rule, or a narrower one.
func (m *Model) widen(by int) tea.Cmd {
	w := m.queue.current()
	if m.chosenWidth(w) == nil {
		if len(w.approval.Prompt.Widths) == 0 {
			m.sayWhy(m.tr("no rule is offered for this request"), w.approval.Prompt.Unruled)
			return nil
		}
		// Narrower and wider are about rules.
		m.saving.place = slices.IndexFunc(w.places(&m.wording), func(k keeping) bool { return k.answer.Place != "" })
		return m.lookUp()
	}
	to := m.saving.width + by
	switch {
	case to < 0:
		m.say(m.tr("no rule is narrower"))
	case to >= len(w.approval.Prompt.Widths):
		m.sayWhy(m.tr("nothing wider is offered"), m.chosenWidth(w).Widest)
	default:
		m.saving.width = to
	}
	return m.lookUp()
}

// lookUp has the past calls of the chosen rule counted, once.
func (m *Model) lookUp() tea.Cmd {
	w := m.queue.current()
	width := m.chosenWidth(w)
	if width == nil || m.opts.Past == nil {
		return nil
	}
	if _, known := w.past[width.Rule]; known {
		return nil
	}
	return lookingUp(m.opts, w.id, width.Rule)
}

func (m *Model) lookedUp(msg pastMsg) {
	if w := m.queue.find(msg.id); w != nil {
		if w.past == nil {
			w.past = map[string]PastMatches{}
		}
		w.past[msg.rule] = msg.past
	}
}

// saveRows shows what would be saved, whole and in the matcher's own form,
// before the key that saves it (BEY-08).
func (m *Model) saveRows(w *waiting, width int) []string {
	th := &m.theme
	k := m.kept(w)
	var cells []string
	for i, other := range w.places(&m.wording) {
		text := "( ) " + other.name
		if i == min(m.saving.place, len(w.places(&m.wording))-1) {
			cells = append(cells, th.key.Render("(•) ")+th.focus.Render(other.name))
			continue
		}
		cells = append(cells, th.muted.Render(text))
	}
	const column = 17
	rows := flow(cells, 2, width-2)
	rows = indent(rows, 2)
	called := namesOf(&w.approval.Prompt.Request)
	fact := func(label, value string) {
		rows = append(rows, beside("  "+th.muted.Render(label), column, called.words(value, width-column-1), th.text)...)
	}
	rule := m.chosenWidth(w)
	switch {
	case rule != nil:
		if rule.Of != "" {
			fact(th.tr("for"), th.tr("%s; the rest is allowed already", rule.Of))
		}
		rows = append(rows, m.ruleRows(rule, called, column, width)...)
		if m.opts.Past != nil {
			rows = append(rows, m.pastRows(w, rule.Rule, column, width)...)
		}
	case k.answer.Decision == gate.Always:
		saved := savedKey(&w.approval.Prompt, &th.wording)
		said := saved
		if label := w.approval.Prompt.Request.KeyLabel; label != "" {
			said = th.known(label)
		}
		rows = append(rows, beside("  "+th.warn.Render(th.tr("will be saved")), column, called.wrap(said, width-column-1), th.headline)...)
		if said != saved {
			rows = append(rows, beside("  "+th.muted.Render(th.tr("under the key")), column, called.wrap(saved, width-column-1), th.text)...)
		}
	default:
		fact(th.tr("covers"), remembered(w.approval.Prompt.Request, &th.wording))
	}
	fact(th.tr("where"), k.says)
	return append(rows, flow(m.hintCells(), 1, width)...)
}

// ruleRows show each rule of a width, whole. A regular expression for exactly one
// command is said in words first.
func (m *Model) ruleRows(w *gate.Width, called calledNames, column, width int) (rows []string) {
	th := &m.theme
	for _, r := range w.Each() {
		first, second, label := r.Rule, th.known(r.Label)+readAs(r.Rule, &th.wording), th.tr("that is")
		if strings.HasPrefix(r.Label, "exactly ") {
			first, second, label = th.known(r.Label), r.Rule, th.tr("as the rule")
		}
		rows = append(rows, beside("  "+th.warn.Render(th.tr("will be saved")), column, called.wrap(first, width-column-1), th.headline)...)
		rows = append(rows, beside("  "+th.muted.Render(label), column, called.wrap(second, width-column-1), th.text)...)
	}
	return rows
}

// sayWhy says something with the gate's reason for it, if there is one.
func (m *Model) sayWhy(said, reason string) {
	if reason != "" {
		said = m.fact(said, line(m.known(reason)))
	}
	m.say(said)
}

// savedKey is the key of an approval as it is saved.
func savedKey(p *gate.Prompt, t *wording) string {
	for _, s := range []string{p.Saves, p.Request.Key} {
		if s != "" {
			return shownKey(s)
		}
	}
	return remembered(p.Request, t)
}

// shownKey is a key for a person: that of a command keeps its workspace apart
// by a NUL.
func shownKey(key string) string { return strings.ReplaceAll(key, "\x00", " → ") }

// readAs says how the matcher reads a rule.
func readAs(rule string, t *wording) string {
	reading, err := gate.CheckRule(gate.Allow, rule, "", "", "")
	if err != nil {
		return ""
	}
	how := ""
	switch reading.Match {
	case "prefix":
		how = t.tr("read as a prefix of words")
	case "glob":
		how = t.tr("read as a pattern with wildcards")
	case "regex":
		how = t.tr("read as a regular expression")
	case "path":
		how = t.tr("read as a path")
	case "name":
		how = t.tr("read as a name")
	}
	return " · " + how
}

// samplesFrom is the height from which past calls are named.
const samplesFrom = 24

func (m *Model) pastRows(w *waiting, rule string, column, width int) []string {
	th := &m.theme
	past, known := w.past[rule]
	label := "  " + th.muted.Render(th.tr("past calls"))
	switch {
	case !known:
		return beside(label, column, []string{th.tr("being counted …")}, th.muted)
	case past.Err != nil:
		return beside(label, column, words(th.tr("can't be counted: %v", past.Err), width-column-1), th.muted)
	case past.Calls == 0:
		return beside(label, column, []string{th.tr("it would have matched none")}, th.text)
	}
	text := th.n(past.Calls, "it would have matched %s call", "it would have matched %s calls")
	style := th.text
	if past.Refused > 0 {
		text += th.tr("; ") + th.n(past.Refused, "%s of them had been refused", "%s of them had been refused")
		style = th.warn
	}
	rows := beside(label, column, words(text, width-column-1), style)
	if m.height < samplesFrom {
		return rows
	}
	for _, s := range past.Samples[:min(len(past.Samples), 1+(m.height-samplesFrom)/5, 6)] {
		mark := "· "
		if s.Refused {
			mark = "✗ " + th.fact(th.tr("refused"), "")
		}
		rows = append(rows, beside("", column, []string{mark + short(s.Target, width-column-1-diffview.Width(mark))}, th.muted)...)
	}
	return rows
}
