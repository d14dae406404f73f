package tui

import (
	"slices"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// Approval is a message for [Model.Update] that puts a request into the queue.
type Approval struct {
	// ID names the request among all that wait, questions included.
	ID uint64
	// From is who asks, where several agents do; nil for the only one.
	From   *Client
	Prompt gate.Prompt
	// Answer is called at most once, off the goroutine that draws. It isn't
	// called for a request that was withdrawn, or that still waits when the
	// program ends: whoever asked must take that for a refusal.
	Answer func(gate.Answer)
}

// Question is a message for [Model.Update] that puts a question into the same
// queue.
type Question struct {
	ID       uint64
	From     *Client // as that of [Approval]
	Question prompts.Question
	// Answer is called as that of [Approval]; its error is
	// [prompts.ErrDeclined] when the person doesn't answer.
	Answer func(prompts.Answer, error)
}

// Renewal is a message for [Model.Update] that takes the place of the prompt of
// an [Approval] which waits: rules or the mode changed, so that the request is
// judged otherwise. What the person has chosen or written so far stays.
type Renewal struct {
	ID     uint64
	Prompt gate.Prompt
}

// Withdraw is a message for [Model.Update] that takes what waits under an ID
// out of the queue, without an answer. Why is shown.
type Withdraw struct {
	ID  uint64
	Why string
}

// waiting is one thing in the queue, with what the person has done about it
// so far.
type waiting struct {
	id       uint64
	from     *Client   // nil for the only agent
	approval *Approval // one of the two is set
	question *prompts.Question
	answer   func([]prompts.Answer, error) // the question's

	reader
	body  body
	drawn drawn // what body was drawn for

	choice   int  // the highlighted answer
	met      bool // it took answers once
	pushed   bool // a prompt was set aside for it, and no answer was chosen since
	counting bool // past calls are being counted
	remember bool // what is granted outlives the session
	full     bool // full screen, nothing cut
	asked    bool // the rest was shown because the person wanted to approve

	verdicts int // counts those that were shown of it
	rev      revision
	hunk     int                    // the hunk that was jumped to, an index into those of body
	past     map[string]PastMatches // by rule
	diffs    []*diffview.Diff
	ready    bool // the diffs are there
	diffLook
	colored window // what is on the screen in colours

	broken bool     // the rows were broken anew
	room   int      // rows for the options of a question
	words  composer // the reason for a no, or the answer to a question in the person's own words
	chosen []bool   // of a question's options
	laid   laid     // its rows
	note   string   // beside the answer
	warned string   // the key that would answer with nothing, or drop something
	plan   *planReview

	group *group          // the question is a page of
	index int             // which one, from 0
	lists bool            // the page that lists the answers
	given *prompts.Answer // what was answered on it
}

// drawn is what the rows of a body depend on.
type drawn struct {
	width, themes int
	ready, split  bool
	cut           bool
	left          int
	full          bool // of a request that may be granted
	short         bool
	choice        int
	revision      int
	marks         int // of hunks
	mode          gate.Mode
	verdicts      int
	version       int  // of a group: its answers; of a plan: comments and the like
	changes       bool // of a plan: what has changed is shown
	height        int  // decides where previews stand
	room          int  // decides which options are read with the question
	laid          int  // counts the long texts that were laid out
}

// queue holds what waits, oldest first. What is shown changes only when it is
// settled or when the person looks at another.
type queue struct {
	items []*waiting
	shown int
}

func (q *queue) current() *waiting {
	if len(q.items) == 0 {
		return nil
	}
	return q.items[q.shown]
}

func (q *queue) add(w *waiting) { q.items = append(q.items, w) }

func (q *queue) find(id uint64) *waiting {
	for _, w := range q.items {
		if w.id == id {
			return w
		}
	}
	return nil
}

// swap puts another page of a group in the place of one.
func (q *queue) swap(old, page *waiting) {
	if i := slices.Index(q.items, old); i >= 0 {
		q.items[i] = page
	}
}

// remove takes w out. When it was shown, the oldest is shown next.
func (q *queue) remove(w *waiting) {
	for i := range q.items {
		if q.items[i] != w {
			continue
		}
		q.items = append(q.items[:i:i], q.items[i+1:]...)
		switch {
		case i == q.shown:
			q.shown = 0
		case i < q.shown:
			q.shown--
		}
		return
	}
}

// of are those that one client asks, oldest first.
func (q *queue) of(from *Client) (list []*waiting) {
	for _, w := range q.items {
		if w.from == from {
			list = append(list, w)
		}
	}
	return list
}

// look shows the next or the previous one.
func (q *queue) look(by int) {
	if n := len(q.items); n > 0 {
		q.shown = (q.shown + by + n) % n
	}
}

// opaque tells whether what waits writes content that no row shows.
func (w *waiting) opaque() bool { return opaque(w.diffs) }

func opaque(diffs []*diffview.Diff) bool {
	return slices.ContainsFunc(diffs, (*diffview.Diff).Unseen)
}
