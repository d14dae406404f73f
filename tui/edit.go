package tui

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/diffview/unseen"
	"github.com/blitz-approve/blitz-approve/gate"
)

// revision is what the person has made of a request so far (BEY-05, BEY-06).
type revision struct {
	first   gate.Prompt    // as it came
	edit    *gate.Edit     // what an approval carries; nil approves what came
	written *gate.Edit     // edit without what was left out
	was     *diffview.Diff // a command as it came, against the edited one
	left    map[hunkAt]bool
	pending bool   // the gate is looking at an edit
	refused int    // counts the edits that the gate refused
	barred  string // why the edit, which could be approved before, no longer can
	serial  int
	marks   int // how many of these only left hunks out, or took them back
	looks   int // counts how often the gate was asked
	judged  int // the renewal of the request at which it last answered for edit
}

// mayEdit reports whether what is shown can be edited before it is approved.
func (m *Model) mayEdit() bool { return m.queue.current().fixed(&m.wording) == "" }

// fixed says why the request can't be edited, or is empty.
func (w *waiting) fixed(t *wording) string {
	p := &w.approval.Prompt
	r := &p.Request
	switch {
	case r.Unrevealed:
		return t.tr("the agent doesn't say what this will do, so that it can't be edited")
	case r.Kind != gate.RunCommand && r.Kind != gate.WriteFile:
		return t.tr("only commands and what is written to files can be edited")
	case !r.Editable || p.Revise == nil:
		return t.tr("this agent can't take an edit: type what it should do instead")
	case !r.MayEdit():
		return t.tr("this can't be edited")
	case w.rev.pending:
		return t.tr("the last edit is still being checked")
	}
	return ""
}

// editHere opens the command for editing; a file goes to the editor.
func (m *Model) editHere() tea.Cmd {
	w := m.queue.current()
	if why := w.fixed(&m.wording); why != "" {
		m.say(why)
		return nil
	}
	if w.approval.Prompt.Request.Kind == gate.WriteFile {
		return m.editOutside()
	}
	m.over = editLine
	m.edits.clear()
	m.edits.insert(w.approval.Prompt.Request.Targets[0])
	return nil
}

// editOutside hands the command, or the proposed file, to the person's editor.
func (m *Model) editOutside() tea.Cmd {
	w := m.queue.current()
	if why := w.fixed(&m.wording); why != "" {
		m.say(why)
		return nil
	}
	r := &w.approval.Prompt.Request
	if r.Kind == gate.RunCommand {
		text := r.Targets[0]
		if m.over == editLine {
			text = string(m.edits.text)
		}
		return rewriting(m.opts, w.id, "", "command.sh", text)
	}
	c := m.changeShown(w)
	switch {
	case c == nil:
		m.say(m.tr("nothing is written that could be edited"))
		return nil
	case strings.ContainsRune(string(c.After), 0):
		m.say(m.tr("binary content can't be edited here"))
		return nil
	}
	return rewriting(m.opts, w.id, c.Path, fileName(c.Path), string(c.After))
}

// fileName is a name for the editor, which takes colours from it.
func fileName(path string) string {
	name := filepath.Base(filepath.ToSlash(path))
	if strings.ContainsFunc(name, func(r rune) bool { return unseen.Rune(r) || r == '/' }) || name == "." || name == ".." {
		return "proposed"
	}
	return name
}

// changeShown is the change that the editor is opened on: the one at the top
// of the window.
func (m *Model) changeShown(w *waiting) *gate.Change {
	changes := w.approval.Prompt.Request.Diff
	if at, ok := w.hunkShown(); ok && changes[at.file].After != nil {
		return &changes[at.file]
	}
	for i := range changes {
		if changes[i].After != nil {
			return &changes[i]
		}
	}
	return nil
}

// checkEdit has the gate decide on the edited command. Only what comes back is
// shown for approval.
func (m *Model) checkEdit() tea.Cmd {
	w := m.queue.current()
	text := strings.TrimRight(string(m.edits.text), "\n")
	if strings.TrimSpace(text) == "" {
		m.say(m.tr("nothing is left to run: Esc goes back, and n refuses it"))
		return nil
	}
	return m.revise(w, &gate.Edit{Command: text}, nil)
}

// rewritten takes a text back from the editor.
func (m *Model) rewritten(msg rewrittenMsg) tea.Cmd {
	m.tookBack() // keys may have been meant for the editor
	w := m.queue.find(msg.id)
	if w == nil || w != m.queue.current() {
		m.say(m.tr("what you edited isn't asked any more"))
		return nil
	}
	switch {
	case msg.err != nil:
		m.say(m.tr("the editor failed, nothing was changed: %v", msg.err))
		return nil
	case msg.text == msg.before:
		m.say(m.tr("nothing was changed"))
		return nil
	case msg.path == "":
		m.edits.clear()
		m.edits.insert(msg.text)
		return m.checkEdit()
	}
	e := &gate.Edit{Files: map[string][]byte{}}
	if w.rev.edit != nil {
		for path, content := range w.rev.edit.Files {
			e.Files[path] = content
		}
		e.LeftOut = w.rev.edit.LeftOut
	}
	e.Files[msg.path] = []byte(msg.text)
	return m.revise(w, e, nil)
}

// revise asks the gate about an edit. Nothing can be approved until it has
// answered.
func (m *Model) revise(w *waiting, e *gate.Edit, left map[hunkAt]bool) tea.Cmd {
	w.rev.pending = true
	w.rev.looks++
	return revising(revisedMsg{id: w.id, look: w.rev.looks, renewal: w.approval.Prompt.Renewal, edit: e, left: left}, w.approval.Prompt)
}

// revised shows what an edit comes to, or says why it can't be approved.
func (m *Model) revised(msg revisedMsg) tea.Cmd {
	w := m.queue.find(msg.id)
	switch {
	case w == nil, msg.look != w.rev.looks:
		return nil
	case msg.renewal != w.approval.Prompt.Renewal:
		// The rules that it was held against hold no longer.
		return m.revise(w, msg.edit, msg.left)
	}
	w.rev.pending = false
	switch {
	case msg.edit == w.rev.edit:
		m.rejudged(w, msg)
		return nil
	case msg.err != nil:
		w.rev.refused++ // a key may have been meant for it as edited
		m.say(m.known(msg.err.Error()))
		return m.rejudge(w)
	}
	if w.rev.edit == nil {
		w.rev.first = w.approval.Prompt
	}
	w.rev.serial++
	w.rev.edit, w.rev.left, w.rev.barred = msg.edit, msg.left, ""
	msg.prompt.Renewal, w.rev.judged = msg.renewal, msg.renewal
	w.approval.Prompt = msg.prompt
	w.choice, w.asked = firstChoice(&msg.prompt), false
	if msg.left != nil {
		w.rev.marks++
		return nil // what is kept is on the screen already
	}
	if m.over == editLine && w == m.queue.current() {
		m.over = noSheet
	}
	w.rev.written = msg.edit
	w.seen = 0
	if msg.edit.Command != "" {
		w.rev.was = msg.was
		return nil
	}
	w.ready, w.diffs = false, nil
	return diffing(w.id, w.rev.serial, msg.prompt.Request.Diff)
}

// editedRows say that a request is no longer what the agent sent.
func (w *waiting) editedRows(th *theme, width int) []string {
	e := w.rev.written
	switch {
	case e == nil:
		return nil
	case w.rev.was == nil:
		yours := words(th.tr("what is written below is yours, not what the agent proposed"), width-labels)
		return beside(th.warn.Render(th.tr("you edited")), labels, yours, th.text)
	}
	rows := w.rev.was.Rows(diffview.RenderOptions{Width: max(1, width-labels), Style: th.diff, Wrap: true, Unchanged: th.unchanged})
	return beside(th.warn.Render(th.tr("you edited")), labels, rows, th.plain)
}
