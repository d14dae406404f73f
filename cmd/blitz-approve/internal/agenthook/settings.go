package agenthook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// settings say how an agent is told of its hook.
type settings struct {
	// path is the file of one person's settings, and project one below the
	// workspace that is theirs too; empty where there is none.
	path    func(home string, get func(string) string) string
	project string
	// events are those for which the hook is set, each by a group with a limit.
	events  []string
	timeout string
	// file is a whole file of ours instead.
	file string
	// onFailure is what the command line ends with.
	onFailure string
	// then is what is left for the person to do.
	then string
}

// group is an entry in the form of Claude Code's settings.
const group = `{
  "matcher": "*",
  "hooks": [
    {
      "type": "command",
      "command": %s,
      "timeout": %s
    }
  ]
}`

// sayAndStop is for agents that take exit code 2 for a refusal only if a word
// comes with it.
const sayAndStop = "{ echo blitz-approve failed, so that the call is stopped >&2; exit 2; }"

// Path is the file that tells the agent of its hook; get looks into the
// environment.
func (a *Agent) Path(home string, get func(string) string) string { return a.settings.path(home, get) }

// ProjectPath is such a file below a workspace, for one project and one person;
// empty where the agent has none.
func (a *Agent) ProjectPath() string { return a.settings.project }

// Then is what the person has to do, or know, when it is installed.
func (a *Agent) Then() string { return a.settings.then }

// ours is what each command of ours holds.
func (a *Agent) ours() string { return " hook " + a.Name + " " }

// holdsOurs reports a command line of ours in a text, also of a program that was
// given another name.
func (a *Agent) holdsOurs(text string) bool {
	return strings.Contains(text, "'"+a.ours()+"--limit ") ||
		strings.Contains(text, "blitz-approve") && strings.Contains(text+" ", a.ours())
}

// Command is the command line of the hook for a program. Whatever becomes of
// the program, also when it isn't there any more, the call is stopped: other
// exit codes than 2 would let it happen.
func (a *Agent) Command(program string) string {
	return "'" + strings.ReplaceAll(program, "'", `'\''`) + "'" + a.ours() + "--limit 1h || " + a.settings.onFailure
}

// quoted is the command line in JSON. json.Marshal writes & as an escape, which
// nobody wants to read.
func (a *Agent) quoted(program string) (string, error) {
	command, err := json.Marshal(a.Command(program))
	return strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">").Replace(string(command)), err
}

// Installed reports whether the text of a settings file holds the hook.
func (a *Agent) Installed(text []byte) bool {
	without, err := a.Uninstall(text)
	return err == nil && !bytes.Equal(text, without)
}

// Install adds the hook to the text of a settings file and keeps everything
// else in it, to the byte. Entries of an earlier install are replaced.
func (a *Agent) Install(text []byte, program string) ([]byte, error) {
	command, err := a.quoted(program)
	if err != nil {
		return nil, err
	}
	if a.settings.file != "" {
		if len(bytes.TrimSpace(text)) > 0 && !a.Installed(text) {
			return nil, errors.New("it holds something else")
		}
		return fmt.Appendf(nil, a.settings.file, command), nil
	}
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	if text, err = a.Uninstall(text); err != nil {
		return nil, err
	}
	entry := fmt.Sprintf(group, command, a.settings.timeout)
	for _, event := range a.settings.events {
		if text, err = added(text, event, entry); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// added puts an entry at the end of those of an event.
func added(text []byte, name, entry string) ([]byte, error) {
	top, err := whole(text)
	if err != nil {
		return nil, err
	}
	hooks, found, err := find(text, top, "hooks")
	if err != nil {
		return nil, err
	}
	if !found {
		return appended(text, top, 0, "\"hooks\": {\n  \""+name+"\": [\n    "+strings.ReplaceAll(entry, "\n", "\n    ")+"\n  ]\n}"), nil
	}
	event, found, err := find(text, hooks, name)
	if err != nil {
		return nil, err
	}
	if !found {
		return appended(text, hooks, 1, "\""+name+"\": [\n  "+strings.ReplaceAll(entry, "\n", "\n  ")+"\n]"), nil
	}
	if _, err := parts(text, event, '['); err != nil {
		return nil, err
	}
	return appended(text, event, 2, entry), nil
}

// Uninstall takes our hooks out of the text of a settings file, and what would
// be empty then. Without one the text comes back as it is, and nothing of a file
// that is all ours.
func (a *Agent) Uninstall(text []byte) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	if a.settings.file != "" {
		if a.holdsOurs(string(text)) {
			return nil, nil
		}
		return text, nil
	}
	for {
		next, err := a.uninstallOne(text)
		if err != nil || next == nil {
			return text, err
		}
		text = next
	}
}

// uninstallOne takes one of our hooks out; nil when there is none.
func (a *Agent) uninstallOne(text []byte) ([]byte, error) {
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
				if !a.isOurs(text[c.from:c.to]) {
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

func (a *Agent) isOurs(raw json.RawMessage) bool {
	var o map[string]json.RawMessage
	var command string
	return json.Unmarshal(raw, &o) == nil && json.Unmarshal(o["command"], &command) == nil && a.holdsOurs(command)
}
