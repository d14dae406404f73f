package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type chatRequest struct {
	Stream   bool
	Messages []struct {
		Role      string
		Content   json.RawMessage
		ToolCalls []json.RawMessage `json:"tool_calls"`
	}
	Tools []struct {
		Function struct{ Name string }
	}
}

func (r chatRequest) offered() (names []string) {
	for _, t := range r.Tools {
		names = append(names, t.Function.Name)
	}
	return names
}

func (r chatRequest) conversation() []message {
	var all []message
	for _, m := range r.Messages {
		all = append(all, message{m.Role == "user", chatText(m.Content), len(m.ToolCalls)})
	}
	return all
}

// chatText is a content, which is a text or a list of parts.
func chatText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct{ Text string }
	_ = json.Unmarshal(raw, &parts)
	for _, p := range parts {
		text += p.Text
	}
	return text
}

func (s Scripts) chat(w http.ResponseWriter, r *http.Request) {
	var request chatRequest
	if !read(w, r, &request) {
		return
	}
	conversation := request.conversation()
	step, reason := s.next(conversation).named(request.offered()), "stop"
	var calls []object
	for i, c := range step.Calls {
		reason = "tool_calls"
		calls = append(calls, object{
			// An id must not come twice in a conversation.
			"index": i, "id": fmt.Sprintf("call-%d-%d", len(conversation), i), "type": "function",
			"function": object{"name": c.Tool, "arguments": encode(c.Args)},
		})
	}
	said := object{"role": "assistant", "content": step.Say}
	if calls != nil {
		said["tool_calls"] = calls
	}
	answer := func(kind string, choice object) object {
		choice["index"] = 0
		return object{
			"id": fmt.Sprintf("answer-%d", len(conversation)), "object": kind, "created": 1, "model": "scripted",
			"choices": []object{choice}, "usage": object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
		}
	}
	if !request.Stream {
		write(w, answer("chat.completion", object{"message": said, "finish_reason": reason}))
		return
	}
	stream(w,
		answer("chat.completion.chunk", object{"delta": said, "finish_reason": nil}),
		answer("chat.completion.chunk", object{"delta": object{}, "finish_reason": reason}),
		"[DONE]")
}
