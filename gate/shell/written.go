package shell

import "strings"

// Removed lists the files and folders that c seems to delete or move away,
// relative to c.Dir.
func (c *Command) Removed() []string {
	_, operands := c.flagged("", "")
	switch ownName(c.Program()) {
	case "rm", "rmdir", "unlink", "shred":
		return operands
	case "mv":
		if len(c.targetFolders()) > 0 {
			return operands
		}
		return operands[:max(len(operands)-1, 0)]
	case "git":
		return c.gitRemoved()
	}
	return nil
}

// Written lists the files that c seems to write, replace or delete: by
// redirection, by the operands of the few programs that are there for it, or by
// what usually names an output. They are relative to c.Dir. What else programs
// write isn't known.
func (c *Command) Written() (paths []string) {
	for _, r := range c.Redirects {
		if r.Writes {
			paths = append(paths, r.Target.path())
		}
	}
	_, operands := c.flagged("", "")
	switch ownName(c.Program()) {
	case "tee", "sponge", "truncate", "touch", "mkdir", "mkfifo", "rm", "rmdir", "unlink", "shred":
		return append(paths, operands...)
	case "mv":
		return append(append(paths, operands...), c.received(operands)...)
	case "ln": // without -s under its new name the file itself is changed
		if symbolic, _ := c.flagged("s", "symbolic"); !symbolic {
			paths = append(paths, operands...)
		}
		return append(paths, c.received(operands)...)
	case "cp", "install", "rsync", "scp":
		return append(append(paths, c.received(operands)...), c.ownOutputs()...)
	case "sed", "gsed", "perl":
		if isSed(ownName(c.Program())) {
			_, script := c.sedScripts()
			paths = append(paths, script.writes...)
		}
		if inPlace, _ := c.flagged("i", "in-place"); inPlace {
			return append(paths, operands...)
		}
	case "awk", "gawk", "mawk", "nawk":
		paths = append(paths, c.awkWritten()...)
	case "dd":
		for _, o := range operands {
			if of, ok := strings.CutPrefix(o, "of="); ok {
				paths = append(paths, of)
			}
		}
	}
	return append(paths, c.outputs()...)
}
