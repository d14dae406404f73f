package agenthook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// ours is what each command of ours holds.
const ours = " hook claude "

// group is the entry in Claude Code's settings.
const group = `{
  "matcher": "*",
  "hooks": [
    {
      "type": "command",
      "command": %s,
      "timeout": 3600
    }
  ]
}`

// Command is the command line of the hook for a program. Whatever becomes of
// the program, also when it isn't there any more, the call is stopped: exit
// codes other than 2 would let it happen.
func Command(program string) string {
	return "'" + strings.ReplaceAll(program, "'", `'\''`) + "'" + ours + "--limit 1h || exit 2"
}

// Install adds the hook to the text of a settings file and keeps everything
// else in it, to the byte. Entries of an earlier install are replaced.
func Install(text []byte, program string) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	text, err := Uninstall(text)
	if err != nil {
		return nil, err
	}
	command, err := json.Marshal(Command(program))
	if err != nil {
		return nil, err
	}
	// json.Marshal writes & as an escape, which nobody wants to read.
	entry := fmt.Sprintf(group, strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">").Replace(string(command)))
	top, err := whole(text)
	if err != nil {
		return nil, err
	}
	hooks, found, err := find(text, top, "hooks")
	if err != nil {
		return nil, err
	}
	if !found {
		return appended(text, top, 0, "\"hooks\": {\n  \""+PreToolUse+"\": [\n    "+strings.ReplaceAll(entry, "\n", "\n    ")+"\n  ]\n}"), nil
	}
	event, found, err := find(text, hooks, PreToolUse)
	if err != nil {
		return nil, err
	}
	if !found {
		return appended(text, hooks, 1, "\""+PreToolUse+"\": [\n  "+strings.ReplaceAll(entry, "\n", "\n  ")+"\n]"), nil
	}
	if _, err := parts(text, event, '['); err != nil {
		return nil, err
	}
	return appended(text, event, 2, entry), nil
}

// Uninstall takes our hooks out of the text of a settings file, and what would
// be empty then. Without one the text comes back as it is.
func Uninstall(text []byte) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	for {
		next, err := uninstallOne(text)
		if err != nil || next == nil {
			return text, err
		}
		text = next
	}
}

// uninstallOne takes one of our hooks out; nil when there is none.
func uninstallOne(text []byte) ([]byte, error) {
	top, err := whole(text)
	if err != nil {
		return nil, err
	}
	members, err := parts(text, top, '{')
	if err != nil {
		return nil, err
	}
	hooks, found, err := find(text, top, "hooks")
	if err != nil || !found {
		return nil, err
	}
	events, err := parts(text, hooks, '{')
	if err != nil {
		return nil, err
	}
	for i, event := range events {
		groups, err := parts(text, event, '[')
		if err != nil {
			return nil, err
		}
		for j, g := range groups {
			list, found, err := find(text, g, "hooks")
			if err != nil {
				return nil, err
			}
			if !found {
				continue
			}
			commands, err := parts(text, list, '[')
			if err != nil {
				return nil, err
			}
			for k, c := range commands {
				if !isOurs(text[c.from:c.to]) {
					continue
				}
				switch {
				case len(commands) > 1:
					return removed(text, list, commands, k), nil
				case len(groups) > 1:
					return removed(text, event, groups, j), nil
				case len(events) > 1:
					return removed(text, hooks, events, i), nil
				}
				for n := range members {
					if members[n].name == "hooks" {
						return removed(text, top, members, n), nil
					}
				}
			}
		}
	}
	return nil, nil
}

func isOurs(raw json.RawMessage) bool {
	var o map[string]json.RawMessage
	var command string
	return json.Unmarshal(raw, &o) == nil && json.Unmarshal(o["command"], &command) == nil &&
		strings.Contains(command, "blitz-approve") && strings.Contains(command+" ", ours)
}
