package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
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
