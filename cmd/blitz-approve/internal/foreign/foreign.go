// Package foreign reads the permission settings of other agents as rules of
// this gate. It never makes something looser than it was: what could only be
// said in a wider way is left out, with the reason, and an allow that a
// left-out restriction may have been an exception of is left out too.
package foreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// An Import is what settings of another agent say in this gate's words.
type Import struct {
	Rules []Rule
	// Mode is the starting mode; empty when the settings name none that could
	// be carried over.
	Mode string
	Left []Left
}

// A Rule is one permission rule, with the setting that it was made from.
type Rule struct {
	Effect gate.Effect
	Text   string
	From   string
	about  subject
}

// A Left is a setting that was left out, and why.
type Left struct {
	From, Why string
	// Restricts says that it kept something from happening, which now isn't.
	Restricts bool
	about     subject
}

// A subject is what a rule is about: its kind, and the text with which all
// that it matches begins. Two of them may overlap unless that differs.
type subject struct{ kind, head string }

func (s subject) overlaps(other subject) bool {
	if s.kind == "" || other.kind == "" {
		return true
	}
	return s.kind == other.kind && (strings.HasPrefix(s.head, other.head) || strings.HasPrefix(other.head, s.head))
}

// headOf is what stands before the first wildcard.
func headOf(pattern string) string {
	if i := strings.IndexAny(pattern, "*?[{"); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

// carry adds a rule; one that the gate refuses is left out with its reason.
func (im *Import) carry(effect gate.Effect, text, from string, about subject) {
	if _, err := gate.ParseRule(effect, text, gate.Source{}); err != nil {
		im.leave(effect, from, strings.TrimPrefix(err.Error(), gate.ErrRule.Error()+": "), about)
		return
	}
	if gate.LooksSecret(text) {
		im.leave(effect, from, "it holds what looks like a credential", about)
		return
	}
	im.Rules = append(im.Rules, Rule{effect, text, from, about})
}

func (im *Import) leave(effect gate.Effect, from, why string, about subject) {
	im.Left = append(im.Left, Left{From: from, Why: why, Restricts: effect != gate.Allow, about: about})
}

// note leaves out a setting that neither allows nor keeps from anything here.
func (im *Import) note(from, why string) {
	im.Left = append(im.Left, Left{From: from, Why: why})
}

// settled leaves out the allows that a left-out restriction may have been an
// exception of, and what is there twice.
func (im *Import) settled() *Import {
	var rules []Rule
	for _, r := range im.Rules {
		same := func(other Rule) bool { return other.Effect == r.Effect && other.Text == r.Text }
		if slices.ContainsFunc(rules, same) {
			continue
		}
		i := slices.IndexFunc(im.Left, func(l Left) bool { return l.Restricts && l.about.overlaps(r.about) })
		if r.Effect == gate.Allow && i >= 0 {
			im.note(r.From, fmt.Sprintf("it may allow what %q restricted, which can't be carried over", im.Left[i].From))
			continue
		}
		rules = append(rules, r)
	}
	im.Rules = rules
	return im
}

// effects are the words for an effect in the settings of all agents.
var effects = map[string]gate.Effect{
	"allow": gate.Allow, "ask": gate.Ask, "deny": gate.Deny,
	"prompt": gate.Ask, "ask_user": gate.Ask, "forbidden": gate.Deny,
}
