package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// sheet is what lies over the screen.
type sheet uint8

const (
	noSheet     sheet = iota
	helpSheet         // the keys, whole screen
	whySheet          // the verdict, whole screen
	saveSheet         // what always would save, in place of the answers
	tasksSheet        // the whole checklist, whole screen
	reasonLine        // a reason or comment, in place of the composer
	editLine          // the command, there too
	noteLine          // a note beside an answer, there too
	commentLine       // a comment on a line of a plan, there too
)

// line reports whether it is a line that is written.
func (s sheet) line() bool { return s >= reasonLine }

// showHelp opens the keys of the screen that it is opened on.
func (m *Model) showHelp() tea.Cmd {
	s := m.screen()
	return m.open(helpSheet, func() []string { return m.helpRows(s) })
}

// showWhy opens the verdict on what is shown.
func (m *Model) showWhy() tea.Cmd {
	p := &m.queue.current().approval.Prompt
	return m.open(whySheet, func() []string { return whyRows(p, &m.theme, max(1, m.width-margin-1)) })
}

// open lays a sheet over the whole screen. Its rows are drawn each time that
// the screen is laid out, because they depend on its width and its theme.
func (m *Model) open(s sheet, rows func() []string) tea.Cmd {
	m.over, m.sheet, m.drawSheet = s, reader{}, rows
	m.layOutSheet()
	return nil
}

// layOutSheet draws the sheet that lies over the screen, if one does.
func (m *Model) layOutSheet() {
	if m.screen() == sheetScreen {
		m.sheetRows = m.drawSheet()
		m.sheet.measure(len(m.sheetRows), len(m.sheetRows), m.height-3, false)
	}
}

func (m *Model) closeSheet() tea.Cmd {
	if m.over.line() {
		m.reason.clear()
	}
	m.edits.clear()
	m.over = noSheet
	return nil
}

// helpRows is the table of a screen, as text: the keys that mean something now.
func (m *Model) helpRows(s screen) []string {
	th := &m.theme
	rows := []string{th.heading.Render(m.tr("Keys")), ""}
	// Bindings that do the same are one row.
	var order []string
	keys := map[string][]string{}
	digits := 0
	for _, b := range m.keys[s] {
		if b.when != nil && !b.when(m) || b.grants && !m.granting() {
			continue
		}
		help := m.tr(b.help)
		if b.name == "option" {
			digits++
			help = m.tr("the one with that number")
			keys[help] = []string{fmt.Sprintf("1 … %d", digits)}
		} else {
			keys[help] = append(keys[help], shownKeys(b)...)
		}
		if !slices.Contains(order, help) {
			order = append(order, help)
		}
	}
	for _, help := range order {
		label := "  " + th.key.Render(strings.Join(keys[help], "  "))
		rows = append(rows, under(label, 26, m.width-margin-2, func(room int) []string { return words(help, room) }, th.text)...)
	}
	if len(m.queue.items) > 1 {
		rows = append(rows, "", th.heading.Render(m.tr("Waiting")), "")
		for i, w := range m.queue.items {
			rows = append(rows, "  "+m.queueCell(i, w, max(20, m.width-margin-4)))
		}
	}
	if !writes(s) || !m.takesWords() {
		return rows
	}
	rows = append(rows, "", th.heading.Render(m.tr("Writing")), "")
	for _, l := range append(writing(s, &m.wording), m.tr("shift+enter or ctrl+j starts a new line; ctrl+a e k u w, alt+b and alt+f edit.")) {
		rows = append(rows, indent(words(l, max(1, m.width-6)), 2)...)
	}
	return rows
}

// under is a text beside its label, or on a narrow screen below it.
func under(label string, column, width int, text func(room int) []string, style *brush) []string {
	if width < terse {
		return append([]string{label}, beside("", 4, text(max(1, width-4)), style)...)
	}
	return beside(label, column, text(width-column), style)
}

// writing says what becomes of what is typed on a screen.
func writing(s screen, t *wording) []string {
	switch s {
	case questionScreen:
		return []string{t.tr("Any other character, and any paste, is written in the last line of the list: your answer in your own words."),
			t.tr("Where several options may be chosen it goes with those; else Enter sends it instead of an option.")}
	case planScreen:
		return []string{t.tr("Any other character, and any paste, is feedback: Enter sends it, with your comments, and the plan is not approved."),
			t.tr("A letter of the list above begins feedback too when another follows at once.")}
	case lineScreen:
		return []string{t.tr("Enter keeps the line, Esc leaves it as it was. It is sent with your answer.")}
	case ruleSearchScreen, ruleFormScreen, ruleSampleScreen:
		return []string{t.tr("Any other character, and any paste, is written in the line above.")}
	case homeScreen:
		return []string{t.tr("Any other character, and any paste, is written at the bottom: the next prompt to the agent.")}
	case reasonScreen:
		return []string{t.tr("What is written goes to the agent with the answer that you give.")}
	}
	return []string{t.tr("Any other character, and any paste, is written at the bottom. While a request waits that is a draft:"),
		t.tr("Enter then refuses everything that waits, with the draft as the message to the agent."),
		t.tr("The prompt that you were writing before is no part of it: it comes back when nothing waits.")}
}

func shownKeys(b binding) []string {
	keys := make([]string, len(b.keys))
	for i, k := range b.keys {
		keys[i] = keyName(k)
	}
	return keys
}

func keyName(k string) string {
	switch k {
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "left":
		return "←"
	case "right":
		return "→"
	case "pgdown":
		return "PgDn"
	case "pgup":
		return "PgUp"
	case "enter":
		return "Enter"
	case "esc":
		return "Esc"
	}
	return k
}

// whyColumn is where the texts of the why sheet begin.
const whyColumn = 18

// whyRows explains a request: the step and the rule that decided, each command
// and all that was looked at, with file and line (BEY-04).
func whyRows(p *gate.Prompt, th *theme, width int) []string {
	v, called := &p.Verdict, namesOf(&p.Request)
	rows := []string{th.heading.Render(th.tr("Why this is asked")), ""}
	add := func(label, value string) {
		if value != "" {
			rows = append(rows, under("  "+th.label.Render(label), whyColumn, width, func(room int) []string { return called.wrap(value, room) }, th.text)...)
		}
	}
	say := func(label, text string) {
		if text != "" {
			rows = append(rows, under("  "+th.label.Render(label), whyColumn, width, func(room int) []string { return prose(text, room) }, th.text)...)
		}
	}
	rest := func(of int) {
		if n := of - mostReasons; n > 0 {
			rows = append(rows, "  "+th.muted.Render("⋯ "+th.n(n, "%s more", "%s more")))
		}
	}
	say(th.tr("reason"), th.known(v.Reason))
	add(th.tr("step"), string(v.Step))
	add(th.tr("cause"), v.Cause)
	if v.Rule != nil {
		add(th.tr("rule"), v.Rule.Effect.String()+" "+v.Rule.Text)
		add(th.tr("written in"), v.Rule.Source.String())
	}
	if v.Forced {
		say(th.tr("forced"), th.tr("no mode, remembered approval or allow rule can settle this"))
	}
	add(th.tr("tier"), p.Request.Declared.Tier.String())
	say(th.tr("tool says"), th.known(p.Request.Declared.Reason))
	add(th.tr("always saves"), shownKey(p.Saves))
	if len(v.Parts) > 0 {
		rows = append(rows, "", th.heading.Render(th.tr("Each command")), "")
		for _, part := range listed(v.Parts) {
			mark, style := effectMark(part.Effect, th)
			why := partWhy(part, &th.wording)
			if why == "" {
				why = th.tr("no rule matches")
			}
			label := "  " + style.Render(mark+" "+th.effect(part.Effect))
			rows = append(rows, under(label, whyColumn, width, func(room int) []string {
				return append(beside("", 0, called.wrap(part.Command, room), th.text), beside("", 0, called.words(why, room), th.muted)...)
			}, th.plain)...)
		}
		rest(len(v.Parts))
	}
	if len(v.Trail) > 0 {
		rows = append(rows, "", th.heading.Render(th.tr("What was looked at")), "")
		for _, n := range v.Trail[:min(len(v.Trail), mostReasons)] {
			say(short(string(n.Step), whyColumn-4), th.known(n.Text))
		}
		rest(len(v.Trail))
	}
	return rows
}

// mostReasons is how many commands, and how many things that were looked at, are
// listed: a line of a megabyte has many, and a key mustn't wait for all of them.
const mostReasons = 1000

// listed are the parts that are listed: where there are too many, those that
// aren't allowed come first.
func listed(parts []gate.Part) []gate.Part {
	if len(parts) <= mostReasons {
		return parts
	}
	list := make([]gate.Part, 0, len(parts))
	for _, allowed := range []bool{false, true} {
		for _, p := range parts {
			if (p.Effect == gate.Allow) == allowed {
				list = append(list, p)
			}
		}
	}
	return list[:mostReasons]
}
