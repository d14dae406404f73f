package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// rulesKeys opens the screen of rules. It answers nothing, and may be pressed
// while something waits.
func rulesKeys() []binding {
	return []binding{{name: "rules", keys: []string{"ctrl+s"}, help: "rules, what is remembered, settings", run: openFirstRules}}
}

func openFirstRules(m *Model) tea.Cmd { return m.openRules(0) }

// rulesHomeKeys are those of the same on the screen where nothing waits.
func rulesHomeKeys() []binding {
	return []binding{
		{name: "rules", keys: []string{"ctrl+s"}, hint: "rules", help: "rules, what is remembered, settings", shown: (*Model).hasRules, run: openFirstRules},
		{name: "look", keys: []string{"ctrl+l"}, help: "what this project's settings would loosen", run: (*Model).lookAtTrust},
	}
}

func rulesTables() keymap {
	return keymap{
		ruleListScreen:    ruleListKeys(),
		ruleSearchScreen:  ruleSearchKeys(),
		ruleLookScreen:    ruleLookKeys(),
		ruleFormScreen:    ruleFormKeys(),
		ruleConfirmScreen: ruleConfirmKeys(),
		ruleSampleScreen:  ruleSampleKeys(),
	}
}

// ruleListKeys move in the list and do something to what is marked.
func ruleListKeys() []binding {
	return slices.Concat([]binding{
		{name: "trust", keys: []string{"y"}, hint: "trust this", help: "trust exactly what is shown at the top", answers: true, when: (*Model).offersTrust, run: (*Model).acceptTrust},
		{name: "enter", keys: []string{"enter"}, hint: "look", help: "everything about it: how it is read, its uses, past calls", run: (*Model).lookAtRule},
		{name: "search", keys: []string{"/"}, hint: "search", help: "show only what holds some words", run: (*Model).searchRules},
		{name: "add-rule", keys: []string{"a"}, hint: "add", help: "add a rule", run: (*Model).addRule},
	}, ruleItemKeys(), []binding{
		{name: "try", keys: []string{"t"}, hint: "try", help: "write a request and see what would happen to it, and why", run: (*Model).tryRules},
		{name: "next-page", keys: []string{"tab", "right"}, hint: "page", help: "the next page", run: rulePageBy(1)},
		{name: "previous-page", keys: []string{"shift+tab", "left"}, help: "the page before", run: rulePageBy(-1)},
		{name: "previous-rule", keys: []string{"up", "k"}, help: "mark the one before", run: ruleBy(-1)},
		{name: "next-rule", keys: []string{"down", "j"}, help: "mark the next one", run: ruleBy(1)},
		{name: "rules-up", keys: []string{"pgup"}, help: "a page of rows up", run: rowsBy(-1)},
		{name: "rules-down", keys: []string{"pgdown", "space"}, help: "a page of rows down", run: rowsBy(1)},
		{name: "first-rule", keys: []string{"home", "g"}, help: "the first one", run: ruleBy(-1 << 30)},
		{name: "last-rule", keys: []string{"end", "G"}, help: "the last one", run: ruleBy(1 << 30)},
		{name: "help", keys: []string{"?", "f1"}, hint: "keys", help: "this list", run: (*Model).showHelp},
		{name: "close", keys: []string{"esc", "q", "ctrl+c"}, hint: "back", help: "show everything again, else back", run: (*Model).leaveRules},
	})
}

// ruleItemKeys do something to one rule, approval or setting.
func ruleItemKeys() []binding {
	return []binding{
		{name: "edit-rule", keys: []string{"e"}, hint: "edit", help: "change it in place", run: (*Model).editRule},
		{name: "remove-rule", keys: []string{"d", "delete"}, hint: "remove", help: "remove it, or take it back; one more key does it", run: (*Model).removeRule},
		{name: "remove-all", keys: []string{"D"}, help: "take back all that stands together with it", run: (*Model).clearRules},
		{name: "file", keys: []string{"E", "ctrl+g"}, help: "its file in your editor; it is checked before it is saved", run: (*Model).editRuleFile},
	}
}

func ruleSearchKeys() []binding {
	return []binding{
		{name: "keep", keys: []string{"enter", "down", "tab"}, hint: "to the list", help: "to the list of what was found", run: (*Model).keepSearch},
		{name: "close", keys: []string{"esc", "ctrl+c"}, hint: "show everything", help: "show everything again", run: (*Model).dropSearch},
	}
}

func ruleLookKeys() []binding {
	return slices.Concat(ruleItemKeys(), []binding{
		{name: "rules-up", keys: []string{"pgup"}, help: "read back, a page", run: lookRowsBy(-10)},
		{name: "rules-down", keys: []string{"pgdown", "space"}, help: "read on, a page", run: lookRowsBy(10)},
		{name: "previous-rule", keys: []string{"up", "k"}, help: "read back", run: lookRowsBy(-1)},
		{name: "next-rule", keys: []string{"down", "j"}, help: "read on", run: lookRowsBy(1)},
		{name: "help", keys: []string{"?", "f1"}, help: "this list", run: (*Model).showHelp},
		{name: "close", keys: []string{"esc", "enter", "q", "ctrl+c"}, hint: "back", help: "back to the list", run: (*Model).closeRulePart},
	})
}

func ruleFormKeys() []binding {
	return []binding{
		{name: "save", keys: []string{"enter"}, hint: "save", help: "save it", run: (*Model).saveRule},
		{name: "next-effect", keys: []string{"tab"}, hint: "choose", help: "another effect, or the next word that it may be", when: (*Model).choosesWord, run: wordBy(1)},
		{name: "previous-effect", keys: []string{"shift+tab"}, help: "the effect or the word before", when: (*Model).choosesWord, run: wordBy(-1)},
		{name: "next-place", keys: []string{"down"}, hint: "where", help: "save it somewhere else", when: (*Model).choosesPlace, run: placeBy(1)},
		{name: "previous-place", keys: []string{"up"}, help: "the place before", when: (*Model).choosesPlace, run: placeBy(-1)},
		{name: "help", keys: []string{"f1"}, help: "this list", run: (*Model).showHelp},
		{name: "close", keys: []string{"esc", "ctrl+c"}, hint: "back, saving nothing", help: "back, saving nothing", run: (*Model).closeRulePart},
	}
}

func ruleConfirmKeys() []binding {
	return []binding{
		{name: "enter", keys: []string{"enter"}, hint: "yes", help: "do it", answers: true, run: (*Model).confirmRule},
		{name: "close", keys: []string{"esc", "n", "q", "ctrl+c"}, hint: "no", help: "back, changing nothing", run: (*Model).closeRulePart},
	}
}

func ruleSampleKeys() []binding {
	return []binding{
		{name: "rules-up", keys: []string{"pgup", "up"}, help: "read back", run: lookRowsBy(-5)},
		{name: "rules-down", keys: []string{"pgdown", "down"}, help: "read on", run: lookRowsBy(5)},
		{name: "help", keys: []string{"f1"}, help: "this list", run: (*Model).showHelp},
		{name: "close", keys: []string{"esc", "ctrl+c"}, hint: "back", help: "back to the list", run: (*Model).closeRulePart},
	}
}

func rulePageBy(n int) func(*Model) tea.Cmd { return do(func(m *Model) { m.rules.turn(n) }) }
func ruleBy(n int) func(*Model) tea.Cmd     { return do(func(m *Model) { m.rules.move(n) }) }
func lookRowsBy(n int) func(*Model) tea.Cmd { return do(func(m *Model) { m.rules.look.scroll(n) }) }
func wordBy(n int) func(*Model) tea.Cmd     { return do(func(m *Model) { m.rules.nextWord(n) }) }
func placeBy(n int) func(*Model) tea.Cmd    { return do(func(m *Model) { m.rules.nextPlace(n) }) }
func rowsBy(n int) func(*Model) tea.Cmd {
	return do(func(m *Model) { m.rules.move(n * max(1, m.rules.window.height-1)) })
}
