package tui

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

// saidColumn is where the text of what was said begins.
const saidColumn = 11

// kindWidth is the width of the words for most kinds of call, such as search and
// delete; a longer one is not cut.
const kindWidth = 6

// refusedRows is how much of a refused call's diff stays in the transcript.
const refusedRows = 8

type entryKind uint8

const (
	userEntry entryKind = iota
	agentEntry
	thoughtEntry
	callEntry
	noticeEntry
)

// entry is one thing in the transcript, with the rows that it was drawn to.
type entry struct {
	kind     entryKind
	text     string
	severity Severity
	call     *ToolCall
	diffs    []*diffview.Diff
	goesOn   bool // it goes on with the message of the entry before
	unsent   bool // a prompt that waits to be sent
	said     bool // the words of a refusal stand in an entry of their own

	grown *strings.Builder // text, where it came in pieces
	whole int              // its length when no stretch of it could be drawn by itself

	rows   []string // nil until it is drawn
	behind bool     // the rows are not those of all the text
	height int      // rows that count in the transcript's total
}

// transcript is what has happened. It is drawn from its end.
type transcript struct {
	entries []*entry
	calls   map[string]*entry
	width   int
	total   int  // rows of all entries
	up      int  // rows that the window is scrolled up from the end
	ended   bool // what the agent says next is a message of its own

	layout int  // counts what makes all rows others
	laying bool // entries are being laid out
}

// add puts an entry at the end, before prompts that wait.
func (t *transcript) add(e entry) *entry {
	i := t.end()
	if e.unsent {
		i = len(t.entries)
	}
	return t.insert(i, e)
}

func (t *transcript) insert(i int, e entry) *entry {
	t.entries = slices.Insert(t.entries, i, &e)
	t.drawAfter(i)
	return &e
}

// end is where the prompts begin that wait to be sent.
func (t *transcript) end() int {
	n := len(t.entries)
	for n > 0 && t.entries[n-1].unsent {
		n--
	}
	return n
}

// drawAfter has the entry after i drawn anew: the row above it depends on what is
// before.
func (t *transcript) drawAfter(i int) {
	if i+1 < len(t.entries) {
		t.entries[i+1].rows = nil
	}
}

// remove takes a prompt away that waited at the end.
func (t *transcript) remove(e *entry) {
	i := slices.Index(t.entries, e)
	t.entries = slices.Delete(t.entries, i, i+1)
	t.total, t.up = t.total-e.height, max(0, t.up-e.height)
	t.drawAfter(i - 1)
}

// say joins a piece of text to the last entry, if that is of the same kind and
// nothing has ended meanwhile.
func (t *transcript) say(kind entryKind, text string) {
	ended := t.ended
	t.ended = false
	if n := t.end(); n > 0 && t.entries[n-1].kind == kind && !ended {
		e := t.entries[n-1]
		e.grow(text)
		if e.behind = len(e.text) > longText; !e.behind {
			e.rows = nil
		}
	} else {
		t.add(entry{kind: kind, text: text})
	}
	t.stretch()
}

// grow adds a piece to the text. It costs what the piece does: an agent may send
// a megabyte in pieces of a word.
func (e *entry) grow(piece string) {
	if e.grown == nil {
		e.grown = &strings.Builder{}
		e.grown.WriteString(e.text)
	}
	e.grown.WriteString(piece)
	e.text = e.grown.String()
}

// stretch begins an entry that goes on with the last one, where that has become
// long. It looks again only when there is twice as much of it.
func (t *transcript) stretch() {
	e := t.entries[t.end()-1]
	if e.kind != agentEntry || len(e.text) < max(stretchSize, 2*e.whole) {
		return
	}
	n := stretch(e.text)
	if n == 0 {
		e.whole = len(e.text)
		return
	}
	t.add(entry{kind: e.kind, text: e.text[n:], goesOn: true})
	e.text, e.grown = e.text[:n], nil
}

// update adds a tool call, or brings the one with the same ID up to date.
func (t *transcript) update(c ToolCall) *entry {
	if t.calls == nil {
		t.calls = map[string]*entry{}
	}
	e := t.calls[c.ID]
	if e == nil {
		e = t.add(entry{kind: callEntry, call: &c})
		c.letGo()
		if c.ID != "" {
			t.calls[c.ID] = e
		}
		return e
	}
	old := *e.call
	if c.Title == "" {
		c.Title = old.Title
	}
	if c.Kind == "" {
		c.Kind = old.Kind
	}
	if c.Place == "" {
		c.Place = old.Place
	}
	if c.Verdict == nil {
		c.Verdict = old.Verdict
	}
	if c.Files == nil {
		c.Files = old.Files
	}
	t.ended = t.ended || c.Status >= ToolDone
	e.call, e.rows = &c, nil
	c.letGo()
	return e
}

// letGo drops what the transcript won't show any more: files may be large, and
// a day has many calls.
func (c *ToolCall) letGo() {
	if v := c.Verdict; v != nil {
		c.Verdict = &gate.Verdict{Effect: v.Effect, Cause: v.Cause, Rule: v.Rule, Message: v.Message, Warning: v.Warning}
	}
	if c.Status == ToolDone || c.Status == ToolFailed {
		c.Files = nil
	}
}

// lastSent is what the person said last, but for prompts that wait.
func (t *transcript) lastSent() string {
	for _, e := range slices.Backward(t.entries) {
		if e.kind == userEntry && !e.unsent {
			return strings.TrimSpace(e.text)
		}
	}
	return ""
}

// draw brings the rows of all entries up to date for a width. It is called
// when something changed; drawing the window is then only a matter of slicing.
// What takes too long at once is left to [transcript.lay], the newest last.
func (t *transcript) draw(width int, th *theme) {
	if width != t.width {
		t.forget()
		t.width = width
	}
	room := longText
	for i := len(t.entries) - 1; i >= 0; i-- {
		e := t.entries[i]
		if e.rows != nil && !e.behind {
			continue
		}
		if e.behind = len(e.text) > room; e.behind {
			room = 0
			if e.rows == nil {
				e.rows = t.spaced(i, (&entry{kind: e.kind, text: th.stillLaying(e.text), severity: e.severity, goesOn: e.goesOn}).draw(width, th))
			}
			continue
		}
		room -= len(e.text)
		e.rows = t.spaced(i, e.draw(width, th))
	}
	t.count()
}

// spaced are the rows of entry i with an empty one where something else begins.
func (t *transcript) spaced(i int, rows []string) []string {
	e := t.entries[i]
	if i > 0 && (t.entries[i-1].kind != e.kind || e.kind == agentEntry) && (e.kind != callEntry || t.entries[i-1].kind != noticeEntry) {
		return append([]string{""}, rows...)
	}
	return rows
}

// count sums the rows up. Someone who reads further up is not moved away by
// what is new below.
func (t *transcript) count() {
	end := t.total - t.up // of the window, as it was
	was, below := 0, 0
	t.total = 0
	for _, e := range t.entries {
		was += e.height
		if was >= end {
			below += len(e.rows) - e.height
		}
		e.height = len(e.rows)
		t.total += e.height
	}
	if t.up > 0 {
		t.up = max(0, t.up+below)
	}
}

// layAtOnce bounds the text that is laid out before it is shown, the last first.
const layAtOnce = 8 * longText

// lay is what brings entries up to date whose rows take long; nil for nothing,
// and while that is under way. One that grows meanwhile rests for as long as it
// took: a message that streams in takes no more than half of a processor.
func (t *transcript) lay(th *theme) laying {
	if t.laying {
		return nil
	}
	var of, copies []*entry
	for size, i := 0, len(t.entries)-1; i >= 0 && size < layAtOnce; i-- {
		if e := t.entries[i]; e.behind {
			size += len(e.text)
			of, copies = append(of, e), append(copies, &entry{kind: e.kind, text: e.text, severity: e.severity, goesOn: e.goesOn, unsent: e.unsent})
		}
	}
	if len(of) == 0 {
		return nil
	}
	t.laying = true
	layout, width, look := t.layout, t.width, *th
	return func() func(time.Duration) tea.Cmd {
		for _, c := range copies {
			c.rows = c.draw(width, &look)
		}
		return func(took time.Duration) tea.Cmd { return t.laid(of, copies, layout, took) }
	}
}

// laid takes the rows of entries over.
func (t *transcript) laid(of, copies []*entry, layout int, took time.Duration) tea.Cmd {
	grown := false
	for i, e := range of {
		at := slices.Index(t.entries, e)
		if at < 0 || t.layout != layout || !e.behind || len(e.text) < len(copies[i].text) {
			continue // it is gone, the width is another one, or the end is another stretch by now
		}
		e.rows = t.spaced(at, copies[i].rows)
		e.behind = len(e.text) != len(copies[i].text)
		grown = grown || e.behind
	}
	if grown {
		return after(took, laidMsg{take: func(time.Duration) tea.Cmd { t.laying = false; return nil }})
	}
	t.laying = false
	return nil
}

func (t *transcript) forget() {
	t.layout++
	for _, e := range t.entries {
		e.rows = nil
	}
}

func (t *transcript) scroll(by, height int) {
	t.up = max(0, min(t.up-by, t.total-height))
}

// window draws the rows that are visible in a height.
func (t *transcript) window(height int) []string {
	to := t.total - min(t.up, max(0, t.total-height))
	from := max(0, to-height)
	out := make([]string, 0, height)
	end := t.total
	for i := len(t.entries) - 1; i >= 0 && end > from; i-- {
		rows := t.entries[i].rows
		start := end - len(rows)
		if lo, hi := max(from, start), min(to, end); lo < hi {
			out = append(append(make([]string, 0, height), rows[lo-start:hi-start]...), out...)
		}
		end = start
	}
	return out
}

func (e *entry) draw(width int, th *theme) []string {
	room := max(1, width-saidColumn-1)
	switch e.kind {
	case userEntry:
		style := th.strong
		if e.unsent {
			style = th.muted
		}
		return beside("  "+th.heading.Render(th.tr("you")), saidColumn, prose(e.text, room), style)
	case agentEntry:
		label := "  " + th.muted.Render(th.tr("agent"))
		if e.goesOn {
			label = ""
		}
		return beside(label, saidColumn, markdown(e.text, room, th), th.text)
	case thoughtEntry:
		return beside("  "+th.muted.Render(th.tr("thinks")), saidColumn, prose(strings.TrimSpace(e.text), room), th.thought)
	case noticeEntry:
		return noticeRows(e, room, th)
	}
	return e.drawCall(width, th)
}

func noticeRows(e *entry, room int, th *theme) []string {
	mark, style := "·", th.muted
	switch e.severity {
	case Warning:
		mark, style = "! "+th.tr("warning"), th.warn
	case Failure:
		mark, style = "! "+th.tr("error"), th.danger
	}
	column := rowWidth(mark) + 3
	return beside("  "+style.Render(mark), column, prose(e.text, room+saidColumn-column), style)
}

// drawCall draws a tool call on one line, with its verdict and the cause of it
// at the right. Below stands what went wrong without changing that. A refused one
// keeps the beginning of its diff.
func (e *entry) drawCall(width int, th *theme) []string {
	c := e.call
	mark, style := callMark(c, th)
	right := th.muted.Render(short(cause(c.Verdict, &th.wording), max(12, width/2-2)))
	if c.Status == ToolFailed {
		right = th.warn.Render(th.tr("failed"))
	}
	kind := short(c.Kind, 16)
	if c.Place != "" {
		kind = short(nameAndPlace(c.Kind, c.Place), max(16, width/3))
	}
	left := "  " + style.Render(mark) + " " + pad(th.muted.Render(kind), max(kindWidth, diffview.Width(kind))) + " "
	room := width - rowWidth(left) - rowWidth(right) - 3
	left += th.text.Render(short(c.Title, room))
	rows := []string{spread(left, right+" ", width)}
	if c.Verdict != nil && c.Verdict.Warning != "" {
		rows = append(rows, beside("    "+th.warn.Render("!"), 6, prose(th.known(c.Verdict.Warning), max(1, width-7)), th.warn)...)
	}
	if c.Status != ToolRefused {
		return rows
	}
	if c.Verdict != nil && c.Verdict.Message != "" && !e.said {
		rows = append(rows, beside("    "+th.muted.Render(th.tr("you")), saidColumn, prose(c.Verdict.Message, width-saidColumn-1), th.muted)...)
	}
	for _, d := range e.diffs {
		o := diffview.RenderOptions{Width: width - saidColumn - 1, Style: th.diff, Unchanged: th.unchanged}
		n := d.Len(o)
		rows = append(rows, indent(d.Slice(o, 0, min(n, refusedRows)), saidColumn)...)
		if n > refusedRows {
			rows = append(rows, strings.Repeat(" ", saidColumn)+th.muted.Render("⋯ "+th.n(n-refusedRows, "%s more line", "%s more lines")))
		}
	}
	return rows
}

func callMark(c *ToolCall, th *theme) (string, *brush) {
	switch c.Status {
	case ToolRunning:
		return "▸", th.accent
	case ToolDone:
		return "✓", th.good
	case ToolFailed:
		return "!", th.warn
	case ToolRefused:
		return "✗", th.danger
	}
	return "·", th.muted
}

// cause says in a few words why a call was let through or not, with the rule's
// file and line (BEY-04).
func cause(v *gate.Verdict, t *wording) string {
	if v == nil {
		return ""
	}
	settled := t.known(strings.ReplaceAll(v.Cause, "-", " "))
	if v.Rule == nil {
		return settled
	}
	source := v.Rule.Source
	if source.File != "" {
		source.File = filepath.Base(source.File)
	}
	rule := v.Rule.Effect.String() + " " + v.Rule.Text + " · " + source.String()
	if v.Rule.Effect != v.Effect { // it only had somebody asked
		return settled + " · " + rule
	}
	return rule
}
