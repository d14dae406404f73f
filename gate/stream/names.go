package stream

import (
	"encoding/json"
	"fmt"
	"strings"
)

// exactNames refuses names of fields that package json takes for others of ours:
// "Command" would take the place of "command", which is what the program runs.
// Arguments of questions and what a tool declares are read by name elsewhere.
func exactNames(line []byte) error {
	var m, request map[string]json.RawMessage
	var diff []map[string]json.RawMessage
	if err := json.Unmarshal(line, &m); err != nil {
		return err
	}
	// What isn't built so was refused already, or is of a wrong name.
	_ = json.Unmarshal(m["request"], &request)
	_ = json.Unmarshal(request["diff"], &diff)
	for _, o := range append(diff, m, request) {
		for name := range o {
			if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
				return fmt.Errorf("unknown field %q", name)
			}
		}
	}
	return nil
}
