package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// An Editor is the person at the editor, who answers in its own permission
// dialog (TAM-23, TAM-24). Whatever goes wrong there is a refusal.
type Editor struct{ g *guarded }

var (
	_ gate.Approver    = (*Editor)(nil)
	_ prompts.Prompter = (*Editor)(nil)
)

// A card is the tool call on which the editor shows a dialog.
type card struct {
	id     string
	params json.RawMessage // the agent's request; nil if it made none
	shown  bool
}

type cardKey struct{}

func onCard(ctx context.Context, c *card) context.Context {
	return context.WithValue(ctx, cardKey{}, c)
}

var errNoCard = errors.New("the editor has no place to ask this")

// Session is the name of the session; empty before the agent has given it.
func (e *Editor) Session() string { return e.g.host.Session() }

// Tell tells the person something, in a notice or in the conversation; what is
// only information goes to the log.
func (e *Editor) Tell(s Severity, text string) { e.g.hear(Notice{Severity: s, Text: text}) }

// Cancel ends the turn, as [Host.Cancel] does.
func (e *Editor) Cancel() {
	e.g.mu.Lock()
	open := e.g.open
	e.g.mu.Unlock()
	if open {
		e.g.host.Cancel()
	}
}

// Approve shows the prompt in the editor's dialog. What it shows is what the
// gate decides on: the agent's own title and content are left out.
func (e *Editor) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	c, ok := ctx.Value(cardKey{}).(*card)
	if !ok {
		return gate.Answer{}, errNoCard
	}
	t := e.g.texts()
	choices := dialogChoices(p)
	chosen, err := e.choose(ctx, c, requestCard(p, e.g.host.options.Workspace, t), options(choices, t))
	switch {
	case err != nil:
		return gate.Answer{}, err
	case chosen < 0:
		return gate.Answer{Decision: gate.CancelTurn}, nil
	}
	return choices[chosen].Answer, nil
}

// Ask shows a question with options, such as a plan's, in the same dialog. One
// without is declined: the dialog has no place for words.
func (e *Editor) Ask(ctx context.Context, q prompts.Question) (prompts.Answer, error) {
	c, ok := ctx.Value(cardKey{}).(*card)
	if !ok || len(q.Options) == 0 || q.MultiSelect {
		return prompts.Answer{}, prompts.ErrDeclined
	}
	t := e.g.texts()
	var list []permissionOption
	for i, o := range q.Options {
		kind := allowAlways
		switch i {
		case 0:
			kind = allowOnce
		case len(q.Options) - 1:
			kind = rejectOnce
		}
		name := o.Label
		if q.Document != "" {
			name = t.known(name)
		}
		list = append(list, permissionOption{ID: optionID(i), Name: name, Kind: kind})
	}
	chosen, err := e.choose(ctx, c, questionCard(q, t), list)
	switch {
	case err != nil:
		return prompts.Answer{}, err
	case chosen < 0:
		return prompts.Answer{}, prompts.ErrDeclined
	}
	label := q.Options[chosen].Label
	return prompts.Answer{Text: label, Selected: []string{label}}, nil
}

// choose returns the index of the option that was chosen, or -1 when the
// editor cancelled.
func (e *Editor) choose(ctx context.Context, c *card, content []member, list []permissionOption) (int, error) {
	call := append([]member{{"toolCallId", mustEncode(c.id)}}, content...)
	params := []member{
		{"sessionId", mustEncode(e.Session())},
		{"toolCall", encodeMembers(keepOthers(call, parseObject(c.params)["toolCall"]))},
		{"options", mustEncode(list)},
	}
	raw, err := e.show(ctx, c, encodeMembers(keepOthers(params, c.params)))
	if err != nil {
		return 0, err
	}
	outcome := parseObject(raw).object("outcome")
	switch outcome.text("outcome") {
	case "cancelled":
		return -1, nil
	case "selected":
		for i, o := range list {
			if id, ok := outcome.optional("optionId"); ok && id == o.ID {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("the editor gave an answer that was not offered: %.200s", raw)
}

// show shows a dialog when it is its turn (BEY-01) and waits for the answer. One
// whose card has another dialog on it lets those behind it pass.
func (e *Editor) show(ctx context.Context, c *card, params json.RawMessage) (json.RawMessage, error) {
	err := context.Canceled // before its turn
	var shown context.Context
	var done func()
	var wait func(context.Context) (json.RawMessage, error)
	put := func(patient bool) {
		if shown, done, err = e.g.proxy.showOn(ctx, c.id, patient); err != nil {
			return
		}
		c.shown = true
		if wait, err = e.g.proxy.editor.ask("session/request_permission", params, nil); err != nil {
			done()
		}
	}
	gate.InLine(ctx, func() { put(false) })
	if errors.Is(err, errCardInUse) {
		put(true)
	}
	if err != nil {
		return nil, err
	}
	defer done()
	return wait(shown)
}

// keepOthers are ours and, from what the agent sent, the members that they
// don't replace, such as _meta and extensions.
func keepOthers(ours []member, sent json.RawMessage) []member {
	list, err := members(sent)
	if err != nil {
		return ours
	}
	named := map[string]bool{}
	for _, m := range ours {
		named[foldedName(m.name)] = true
	}
	for _, m := range list {
		if name := foldedName(m.name); !named[name] {
			named[name] = true
			ours = append(ours, m)
		}
	}
	return ours
}

// allowAlways is the kind of an option that covers more than this call.
const allowAlways = "allow_always"

// dialogChoices are all answers that the gate takes (TAM-23). For always it is
// the narrowest rule that would do, by its name (BEY-08), else the key.
func dialogChoices(p gate.Prompt) []gate.Choice {
	var list []gate.Choice
	for _, c := range p.Choices() {
		if c.Answer.Decision == gate.Always && len(p.Widths) > 0 {
			c = p.Saving(p.Widths[0])
		}
		list = append(list, c)
	}
	return list
}

func options(choices []gate.Choice, t texts) []permissionOption {
	list := make([]permissionOption, len(choices))
	for i, c := range choices {
		kind := rejectOnce
		switch {
		case c.Answer.Decision == gate.Once && c.Answer.Grant == gate.NoGrant:
			kind = allowOnce
		case c.Answer.Decision != gate.Refuse && c.Answer.Decision != gate.CancelTurn:
			kind = allowAlways
		}
		list[i] = permissionOption{ID: optionID(i), Name: oneLine(t.known(c.Label)), Kind: kind}
	}
	return list
}

func optionID(i int) string { return "blitz-approve-" + strconv.Itoa(i) }

// texts are the session's words.
func (g *guarded) texts() texts { return g.host.texts() }

// closeCard ends a card that was made up for a call of the agent.
func (g *guarded) closeCard(c *card, s settlement) {
	if !c.shown {
		return
	}
	status := StatusFailed
	if s.allowed {
		status = StatusCompleted
	}
	g.update(cardUpdate{"tool_call_update", c.id, status})
}

type cardUpdate struct {
	Update string `json:"sessionUpdate"`
	Call   string `json:"toolCallId"`
	Status Status `json:"status"`
}
