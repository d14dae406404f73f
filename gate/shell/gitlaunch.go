package shell

import "strings"

// gitSettings are the options and words of git config that only read.
const gitSettings = "get get-all get-regexp get-urlmatch get-color get-colorbool l list"

// gitLaunchers are the short options of some git commands that run a program, or
// bring a setting; [launchers] has the long ones of all.
var gitLaunchers = map[string]*launcher{
	"rebase":   {short: "x", options: options{values: "CXsS"}},
	"difftool": {short: "x", options: options{values: "t"}},
	"clone":    {short: "cu", options: options{values: "objb"}},
}

// gitStarters are the commands that are there to start a program which is named in
// their words or in the configuration; git credential, too, which tells what a
// helper knows.
const gitStarters = "merge-index instaweb web--browse remote-ext remote-fd upload-pack receive-pack shell"

// gitLaunches are the words of a git command by which it runs a program that is
// named there, or stores one in the configuration to be run later.
func (c *Command) gitLaunches() (words []string) {
	sub, _, _ := gitCommand(c.Words)
	if sub == 0 {
		return nil
	}
	rest := c.Words[sub+1:]
	name := c.Words[sub].Text
	for i, w := range rest {
		switch {
		case strings.HasPrefix(w.Text, "ext::"),
			name == "bisect" && w.Text == "run" && i == 0, name == "submodule" && w.Text == "foreach", name == "hook" && w.Text == "run",
			name == "send-email" && (strings.Contains(w.Text, "-cmd") || strings.HasPrefix(w.Text, "--smtp-server=") && strings.Contains(w.Text, "/")),
			name == "filter-branch" && strings.HasSuffix(w.Text, "-filter"):
			words = append(words, w.Text)
		}
	}
	if l := gitLaunchers[name]; l != nil {
		words = append(words, l.launching(rest)...)
	}
	if name == "config" && changesSettings(rest) || listed(gitStarters, name) || strings.HasPrefix(name, "credential") {
		words = append(words, name)
	}
	return words
}

// changesSettings reports that git config with these words may write: it isn't
// told to read, nor given the name of one setting alone.
func changesSettings(words []Word) bool {
	operands := 0
	for i, w := range words {
		switch text := w.Text; {
		case i == 0 && text == "edit":
			return true
		case !startsOption(text):
			if i == 0 && listed(gitSettings, text) {
				return false
			}
			operands++
		case listed(gitSettings, strings.TrimLeft(text, "-")):
			return false
		case !listed("--global --local --system --worktree --show-origin --show-scope --name-only --null -z --includes --no-includes --bool --int --path --type", strings.SplitN(text, "=", 2)[0]):
			return true
		}
	}
	return operands != 1
}
