package hosting

import (
	"encoding/json"

	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// A Call is what a hook is told of a call.
type Call struct {
	Agent   string          `json:"agent"`   // as in "run AGENT"
	Session string          `json:"session"` // the agent's name for it
	ID      string          `json:"id,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
}

// is reports the call that the agent announced. Hooks of some agents aren't told
// its name: then it is the one that does the same.
func (c Call) is(announced acp.Call) bool {
	if c.ID != "" {
		return c.ID == announced.ID
	}
	mine, theirs := subject(c.Input), subject(announced.RawInput)
	return mine != "" && mine == theirs
}

// subject is the command or the file that arguments name; empty where they name
// none, or more than one.
func subject(input json.RawMessage) (found string) {
	var o map[string]json.RawMessage
	if json.Unmarshal(input, &o) != nil {
		return ""
	}
	for name, kind := range map[string]string{"command": "command ", "path": "file ", "file_path": "file ", "fileName": "file "} {
		var text string
		switch {
		case o[name] == nil:
		case found != "", json.Unmarshal(o[name], &text) != nil, text == "":
			return ""
		default:
			found = kind + text
		}
	}
	return found
}
