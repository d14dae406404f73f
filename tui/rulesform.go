package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
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
		return changingRules(v.opened, m.tr("added to %s: %s %s", m.known(place.Name), effect.String(), text), func() error { return place.Add(effect, text) })
	}
	change := f.item.Change
	return changingRules(v.opened, m.tr("changed to %s", text), func() error { return change(text) })
}

// formRows are the fields around the line in which a rule or a value is
// written, and what is wrong with it.
func (m *Model) formRows() (above []string, prompt string, below []string) {
	v, th := m.rules, &m.theme
	f := &v.form
	above = append(above, m.rule(th.label.Render(short(f.title, m.width-8)), ""))
	if f.adds {
		above = append(above, m.wordsRow(m.tr("effect"), []string{gate.Deny.String(), gate.Ask.String(), gate.Allow.String()}, int(f.effect)))
		names := make([]string, len(v.book.Places))
		for i := range v.book.Places {
			names[i] = m.known(v.book.Places[i].Name)
		}
		above = append(above, m.wordsRow(m.tr("where"), names, f.place))
	} else if len(f.item.Choices) > 0 {
		at := -1
		for i, c := range f.item.Choices {
			if c == v.line.value() {
				at = i
			}
		}
		above = append(above, m.wordsRow(m.tr("one of"), f.item.Choices, at))
	}
	prompt = linePrompt(m.tr("value"))
	if f.adds || f.item.Rule {
		prompt = linePrompt(m.tr("rule"))
	}
	typed := strings.TrimSpace(string(v.line.text))
	text, style := "", th.muted
	switch {
	case f.saving:
		text = m.tr("saving …")
	case typed == "":
	case f.checked != ruleTyped{f.effect, typed}:
		text = m.tr("checking …")
	case f.err != nil:
		text, style = m.known(f.err.Error()), th.danger
	default:
		text = m.known(f.note)
	}
	rows := words(text, max(1, m.width-4))
	for _, r := range rows[:min(len(rows), 4)] {
		below = append(below, "  "+style.Render(r))
	}
	return above, prompt, below
}

// linePrompt is what stands before a line that is written.
func linePrompt(name string) string { return " " + name + " › " }

// wordsRow is a few words of which one is chosen.
func (m *Model) wordsRow(label string, list []string, at int) string {
	th := &m.theme
	row := "  " + th.label.Render(pad(label, max(8, diffview.Width(label)+1)))
	for i, w := range list {
		style := th.muted
		w = " " + line(w) + " "
		if i == at {
			style, w = th.focus, "▸"+w[1:]
		}
		row += style.Render(w)
	}
	if rowWidth(row) <= m.width || at < 0 || len(list) == 1 {
		return fit(row, m.width)
	}
	only := m.wordsRow(label, list[at:at+1], 0)
	return fit(only+th.muted.Render(" "+m.tr("%s of %s", m.number(at+1), m.number(len(list)))), m.width)
}
