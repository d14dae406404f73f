package acp

import (
	"fmt"

	"github.com/blitz-approve/blitz-approve/gate"
)

// Words say what dialogs of an editor and forms show in the person's language
// (BEY-11). The English texts are the keys; what comes from the agent is never looked up.
type Words interface {
	// Say says a text, with args as [fmt.Sprintf] has them.
	Say(text string, args ...any) string
	// Count says a text about n things, in the form for one or for more. The
	// number is its first argument, as text.
	Count(n int, one, more string, args ...any) string
	// Known says a sentence that the gate composed; an unknown one stays.
	Known(sentence string) string
	// Told says a fact that this package added to a request; another stays.
	Told(gate.Field) gate.Field
}

// texts are the words of a session. Without any they are English.
type texts struct{ w Words }

// texts are the session's words.
func (h *hosted) texts() texts { return texts{h.options.Words} }

func (t texts) tr(text string, args ...any) string {
	if t.w != nil {
		return t.w.Say(text, args...)
	}
	return fmt.Sprintf(text, args...)
}

func (t texts) n(n int, one, more string, args ...any) string {
	if t.w != nil {
		return t.w.Count(n, one, more, args...)
	}
	if n == 1 {
		more = one
	}
	return fmt.Sprintf(more, append([]any{fmt.Sprint(n)}, args...)...)
}

func (t texts) known(sentence string) string {
	if t.w != nil {
		return t.w.Known(sentence)
	}
	return sentence
}

func (t texts) told(f gate.Field) gate.Field {
	if t.w != nil {
		return t.w.Told(f)
	}
	return f
}

const yes, no = "yes", "no"

// yesNo are the answers to a question that offers none of the agent's.
func yesNo(t texts) []choice {
	return []choice{{value: yes, label: t.tr("Yes")}, {value: no, label: t.tr("No")}}
}

// optional is a question of the agent's that needs no answer.
func (t texts) optional(question string) string { return t.tr("%s (optional)", question) }

// ways asks which of several ways to allow something the agent shall go.
func (t texts) ways() string { return t.tr("The agent offers several ways to go on:") }
