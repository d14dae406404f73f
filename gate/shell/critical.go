package shell

import (
	"regexp"
	"strings"
	"sync"
)

// Critical reports whether a line holds one of the commands that can destroy
// a machine or hand it over, and which (TAM-15). Such a line forces a
// question in every mode but yolo, whatever allows it.
//
// It looks at the text as written, so that a line which can't be parsed is
// still found, and at the commands as read, so that quoting hides nothing.
// It is a net with a wide mesh for mistakes, not a proof that a line is safe.
func Critical(line string) (reason string, critical bool) {
	return Read(line).Critical()
}

// Critical is the function of that name for a line that was read already.
func (l *Line) Critical() (reason string, critical bool) {
	for _, c := range criticalText() {
		if strings.Contains(l.Source, c.hint) && c.text.MatchString(l.Source) {
			return c.reason, true
		}
	}
	if l.forkBomb {
		return "a fork bomb", true
	}
	if l.killsGate() {
		return "it ends blitz-approve", true
	}
	for i := range l.Possible {
		if reason, found := criticalCommand(&l.Possible[i]); found {
			return reason, true
		}
	}
	for i := range l.Commands {
		if reason, found := criticalCommand(&l.Commands[i]); found {
			return reason, true
		}
		if l.fetched(i) || l.savedThenRun(i) {
			return "it runs what it downloads", true
		}
	}
	return "", false
}

type textRule struct {
	hint   string // a text without which the expression can't match
	text   *regexp.Regexp
	reason string
}

var criticalText = sync.OnceValue(func() []textRule {
	const begin, end = `(?:^|[\s;&|('"` + "`" + `])`, `(?:$|[\s;&|)'"` + "`" + `])`
	rule := func(hint, text, reason string) textRule {
		return textRule{hint, regexp.MustCompile(text), reason}
	}
	return []textRule{
		rule("shutdown", begin+`shutdown`+end, "it shuts the machine down"),
		rule("reboot", begin+`reboot`+end, "it restarts the machine"),
		rule("poweroff", begin+`poweroff`+end, "it shuts the machine down"),
		rule("halt", begin+`halt`+end, "it shuts the machine down"),
		rule("rm", begin+`rm\s+(?:-\S+\s+)*-\S*[rRf]\S*\s+(?:-\S+\s+)*['"]?(?:/|~/?['"]?(?:$|[\s;&|)]))`, "it deletes below the root or the home"),
		rule("no-preserve-root", `--no-preserve-root`, "it may delete the root"),
		rule("mkfs", begin+`mkfs(?:\.\w+)?\s`, "it formats a disk"),
		rule("/etc/", `>\s*['"]?/etc/(?:passwd|shadow|gshadow|group|sudoers)`, "it writes the system's accounts"),
		rule("/dev/", `>\s*['"]?/dev/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|mapper/)`, "it writes to a disk"),
		rule("dd", begin+`dd\s[^;&|]*of=['"]?/dev/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|mapper/)`, "it writes to a disk"),
		rule("{", `:\s*\(\s*\)\s*\{[^}]*:\s*\|\s*:`, "a fork bomb"),
		rule("|", begin+`(?:curl|wget)\s[^;&\n]*\|\s*(?:sudo\s+)?(?:\S*/)?(?:ba|z|da|k|fi)?sh`+end, "it runs what it downloads"),
	}
})

type commandRule struct {
	found  func(*Command) bool
	reason string
}

var criticalCommands = []commandRule{
	{deletesRoot, "it deletes below the root or the home"},
	{losesRoot, "it deletes below the root or the home"},
	{changesRoot, "it changes owners or modes below the root"},
	{formats, "it formats or wipes a disk"},
	{writesDevice, "it writes to a disk"},
	{writesAccounts, "it writes the system's accounts"},
	{stopsMachine, "it stops the machine"},
	{killsAll, "it kills every process"},
	{runsGate, "it runs blitz-approve, which may change what is allowed"},
	{endsGate, "it ends blitz-approve"},
	{movesGate, "it gives blitz-approve another name"},
}

func criticalCommand(c *Command) (reason string, critical bool) {
	for _, rule := range criticalCommands {
		if rule.found(c) {
			return rule.reason, true
		}
	}
	return "", false
}

// flagged reports whether one of the short letters or a long option stands in
// c's options, and returns the operands.
func (c *Command) flagged(letters, long string) (yes bool, operands []string) {
	ended := false
	for _, w := range c.Words[min(1, len(c.Words)):] {
		switch s := w.Text; {
		case ended || !startsOption(s) || s == "-":
			operands = append(operands, s)
		case s == "--":
			ended = true
		case strings.HasPrefix(s, "--"):
			name, _, _ := strings.Cut(s[2:], "=")
			for full := range strings.FieldsSeq(long) {
				yes = yes || len(name) > 1 && strings.HasPrefix(full, name)
			}
		default:
			yes = yes || strings.ContainsAny(s, letters)
		}
	}
	return yes, operands
}

// rooted reports whether a path is absolute, or the home itself.
func rooted(path string) bool {
	return strings.HasPrefix(path, "/") || path == "~" || path == "~/" || path == "~/*" || path == "$HOME"
}

func anyOf(list []string, test func(string) bool) bool {
	for _, s := range list {
		if test(s) {
			return true
		}
	}
	return false
}

func deletesRoot(c *Command) bool {
	if base(c.Program()) != "rm" {
		return false
	}
	forced, operands := c.flagged("rRf", "recursive force")
	whole, _ := c.flagged("", "no-preserve-root")
	return whole || forced && (anyOf(operands, rooted) || everything(c.Dir) && anyOf(operands, allHere))
}

// everything reports whether a path is the root or the home, or all in it.
func everything(path string) bool {
	return listed("/ /* /. /.. ~ ~/ ~/* ~/.", path)
}

// allHere reports whether a path is the folder that one is in, or all in it.
func allHere(path string) bool { return listed("* . ./ ./* .*", path) }

// losesRoot reports what moves the root or the home away, or searches it to
// delete what it finds.
func losesRoot(c *Command) bool {
	_, operands := c.flagged("", "")
	switch base(c.Program()) {
	case "mv":
		return len(operands) > 1 && anyOf(operands[:len(operands)-1], everything)
	case "find":
		deletes := anyOf(c.Args(), func(s string) bool { return listed("-delete rm shred unlink", base(s)) })
		narrowed := anyOf(c.Args(), func(s string) bool { return listed("-name -iname -path -maxdepth -user", s) })
		return deletes && !narrowed && len(c.Words) > 1 && everything(c.Words[1].Text)
	}
	return false
}

func changesRoot(c *Command) bool {
	switch base(c.Program()) {
	case "chmod", "chown", "chgrp":
		deep, operands := c.flagged("R", "recursive")
		return deep && anyOf(operands, rooted)
	}
	return false
}

func formats(c *Command) bool {
	name := base(c.Program())
	switch {
	case name == "mkfs", strings.HasPrefix(name, "mkfs."), name == "mke2fs", name == "wipefs", name == "mkswap", name == "blkdiscard":
		return true
	case name == "shred" || name == "sgdisk" || name == "fdisk" || name == "parted":
		_, operands := c.flagged("", "")
		return anyOf(operands, device)
	}
	return false
}

// device reports whether path is a device that keeps data.
func device(path string) bool {
	name, ok := strings.CutPrefix(path, "/dev/")
	if !ok {
		return false
	}
	for _, p := range []string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "md", "dm-"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

func accounts(path string) bool {
	switch path {
	case "/etc/passwd", "/etc/shadow", "/etc/gshadow", "/etc/group", "/etc/sudoers":
		return true
	}
	return strings.HasPrefix(path, "/etc/sudoers.d/")
}

func writesDevice(c *Command) bool   { return anyOf(c.Written(), device) }
func writesAccounts(c *Command) bool { return anyOf(c.Written(), accounts) }

func stopsMachine(c *Command) bool {
	if anyOf(c.Written(), func(s string) bool { return s == "/proc/sysrq-trigger" }) {
		return true
	}
	_, operands := c.flagged("", "")
	switch base(c.Program()) {
	case "shutdown", "reboot", "halt", "poweroff":
		return true
	case "init", "telinit":
		return anyOf(operands, func(s string) bool { return s == "0" || s == "6" })
	case "systemctl", "loginctl":
		return anyOf(operands, func(s string) bool {
			return listed("poweroff reboot halt kexec suspend hibernate emergency rescue soft-reboot", strings.TrimSuffix(s, ".target"))
		})
	}
	return false
}

func killsAll(c *Command) bool {
	if base(c.Program()) != "kill" {
		return false
	}
	for i, w := range c.Words {
		if w.Text == "-1" && i > 1 || w.Text == "1" && i > 0 {
			return true
		}
	}
	return false
}
