package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// ServeHTTP answers an agent's requests. What it doesn't know it answers with
// 404, which agents show.
func (s Scripts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/chat/completions"):
		s.chat(w, r)
	case strings.HasSuffix(path, ":generateContent"):
		s.gemini(w, r, false)
	case strings.HasSuffix(path, ":streamGenerateContent"):
		s.gemini(w, r, true)
	case strings.HasSuffix(path, ":countTokens"):
		write(w, object{"totalTokens": 1})
	case strings.HasSuffix(path, "/models"):
		write(w, object{"object": "list", "data": []object{{"id": "scripted", "object": "model"}}})
	default:
		http.Error(w, "the scripted model doesn't serve "+path, http.StatusNotFound)
	}
}

type object = map[string]any

// read decodes the body of a request, and answers one that it can't.
func read(w http.ResponseWriter, r *http.Request, body any) bool {
	err := json.NewDecoder(r.Body).Decode(body)
	if err != nil {
		http.Error(w, "the scripted model can't read this: "+err.Error(), http.StatusBadRequest)
	}
	return err == nil
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// stream sends server-sent events. Who no longer reads them is no error here.
func stream(w http.ResponseWriter, events ...any) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		text, isText := e.(string)
		if !isText {
			text = encode(e)
		}
		fmt.Fprintf(w, "data: %s\n\n", text)
		_ = http.NewResponseController(w).Flush()
	}
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a script can't be sent: %v", err))
	}
	return string(b)
}
