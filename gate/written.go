package gate

import (
	"slices"
)

// restrictingWritten applies write and delete rules to files that a command is
// known to write or to delete, by redirection or by its words.
func (e *evaluation) restrictingWritten(effect Effect) *Rule {
	write, remove := &e.index.write[effect], &e.index.remove[effect]
	if write.empty() && remove.empty() {
		return nil
	}
	for i := range e.commands {
		c := e.commands[i].Command
		for _, name := range c.Written() {
			if r := write.restricting(e.commandFile(c, name), false); r != nil {
				return r
			}
		}
		for _, name := range c.Removed() {
			if r := remove.restricting(e.commandFile(c, name), true); r != nil {
				return r
			}
		}
	}
	return nil
}

// codeMayWrite is a file under a write or delete rule that code in a command's
// words may change.
func (e *evaluation) codeMayWrite() (file string, hit bool) {
	for _, x := range []*pathIndex{&e.index.write[Deny], &e.index.write[Ask], &e.index.remove[Deny], &e.index.remove[Ask]} {
		for i := range e.commands {
			if x.empty() {
				break
			}
			c := e.commands[i].Command
			for _, name := range c.CodeWrites() {
				if x.restricting(e.commandFile(c, name), false) != nil {
					return name, true
				}
			}
		}
	}
	return "", false
}

// unknownTarget reports a redirection to a file whose name is known only when
// the command runs, while a rule may speak against writing to it.
func (e *evaluation) unknownTarget() bool {
	if e.index.write[Deny].empty() && e.index.write[Ask].empty() {
		return false
	}
	return slices.ContainsFunc(e.commands, func(c command) bool {
		return c.WritesUnnamed()
	})
}
