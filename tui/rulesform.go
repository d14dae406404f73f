package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// ruleTyped is what was typed when something was asked about it.
type ruleTyped struct {
	effect gate.Effect
	text   string
}

// ruleForm is a rule or a value that is being written.
type ruleForm struct {
	title  string
	effect gate.Effect
	place  int  // in which of [RuleBook].Places a new rule is saved
	adds   bool // it is a new rule
	item   RuleItem
	saving bool

	checked ruleTyped // what note and err are about
	note    string    // how it is read
	err     error     // why it can't be saved
}

// ruleSampled is what would happen to what was typed.
type ruleSampled struct {
	asked   ruleTyped
	verdict gate.Verdict
	err     error
	known   bool
}

func (m *Model) addRule() tea.Cmd {
	v := m.rules
	if len(v.book.Places) == 0 {
		m.say(m.tr("no rules can be added here"))
		return nil
	}
	v.part = rulesForm
	v.form = ruleForm{title: m.tr("Add a rule"), effect: gate.Allow, adds: true}
	if it, ok := v.item(); ok && it.Rule {
		v.form.effect = it.Effect
	}
	v.line.clear()
	return nil
}

// editRule changes what is marked, in place.
func (m *Model) editRule() tea.Cmd {
	v := m.rules
	it, ok := v.item()
	switch {
	case !ok:
		return nil
	case it.Change == nil:
		m.say(m.unchangeable(false))
		return nil
	}
	v.part = rulesForm
	v.form = ruleForm{title: m.tr("Change %s", it.Text), effect: it.Effect, item: it}
	if it.Rule {
		v.form.title = m.tr("Change a rule of %s", it.Source.String())
	}
	v.line.clear()
	v.line.insert(it.Value)
	return nil
}

// unchangeable says why what is marked can't be changed, or what can be done
// instead.
func (m *Model) unchangeable(removes bool) string {
	g := m.rules.group()
	broken, filed := g != nil && g.Problem != "", g != nil && g.File != nil
	switch {
	case broken && removes:
		return m.tr("it can't be removed: %s", g.Problem)
	case broken:
		return m.tr("it can't be changed: %s", g.Problem)
	case filed && removes:
		return m.tr("it can't be removed here; E opens its file in your editor")
	case filed:
		return m.tr("it can't be changed here; E opens its file in your editor")
	case removes:
		return m.tr("it can't be removed here")
	}
	return m.tr("it can't be changed here")
}

func (m *Model) choosesWord() bool {
	f := &m.rules.form
	return f.adds || len(f.item.Choices) > 0
}

func (m *Model) choosesPlace() bool { return m.rules.form.adds && len(m.rules.book.Places) > 1 }

// nextWord is the next effect of a new rule, or the next word that a setting
// may be.
func (v *rulesView) nextWord(by int) {
	f := &v.form
	if f.adds {
		effects := []gate.Effect{gate.Deny, gate.Ask, gate.Allow}
		f.effect = effects[(slices.Index(effects, f.effect)+by+len(effects))%len(effects)]
		return
	}
	n := len(f.item.Choices)
	i := slices.Index(f.item.Choices, v.line.value())
	if i < 0 && by > 0 {
		i = -1
	} else if i < 0 {
		i = 0
	}
	v.line.clear()
	v.line.insert(f.item.Choices[(i+by+n)%n])
}

func (v *rulesView) nextPlace(by int) {
	n := len(v.book.Places)
	v.form.place = (v.form.place + by + n) % n
}

// checking asks about what is typed, whenever it isn't what was asked about
// last; one question at a time, so that fast typing doesn't heap them up.
func (m *Model) checking() tea.Cmd {
	v := m.rules
	if v == nil || v.asking {
		return nil
	}
	typed := ruleTyped{v.form.effect, strings.TrimSpace(string(v.line.text))}
	switch {
	case typed.text == "":
		return nil
	case v.part == rulesForm && v.form.checked != typed:
		v.asking = true
		check := v.form.item.Check
		if v.form.item.Rule || v.form.adds {
			check = nil
		}
		return checkingRule(v.book, v.opened, typed, check)
	case v.part == rulesSample && (v.sample.asked != typed || !v.sample.known):
		v.asking = true
		return samplingRule(v.book, v.opened, typed)
	}
	return nil
}

// saveRule saves what was typed. Whoever saves checks it once more, and what
// was typed stays until that has worked.
func (m *Model) saveRule() tea.Cmd {
	v := m.rules
	f := &v.form
	text := strings.TrimSpace(string(v.line.text))
	typed := ruleTyped{f.effect, text}
	switch {
	case f.saving:
		return nil
	case text == "" && f.item.Choices == nil:
		m.say(m.tr("nothing is written yet"))
		return nil
	case f.checked == typed && f.err != nil:
		m.say(m.tr("this can't be saved; what is wrong stands below it"))
		return nil
	}
	f.saving = true
	if f.adds {
		place := v.book.Places[f.place]
		effect := f.effect
		return changingRules(v.opened, m.tr("added to %s: %s %s", m.known(place.Name), m.effect(effect), text), func() error { return place.Add(effect, text) })
	}
	change := f.item.Change
	return changingRules(v.opened, m.tr("changed to %s", text), func() error { return change(text) })
}

// removeRule asks whether to remove what is marked.
func (m *Model) removeRule() tea.Cmd {
	v := m.rules
	it, ok := v.item()
	switch {
	case !ok:
		return nil
	case it.Remove == nil:
		m.say(m.unchangeable(true))
		return nil
	}
	v.confirm(ruleAsk{m.tr("%s — %s?", strings.TrimSpace(it.Mark+" "+it.Text), it.Removing), m.tr("done: %s", it.Removing), it.Remove})
	return nil
}

// clearRules asks whether to take back all of a group.
func (m *Model) clearRules() tea.Cmd {
	v := m.rules
	g := v.group()
	if g == nil || g.Clear == nil {
		m.say(m.tr("this is only taken back one by one"))
		return nil
	}
	v.confirm(ruleAsk{m.tr("%s — %s?", g.Title, g.Clearing), m.tr("done: %s", g.Clearing), g.Clear})
	return nil
}

func (v *rulesView) confirm(a ruleAsk) { v.part, v.ask = rulesConfirm, a }

func (m *Model) confirmRule() tea.Cmd {
	a := m.rules.ask
	m.rules.part, m.rules.ask = rulesList, ruleAsk{}
	return changingRules(m.rules.opened, a.said, a.do)
}

func (m *Model) offersTrust() bool {
	p := m.rules.current()
	return p != nil && p.Offer != nil
}

// acceptTrust trusts what is shown, once all of it was on the screen.
func (m *Model) acceptTrust() tea.Cmd {
	v := m.rules
	o := v.current().Offer
	if left := v.offered - v.window.seen; left > 0 {
		v.cursor = min(v.window.seen+v.window.height-1, v.offered-1)
		v.window.fresh()
		m.say(m.n(left, "there was %s more row: y again trusts, once all of it was shown", "there were %s more rows: y again trusts, once all of it was shown"))
		return nil
	}
	return changingRules(v.opened, m.tr("trusted, until it changes"), o.Accept)
}

// ruleDone says how a change went, and shows what is true now. What was typed
// stays after an error.
func (m *Model) ruleDone(msg rulesDoneMsg) tea.Cmd {
	if msg.err != nil {
		m.say(m.known(msg.err.Error()))
	} else {
		m.say(msg.said)
		delete(m.keptFiles, msg.file)
	}
	v := m.rules
	if v == nil || v.opened != msg.opened {
		return nil
	}
	if v.part == rulesForm && v.form.saving {
		v.form.saving = false
		if msg.err != nil {
			v.form.checked = ruleTyped{v.form.effect, strings.TrimSpace(string(v.line.text))}
			v.form.note, v.form.err = "", msg.err
			return nil
		}
		m.closeRulePart()
	}
	return v.reload()
}

// tryRules opens the line in which a request is written.
func (m *Model) tryRules() tea.Cmd {
	v := m.rules
	if v.book.Sample == nil {
		m.say(m.tr("nothing can be tried here"))
		return nil
	}
	v.part, v.look, v.sample = rulesSample, reader{}, ruleSampled{}
	v.line.clear()
	if w := m.queue.current(); w != nil && w.approval != nil && w.approval.Prompt.Request.Kind == gate.RunCommand {
		v.line.insert(w.approval.Prompt.Request.Targets[0])
	}
	return nil
}

// editRuleFile opens the file of what is marked in the person's editor.
func (m *Model) editRuleFile() tea.Cmd {
	v := m.rules
	g := v.group()
	if g == nil || g.File == nil {
		m.say(m.tr("this stands in no file that can be edited here"))
		return nil
	}
	return fetchingFile(v.opened, g.File)
}

func (m *Model) ruleFile(msg rulesFileMsg) tea.Cmd {
	if m.rules == nil || m.rules.opened != msg.opened {
		return nil
	}
	if msg.err != nil {
		m.say(m.known(msg.err.Error()))
		return nil
	}
	text := msg.text
	if kept, ok := m.keptFiles[msg.file.Name]; ok {
		text = kept
	}
	return editingFile(msg.opened, msg.file, msg.text, text)
}

// ruleWritten takes a file back from the editor. What can't be saved is kept
// for the next time.
func (m *Model) ruleWritten(msg rulesWrittenMsg) tea.Cmd {
	// Keys may have been meant for the editor.
	m.arming.restart()
	m.frame = face{}
	switch {
	case msg.err != nil:
		m.say(m.tr("the editor failed, nothing was changed: %v", msg.err))
		return nil
	case msg.text == msg.before:
		delete(m.keptFiles, msg.file.Name)
		m.say(m.tr("nothing was changed"))
		return nil
	}
	m.keptFiles[msg.file.Name] = msg.text
	return m.savingFile(msg.opened, msg.file, msg.before, msg.text)
}
