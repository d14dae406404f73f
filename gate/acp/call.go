package acp

import (
	"bytes"
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

// size is how long the texts are together, in bytes. Those that are kept once
// count twice.
func (t tracked) size() int { return t.told.size() + t.shown.size() }

func (c Call) size() int {
	n := len(c.ID) + len(c.Title) + len(c.Kind) + len(c.RawInput) + len(c.name) + len(c.first)
	for _, l := range c.Locations {
		n += len(l.Path)
	}
	for _, piece := range c.Content {
		n += len(piece.Text)
		if d := piece.Diff; d != nil {
			n += len(d.Path) + len(d.New)
			if d.Old != nil {
				n += len(*d.Old)
			}
		}
	}
	return n
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

// parseCall is what one message says about a call; what it leaves out is empty.
func parseCall(o object) Call {
	c := Call{
		ID: o.text("toolCallId"), Title: o.text("title"), Kind: o.text("kind"), Status: Status(o.text("status")),
		RawInput: bytes.Clone(o["rawInput"]), // alone: the message may be large
		name:     orElse(o.text("name"), toolName(o.object("_meta"))),
	}
	if items, ok := o.list("locations"); ok && len(items) > 0 {
		c.Locations = parseLocations(items)
	}
	if items, ok := o.list("content"); ok && len(items) > 0 {
		c.Content = parseContents(items)
	}
	return c
}

// toolName is the tool's own name as agents' programs add it to a call.
func toolName(meta object) string {
	return orElse(meta.object("claudeCode").text("toolName"), meta.text("toolName", "tool_name"))
}

// join lays what a message says over what is known: only what it says is
// replaced. An empty list or object says nothing, since agents send them with
// the first message about a call.
func (c Call) join(said Call) Call {
	c.ID = orElse(said.ID, c.ID)
	c.Title = orElse(said.Title, c.Title)
	c.first = orElse(c.first, said.Title)
	c.Kind = orElse(said.Kind, c.Kind)
	c.Status = Status(orElse(string(said.Status), string(c.Status)))
	c.name = orElse(said.name, c.name)
	if says(said.RawInput) {
		c.RawInput = said.RawInput
	}
	if said.Locations != nil {
		c.Locations = said.Locations
	}
	if said.Content != nil {
		c.Content = said.Content
	}
	return c
}

// parseLocations never is nil: a list in which nothing can be read replaces the
// one before.
func parseLocations(items []json.RawMessage) []Location {
	list := []Location{}
	for _, item := range items {
		var l Location
		if json.Unmarshal(item, &l) == nil && l.Path != "" {
			list = append(list, l)
		}
	}
	return list
}

// parseContents never is nil, as parseLocations.
func parseContents(items []json.RawMessage) []Content {
	list := []Content{}
	for _, item := range items {
		o := parseObject(item)
		switch o.text("type") {
		case "content":
			if text := contentText(o.object("content")); text != "" {
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
