package gate

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// commandWidths are, for each command of a line that no rule allows yet, exactly
// this command, and its words one less each time with whatever follows, down to
// the program and its sub-command.
func (e *evaluation) commandWidths() ([]Width, string) {
	needs, why := e.unruled()
	if why != "" || len(needs) == 0 {
		return nil, why
	}
	var each [][]Width
	for _, i := range needs {
		widths, widest := e.widthsOf(i)
		each, why = append(each, widths), cmp.Or(why, widest)
		if widths == nil {
			return nil, widest
		}
	}
	all := each[0]
	if len(needs) > 1 {
		all = e.together(needs, each)
	}
	if of := e.partOf(needs); of != "" {
		for i := range all {
			all[i].Of = of
		}
	}
	return all, why
}

// unruled lists the commands that need a rule, each once; those that change the
// folder for another one are among them. Otherwise why says what no rule allows.
func (e *evaluation) unruled() (needs []int, why string) {
	known := map[string]bool{}
	add := func(c *command) {
		if text := spelled(c.Command); !known[text] {
			known[text] = true
			needs = append(needs, c.ruled)
		}
	}
	for i := range e.commands {
		c := &e.commands[i]
		switch {
		case c.allow != nil, c.carried && slices.Contains(needs, c.outer):
			continue
		case c.doubt != "":
			return nil, c.doubt
		}
		cds, why := e.behind(c.Command, e.commands[c.from:i])
		if why != "" {
			return nil, why
		}
		for _, cd := range cds {
			add(cd)
		}
		if !c.displaced {
			add(c)
		}
	}
	return needs, ""
}

// partOf names the commands that need a rule where there are others, or is
// empty.
func (e *evaluation) partOf(needs []int) string {
	var names []string
	for _, i := range needs {
		names = append(names, spelled(e.commands[i].Command))
	}
	others := func(c command) bool { return !c.carried && !slices.Contains(names, spelled(c.Command)) }
	if !slices.ContainsFunc(e.commands, others) {
		return ""
	}
	return strings.Join(names, ", ")
}

// together are the widths of several commands, step by step.
func (e *evaluation) together(needs []int, each [][]Width) []Width {
	steps := 0
	for at, widths := range each {
		steps = max(steps, len(widths))
		widths[0].Label = "exactly " + spelled(e.commands[needs[at]].Command)
	}
	all := make([]Width, steps)
	for i := range all {
		var rules, labels []string
		for _, widths := range each {
			w := widths[min(i, len(widths)-1)]
			rules, labels = append(rules, w.Rule), append(labels, w.Label)
		}
		all[i] = Width{Rule: strings.Join(rules, "\n"), Label: strings.Join(labels, "\n")}
	}
	return all
}

// widthsOf are the widths of the command at index, and why there is no wider
// one.
func (e *evaluation) widthsOf(index int) ([]Width, string) {
	c := &e.commands[index]
	words, text := c.Args(), spelled(c.Command)
	if text == "" {
		return nil, ""
	}
	if LooksSecret(text) {
		return nil, "it holds what looks like a secret"
	}
	widths := []Width{{Rule: "shell(/" + regexp.QuoteMeta(text) + "/)", Label: "exactly this command", Exact: true}}
	if _, ok := c.ChangesTo(); ok {
		return append(widths, Width{Rule: "shell(cd *)", Label: "cd into every folder of the workspace"}), "that is every folder"
	}
	least, why := e.leastOf(index)
	options := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") })
	for n := len(words); n >= least; n-- {
		// What ends behind an option reads as if it were the end of what it means.
		if n > least && options >= 0 && n > options && (n < len(words) || strings.HasPrefix(words[n-1], "-")) {
			continue
		}
		lead := quoteWords(words[:n])
		if slices.ContainsFunc(words[:n], wild) {
			continue // in a rule it would stand for more than itself
		}
		rule := "shell(" + lead + " *)"
		if lead != strings.Join(words[:n], " ") {
			rule = "shell(" + lead + ")" // quotes and wildcards don't go together
		}
		widths = append(widths, Width{Rule: rule, Label: lead + ", whatever follows"})
	}
	return widths, why
}

// tame are the wrappers that change nothing of what they run.
var tame = strings.Fields("timeout nice nohup time ionice stdbuf setsid")

// leastOf is [leastWords] for the command at index. Behind a tame wrapper it is
// up to what it runs.
func (e *evaluation) leastOf(index int) (int, string) {
	words := e.commands[index].Args()
	if slices.Contains(tame, programName(words[0])) {
		for i := range e.commands {
			if c := &e.commands[i]; c.carried && c.outer == index {
				n, why := e.leastOf(i)
				return len(words) - len(c.Words) + n, why
			}
		}
	}
	return leastWords(words)
}

// leastWords is how many words of a command a rule must keep: those that say
// what it does; why says so of a wider rule. It is more than there are when only
// exactly this command may be allowed.
func leastWords(words []string) (n int, why string) {
	never := len(words) + 1
	name := programName(words[0])
	subs, listed := narrow[name]
	switch {
	case len(words) == 1:
		return never, "with other words " + words[0] + " may do anything"
	case listed && subs == "", shell.Grave(name), shell.Grave(strings.ToLower(path.Base(words[0]))):
		return never, "with other words " + words[0] + " may run, send or destroy anything"
	case slices.Contains(strings.Fields(subs), words[1]):
		return never, "with other words " + words[0] + " " + words[1] + " may run, send or destroy something else"
	}
	n = shell.Family(words)
	switch {
	case n > 0:
	case strings.HasPrefix(words[1], "-"):
		return never, "an option stands where " + words[0] + " says what it does"
	case words[1] == "run" || words[1] == "run-script":
		n = 3
	case listed:
		n = 2
	default:
		// A tool may have sub-commands of two words, such as list in apps list.
		for n = 1; n < min(len(words), 3) && isWord(words[n]); {
			n++
		}
	}
	if n == 1 {
		return n, "that is all of " + words[0]
	}
	return n, "a wider rule would let " + words[0] + " do something else"
}

// programName is a program without its folder and version: python3.12 is
// python.
func programName(word string) string {
	name := strings.ToLower(path.Base(word))
	name = strings.TrimSuffix(name, ".exe")
	return strings.TrimRight(name, "0123456789.-")
}

// isWord reports what may be a sub-command: a plain word.
func isWord(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && r != '-' && r != ':' && r != '_' {
			return false
		}
	}
	return true
}

// narrow are programs that are allowed only as exactly this command, beside
// those of [shell.Grave]: all of them that run code, or that take several things
// to do in one call, and the sub-commands listed of those that delete, run code
// or reach other machines only sometimes.
var narrow = func() map[string]string {
	m := map[string]string{
		"git": "push clean reset checkout restore switch rm rebase filter-branch filter-repo config remote submodule reflog gc update-ref branch tag stash worktree bisect am apply send-email daemon difftool mergetool instaweb hook",
		"go":  "run generate install get tool env", "cargo": "run install publish login owner yank uninstall",
		"npm":  "publish exec x install i ci add uninstall login token config unpublish init create explore",
		"pnpm": "publish dlx exec install i add remove create", "yarn": "publish dlx exec add remove install create npm", "bun": "",
		"pip": "install uninstall download", "uv": "run pip tool add publish", "poetry": "run publish add install", "gem": "install push uninstall exec", "bundle": "exec install",
		"docker": "run exec rm rmi system volume push login build compose cp kill stop prune container image", "podman": "run exec rm rmi system volume push login build cp kill stop container image",
		"kubectl": "delete exec apply run drain cordon patch replace scale edit cp debug attach rollout", "helm": "install upgrade uninstall delete rollback plugin",
		"terraform": "apply destroy import state taint init", "tofu": "apply destroy import state taint init",
		"gh":  "api auth repo release secret workflow run extension gist pr issue codespace ssh-key gpg-key alias",
		"apt": "install remove purge upgrade autoremove", "brew": "install uninstall upgrade services", "find": "",
	}
	for _, name := range strings.Fields(`mkfs nsenter fish csh tcsh pwsh powershell cmd python pypy perl ruby node nodejs deno php lua luajit tclsh rscript r osascript
		groovy java scala nawk ex tsx ts-node aria netcat ssh-keygen openssl gpg batch ip dpkg rpm flatpak sqlite make gmake just rake
		task invoke gradle gradlew mvn mvnw ant sbt lein bazel composer nix vite-node`) {
		m[name] = ""
	}
	return m
}()
