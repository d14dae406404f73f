package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// screen says which table of keys holds.
type screen uint8

const (
	homeScreen screen = iota
	requestScreen
	fullScreen // the request with nothing cut
	saveScreen // the line that a opens
	reasonScreen
	editScreen
	questionScreen
	listScreen // the answers to several questions, before they are sent
	planScreen
	lineScreen  // a note or a comment is written
	sheetScreen // help, why
	endScreen
	smallScreen // too small for the answers
	// Those of the screen of rules.
	ruleListScreen
	ruleSearchScreen
	ruleLookScreen
	ruleFormScreen
	ruleConfirmScreen
	ruleSampleScreen
)

// A binding is one row of a screen's table. The table gives the keys, the
// hints at the bottom, the help sheet and the tests.
type binding struct {
	name string // the command, for [Options].Keys
	keys []string
	hint string // at the bottom; empty means only on the help sheet
	help string
	// letter is a key that types or edits: while there is a draft it goes
	// there.
	letter bool
	// answers is a key that settles something: it waits for the arming.
	answers bool
	// grants is a key that means something only where grants are offered.
	grants bool
	// when says where else the key means something; nil is everywhere.
	when func(*Model) bool
	// shown says where the hint stands at the bottom: only where the key does
	// something now. Elsewhere the key says why it does nothing; nil is everywhere.
	shown func(*Model) bool
	// begins is a letter that may also begin a message: it waits for the next
	// key, as one that answers does.
	begins bool
	// moves says where a letter only moves or chooses, and settles nothing: it
	// acts at once, and a word that follows takes it back. Nil is nowhere.
	moves func(*Model) bool
	run   func(*Model) tea.Cmd
}

// esc is the name of the key that closes things and says no.
const esc = "esc"

func homeKeys() []binding {
	return slices.Concat([]binding{
		{name: "submit", keys: []string{"enter"}, hint: "send", help: "send what you typed to the agent", when: (*Model).alone, run: (*Model).submit},
		{name: "mode", keys: []string{"shift+tab"}, hint: "mode", help: "next mode: default, accept-edits, auto, plan", when: (*Model).alone, shown: (*Model).setsMode, run: (*Model).cycleMode},
		{name: "tasks", keys: []string{"ctrl+t"}, hint: "tasks", help: "show or hide the checklist", when: (*Model).mayHaveTasks, run: (*Model).toggleTasks},
		{name: "all-tasks", keys: []string{"alt+t"}, help: "the whole checklist, each task in full", run: (*Model).showTasks},
		{name: "back", keys: []string{"pgup"}, help: "read back", run: scrollBack(1)},
		{name: "forth", keys: []string{"pgdown"}, help: "read on", run: scrollBack(-1)},
	}, helpKeys(true), []binding{
		revokeKey(),
		{name: "cancel", keys: []string{"ctrl+c"}, help: "clear the draft, else cancel the turn, else (twice) leave", run: (*Model).interrupt},
		{name: "leave", keys: []string{"ctrl+d"}, help: "leave, when nothing runs", run: (*Model).leave},
	}, rulesHomeKeys())
}

// requestKeys answer a request. With letters off, letters are text and the
// arrows and Enter answer.
func requestKeys(letters bool) []binding {
	b := []binding{
		{name: "enter", keys: []string{"enter"}, help: "give the highlighted answer", answers: true, run: (*Model).enter},
		{name: "previous-answer", keys: []string{"up", "left"}, help: "highlight another answer", letter: true, run: chooseBy(-1)},
		{name: "next-answer", keys: []string{"down", "right"}, help: "highlight another answer", letter: true, run: chooseBy(1)},
		{name: "approve", keys: []string{"ctrl+enter", "ctrl+q"}, help: "approve this call once", answers: true, run: (*Model).approve},
	}
	no := binding{name: "no", keys: []string{"esc"}, hint: "no", help: "take away what was said last, else no to this request", answers: true, shown: (*Model).escRefuses, run: (*Model).deny}
	if letters {
		no.hint = "" // the letter's answer names it
		b = append(b,
			binding{name: "once", keys: []string{"y"}, help: "approve this call once", letter: true, answers: true, run: (*Model).approve},
			binding{name: "session", keys: []string{"s"}, help: "approve for this session, or what exactly is touched", letter: true, answers: true, run: (*Model).approveSession},
			binding{name: "folder", keys: []string{"f"}, help: "approve the directory around it, where offered", letter: true, answers: true, grants: true, run: (*Model).grantFolder},
			binding{name: "remember", keys: []string{"r"}, help: "let such an approval last across sessions, or not", letter: true, answers: true, grants: true, run: (*Model).toggleRemember},
			binding{name: "turn", keys: []string{"t"}, help: "approve until the agent's turn ends", letter: true, answers: true, run: (*Model).approveTurn},
			binding{name: "minutes", keys: []string{"m"}, help: "approve for 15 minutes", letter: true, answers: true, run: (*Model).approveMinutes},
			binding{name: "always", keys: []string{"a"}, help: "always: choose how wide and where, and see what would be saved", letter: true, answers: true, run: (*Model).askAlways},
			binding{name: "deny", keys: []string{"n", "d"}, help: "no to this request", letter: true, answers: true, run: (*Model).deny},
		)
	}
	b = append(b, no)
	return slices.Concat(b, requestCommands(letters), readKeys(letters), cancelKeys())
}

func requestCommands(letters bool) []binding {
	b := []binding{
		{name: "reason", keys: []string{"tab"}, hint: "comment", help: "a comment on the highlighted answer, if that is yes, or else a reason for a no", run: (*Model).openReason},
		{name: "everything", keys: []string{"ctrl+o"}, help: "everything, full screen, and back", run: (*Model).toggleFull},
		{name: "next", keys: []string{"ctrl+n"}, help: "look at the next request that waits", run: lookBy(1)},
		{name: "previous", keys: []string{"ctrl+p"}, help: "look at the one before", run: lookBy(-1)},
		{name: "tasks", keys: []string{"ctrl+t"}, help: "show or hide the checklist", run: (*Model).toggleTasks},
		{name: "all-tasks", keys: []string{"alt+t"}, help: "the whole checklist, each task in full", run: (*Model).showTasks},
		{name: "mode", keys: []string{"shift+tab"}, help: "the mode is changed when nothing waits", run: (*Model).modeLater},
	}
	b = slices.Concat(b, editingKeys(letters), rulesKeys())
	if letters {
		b = append(b,
			binding{name: "why", keys: []string{"w"}, hint: "why", help: "why this is asked: every command, rule, file and line", letter: true, begins: true, run: (*Model).showWhy},
			binding{name: "split", keys: []string{"|"}, help: "changes side by side, or one above the other", letter: true, run: (*Model).toggleSplit},
			binding{name: "wrap", keys: []string{"z"}, help: "long lines of a change folded, or cut", letter: true, begins: true, run: (*Model).toggleWrap},
			binding{name: "right", keys: []string{">"}, help: "scroll changes sideways", letter: true, run: sideBy(1)},
			binding{name: "left", keys: []string{"<"}, help: "scroll changes sideways, back", letter: true, run: sideBy(-1)},
		)
	} else {
		b = append(b,
			binding{name: "why", keys: []string{"f2"}, hint: "why", help: "why this is asked: every command, rule, file and line", run: (*Model).showWhy},
			binding{name: "split", keys: []string{"f6"}, help: "changes side by side, or one above the other", run: (*Model).toggleSplit},
			binding{name: "wrap", keys: []string{"f7"}, help: "long lines of a change folded, or cut", run: (*Model).toggleWrap},
			binding{name: "right", keys: []string{"alt+right"}, help: "scroll changes sideways", run: sideBy(1)},
			binding{name: "left", keys: []string{"alt+left"}, help: "scroll changes sideways, back", run: sideBy(-1)},
			binding{name: "next-hunk", keys: []string{"alt+down"}, help: "the next hunk", run: jumpBy(1)},
			binding{name: "previous-hunk", keys: []string{"alt+up"}, help: "the hunk before", run: jumpBy(-1)},
		)
	}
	return append(b, helpKeys(letters)...)
}

// helpKeys show the keys of a screen. Where letters are keys a question mark does
// too, in an empty line.
func helpKeys(letters bool) []binding {
	f1 := binding{name: "help", keys: []string{"f1"}, hint: "keys", help: "this list", run: (*Model).showHelp}
	if !letters {
		return []binding{f1}
	}
	f1.shown = (*Model).written
	return []binding{{name: "help", keys: []string{"?"}, hint: "keys", help: "this list", letter: true, begins: true, run: (*Model).showHelp}, f1}
}

// readKeys move through what is too long for the screen.
func readKeys(letters bool) []binding {
	b := []binding{
		{name: "page-down", keys: []string{"pgdown"}, help: "read on, a page", run: pageBy(1)},
		{name: "page-up", keys: []string{"pgup"}, help: "read back, a page", run: pageBy(-1)},
	}
	if letters {
		b = append(b,
			binding{name: "page-down", keys: []string{"space"}, help: "read on, a page", letter: true, moves: anywhere, run: pageBy(1)},
			binding{name: "line-down", keys: []string{"j"}, help: "read on, a line", letter: true, moves: anywhere, run: scrollBy(1)},
			binding{name: "line-up", keys: []string{"k"}, help: "read back, a line", letter: true, moves: anywhere, run: scrollBy(-1)},
			binding{name: "next-hunk", keys: []string{"]"}, help: "the next hunk", letter: true, moves: anywhere, run: jumpBy(1)},
			binding{name: "previous-hunk", keys: []string{"["}, help: "the hunk before", letter: true, moves: anywhere, run: jumpBy(-1)},
			binding{name: "transcript-down", keys: []string{"J"}, help: "read on in the transcript", letter: true, moves: anywhere, run: scrollBack(-1)},
			binding{name: "transcript-up", keys: []string{"K"}, help: "read back in the transcript", letter: true, moves: anywhere, run: scrollBack(1)},
		)
	}
	return b
}

func cancelKeys() []binding {
	return []binding{revokeKey(), {name: "cancel", keys: []string{"ctrl+c"}, help: "clear the draft, else refuse everything and cancel the turn", run: (*Model).interrupt}}
}

// revokeKey ends at once what was approved for a while.
func revokeKey() binding {
	return binding{name: "revoke", keys: []string{"ctrl+r"}, help: "end what is approved for a while", run: (*Model).revokeTimed}
}

// fullKeys are those of a request, but Esc only goes back.
func fullKeys(letters bool) []binding {
	b := slices.DeleteFunc(requestKeys(letters), func(b binding) bool {
		return b.name == "no" || strings.HasPrefix(b.name, "transcript")
	})
	// The transcript isn't there to be read; these keys read the request too.
	return append(b,
		binding{name: "page-down", keys: []string{"J"}, help: "read on, a page", letter: true, moves: anywhere, run: pageBy(1)},
		binding{name: "page-up", keys: []string{"K"}, help: "read back, a page", letter: true, moves: anywhere, run: pageBy(-1)},
		binding{name: "close", keys: []string{"esc"}, hint: "back", help: "back to the other view", run: (*Model).toggleFull})
}

func saveKeys() []binding {
	return []binding{
		{name: "save", keys: []string{"enter"}, hint: "save and approve", help: "save it and approve", answers: true, shown: (*Model).keepsSaved, run: (*Model).saveAlways},
		{name: "save", keys: []string{"enter"}, hint: "approve so", help: "save it and approve", answers: true, shown: (*Model).keepsUnsaved, run: (*Model).saveAlways},
		{name: "narrower", keys: []string{"up", "left"}, hint: "narrower", help: "what covers less", shown: mayWiden(-1), run: func(m *Model) tea.Cmd { return m.widen(-1) }},
		{name: "wider", keys: []string{"down", "right"}, hint: "wider", help: "what covers more", shown: mayWiden(1), run: func(m *Model) tea.Cmd { return m.widen(1) }},
		{name: "where", keys: []string{"tab"}, hint: "where", help: "save it somewhere else, or for how long", shown: (*Model).severalPlaces, run: func(m *Model) tea.Cmd { return m.nextPlace(1) }},
		{name: "where-before", keys: []string{"shift+tab"}, help: "the place before", run: func(m *Model) tea.Cmd { return m.nextPlace(-1) }},
		{name: "close", keys: []string{"esc"}, hint: "back", help: "back, saving nothing", run: (*Model).closeSheet},
		{name: "cancel", keys: []string{"ctrl+c"}, help: "back, saving nothing", run: (*Model).closeSheet},
	}
}

func reasonKeys() []binding {
	return []binding{
		{name: "enter", keys: []string{"enter"}, hint: "yes, with this comment", help: "yes, with this comment", answers: true, when: (*Model).agreeing, run: (*Model).comment},
		{name: "enter", keys: []string{"enter"}, hint: "no, with this reason", help: "no, with this reason", answers: true, when: (*Model).refusing, run: (*Model).giveReason},
		{name: "other-answer", keys: []string{"tab"}, hint: "no instead", help: "no in place of yes, or yes in place of no", when: (*Model).agreeing, run: (*Model).turnReason},
		{name: "other-answer", keys: []string{"tab"}, hint: "yes instead", help: "no in place of yes, or yes in place of no", when: (*Model).refusing, run: (*Model).turnReason},
		{name: "approve", keys: []string{"ctrl+q", "ctrl+enter"}, help: "approve this call once", answers: true, run: (*Model).comment},
		{name: "close", keys: []string{"esc"}, hint: "back", help: "back, without answering", run: (*Model).closeSheet},
		{name: "cancel", keys: []string{"ctrl+c"}, help: "clear the line, else refuse everything and cancel the turn", run: (*Model).interrupt},
	}
}

// editingKeys change what is asked before it is approved.
func editingKeys(letters bool) []binding {
	b := []binding{
		{name: "edit", keys: []string{"f4"}, hint: "edit", help: "edit the command, or what is written, before approving", shown: (*Model).mayEdit, run: (*Model).editHere},
		{name: "leave-out", keys: []string{"f8"}, help: "leave this hunk out, or take it back", run: (*Model).leaveOut},
		{name: "editor", keys: []string{"ctrl+g"}, help: "edit it in your editor", run: (*Model).editOutside},
	}
	if letters {
		b[0].keys, b[0].letter, b[0].answers = []string{"e"}, true, true
		b[1].keys, b[1].letter, b[1].answers = []string{"x"}, true, true
	}
	return b
}

func editKeys() []binding {
	return []binding{
		{name: "check", keys: []string{"enter"}, hint: "check it and show it", help: "have it checked as edited, and show it", run: (*Model).checkEdit},
		{name: "editor", keys: []string{"ctrl+g"}, hint: "in your editor", help: "go on in your editor", run: (*Model).editOutside},
		{name: "close", keys: []string{"esc"}, hint: "back, changing nothing", help: "back, changing nothing", run: (*Model).closeSheet},
		{name: "cancel", keys: []string{"ctrl+c"}, help: "back, changing nothing", run: (*Model).closeSheet},
	}
}

func questionKeys(letters bool) []binding {
	b := []binding{
		{name: "enter", keys: []string{"enter"}, hint: "answer", help: "answer with what is chosen or typed", answers: true, shown: (*Model).takesEnter, run: (*Model).enterChoice},
		{name: "previous-answer", keys: []string{"up"}, help: "highlight another option", letter: true, run: optionBy(-1)},
		{name: "next-answer", keys: []string{"down"}, help: "highlight another option", letter: true, run: optionBy(1)},
		{name: "toggle", keys: []string{"space"}, hint: "choose", help: "choose or leave an option, where several may be chosen", letter: true, moves: (*Model).choosesSeveral, shown: (*Model).choosesSeveral, run: (*Model).toggle},
	}
	b = append(b, digitKeys(9, "pick option ", true, (*Model).pick)...)
	return slices.Concat(b, turnKeys(), []binding{
		{name: "note", keys: []string{"tab"}, hint: "note", help: "a note beside the answer, where one can be sent", when: (*Model).takesNotes, run: (*Model).openNote},
	}, readKeys(false), refuseKeys(letters), askedKeys(letters))
}

// digitKeys are 1 to n.
func digitKeys(n int, help string, answers bool, run func(*Model, int) tea.Cmd) (b []binding) {
	for i := range n {
		b = append(b, binding{name: "option", keys: []string{strconv.Itoa(i + 1)}, help: help + strconv.Itoa(i+1), letter: true, answers: answers,
			when: func(m *Model) bool { return m.hasOption(i) }, moves: func(m *Model) bool { return m.onlyChooses(i) }, run: func(m *Model) tea.Cmd { return run(m, i) }})
	}
	return b
}

// turnKeys go between the questions of one call.
func turnKeys() []binding {
	return []binding{
		{name: "next-question", keys: []string{"right"}, hint: "next", help: "the next question of this call", letter: true, when: (*Model).hasNextPage, run: turnBy(1)},
		{name: "previous-question", keys: []string{"left"}, hint: "before", help: "the question before", letter: true, when: (*Model).hasPageBefore, run: turnBy(-1)},
	}
}

// askedKeys are on every screen that asks something but a permission.
func askedKeys(letters bool) []binding {
	return slices.Concat(rulesKeys(), []binding{
		{name: "next", keys: []string{"ctrl+n"}, help: "look at the next one that waits", run: lookBy(1)},
		{name: "previous", keys: []string{"ctrl+p"}, help: "look at the one before", run: lookBy(-1)},
		{name: "tasks", keys: []string{"ctrl+t"}, help: "show or hide the checklist", run: (*Model).toggleTasks},
		{name: "all-tasks", keys: []string{"alt+t"}, help: "the whole checklist, each task in full", run: (*Model).showTasks},
		revokeKey(),
		{name: "mode", keys: []string{"shift+tab"}, help: "the mode is changed when nothing waits", run: (*Model).modeLater},
		{name: "decline", keys: []string{"esc"}, hint: "no answer", help: "no answer", answers: true, when: (*Model).asksOne, shown: (*Model).escRefuses, run: (*Model).declineShown},
		{name: "decline", keys: []string{"esc"}, hint: "answer none of them", help: "answer none of the questions", answers: true, when: (*Model).inGroup, shown: (*Model).escRefuses, run: (*Model).declineShown},
		{name: "cancel", keys: []string{"ctrl+c"}, help: "clear what you typed, else refuse everything and cancel the turn", run: (*Model).interrupt},
	}, helpKeys(letters))
}

// refuseKeys give no answer while what is asked isn't there yet: nothing else
// than no can be meant.
func refuseKeys(letters bool) []binding {
	if !letters {
		return nil
	}
	return []binding{{name: "decline", keys: []string{"n"}, hint: "no answer", help: "no answer, while a long text is being prepared",
		letter: true, answers: true, when: (*Model).waitsLaying, run: (*Model).declineShown}}
}

// listKeys are those of the answers before they are sent.
func listKeys(letters bool) []binding {
	return slices.Concat([]binding{
		{name: "enter", keys: []string{"enter"}, hint: "send the answers", help: "send all answers", answers: true, run: (*Model).sendGroup},
	}, digitKeys(8, "back to question ", false, (*Model).toPage), turnKeys(), readKeys(false), askedKeys(letters))
}

// planKeys read a plan, remark on its lines and answer. Letters begin feedback
// too: each acts only when no other follows at once.
func planKeys(letters bool) []binding {
	b := []binding{
		{name: "enter", keys: []string{"enter"}, hint: "answer", help: "answer with the highlighted option, or send what you typed and your comments", answers: true, shown: (*Model).mayAnswerPlan, run: (*Model).enterChoice},
		{name: "previous-answer", keys: []string{"up"}, help: "highlight another option", letter: true, run: optionBy(-1)},
		{name: "next-answer", keys: []string{"down"}, help: "highlight another option", letter: true, run: optionBy(1)},
	}
	b = append(b, digitKeys(9, "pick option ", true, (*Model).pickPlan)...)
	if letters {
		b = append(b,
			binding{name: "comment", keys: []string{"c"}, hint: "comment", help: "comment on the marked line, or change its comment", letter: true, begins: true, shown: (*Model).showsPlan, run: (*Model).openComment},
			binding{name: "uncomment", keys: []string{"x"}, help: "take back the comment on the marked line", letter: true, begins: true, run: (*Model).dropComment},
			binding{name: "next-comment", keys: []string{"m"}, help: "the next comment", letter: true, moves: anywhere, run: do((*Model).jumpComment)},
			binding{name: "line-down", keys: []string{"j"}, help: "mark the next line", letter: true, moves: anywhere, run: lineBy(1)},
			binding{name: "line-up", keys: []string{"k"}, help: "mark the line before", letter: true, moves: anywhere, run: lineBy(-1)},
			binding{name: "next-heading", keys: []string{"]"}, hint: "heading", help: "the next heading", letter: true, moves: anywhere, shown: (*Model).showsHeadings, run: headingBy(1)},
			binding{name: "previous-heading", keys: []string{"["}, help: "the heading before", letter: true, moves: anywhere, run: headingBy(-1)},
			binding{name: "changes", keys: []string{"|"}, hint: "changes", help: "what has changed since the revision that you saw last, and back", letter: true, when: (*Model).hasChanges, run: (*Model).toggleChanges},
			binding{name: "page-down", keys: []string{"space"}, help: "read on, a page", letter: true, moves: anywhere, run: pageBy(1)},
		)
	}
	return slices.Concat(b, []binding{
		{name: "comment", keys: []string{"f3"}, help: "comment on the marked line, or change its comment", run: (*Model).openComment},
		{name: "changes", keys: []string{"f4"}, help: "what has changed since the revision that you saw last, and back", when: (*Model).hasChanges, run: (*Model).toggleChanges},
		{name: "line-down", keys: []string{"shift+down"}, help: "mark the next line", run: lineBy(1)},
		{name: "line-up", keys: []string{"shift+up"}, help: "mark the line before", run: lineBy(-1)},
		{name: "next-heading", keys: []string{"alt+down"}, help: "the next heading", run: headingBy(1)},
		{name: "previous-heading", keys: []string{"alt+up"}, help: "the heading before", run: headingBy(-1)},
		{name: "editor", keys: []string{"ctrl+g"}, hint: "editor", help: "rewrite the plan in your editor", run: (*Model).openEditor},
	}, turnKeys(), readKeys(false), refuseKeys(letters), askedKeys(letters))
}

// lineKeys end a note or a comment.
func lineKeys() []binding {
	return []binding{
		{name: "keep", keys: []string{"enter"}, hint: "keep", help: "keep what is written", run: (*Model).keepLine},
		{name: "close", keys: []string{"esc", "ctrl+c"}, hint: "back, as it was", help: "back, as it was", run: (*Model).closeSheet},
	}
}

func sheetKeys() []binding {
	return []binding{
		{name: "close", keys: []string{"esc", "q", "enter", "?", "w", "f1", "f2", "ctrl+c"}, hint: "back", help: "back", run: (*Model).closeSheet},
		{name: "page-down", keys: []string{"pgdown", "space"}, help: "read on", run: sheetBy(10)},
		{name: "page-up", keys: []string{"pgup"}, help: "read back", run: sheetBy(-10)},
		{name: "line-down", keys: []string{"down", "j"}, help: "read on", run: sheetBy(1)},
		{name: "line-up", keys: []string{"up", "k"}, help: "read back", run: sheetBy(-1)},
	}
}

func chooseBy(n int) func(*Model) tea.Cmd { return do(func(m *Model) { m.choose(n) }) }
func optionBy(n int) func(*Model) tea.Cmd { return do(func(m *Model) { m.moveOption(n) }) }
func turnBy(n int) func(*Model) tea.Cmd   { return do(func(m *Model) { m.turnPage(n) }) }
func lineBy(n int) func(*Model) tea.Cmd   { return do(func(m *Model) { m.moveLine(n) }) }
func headingBy(n int) func(*Model) tea.Cmd {
	return do(func(m *Model) { m.jumpHeading(n) })
}
func scrollBy(n int) func(*Model) tea.Cmd { return do(func(m *Model) { m.queue.current().scroll(n) }) }
func pageBy(n int) func(*Model) tea.Cmd   { return do(func(m *Model) { m.queue.current().page(n) }) }
func jumpBy(n int) func(*Model) tea.Cmd   { return do(func(m *Model) { m.jump(n) }) }
func lookBy(n int) func(*Model) tea.Cmd   { return do(func(m *Model) { m.queue.look(n) }) }
func sheetBy(n int) func(*Model) tea.Cmd  { return do(func(m *Model) { m.sheet.scroll(n) }) }
func scrollBack(n int) func(*Model) tea.Cmd {
	return do(func(m *Model) { m.transcript.scroll(-n*max(1, m.lay.transcript-1), m.lay.transcript) })
}

// anywhere is for keys that mean the same wherever they are in a table.
func anywhere(*Model) bool { return true }

func do(f func(*Model)) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		f(m)
		return nil
	}
}
