package shell

import (
	"path"
	"strings"
)

// downloads are the programs that fetch a file.
const downloads = "curl wget fetch aria2c http lwp-request"

// interpreters are the programs that take a script from their words, a file or
// their input.
const interpreters = "python python2 python3 perl ruby node php lua osascript"

// fetched reports whether command i runs code and takes it from a download:
// through a pipe, or by a substitution in its words.
func (l *Line) fetched(i int) bool {
	c := &l.Commands[i]
	name := base(c.Program())
	if listed(downloads, name) {
		for p := c.parent; p > 0; p = l.Commands[p-1].parent {
			if outer := &l.Commands[p-1]; runsText(outer) || runsWords(outer) || l.passesOn(p) {
				return true
			}
		}
		return false
	}
	if c.pipeline == 0 || !runsText(c) {
		return false
	}
	for k := range l.Commands[:i] {
		other := &l.Commands[k]
		if other.pipeline == c.pipeline && listed(downloads, base(other.Program())) {
			return true
		}
	}
	return false
}

// passesOn reports whether the command of that number wraps one that runs what
// it is given, as sudo does in sudo bash <(curl x).
func (l *Line) passesOn(number int) bool {
	for i := number; i < len(l.Commands); i++ {
		c := &l.Commands[i]
		for w := c.wrapper; w > 0; w = l.Commands[w-1].wrapper {
			if w == number && (runsText(c) || runsWords(c)) {
				return true
			}
		}
	}
	for i := range l.Possible {
		if c := &l.Possible[i]; c.wrapper == number && (runsText(c) || runsWords(c)) {
			return true
		}
	}
	return false
}

// runsText reports whether c runs what it reads or is given.
func runsText(c *Command) bool {
	name := base(c.Program())
	return isShell(name) || name == "eval" || name == "source" || name == "." ||
		listed(interpreters, name) && len(c.Words) < 3
}

// runsWords reports whether c is an interpreter that takes a script from its
// words.
func runsWords(c *Command) bool {
	return listed(interpreters, base(c.Program())) && anyOf(c.Args(), func(s string) bool { return listed("-c -e -E -r -n -p --eval --print --run", s) })
}

// savedThenRun reports whether command i runs a file that an earlier one of the
// line downloads (TAM-15).
func (l *Line) savedThenRun(i int) bool {
	started := l.Commands[i].started()
	if started == "" {
		return false
	}
	for k := range l.Commands[:i] {
		if anyOf(l.Commands[k].downloaded(), func(s string) bool { return path.Clean(s) == started }) {
			return true
		}
	}
	return false
}

// started is the file that c runs: its program where that is a path, or the
// script that it gives to a shell or another interpreter.
func (c *Command) started() string {
	name := c.Program()
	if isShell(base(name)) || listed("source . "+interpreters, base(name)) {
		if _, operands := c.flagged("", ""); len(operands) > 0 {
			return path.Clean(operands[0])
		}
		return ""
	}
	if strings.Contains(name, "/") {
		return path.Clean(name)
	}
	return ""
}

// downloaded lists the files that c saves what it fetches to.
func (c *Command) downloaded() (files []string) {
	name := base(c.Program())
	if !listed(downloads, name) {
		return nil
	}
	files = c.Written()
	named, operands := c.flagged("O", "remote-name remote-name-all")
	if named || name == "wget" {
		for _, address := range operands {
			address, _, _ = strings.Cut(address, "?")
			files = append(files, path.Base(address))
		}
	}
	return files
}
