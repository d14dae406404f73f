package tui

import "github.com/blitz-approve/blitz-approve/gate"

// The connection with an agent adds facts of its own to a request, beside the
// agent's, which stay as they are to the letter (P07).

// factNames are labels of ours beside something of the agent's.
var factNames = []string{"Not shown", "Changes %s"}

// factLabels are the labels of those facts, as [composed].
var factLabels = []string{
	"Announced",
	"Patch",
	"Replaces",
	"Where",
	"Old text",
	"Taken from",
}

// factTexts are what they say.
var factTexts = []string{
	"what the agent announced differs from what it asks for now; the latter is shown",
	"the agent's patch can't be read",
	"the agent's patch doesn't fit %s as it is now",
	"%s exists; all of it is replaced",
	"the text that is replaced is in %s %s times; the agent doesn't say which it means",
	"the lines that are replaced are in %s only as a part of others",
	"what the agent takes for the old text of %s is not what is in the file",
	"the title of the call: this agent gives its commands nowhere else",
}

// factForms are the forms of these facts.
type factForms struct{ names, labels, texts []pattern }

func newFacts() factForms {
	return factForms{patternsOf(factNames), patternsOf(factLabels), patternsOf(factTexts)}
}

// told says a fact in the person's language, if it is one of ours.
func (w *wording) told(f gate.Field) gate.Field {
	if name, ours := w.among(w.facts.names, f.Label); ours {
		f.Label = name
		return f
	}
	label, ours := w.among(w.facts.labels, f.Label)
	text, known := w.among(w.facts.texts, f.Value)
	if ours && known {
		f.Label, f.Value = label, text
	}
	return f
}
