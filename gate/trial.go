package gate

import (
	"context"
	"slices"
)

// A Trial tries an allow rule before it is saved: the gate's policy with that
// one rule more, and nothing that was approved otherwise (BEY-08).
type Trial struct {
	gate  *Gate
	state *state
}

const trialLayer = "trial"

// Try reads a rule and makes a trial of it. The error is that of [ParseRule].
func (g *Gate) Try(rule string) (*Trial, error) {
	return g.tryBeside(g.Policy().Rules, rule)
}

func (g *Gate) tryBeside(rules []Rule, rule string) (*Trial, error) {
	r, err := ParseRule(Allow, rule, Source{Layer: trialLayer})
	if err != nil {
		return nil, err
	}
	s := *g.state.Load()
	p := s.policy
	p.Rules = slices.Concat(rules, []Rule{r})
	s.setPolicy(p)
	s.session, s.grants, s.currentMode = session{}, nil, Default
	return &Trial{g, &s}, nil
}

// Passes reports whether the rule lets the request pass, alone or together
// with the rules that there are.
func (t *Trial) Passes(req Request) bool {
	v := t.gate.evaluate(context.Background(), t.state, req, run{})
	if v.Cause != CauseRuleAllow {
		return false
	}
	for _, p := range v.Parts {
		if p.Rule != nil && p.Rule.Source.Layer == trialLayer {
			return true
		}
	}
	return v.Rule.Source.Layer == trialLayer
}
