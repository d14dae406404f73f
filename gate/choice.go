package gate

import (
	"slices"
	"strings"
)

// A Choice is one thing that a person may answer, in words.
type Choice struct {
	Label  string
	Answer Answer
}

// Choices are all that may be answered to p, for hosts that show a plain list
// instead of a dialog (TAM-23): once comes first, then what covers more, and
// refusing last. How long a grant lasts, which a dialog has a switch for, is a
// choice of its own. What must be asked each time, such as a critical command,
// has no choice that lasts (TAM-15, TAM-24). Each holds for this prompt, also
// when it took the place of another, and for the edit that it shows.
func (p Prompt) Choices() []Choice {
	var list []Choice
	add := func(label string, a Answer) { list = append(list, Choice{label, p.given(a)}) }
	if p.Offers(Once) {
		add("Approve once", Answer{Decision: Once})
		for i := len(p.Grants) - 1; i >= 0; i-- { // the narrower one first
			g := p.Grants[i]
			if !p.Brief {
				add("Approve for this session: "+g.Label, Answer{Decision: Once, Grant: g.Scope})
			}
			if p.CanSave {
				add("Always approve: "+g.Label, Answer{Decision: Once, Grant: g.Scope, Remember: true})
			}
		}
	}
	if p.Offers(Session) {
		add("Approve for this session: "+p.Session, Answer{Decision: Session})
	}
	switch {
	case slices.Contains(p.Verdict.Offers, Always):
		add("Always approve: "+p.Request.KeyLabel, Answer{Decision: Always})
	case p.Offers(Always): // what has no key may still have a rule
		list = append(list, p.Saving(p.Widths[0]))
	}
	add("Deny", Answer{Decision: Refuse})
	add("Deny and cancel the turn", Answer{Decision: CancelTurn})
	return list
}

// Saving is the choice of one of p's Widths, whose rule is saved for the
// workspace (BEY-08).
func (p Prompt) Saving(w Width) Choice {
	return Choice{"Always approve in this workspace: " + strings.ReplaceAll(w.Rule, "\n", " and "),
		p.given(Answer{Decision: Always, Rule: w.Rule, Place: WorkspaceRules})}
}
