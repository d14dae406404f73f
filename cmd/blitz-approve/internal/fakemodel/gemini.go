package fakemodel

import (
	"encoding/json"
	"net/http"
)

type geminiRequest struct {
	Contents []struct {
		Role  string
		Parts []struct {
			Text         string
			FunctionCall json.RawMessage
		}
	}
	Tools []struct {
		FunctionDeclarations []struct{ Name string }
	}
}

func (r geminiRequest) offered() (names []string) {
	for _, t := range r.Tools {
		for _, f := range t.FunctionDeclarations {
			names = append(names, f.Name)
		}
	}
	return names
}

func (r geminiRequest) conversation() []message {
	var all []message
	for _, c := range r.Contents {
		m := message{user: c.Role == "user"}
		for _, p := range c.Parts {
			m.text += p.Text
			if p.FunctionCall != nil {
				m.calls++
			}
		}
		all = append(all, m)
	}
	return all
}

func (s Scripts) gemini(w http.ResponseWriter, r *http.Request, streamed bool) {
	var request geminiRequest
	if !read(w, r, &request) {
		return
	}
	step := s.next(request.conversation()).named(request.offered())
	var parts []object
	if step.Say != "" {
		parts = append(parts, object{"text": step.Say})
	}
	for _, c := range step.Calls {
		parts = append(parts, object{"functionCall": object{"name": c.Tool, "args": c.Args}})
	}
	answer := func(parts []object, more object) object {
		candidate := object{"index": 0, "content": object{"role": "model", "parts": parts}}
		for k, v := range more {
			candidate[k] = v
		}
		return object{
			"candidates": []object{candidate}, "modelVersion": "scripted",
			"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		}
	}
	stop := object{"finishReason": "STOP"}
	if !streamed {
		write(w, answer(parts, stop))
		return
	}
	var events []any
	for i, p := range parts {
		if i == len(parts)-1 {
			events = append(events, answer([]object{p}, stop))
			break
		}
		events = append(events, answer([]object{p}, nil))
	}
	stream(w, events...)
}
