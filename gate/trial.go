package gate

import (
	"context"
	"slices"
	"strings"
)

// A Trial tries what may be saved: the gate's policy with that rule more, or
// those of a [Width], and nothing that was approved otherwise (BEY-08).
type Trial struct {
	gate  *Gate
	state *state
}

const trialLayer = "trial"

// Try reads a rule, or several on a line each, and makes a trial of it. The
// error is that of [ParseRule].
func (g *Gate) Try(rule string) (*Trial, error) {
	return g.tryBeside(g.Policy().Rules, rule)
}

func (g *Gate) tryBeside(rules []Rule, rule string) (*Trial, error) {
	rules = slices.Clip(rules)
	for text := range strings.SplitSeq(rule, "\n") {
		r, err := ParseRule(Allow, text, Source{Layer: trialLayer})
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	s := *g.state.Load()
	p := s.policy
	p.Rules = rules
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
