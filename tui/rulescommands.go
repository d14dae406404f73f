package tui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// What the screen of rules has done off the goroutine that draws. Each message
// names the opening of the screen that it belongs to.
type (
	// rulesLoadedMsg brings the pages.
	rulesLoadedMsg struct {
		opened int
		load   int
		pages  []RulePage
	}
	// rulesHistoryMsg brings how rules were used.
	rulesHistoryMsg struct {
		opened  int
		history *gate.History
		err     error
	}
	// rulesCallsMsg brings the past calls of a rule.
	rulesCallsMsg struct {
		opened int
		effect gate.Effect
		rule   string
		past   PastMatches
	}
	// rulesCheckedMsg says what is wrong with what is typed.
	rulesCheckedMsg struct {
		opened int
		asked  ruleTyped
		note   string
		err    error
	}
	// rulesSampledMsg says what would happen.
	rulesSampledMsg struct {
		opened  int
		asked   ruleTyped
		verdict gate.Verdict
		err     error
	}
	// rulesDoneMsg says how a change went.
	rulesDoneMsg struct {
		opened int
		said   string
		file   string // that was saved; else empty
		kept   bool   // what was written into it goes on the next time
		err    error
	}
	// rulesFileMsg brings a file for the editor.
	rulesFileMsg struct {
		opened int
		file   *RuleFile
		text   string
		err    error
	}
	// rulesWrittenMsg brings a file back from the editor.
	rulesWrittenMsg struct {
		opened       int
		file         *RuleFile
		before, text string
		err          error
	}
)

func loadingRules(b *RuleBook, opened, load int, w *wording) tea.Cmd {
	return func() tea.Msg { return rulesLoadedMsg{opened, load, w.pages(b.Load())} }
}

func readingHistory(b *RuleBook, opened int) tea.Cmd {
	if b.History == nil {
		return nil
	}
	return func() tea.Msg {
		h, err := b.History()
		return rulesHistoryMsg{opened, h, err}
	}
}

func findingCalls(b *RuleBook, opened int, it *RuleItem) tea.Cmd {
	if b.Calls == nil || !it.Rule || it.Problem != "" {
		return nil
	}
	effect, rule := it.Effect, it.Text
	return func() tea.Msg { return rulesCallsMsg{opened, effect, rule, b.Calls(effect, rule)} }
}

func checkingRule(b *RuleBook, opened int, asked ruleTyped, check func(string) (string, error)) tea.Cmd {
	return func() tea.Msg {
		msg := rulesCheckedMsg{opened: opened, asked: asked}
		switch {
		case check != nil:
			msg.note, msg.err = check(asked.text)
		case b.Read != nil:
			msg.note, msg.err = b.Read(asked.effect, asked.text)
		}
		return msg
	}
}

func samplingRule(b *RuleBook, opened int, asked ruleTyped) tea.Cmd {
	return func() tea.Msg {
		v, err := b.Sample(asked.text)
		return rulesSampledMsg{opened, asked, v, err}
	}
}

// changingRules does something and then says it.
func changingRules(opened int, said string, do func() error) tea.Cmd {
	return func() tea.Msg { return rulesDoneMsg{opened: opened, said: said, err: do()} }
}

func (w *wording) savingFile(opened int, f *RuleFile, before, text string) tea.Cmd {
	return func() tea.Msg {
		msg := rulesDoneMsg{opened: opened, said: w.tr("saved %s", f.Name), file: f.Name}
		switch err := f.Save(before, text); {
		case errors.Is(err, ErrRuleFileChanged):
			msg.err = err
		case err != nil:
			msg.err = errors.New(w.tr("not saved; E goes on with what you wrote: %s", w.known(err.Error())))
			msg.kept = true
		}
		return msg
	}
}

func fetchingFile(opened int, f *RuleFile) tea.Cmd {
	return func() tea.Msg {
		text, err := f.Content()
		return rulesFileMsg{opened, f, text, err}
	}
}

// editingFile gives the screen to the person's editor. Text is what it starts
// with, and before what the file holds.
func editingFile(o Options, opened int, f *RuleFile, before, text string) tea.Cmd {
	e := &editing{editor: PersonsEditor(), name: fileName(f.Name), text: text, terminal: o.Terminal}
	return tea.Exec(e, func(err error) tea.Msg { return rulesWrittenMsg{opened, f, before, e.text, err} })
}
