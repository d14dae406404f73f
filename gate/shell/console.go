package shell

import (
	"regexp"
	"strings"
	"sync"
)

// consoles are programs with a language of their own, in which a line may start
// another program or read a file: each with the options that hold such lines. A
// * stands for its operands, and a + for words that begin so.
var consoles = func() map[string]string {
	known := map[string]string{
		"vim": "c cmd S +", "ed": "", "gdb": "ex eval-command iex", "sqlite3": "cmd *", "duckdb": "c cmd *", "psql": "c command", "mysql": "e execute",
		"expect": "c", "at": "", "crontab": "", "make": "", "tclsh": "", "ipython": "c", "dc": "e expression", "lldb": "o O one-line one-line-before-file",
		"lftp": "c e", "ftp": "", "smbclient": "c command", "telnet": "",
	}
	for name, same := range map[string]string{
		"vim": "vi nvim view ex vimdiff", "ed": "red", "mysql": "mariadb", "at": "batch", "make": "gmake", "ftp": "tnftp sftp",
	} {
		for other := range strings.FieldsSeq(same) {
			known[other] = known[name]
		}
	}
	return known
}()

// consoleLines are the lines that c gives to a console.
func (c *Command) consoleLines() (lines []string) {
	options, ok := consoles[ownName(c.Program())]
	if !ok {
		return nil
	}
	for i := 1; i < len(c.Words); i++ {
		text := c.Words[i].Text
		next := ""
		if i+1 < len(c.Words) {
			next = c.Words[i+1].Text
		}
		if after, plus := strings.CutPrefix(text, "+"); plus && listed(options, "+") {
			lines = append(lines, after)
		} else if !startsOption(text) {
			if listed(options, "*") {
				lines = append(lines, text)
			}
		} else if line, holds := coded(options, text, next); holds {
			lines = append(lines, line)
		}
	}
	return append(lines, c.input...)
}

// consoleNames are the words of such lines, which could name files.
func (c *Command) consoleNames() (names []string) {
	for _, line := range c.consoleLines() {
		names = append(names, codeTexts(line)...)
		names = append(names, strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n[]{}();'\"", r) })...)
	}
	return names
}

// startsLine is how a line of a console starts another program.
var startsLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)(?:\\!|!|\.shell\b|\.system\b|\bshell\b|\bsystem\b|\bspawn\b|\bexec\b)[ \t]*([^\n;\]]+)`)
})

// console records what the lines of the console at index may run.
func (r *reader) console(index int) {
	c := r.line.Commands[index]
	for _, line := range c.consoleLines() {
		switch name := ownName(c.Program()); name {
		case "at", "batch", "make", "gmake":
			for text := range strings.Lines(line) {
				r.perhapsWords(index, []string{strings.TrimSpace(text)}, false)
			}
		case "crontab":
			for text := range strings.Lines(line) {
				if fields := strings.Fields(text); len(fields) > 5 {
					r.perhapsWords(index, []string{strings.Join(fields[5:], " ")}, false)
				}
			}
		default:
			for _, m := range startsLine().FindAllStringSubmatch(line, maxCodeCommands) {
				r.perhapsWords(index, []string{strings.TrimSpace(m[1])}, false)
			}
		}
	}
}
