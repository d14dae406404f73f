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
