package agenthook

import (
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/gate"
)

// canEdit reports whether what a person makes of the request can be put into
// the call's arguments.
func (e Event) canEdit(t tool, r *gate.Request, requests int) bool {
	if requests != 1 || e.fields() == nil || e.asks && !e.Agent.editsAsked {
		return false
	}
	switch {
	case t.edits.command != "":
		return true
	case t.edits.whole != "":
		return len(r.Diff) == 1
	case t.edits.old != "":
		return len(r.Diff) == 1 && len(r.Diff[0].Before) > 0 && utf8.Valid(r.Diff[0].Before)
	}
	return false
}

func (e Event) fields() (o object) {
	_ = json.Unmarshal(e.Input, &o)
	return o
}

// errNotText is for what arguments can't carry as it is.
var errNotText = errors.New("what was edited holds bytes that are no text, which the agent can't be given")

// Edited are the arguments for what a person made of the call.
func (e Event) Edited(r gate.Request) (json.RawMessage, error) {
	o := e.fields()
	exact := true
	set := func(name, value string) {
		exact = exact && utf8.ValidString(value)
		o[name], _ = json.Marshal(value)
	}
	t, _ := e.tool()
	switch t := t.edits; {
	case t.command != "":
		set(t.command, r.Targets[0])
	case t.whole != "":
		set(t.whole, string(r.Diff[0].After))
	case t.old != "":
		set(t.old, string(r.Diff[0].Before))
		set(t.new, string(r.Diff[0].After))
		if t.all != "" {
			o[t.all] = json.RawMessage("false")
		}
	}
	if !exact {
		return nil, errNotText
	}
	return json.Marshal(o)
}
