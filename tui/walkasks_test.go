package tui

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// asks is an agent that asks something of any kind.
func (p *planner) asks() step {
	n := p.rng.IntN(1000)
	switch p.rng.IntN(9) {
	case 0, 1:
		names := slices.Sorted(maps.Keys(requests))
		name := names[n%len(names)]
		return step{"ask " + name, func(w *walker) { w.approval(requests[name](), n) }}
	case 2:
		return step{"ask for a command with widths", func(w *walker) { w.approval(wide(), n) }}
	case 3:
		return step{"ask for what may be edited", func(w *walker) { w.approval(revisable(n), n) }}
	case 4:
		return step{fmt.Sprintf("ask to write %d lines", n), func(w *walker) { w.approval(edit(n), n) }}
	case 5:
		return step{"ask to read", func(w *walker) { w.approval(readFile(n%30), n) }}
	case 6:
		s := hostile[n%len(hostile)]
		return step{fmt.Sprintf("ask with %.40q", s), func(w *walker) { w.approval([]func(string) gate.Prompt{hostilePrompt, hostileGrant}[n%2](s), n) }}
	}
	qs := p.questions(n)
	return step{fmt.Sprintf("ask %d questions, %.20q", len(qs), qs[0].Text), func(w *walker) { w.questions(qs, n) }}
}

// revisable may be edited; sometimes what comes of that is refused.
func revisable(n int) gate.Prompt {
	p := []func() gate.Prompt{requests["files"], func() gate.Prompt { return editable("go test ./...") }, pagerEdit}[n%3]()
	p.Request.Editable = true
	p.Revise = func(gate.Edit) (gate.Prompt, error) {
		if n%5 == 0 {
			return gate.Prompt{}, errors.New("the edit can't be checked")
		}
		return p, nil
	}
	return p
}

// renews is a change of rules by which what waits is judged otherwise.
func (p *planner) renews() step {
	n, shown := p.rng.IntN(8), p.rng.IntN(3) > 0
	return step{fmt.Sprintf("rules change, %d, for what is shown: %v", n, shown), func(w *walker) {
		for _, q := range slices.Clone(w.queue.items) {
			if q.approval != nil && (!shown || q == w.queue.current()) {
				next := otherwise(w.prompts[q.id], n)
				w.prompts[q.id] = next
				w.take(Renewal{ID: q.id, Prompt: next})
			}
		}
	}}
}

// otherwise is a request as it may be judged after a change of rules.
func otherwise(p gate.Prompt, n int) gate.Prompt {
	p.Renewal++
	p.Verdict.Reason = fmt.Sprintf("rule %d", p.Renewal)
	switch n {
	case 0:
		p.Verdict.Offers, p.Verdict.Forced, p.Grants, p.Widths, p.Session, p.Saves = []gate.Decision{gate.Once}, true, nil, nil, "", ""
	case 1:
		p.Verdict.Offers, p.Session, p.Saves = []gate.Decision{gate.Once, gate.Session, gate.Always}, "all of it", "a key"
	case 2:
		p.Grants = p.Grants[:len(p.Grants)/2]
	case 3:
		p.Widths = p.Widths[len(p.Widths)/2:]
	case 4:
		p.Widths = []gate.Width{{Rule: "shell(make *)", Label: "make"}, {Rule: "shell(*)", Label: "all"}}
	case 5:
		p.Verdict.Reason = strings.Repeat("a long reason ", 60)
	}
	return p
}

// unasked says what of an answer isn't among what is asked by now (APR-12).
func unasked(p gate.Prompt, a gate.Answer) string {
	switch {
	case a.Decision == gate.Refuse || a.Decision == gate.CancelTurn:
	case a.Renewal != p.Renewal:
		return fmt.Sprintf("answered to renewal %d and not %d", a.Renewal, p.Renewal)
	case !p.Offers(a.Decision):
		return "not offered"
	case a.Grant != gate.NoGrant && !slices.ContainsFunc(p.Grants, func(o gate.GrantOffer) bool { return o.Scope == a.Grant }):
		return "no such grant"
	case a.Rule != "" && !slices.ContainsFunc(p.Widths, func(o gate.Width) bool { return o.Rule == a.Rule }):
		return "no such rule"
	}
	return ""
}

func (p *planner) questions(n int) []prompts.Question {
	noted := choice
	noted.Notes = true
	bad := prompts.Question{Header: "H", Text: hostile[n%len(hostile)], Notes: true, MultiSelect: n%2 == 0, Options: []prompts.Option{{Label: hostile[n%len(hostile)], Description: hostile[n%7], Preview: hostile[n%5]}, {Label: "b"}}}
	all := [][]prompts.Question{{choice}, {several()}, {noted}, {pagerPlan}, {richPlan}, {revised}, pages(), slices.Clone(richPages), {bad}, {bad, noted, bad}, {richPages[2]}}
	qs := all[n%len(all)]
	if len(qs) > 1 {
		for i := range qs {
			qs[i].Position, qs[i].Of = i+1, len(qs)
		}
	}
	return qs
}

// happens is something that nobody asks for.
func (p *planner) happens() step {
	s, n := p.text(), p.rng.IntN(60)
	events := append(story(), AgentSaid{s}, AgentThought{s}, UserSaid{s}, Notice{Severity(n % 3), s}, checklist(n, n/2), TurnStarted{}, TurnEnded{}, TurnEnded{s},
		AgentStarting{"codex"}, AgentReady{}, AgentMode{s, n%2 == 0}, ModeChanged{gate.Mode(n % 9)}, Connected{n},
		ToolCall{ID: fmt.Sprint(n % 5), Kind: "edit", Title: s, Status: ToolStatus(n % 5), Verdict: &gate.Verdict{Message: s}, Files: pagerEdit().Request.Diff})
	if p.rng.IntN(40) == 0 {
		events = []Event{Finished{[]string{"2 files changed", s}}}
	}
	if n == 0 {
		return step{"something is approved for 2 minutes", func(w *walker) {
			w.take(TimedApprovals{[]gate.Approved{{Until: time.Now().Add(2 * time.Minute)}}})
		}}
	}
	e := events[p.rng.IntN(len(events))]
	return step{fmt.Sprintf("%T %.60q", e, fmt.Sprint(e)), func(w *walker) {
		if n%10 == 0 {
			w.take(RulesChanged{Waiting: n % 3})
		}
		w.take(e)
	}}
}
