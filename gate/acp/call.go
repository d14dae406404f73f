package acp

import (
	"encoding/json"
	"strings"
)

// A Status says how far a tool call is. The first four are the agent's words.
type Status string

const (
	StatusPending    Status = "pending"
	StatusInProgress Status = "in_progress"
	StatusCompleted  Status = "completed"
	StatusFailed     Status = "failed"
	// StatusRefused is set by the host when the gate said no: some agents say
	// nothing more about such a call.
	StatusRefused Status = "refused"
	// StatusCancelled is set by the host when the turn was cancelled. The
	// agent's own report, if one comes later, replaces it.
	StatusCancelled Status = "cancelled"
)

// Ended reports whether nothing more is to be expected of the call.
func (s Status) Ended() bool { return s != StatusPending && s != StatusInProgress }

// A Call is a tool call as far as it is known: everything that the agent sent
// about it, joined. All of it is the agent's own account.
type Call struct {
	ID        string
	Title     string
	Kind      string // read, edit, delete, move, search, execute, think, fetch, switch_mode, other
	Status    Status
	Locations []Location
	Content   []Content
	// RawInput are the tool's arguments, as sent.
	RawInput json.RawMessage

	name  string // the tool's own name, where the agent gives it
	first string // the first title
}

// A tracked call is kept twice: as updates told it, and as it is shown, with
// what permission requests added. Requests are judged against the first, so
// that a request can't lay the ground for the next.
type tracked struct {
	told, shown Call
	asked       bool // the agent has asked for leave
}

// over is what is remembered of a call that has ended: not what it wrote and
// printed, since files may be large, and a day has many calls.
func (t tracked) over() tracked {
	t.told.Content, t.told.RawInput = nil, nil
	t.shown.Content, t.shown.RawInput = nil, nil
	return t
}

// Content is one piece of what a call shows: a text, or a change of a file.
type Content struct {
	Text string
	Diff *Diff
}

// A Diff is a change of a file as the agent tells it. Old may be the whole
// file or only the part that is replaced, and is nil where the agent says
// that the file is new; see [gate.Change] for what is computed from it.
type Diff struct {
	Path    string
	Old     *string
	New     string
	Deleted bool

	lines bool // Old stands for whole lines
}

// Summary is the call's text content, cut to a few lines.
func (c Call) Summary() string {
	var lines []string
	for _, piece := range c.Content {
		if text := strings.TrimSpace(piece.Text); text != "" {
			lines = append(lines, strings.Split(text, "\n")...)
		}
	}
	const most = 20
	if len(lines) > most {
		lines = append(lines[:most:most], "…")
	}
	return strings.Join(lines, "\n")
}

// join lays an update over what is known: only what it holds is replaced.
// An empty list or object in an update says nothing, since agents send them
// with the first message about a call.
func (c Call) join(o object) Call {
	if s := o.text("toolCallId"); s != "" {
		c.ID = s
	}
	if s := o.text("title"); s != "" {
		c.Title = s
		c.first = orElse(c.first, s)
	}
	if s := o.text("kind"); s != "" {
		c.Kind = s
	}
	if s := o.text("status"); s != "" {
		c.Status = Status(s)
	}
	if s := o.object("_meta").object("claudeCode").text("toolName"); s != "" {
		c.name = s
	}
	if s := o.text("name"); s != "" {
		c.name = s
	}
	if raw := o["rawInput"]; says(raw) {
		c.RawInput = raw
	}
	if items, ok := o.list("locations"); ok && len(items) > 0 {
		c.Locations = parseLocations(items)
	}
	if items, ok := o.list("content"); ok && len(items) > 0 {
		c.Content = parseContents(items)
	}
	return c
}

func parseLocations(items []json.RawMessage) (list []Location) {
	for _, item := range items {
		var l Location
		if json.Unmarshal(item, &l) == nil && l.Path != "" {
			list = append(list, l)
		}
	}
	return list
}

func parseContents(items []json.RawMessage) (list []Content) {
	for _, item := range items {
		o := parseObject(item)
		switch o.text("type") {
		case "content":
			if text := o.object("content").text("text"); text != "" {
				list = append(list, Content{Text: text})
			}
		case "diff":
			list = append(list, Content{Diff: parseDiff(o)})
		}
	}
	return list
}

func parseDiff(o object) *Diff {
	d := &Diff{Path: o.text("path"), Deleted: o.object("_meta").text("kind") == "delete", lines: o.object("_meta").text("kind") == "lines"}
	d.New, _ = o.optional("newText")
	if old, ok := o.optional("oldText"); ok {
		d.Old = &old
	}
	return d
}

func diffsOf(contents []Content) (list []*Diff) {
	for _, c := range contents {
		if c.Diff != nil {
			list = append(list, c.Diff)
		}
	}
	return list
}
