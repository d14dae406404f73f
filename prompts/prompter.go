package prompts

import (
	"context"
	"errors"
)

// A Prompter puts a question before a person. It may be called from many
// goroutines and shows one question at a time. When ctx ends the question is
// withdrawn and the error is that of ctx.
type Prompter interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// ErrDeclined is returned by a [Prompter] when the person closed the question
// without an answer.
var ErrDeclined = errors.New("the person declined to answer")

// A Question is one question to a person (APR-40).
type Question struct {
	// Header is a short label, such as a tab's title; may be empty.
	Header string
	Text   string
	// Options are offered answers; the person may type another one, unless
	// Closed says that nothing else can be taken.
	Options []Option
	Closed  bool
	// Refusal is the option, counted from 1, that allows nothing: it may be
	// chosen before all was read. 0 is none.
	Refusal int
	// MultiSelect lets the person choose several options (APR-40a).
	MultiSelect bool
	// Optional lets the person give no answer: [Answer] is then empty.
	Optional bool
	// Check says why an answer doesn't do; empty when it does. It is called by
	// [Question.Fault], in any goroutine; nil takes every one.
	Check func(Answer) string
	// Notes says that the asker can pass on [Answer.Note].
	Notes bool
	// Document is markdown that the question is about, such as a plan
	// (APR-41); a screen shows it in full and lets it be scrolled.
	Document string
	// Before is the revision of Document that the person saw last; empty when
	// there was none. A screen can show what has changed since (BEY-10).
	Before string
	// Editable says that [Answer.Document] is what a chosen option is about;
	// else a document that the person rewrote is only feedback.
	Editable bool
	// Position and Of place the question in a series, from 1; 0 when alone.
	Position, Of int
	// Agent is who asks, for display.
	Agent string
}

// An Option is one offered answer.
type Option struct {
	Label       string
	Description string
	Preview     string
}

// An Answer is what the person said. Selected holds the labels of the chosen
// options, in the order of the question; Text is the selection joined with
// ", ", or what was typed instead.
type Answer struct {
	Text     string
	Selected []string
	// Note is a remark beside the answer, where [Question.Notes] allows one.
	Note string
	// Comments are remarks on lines of the document, in its order.
	Comments []Comment
	// Document is the document as the person rewrote it, and Changes how it
	// differs from the one that was shown, as a unified diff; both are empty
	// when it stayed as it was.
	Document, Changes string
}

// A Comment is a remark on one line of a document.
type Comment struct {
	// Line counts from 1; Quote is what stands there.
	Line        int
	Quote, Text string
}
