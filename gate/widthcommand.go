package gate

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// commandWidths are, for the one command of a line that no rule allows yet:
// exactly this command, and its words one less each time with whatever
// follows, down to the program and its sub-command.
func (e *evaluation) commandWidths() []Width {
	var words []string
	text := ""
	for i := range e.commands {
		c := &e.commands[i]
		switch {
		case c.doubt != "":
			return nil
		case c.allow != nil, c.carried && words != nil:
		case words != nil && text != spelled(c.Command):
			return nil // it would take two rules
		default:
			words, text = c.Args(), spelled(c.Command)
		}
	}
	if text == "" || LooksSecret(text) {
		return nil
	}
	widths := []Width{{"shell(/" + regexp.QuoteMeta(text) + "/)", "exactly this command"}}
	for n := len(words); n >= leastWords(words); n-- {
		lead := quoteWords(words[:n])
		if slices.ContainsFunc(words[:n], wild) {
			continue // in a rule it would stand for more than itself
		}
		rule := "shell(" + lead + " *)"
		if lead != strings.Join(words[:n], " ") {
			rule = "shell(" + lead + ")" // quotes and wildcards don't go together
		}
		widths = append(widths, Width{rule, lead + ", whatever follows"})
	}
	return widths
}

// leastWords is how many words of a command a rule must keep: those that say
// what it does. It is more than there are when only exactly this command may be
// allowed.
func leastWords(words []string) int {
	never := len(words) + 1
	name := programName(words[0])
	subs, listed := narrow[name]
	switch {
	case len(words) == 1, listed && subs == "", shell.Grave(name), shell.Grave(strings.ToLower(path.Base(words[0]))):
		return never
	case slices.Contains(strings.Fields(subs), words[1]):
		return never
	}
	if n := shell.Family(words); n > 0 {
		return n
	}
	switch {
	case strings.HasPrefix(words[1], "-"):
		return never // the sub-command isn't where it is looked for
	case words[1] == "run" || words[1] == "run-script":
		return 3
	case listed:
		return 2
	}
	// A tool may have sub-commands of two words, such as list in apps list.
	n := 1
	for n < min(len(words), 3) && isWord(words[n]) {
		n++
	}
	return n
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
