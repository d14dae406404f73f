package agenthook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// settings say how an agent is told of its hook.
type settings struct {
	// path is the file of one person's settings, and project one below the
	// workspace that is theirs too; empty where there is none.
	path    func(home string, get func(string) string) string
	project string
	// events are those for which the hook is set, each by an entry with a limit:
	// in the form of entry, or in Claude Code's where that is empty.
	events  []string
	timeout string
	entry   string
	// start is what a new file holds beside; {} where it is empty.
	start string
	// file is a whole file of ours instead, made of the command line and of the
	// program, each in JSON.
	file string
	// stops are switches that keep the hook from running; nil where none is known.
	stops func(file, workspace string) []Switch
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

// A Switch is a setting of an agent which, when it is true, keeps the hooks of a
// person from running.
type Switch struct{ File, Name string }

// Stops are the switches of the agent, for its settings in file and in a
// workspace, and those of who manages the machine.
func (a *Agent) Stops(file, workspace string) []Switch {
	if a.settings.stops == nil {
		return nil
	}
	return a.settings.stops(file, workspace)
}

// On reports whether the text of a file of settings sets the switch.
func (s Switch) On(text []byte) bool {
	var o object
	return json.Unmarshal(text, &o) == nil && string(o[s.Name]) == "true"
}

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

// quoted is a text in JSON. json.Marshal writes & as an escape, which nobody
// wants to read.
func quoted(text string) string {
	command, _ := json.Marshal(text)
	return strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">").Replace(string(command))
}

// Installed reports whether the text of a settings file holds the hook.
func (a *Agent) Installed(text []byte) bool {
	without, err := a.without(text)
	return err == nil && !bytes.Equal(text, without)
}

// Install adds the hook to the text of a settings file and keeps everything
// else in it, to the byte. Entries of an earlier install are replaced.
func (a *Agent) Install(text []byte, program string) ([]byte, error) {
	command := quoted(a.Command(program))
	if a.settings.file != "" {
		if len(bytes.TrimSpace(text)) > 0 && !a.Installed(text) {
			return nil, errors.New("it holds something else")
		}
		return fmt.Appendf(nil, a.settings.file, command, quoted(program)), nil
	}
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte(a.start() + "\n")
	}
	text, err := a.without(text)
	if err != nil {
		return nil, err
	}
	entry := fmt.Sprintf(cmp.Or(a.settings.entry, group), command, a.settings.timeout)
	for _, event := range a.settings.events {
		if text, err = added(text, event, entry); err != nil {
			return nil, err
		}
	}
	return text, nil
}

func (a *Agent) start() string { return cmp.Or(a.settings.start, "{}") }

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
// be empty then. Without one the text comes back as it is, and nothing where
// nothing else was in it.
func (a *Agent) Uninstall(text []byte) ([]byte, error) {
	rest, err := a.without(text)
	if err == nil && !bytes.Equal(rest, text) && a.settings.file == "" && sameJSON(rest, []byte(a.start())) {
		return nil, nil
	}
	return rest, err
}

// sameJSON reports texts that differ in white space alone.
func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// without is the text without our hooks.
func (a *Agent) without(text []byte) ([]byte, error) {
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
		next, err := a.withoutOne(text)
		if err != nil || next == nil {
			return text, err
		}
		text = next
	}
}

// withoutOne takes one of our hooks out; nil when there is none.
func (a *Agent) withoutOne(text []byte) ([]byte, error) {
	top, err := whole(text)
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
		entries, err := parts(text, event, '[')
		if err != nil {
			return nil, err
		}
		for j, entry := range entries {
			rest, all, err := a.withoutIn(text, entry)
			switch {
			case err != nil || rest != nil:
				return rest, err
			case !all:
			case len(entries) > 1:
				return removed(text, event, entries, j), nil
			case len(events) > 1:
				return removed(text, hooks, events, i), nil
			default:
				return withoutMember(text, top, "hooks")
			}
		}
	}
	return nil, nil
}

// withoutIn takes one of our hooks out of an entry of an event; all says that the
// entry is nothing else. An entry is a hook, or a group of some.
func (a *Agent) withoutIn(text []byte, entry part) (rest []byte, all bool, err error) {
	if a.isOurs(text[entry.from:entry.to]) {
		return nil, true, nil
	}
	list, found, err := find(text, entry, "hooks")
	if err != nil || !found {
		return nil, false, err
	}
	commands, err := parts(text, list, '[')
	for i, c := range commands {
		switch {
		case !a.isOurs(text[c.from:c.to]):
		case len(commands) == 1:
			return nil, true, nil
		default:
			return removed(text, list, commands, i), false, nil
		}
	}
	return nil, false, err
}

func withoutMember(text []byte, in part, name string) ([]byte, error) {
	members, err := parts(text, in, '{')
	i := slices.IndexFunc(members, func(m part) bool { return m.name == name })
	if err != nil || i < 0 {
		return nil, err
	}
	return removed(text, in, members, i), nil
}

func (a *Agent) isOurs(raw json.RawMessage) bool {
	var o map[string]json.RawMessage
	var command string
	return json.Unmarshal(raw, &o) == nil && json.Unmarshal(o["command"], &command) == nil && a.holdsOurs(command)
}
