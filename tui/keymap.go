package tui

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// keymap is the tables of one program.
type keymap map[screen][]binding

// newKeymap is the tables with the person's own keys where they are right.
func newKeymap(o Options) keymap {
	keys, _ := sound(o.Keys)
	k := tables(o.AnswerKeys == AnswerLetters, keys)
	if o.Several {
		for _, s := range []screen{requestScreen, fullScreen, questionScreen, listScreen, planScreen} {
			k.explain(s, binding{name: "cancel", help: "clear what you typed, else refuse what this agent asks and cancel its turn"})
			k[s] = append(k[s], binding{name: "leave", keys: k.keysOf(homeScreen, "leave"), help: "twice: leave, and refuse what waits", run: (*Model).leaveAsked})
		}
	}
	return k
}

// explain gives the command of a screen the help of b.
func (k keymap) explain(s screen, b binding) {
	for i := range k[s] {
		if k[s][i].name == b.name {
			k[s][i].help = b.help
		}
	}
}

// keysOf are the keys of a command on a screen.
func (k keymap) keysOf(s screen, name string) []string {
	for _, b := range k[s] {
		if b.name == name {
			return b.keys
		}
	}
	return nil
}

// tables makes the tables with other keys for some commands.
func tables(letters bool, own map[string]string) keymap {
	k := keymap{
		homeScreen:     homeKeys(),
		requestScreen:  requestKeys(letters),
		fullScreen:     fullKeys(letters),
		saveScreen:     saveKeys(),
		reasonScreen:   reasonKeys(),
		editScreen:     editKeys(),
		questionScreen: questionKeys(letters),
		listScreen:     listKeys(letters),
		planScreen:     planKeys(letters),
		lineScreen:     lineKeys(),
		sheetScreen:    sheetKeys(),
		endScreen:      nil,
		smallScreen:    {{name: "cancel", keys: []string{"ctrl+c"}, help: "refuse everything and cancel the turn", run: (*Model).interrupt}},
	}
	maps.Copy(k, rulesTables())
	for s := range k {
		if s == endScreen || s == smallScreen {
			continue
		}
		k[s] = append(k[s], binding{name: "suspend", keys: []string{"ctrl+z"}, help: "back to the shell; fg comes back", run: (*Model).suspend})
	}
	for s, table := range k {
		for i := range table {
			if keys, ok := own[table[i].name]; ok {
				k[s][i].keys = strings.Fields(keys)
			}
		}
	}
	return k
}

// Commands lists the commands that [Options].Keys can give other keys, with
// what they do.
func Commands() map[string]string {
	commands := map[string]string{}
	for _, table := range tables(true, nil) {
		for _, b := range table {
			if movable(b.name) {
				commands[b.name] = b.help
			}
		}
	}
	return commands
}

// movable commands may have other keys. Those that keep a program usable, and
// those that several keys share a name for, may not.
func movable(name string) bool {
	switch name {
	case "enter", "cancel", "close", "check", "no", "option", "save", "submit", "decline", "keep":
		return false
	}
	return true
}

// CheckKeys says what is wrong with a map for [Options].Keys: unknown
// commands, keys that have another meaning everywhere, and keys that two
// commands of one screen would share.
func CheckKeys(keys map[string]string) error {
	_, err := sound(keys)
	return err
}

// KeyConflict is the first key that the command name would share with another
// one of keys, or of those that keep theirs; nil without one.
func KeyConflict(keys map[string]string, name string) error {
	for _, c := range conflicts(keys) {
		if slices.Contains(c.names[:], name) {
			return c
		}
	}
	return nil
}

// sound is what of keys can be used, and what is wrong with the rest.
func sound(keys map[string]string) (map[string]string, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	commands := Commands()
	own := map[string]string{}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		if _, ok := commands[name]; !ok && movable(name) {
			errs = append(errs, fmt.Errorf("no command is called %q: use one of %s", name, strings.Join(slices.Sorted(maps.Keys(commands)), ", ")))
		} else if err := checkKeys(name, keys[name]); err != nil {
			errs = append(errs, err)
		} else {
			own[name] = keys[name]
		}
	}
	// A command that gets its first keys back may be in the way of another.
	for {
		shared := conflicts(own)
		if len(shared) == 0 {
			return own, errors.Join(errs...)
		}
		for _, c := range shared {
			errs = append(errs, c)
			for _, name := range c.names {
				delete(own, name)
			}
		}
	}
}

// A keyConflict is one key for two commands, of which at least one was given
// it.
type keyConflict struct {
	key   string
	names [2]string
}

func (c keyConflict) Error() string {
	return fmt.Sprintf("%q and %q would both have the key %q: give one of them another", c.names[0], c.names[1], c.key)
}

// conflicts finds keys that two commands of one screen would share only
// because of what was given.
func conflicts(own map[string]string) []keyConflict {
	var found []keyConflict
	for _, letters := range []bool{true, false} {
		before := tables(letters, nil)
		for s, table := range tables(letters, own) {
			for i, b := range table {
				for j, other := range table[:i] {
					if b.name == other.name {
						continue
					}
					for _, key := range b.keys {
						was := slices.Contains(before[s][i].keys, key) && slices.Contains(before[s][j].keys, key)
						c := keyConflict{key, [2]string{other.name, b.name}}
						if slices.Contains(other.keys, key) && !was && !slices.Contains(found, c) {
							found = append(found, c)
						}
					}
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b keyConflict) int { return strings.Compare(a.Error(), b.Error()) })
	return found
}

// fixedKeys keep their meaning: they leave, cancel, type or send.
var fixedKeys = []string{"esc", "enter", "ctrl+c", "ctrl+d", "backspace", "delete", "tab", "up", "down", "left", "right", "space"}

func checkKeys(name, keys string) error {
	if !movable(name) {
		return fmt.Errorf("the keys of %q can't be changed", name)
	}
	fields := strings.Fields(keys)
	if len(fields) == 0 {
		return fmt.Errorf("%q needs a key", name)
	}
	for _, k := range fields {
		if slices.Contains(fixedKeys, k) {
			return fmt.Errorf("%q can't have the key %q, which has another meaning everywhere", name, k)
		}
		if name == "approve" && len([]rune(k)) == 1 {
			return fmt.Errorf("%q can't have the key %q, which types: choose one with ctrl, alt or f1 to f12", name, k)
		}
	}
	return nil
}

// plainKeyOf is the first key of a command that types nothing, whatever was
// written.
func (m *Model) plainKeyOf(s screen, name string) string {
	for _, b := range m.keys[s] {
		if b.name == name && !b.letter {
			return keyName(b.keys[0])
		}
	}
	return ""
}

// keyOf is the first key of a command.
func (m *Model) keyOf(s screen, name string) string {
	for _, b := range m.keys[s] {
		if b.name == name {
			return keyName(b.keys[0])
		}
	}
	return ""
}

// denyKey is the key that says no.
func (m *Model) denyKey() string {
	if key := m.keyOf(requestScreen, "deny"); key != "" {
		return key
	}
	return m.keyOf(requestScreen, "no")
}

// leaveOutKey is the key that leaves a hunk out.
func (m *Model) leaveOutKey() string { return m.keyOf(requestScreen, "leave-out") }
