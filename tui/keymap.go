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

func newKeymap(o Options) keymap {
	letters := o.AnswerKeys == AnswerLetters
	k := keymap{
		homeScreen:     homeKeys(),
		requestScreen:  requestKeys(letters),
		fullScreen:     fullKeys(letters),
		saveScreen:     saveKeys(),
		reasonScreen:   reasonKeys(),
		editScreen:     editKeys(),
		questionScreen: questionKeys(),
		listScreen:     listKeys(),
		planScreen:     planKeys(letters),
		lineScreen:     lineKeys(),
		sheetScreen:    sheetKeys(),
		endScreen:      nil,
		smallScreen:    {{name: "cancel", keys: []string{"ctrl+c"}, help: "refuse everything and cancel the turn", run: (*Model).interrupt}},
	}
	for _, s := range []screen{homeScreen, requestScreen, fullScreen, questionScreen, planScreen} {
		k[s] = append(k[s], binding{name: "suspend", keys: []string{"ctrl+z"}, help: "back to the shell; fg comes back", run: (*Model).suspend})
	}
	for s, table := range k {
		for i := range table {
			if keys, ok := o.Keys[table[i].name]; ok && checkKeys(table[i].name, keys) == nil {
				k[s][i].keys = strings.Fields(keys)
			}
		}
	}
	return k
}

func (k keymap) find(s screen, key string) (binding, bool) {
	for _, b := range k[s] {
		if slices.Contains(b.keys, key) {
			return b, true
		}
	}
	return binding{}, false
}

// Commands lists the commands that [Options].Keys can give other keys, with
// what they do.
func Commands() map[string]string {
	commands := map[string]string{}
	for _, table := range newKeymap(Options{}) {
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
// commands, and keys that have another meaning everywhere.
func CheckKeys(keys map[string]string) error {
	commands := Commands()
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		if _, ok := commands[name]; !ok {
			errs = append(errs, fmt.Errorf("no command is called %q: use one of %s", name, strings.Join(slices.Sorted(maps.Keys(commands)), ", ")))
			continue
		}
		errs = append(errs, checkKeys(name, keys[name]))
	}
	return errors.Join(errs...)
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
