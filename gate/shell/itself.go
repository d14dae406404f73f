package shell

import (
	"regexp"
	"strings"
)

// ownProgram is the gate's own. An agent that could run it as it likes would
// choose its own mode and rules.
const ownProgram = "blitz-approve"

// ownReaders are the subcommands of the gate that change and start nothing.
const ownReaders = "check why audit diff help"

func runsGate(c *Command) bool {
	if ownName(c.Program()) != ownProgram || len(c.Words) > 1 && listed(ownReaders, c.word(1)) {
		return false
	}
	// More words may make an option's value, or an agent's, of the last one.
	return len(c.Words) < 2 || len(c.Words) > 3 || !listed("--help -h --version -v", c.word(len(c.Words)-1))
}

func endsGate(c *Command) bool {
	return listed("pkill killall", ownName(c.Program())) && c.speaksOfGate()
}

// killsGate reports a line that looks for the gate's process, and kills.
func (l *Line) killsGate() bool {
	kills, finds := false, false
	for i := range l.Commands {
		c := &l.Commands[i]
		name := ownName(c.Program())
		kills = kills || name == "kill" || name == "xargs"
		finds = finds || listed("pgrep pidof", name) && c.speaksOfGate()
	}
	return kills && finds
}

// speaksOfGate reports a word that may be a pattern for the gate's name.
func (c *Command) speaksOfGate() bool {
	_, operands := c.flagged("", "")
	return anyOf(operands, func(s string) bool {
		if strings.Contains(strings.ToLower(s), "blitz") {
			return true
		}
		pattern, err := regexp.Compile("(?i)" + s)
		return err == nil && s != "" && pattern.MatchString(ownProgram)
	})
}

// movesGate reports a command by which the gate's program gets another name.
func movesGate(c *Command) bool {
	_, operands := c.flagged("", "")
	return listed("cp ln mv install", ownName(c.Program())) && anyOf(operands, func(s string) bool { return ownName(s) == ownProgram })
}

// Unpacks reports a command that writes files whose names aren't in it into a
// folder: from an archive, or all that lies in another.
func (c *Command) Unpacks() bool {
	_, operands := c.flagged("", "")
	switch ownName(c.Program()) {
	case "tar", "bsdtar", "gtar", "unzip", "7z", "7zz", "cpio", "pax", "rsync":
		return true
	case "cp":
		return anyOf(operands, func(s string) bool {
			return strings.HasSuffix(s, "/.") || s == "." || strings.HasSuffix(s, "/..") || s == ".."
		})
	}
	return false
}

func ownName(program string) string {
	return strings.TrimSuffix(strings.ToLower(base(program)), ".exe")
}
