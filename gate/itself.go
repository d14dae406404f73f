package gate

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// homeVariable is how a person moves the gate's own folder elsewhere.
const homeVariable = "BLITZ_HOME"

// hookFiles are where agents are told to ask the gate before each call, below the
// person's home or the workspace: without them nothing is asked any more.
var hookFiles = []string{
	".claude/settings.json", ".claude/settings.local.json", ".codex/hooks.json", ".codex/config.toml", ".gemini/settings.json",
	".copilot/hooks", ".config/opencode/plugin", ".cursor/hooks.json",
}

// ownCommand finds a call of the gate's program that may change something,
// within words that another program may run.
var ownCommand = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`blitz-approve(?:\.exe|@\S+)?['",\[\])\s]+(?:--?\S+\s+(?:\S+\s+)?)*(?:run|acp|stream|mcp|mode|rules|trust|settings|approvals|grants|install|uninstall|hook)\b`)
})

// touchesGate says why a line may change the gate's own files or end its
// process: then whatever allows the line is no answer, as with the critical
// commands (TAM-15). Programs that only read may look at the files.
func (e *evaluation) touchesGate() (why string, yes bool) {
	for i := range e.commands {
		c := &e.commands[i]
		switch {
		case c.readOnly && c.ask == nil:
		case killsThis(c.Command):
			return "it ends the gate's own process", true
		case ownCommand().MatchString(strings.Join(c.Args(), " ")):
			return "it may run blitz-approve, which may change what is allowed", true
		case e.namesGate(c.Command):
			return "it may change the gate's own files", true
		case e.changesHooks(c.Command):
			return "it may keep an agent from asking the gate", true
		}
	}
	return "", false
}

// killsThis reports a kill of this process, or of the group that it leads.
func killsThis(c *shell.Command) bool {
	return c.Program() == "kill" && slices.ContainsFunc(c.Args()[1:], func(w string) bool {
		return strings.TrimPrefix(w, "-") == strconv.Itoa(os.Getpid())
	})
}

// namesGate reports a command that works in the gate's folder, or of which a
// word names it: as a file, by a wildcard, or within a text.
func (e *evaluation) namesGate(c *shell.Command) bool {
	if slices.ContainsFunc(c.Args(), e.mentionsGate) || slices.ContainsFunc(c.Assigns, func(a shell.Assign) bool { return a.Name == homeVariable || e.mentionsGate(a.Value.Text) }) {
		return true
	}
	home := e.place.gateHome
	if home.written == "" {
		return false
	}
	in := func(f filePath) bool {
		return slices.ContainsFunc(f.forms, func(form string) bool { _, ok := home.within(form); return ok })
	}
	if c.Dir != "" && in(e.commandFile(c, ".")) {
		return true
	}
	if c.Unpacks() && e.aboveGate(c) {
		return true
	}
	for _, name := range slices.Concat(c.Operands(), c.Written()) {
		if in(e.commandFile(c, name)) {
			return true
		}
	}
	for _, glob := range c.Globs() {
		for _, form := range e.commandFile(c, glob).forms {
			if slices.ContainsFunc(home.names(), func(name string) bool { return (&filePattern{text: name}).mayMeet(form) }) {
				return true
			}
		}
	}
	return false
}

// aboveGate reports a command that writes names which aren't in it into the folder
// that the gate's own lies in.
func (e *evaluation) aboveGate(c *shell.Command) bool {
	return slices.ContainsFunc(append(c.Written(), "."), func(name string) bool {
		return slices.ContainsFunc(e.commandFile(c, name).forms, func(form string) bool {
			return slices.ContainsFunc(e.place.gateHome.names(), func(home string) bool { return path.Dir(home) == form })
		})
	})
}

// changesHooks reports a command that is known to write or take away one of the
// hookFiles, or a folder that holds some of them.
func (e *evaluation) changesHooks(c *shell.Command) bool {
	for _, name := range slices.Concat(c.Written(), c.Removed()) {
		for _, form := range e.commandFile(c, name).forms {
			for _, root := range []root{e.place.home, e.place.workspace} {
				if rel, ok := root.within(form); ok && rel != "" && slices.ContainsFunc(hookFiles, func(file string) bool { return rel == file || isBelow(rel, file) || isBelow(file, rel) }) {
					return true
				}
			}
		}
	}
	return false
}

// mentionsGate reports a text, such as a script for an interpreter, that holds
// a name of the gate's folder.
func (e *evaluation) mentionsGate(text string) bool {
	if strings.Contains(text, homeVariable) {
		return true
	}
	for _, name := range e.place.gateHome.names() {
		if holdsPath(text, name) {
			return true
		}
		rel, ok := e.place.home.within(name)
		if ok && rel != "" && slices.ContainsFunc([]string{"~/", "$HOME/", "${HOME}/"}, func(home string) bool { return holdsPath(text, home+rel) }) {
			return true
		}
	}
	return false
}

// holdsPath reports whether text holds path, and not as a part of a longer name.
func holdsPath(text, path string) bool {
	for {
		_, after, found := strings.Cut(text, path)
		if !found {
			return false
		}
		if after == "" || !strings.ContainsRune("_-", rune(after[0])) && !isAlphanumeric(after[0]) {
			return true
		}
		text = after
	}
}

func isAlphanumeric(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// protectedWrites are the protected files that a command is known to write, or
// that are the value of an option by which it may, and says so.
func (e *evaluation) protectedWrites(c *shell.Command) (files []string, why string) {
	for _, name := range c.Written() {
		if f := e.commandFile(c, name); name != "" && e.place.protected(f, false) {
			files = append(files, name)
		}
	}
	for _, name := range c.Valued() {
		f := e.commandFile(c, name)
		// A folder alone, such as .git, is what many programs are told to pass over.
		if !protectedFolders[path.Base(f.written())] && e.place.protected(f, false) && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	if len(files) > 0 {
		why = "it writes to " + files[0] + ", which is protected, so that only a rule for exactly this allows it"
	}
	return files, why
}
