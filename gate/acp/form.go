package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
// field. A form with a field that we can't show is declined as a whole.
func (h *Host) elicit(ctx context.Context, raw json.RawMessage) (any, error) {
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

func (h *Host) askForm(ctx context.Context, p formParams) formResult {
	fields, err := parseForm(p.Schema)
	if err != nil {
		h.notice(Warning, "the agent asked in a form that can't be shown: %s; it was declined", err)
		return formDeclined
	}
	content := map[string]any{}
	for i, f := range fields {
		f.message = p.Message
		if err := h.askField(ctx, f, i+1, len(fields), content); err != nil {
			return refusedForm(ctx, err)
		}
	}
	if len(fields) == 0 {
		// A bare message still wants a yes.
		f := field{text: p.Message, required: true, choices: yesNo}
		values, _, err := h.askChoice(ctx, f, 0, 0)
		if err != nil {
			return refusedForm(ctx, err)
		}
		if values[0] != yes {
			return formDeclined
		}
	}
	return formResult{Action: "accept", Content: content}
}

func refusedForm(ctx context.Context, err error) formResult {
	if ctx.Err() != nil || !errors.Is(err, prompts.ErrDeclined) {
		return formCancelled
	}
	return formDeclined
}

// askURL shows an address. It is never opened from here: the person opens it
// if they trust it.
func (h *Host) askURL(ctx context.Context, p formParams) formResult {
	const opened, no = "I opened it", "No"
	a, err := h.ask(ctx, prompts.Question{
		Header:   "Address",
		Text:     strings.TrimSpace(p.Message + "\nThe agent wants you to open this address. It is not opened for you:\n" + p.URL),
		Document: p.URL,
		Options:  []prompts.Option{{Label: opened}, {Label: no}},
	})
	if err != nil {
		return refusedForm(ctx, err)
	}
	if a.Text == opened {
		return formResult{Action: "accept"}
	}
	return formDeclined
}

// askField asks for one field until the answer fits, and puts it into content.
func (h *Host) askField(ctx context.Context, f field, position, of int, content map[string]any) error {
	for range 5 {
		answer, err := h.ask(ctx, f.question(position, of))
		if err != nil {
			return err
		}
		if f.hint = f.accept(answer, content); f.hint == "" {
			return nil
		}
	}
	return prompts.ErrDeclined
}

// askChoice asks a question whose answers have ids; typed holds other words.
func (h *Host) askChoice(ctx context.Context, f field, position, of int) (ids []string, typed string, err error) {
	answer, err := h.ask(ctx, f.question(position, of))
	if err != nil {
		return nil, "", err
	}
	ids, typed = f.chosen(answer)
	if len(ids) == 0 && typed == "" {
		return nil, "", prompts.ErrDeclined
	}
	if len(ids) == 0 && len(f.choices) == 2 && f.choices[0].value == yes {
		return []string{no}, "", nil
	}
	return ids, typed, nil
}

const yes, no = "yes", "no"

var yesNo = []choice{{value: yes, label: "Yes"}, {value: no, label: "No"}}

// question is the field as the person sees it.
func (f field) question(position, of int) prompts.Question {
	q := prompts.Question{Header: f.header, Text: f.text, MultiSelect: f.multi}
	if of > 1 {
		q.Position, q.Of = position, of
	}
	if f.message != "" && f.message != f.text && position <= 1 {
		q.Text = strings.TrimSpace(f.message + "\n" + q.Text)
	}
	if !f.required && f.other == "" {
		q.Text += " (optional)"
	}
	if f.hint != "" {
		q.Text = fmt.Sprintf("%s\n%s", q.Text, f.hint)
	}
	for _, c := range f.choices {
		q.Options = append(q.Options, prompts.Option{Label: c.label, Description: c.description})
	}
	return q
}
