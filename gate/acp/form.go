package acp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/blitz-approve/blitz-approve/prompts"
)

type formParams struct {
	SessionID string          `json:"sessionId"`
	Mode      string          `json:"mode"`
	Message   string          `json:"message"`
	Schema    json.RawMessage `json:"requestedSchema"`
	URL       string          `json:"url"`
}

type formResult struct {
	Action  string         `json:"action"`
	Content map[string]any `json:"content,omitempty"`
}

var (
	formDeclined  = formResult{Action: "decline"}
	formCancelled = formResult{Action: "cancel"}
)

// elicit answers elicitation/create (TAM-24): a form becomes questions, one a
// field, asked together. A form with a field that we can't show is declined as a whole.
func (h *hosted) elicit(ctx context.Context, raw json.RawMessage) (any, error) {
	var p formParams
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, Errorf(CodeInvalidParams, "elicitation/create: %s", err)
	}
	if p.SessionID != "" { // else it belongs to a request, such as a login
		if err := h.ours(p.SessionID); err != nil {
			return nil, err
		}
	}
	ctx, release := h.waiting(ctx)
	defer release()
	if ctx.Err() != nil {
		return formCancelled, nil
	}
	switch p.Mode {
	case "form":
		return h.askForm(ctx, p), nil
	case "url":
		return h.askURL(ctx, p), nil
	}
	h.notice(Warning, "the agent asked in a way that can't be shown (%q); it was declined", p.Mode)
	return formDeclined, nil
}

func (h *hosted) askForm(ctx context.Context, p formParams) formResult {
	fields, err := parseForm(p.Schema, h.texts())
	if err != nil {
		h.notice(Warning, "the agent asked in a form that can't be shown: %s; it was declined", err)
		return formDeclined
	}
	if len(fields) == 0 {
		return h.askMessage(ctx, p.Message)
	}
	fields[0].message = p.Message
	answers, err := h.askFields(ctx, fields)
	if err != nil {
		return refusedForm(ctx, err)
	}
	content := map[string]any{}
	for i, f := range fields {
		f.accept(answers[i], content) // askFields has checked it
	}
	return formResult{Action: "accept", Content: content}
}

// askMessage asks for a yes to a form without fields.
func (h *hosted) askMessage(ctx context.Context, message string) formResult {
	f := field{text: message, required: true, kind: "boolean", choices: yesNo(h.texts())}
	answers, err := h.askFields(ctx, []field{f})
	if err != nil {
		return refusedForm(ctx, err)
	}
	if values, _ := f.chosen(answers[0]); len(values) != 1 || values[0] != yes {
		return formDeclined
	}
	return formResult{Action: "accept", Content: map[string]any{}}
}

func refusedForm(ctx context.Context, err error) formResult {
	if ctx.Err() != nil || !errors.Is(err, prompts.ErrDeclined) {
		return formCancelled
	}
	return formDeclined
}

// askURL shows an address. It is never opened from here: the person opens it
// if they trust it.
func (h *hosted) askURL(ctx context.Context, p formParams) formResult {
	const opened, no = "I opened it", "No"
	a, err := h.ask(ctx, prompts.Question{
		Header:   "Address",
		Text:     strings.TrimSpace(p.Message + "\nThe agent wants you to open this address. It is not opened for you:\n" + p.URL),
		Document: p.URL,
		Options:  []prompts.Option{{Label: opened}, {Label: no}},
		Refusal:  2,
	})
	if err != nil {
		return refusedForm(ctx, err)
	}
	if a.Text == opened {
		return formResult{Action: "accept"}
	}
	return formDeclined
}

// askFields asks for all fields together and returns an answer that fits for
// each.
func (h *hosted) askFields(ctx context.Context, fields []field) ([]prompts.Answer, error) {
	questions := make([]prompts.Question, len(fields))
	for i, f := range fields {
		questions[i] = f.question(h.texts())
	}
	return h.askAll(ctx, questions)
}

// question is the field as the person sees it.
func (f field) question(t texts) prompts.Question {
	q := prompts.Question{
		Header: f.header, Text: f.text, MultiSelect: f.multi, Optional: !f.required, Notes: f.noted,
		Closed: len(f.choices) > 0 && f.other == "",
	}
	if f.message != "" && f.message != f.text {
		q.Text = strings.TrimSpace(f.message + "\n" + q.Text)
	}
	if !f.required && f.other == "" {
		q.Text = t.optional(q.Text)
	}
	for _, c := range f.choices {
		q.Options = append(q.Options, prompts.Option{Label: c.label, Description: c.description})
	}
	q.Check = func(a prompts.Answer) string { return f.accept(a, map[string]any{}) }
	return q
}
