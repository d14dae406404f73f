package hosting

import (
	"encoding/json"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// BEY-01: a call is the one of that name; without a name the one that does the
// same, if that can be said.
func TestSameCall_BEY01(t *testing.T) {
	for _, c := range []struct {
		id, input, announced string
		want                 bool
	}{
		{id: "c1", want: true},
		{id: "c2", input: `{"command":"ls"}`, announced: `{"command":"ls"}`},
		{input: `{"command":"ls","description":"x"}`, announced: `{"command":"ls"}`, want: true},
		{input: `{"command":"ls"}`, announced: `{"command":"rm x"}`},
		{input: `{"file_path":"/a","diff":"x"}`, announced: `{"path":"/a","file_text":"x"}`, want: true},
		{input: `{"path":"/a"}`, announced: `{"command":"/a"}`},
		{input: `{"url":"x"}`, announced: `{"url":"x"}`},
		{input: `{"command":"ls","path":"/a"}`, announced: `{"command":"ls","path":"/a"}`},
		{input: `{"command":["ls"]}`, announced: `{"command":["ls"]}`},
		{input: ``, announced: ``},
	} {
		call := Call{ID: c.id, Input: json.RawMessage(c.input)}
		if got := call.is(acp.Call{ID: "c1", RawInput: json.RawMessage(c.announced)}); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
