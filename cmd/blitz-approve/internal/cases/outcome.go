package cases

import "github.com/blitz-approve/blitz-approve/gate"

// An Outcome is what would happen to a request.
type Outcome struct {
	Verdict  string        `json:"verdict"`
	Cause    string        `json:"cause"`
	Step     gate.StepName `json:"step"`
	Rule     string        `json:"rule,omitempty"`
	Source   string        `json:"source,omitempty"`
	Reason   string        `json:"reason"`
	Answers  []string      `json:"answers,omitempty"`
	Key      string        `json:"key,omitempty"`
	KeyLabel string        `json:"key_label,omitempty"`
	Parts    []Part        `json:"parts,omitempty"`
}

// A Part is what would happen to one command of a line.
type Part struct {
	Command string `json:"command"`
	Verdict string `json:"verdict"`
	Rule    string `json:"rule,omitempty"`
	Source  string `json:"source,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// OutcomeOf is a verdict as it is written.
func OutcomeOf(v gate.Verdict) Outcome {
	a := Outcome{
		Verdict: v.Effect.String(), Cause: v.Cause, Step: v.Step, Reason: v.Reason, Key: v.Request.Key, KeyLabel: v.Request.KeyLabel,
	}
	if v.Rule != nil {
		a.Rule, a.Source = v.Rule.Text, v.Rule.Source.String()
	}
	for _, d := range v.Offers {
		a.Answers = append(a.Answers, d.String())
	}
	if v.Effect == gate.Ask {
		a.Answers = append(a.Answers, gate.Refuse.String())
	}
	for _, p := range v.Parts {
		part := Part{Command: p.Command, Verdict: p.Effect.String(), Reason: p.Reason}
		if p.Rule != nil {
			part.Rule, part.Source = p.Rule.Text, p.Rule.Source.String()
		}
		a.Parts = append(a.Parts, part)
	}
	return a
}
