package fakemodel

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
)

var scripts = Scripts{
	"write": {
		{Say: "First.", Calls: []Call{{"write_file", object{"path": "a"}}, {"write_file", object{"path": "b"}}}},
		{Calls: []Call{{"run", object{"command": "ls"}}}},
		{Say: "Done."},
	},
	"other": {{Say: "Another."}},
}

func TestNextCountsTheCallsAfterTheMarker(t *testing.T) {
	person := func(text string) message { return message{user: true, text: text} }
	model := func(calls int) message { return message{calls: calls} }
	write := person("please " + Prompt("write"))
	for name, c := range map[string]struct {
		conversation []message
		want         Step
	}{
		"no marker":               {[]message{person("hello")}, Step{Say: Unscripted}},
		"unknown script":          {[]message{person(Prompt("missing"))}, Step{Say: Unscripted}},
		"begins":                  {[]message{write}, scripts["write"][0]},
		"goes on":                 {[]message{write, model(2), {text: "ok"}}, scripts["write"][1]},
		"one call of two counts":  {[]message{write, model(1)}, scripts["write"][1]},
		"last step":               {[]message{write, model(2), model(1)}, scripts["write"][2]},
		"after the end":           {[]message{write, model(2), model(1), model(1)}, Step{Say: Unscripted}},
		"a reason follows":        {[]message{write, model(2), person("not like this")}, scripts["write"][1]},
		"begins anew":             {[]message{write, model(2), write}, scripts["write"][0]},
		"another script":          {[]message{write, model(2), person(Prompt("other"))}, scripts["other"][0]},
		"two markers: the last":   {[]message{person(Prompt("other") + Prompt("write"))}, scripts["write"][0]},
		"a tool prints a marker":  {[]message{write, model(2), {text: Prompt("other")}}, scripts["write"][1]},
		"calls before the marker": {[]message{model(7), write}, scripts["write"][0]},
	} {
		if got := scripts.next(c.conversation); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

func TestToolIsFoundByTheEndOfItsName(t *testing.T) {
	step := Step{Calls: []Call{{"*_todo", nil}, {"*_gone", nil}, {"run", nil}}}
	got := step.named([]string{"run", "mcp_x7_todo", "mcp_y_todo"})
	want := Step{Calls: []Call{{"mcp_x7_todo", nil}, {"*_gone", nil}, {"run", nil}}}
	if !reflect.DeepEqual(got, want) || step.Calls[0].Tool != "*_todo" {
		t.Errorf("%+v, from %+v", got, step)
	}
}

// answerOf posts body and returns what came, event by event where it streams.
func answerOf(t *testing.T, path, body string) (status int, events []map[string]any) {
	t.Helper()
	server := httptest.NewServer(scripts)
	defer server.Close()
	r, err := http.Post(server.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	lines := bufio.NewScanner(r.Body)
	if r.Header.Get("Content-Type") != "text/event-stream" {
		lines.Split(func(data []byte, atEOF bool) (int, []byte, error) {
			if !atEOF || len(data) == 0 {
				return 0, nil, nil
			}
			return len(data), append([]byte("data: "), data...), nil
		})
	}
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var e map[string]any
		if err := json.Unmarshal([]byte(data), &e); err != nil && r.StatusCode == http.StatusOK {
			t.Fatalf("%q: %v", data, err)
		}
		events = append(events, e)
	}
	return r.StatusCode, events
}

// at follows keys and indexes into v, and fails where there is nothing.
func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				t.Fatalf("no %v in %v", path, v)
			}
			v = list[step]
		}
	}
	return v
}

func TestGemini(t *testing.T) {
	body := `{"contents":[{"role":"user","parts":[{"text":"[play "},{"text":"write]"}]},
		{"role":"model","parts":[{"text":"First."},{"functionCall":{"name":"write_file","args":{}}},{"functionCall":{"name":"write_file","args":{}}}]},
		{"role":"user","parts":[{"functionResponse":{"name":"write_file","response":{"output":"[play other]"}}}]}]}`
	_, whole := answerOf(t, "/v1beta/models/some:generateContent", body)
	_, streamed := answerOf(t, "/v1beta/models/some:streamGenerateContent?alt=sse", body)
	for _, events := range [][]map[string]any{whole, streamed} {
		candidate := at(t, events[len(events)-1], "candidates", 0)
		if got := at(t, candidate, "content", "parts", 0, "functionCall", "args", "command"); got != "ls" {
			t.Errorf("calls with %v", got)
		}
		if got := at(t, candidate, "finishReason"); got != "STOP" {
			t.Errorf("ends with %v", got)
		}
	}
	_, streamed = answerOf(t, "/v1beta/models/some:streamGenerateContent?alt=sse", `{"contents":[{"role":"user","parts":[{"text":"[play write]"}]}]}`)
	if len(streamed) != 3 || at(t, streamed[0], "candidates", 0, "content", "parts", 0, "text") != "First." || at(t, streamed[0], "candidates", 0, "finishReason") != nil {
		t.Errorf("streams %v", streamed)
	}
}

func TestChat(t *testing.T) {
	body := `{"stream":STREAM,"messages":[{"role":"system","content":"[play other]"},{"role":"user","content":[{"type":"text","text":"[play write]"}]},
		{"role":"assistant","content":null,"tool_calls":[{"id":"x"},{"id":"y"}]},{"role":"tool","content":"[play other]"}]}`
	for stream, kind := range map[string]string{"true": "delta", "false": "message"} {
		_, events := answerOf(t, "/v1/chat/completions", strings.Replace(body, "STREAM", stream, 1))
		call := at(t, events[0], "choices", 0, kind, "tool_calls", 0)
		if at(t, call, "function", "name") != "run" || at(t, call, "function", "arguments") != `{"command":"ls"}` {
			t.Errorf("stream %s: calls %v", stream, call)
		}
		if got := at(t, events[len(events)-1], "choices", 0, "finish_reason"); got != "tool_calls" {
			t.Errorf("stream %s: ends with %v", stream, got)
		}
	}
	_, events := answerOf(t, "/v1/chat/completions", `{"messages":[{"role":"user","content":"hello"}]}`)
	choice := at(t, events[0], "choices", 0)
	if at(t, choice, "message", "content") != Unscripted || at(t, choice, "finish_reason") != "stop" || at(t, choice, "message", "tool_calls") != nil {
		t.Errorf("says %v", choice)
	}
}

func TestUnknownRequestsAreErrors(t *testing.T) {
	for path, want := range map[string]int{
		"/v1/messages": http.StatusNotFound, "/v1/chat/completions": http.StatusBadRequest, "/v1beta/models/some:generateContent": http.StatusBadRequest,
		"/v1beta/models/some:countTokens": http.StatusOK, "/v1/models": http.StatusOK,
	} {
		if got, _ := answerOf(t, path, "no JSON"); got != want {
			t.Errorf("%s answers %d, want %d", path, got, want)
		}
	}
}
