package acp

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// What calls wrote is not kept when they have ended: an agent that changes large
// files all day doesn't fill the memory.
func TestEndedCallsAreLight(t *testing.T) {
	h := newHost(Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	shown := 0
	h.options.Events = func(e Event) {
		if c, ok := e.(CallUpdated); ok {
			shown += len(c.Call.Content)
		}
	}
	const calls, size = 20, 1 << 20
	for i := range calls {
		id := fmt.Sprintf(`"toolCallId":"c%d"`, i)
		diff := fmt.Sprintf(`"content":[{"type":"diff","path":"/w/a","newText":%q}]`, strings.Repeat("x", size))
		h.callUpdate(parseObject(json.RawMessage(`{` + id + `,"kind":"edit",` + diff + `}`)))
		h.callUpdate(parseObject(json.RawMessage(`{` + id + `,"status":"completed"}`)))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > calls*size/10 {
		t.Errorf("%d calls of %d bytes left %d", calls, size, grown)
	}
	if shown != calls {
		t.Errorf("%d of %d ends told what was written", shown, calls)
	}
	runtime.KeepAlive(h)
}

// What a call was told to be is kept until it ends, whatever a request for
// permission says of its status: the request is judged by it.
func TestRequestEndsNoCall(t *testing.T) {
	h := newHost(Options{})
	h.track(parseCall(parseObject(json.RawMessage(`{"toolCallId":"c","kind":"execute","rawInput":{"command":"rm x"}}`))), true)
	h.track(parseCall(parseObject(json.RawMessage(`{"toolCallId":"c","status":"completed"}`))), false)
	if got := string(h.calls["c"].told.RawInput); got != `{"command":"rm x"}` {
		t.Errorf("it is forgotten: %q", got)
	}
}

// TestCallsWithoutEnd: what is kept of calls that never end is bounded, however
// large what the agent says of them is, and the newest stays.
func TestCallsWithoutEnd(t *testing.T) {
	text := strings.Repeat("x", 1<<20)
	for name, call := range map[string]Call{
		"titles": {Title: text}, "arguments": {RawInput: json.RawMessage(text)}, "contents": {Content: []Content{{Diff: &Diff{New: text, Old: &text}}}},
	} {
		h := newHost(Options{})
		for i := range 500 {
			call.ID = fmt.Sprint(i)
			h.track(call, true)
		}
		kept := 0
		for _, c := range h.calls {
			kept += c.size()
		}
		if kept == 0 || kept > maxKept || kept != h.kept || len(h.order) != len(h.calls) {
			t.Errorf("%s: %d bytes of %d calls are kept, and taken for %d of %d", name, kept, len(h.calls), h.kept, len(h.order))
		}
		if h.calls["499"].told.ID == "" {
			t.Errorf("%s: the newest is gone", name)
		}
		for id := range h.calls {
			h.track(Call{ID: id, Status: StatusCompleted}, true)
		}
		if name != "titles" && h.kept > 1<<20 { // a title is shown on
			t.Errorf("%s: %d bytes are kept of calls that ended", name, h.kept)
		}
	}
}
