package gate

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// commandWidths are, for the one command of a line that no rule allows yet:
// exactly this command, and its words one less each time with whatever
// follows, down to the program and its sub-command.
func (e *evaluation) commandWidths() []Width {
	var words []string
	for i := range e.commands {
		c := &e.commands[i]
		switch {
		case c.doubt != "":
			return nil
		case c.allow != nil:
		case words != nil && !slices.Equal(words, c.Args()):
			return nil // it would take two rules
		default:
			words = c.Args()
		}
	}
	text := quoteWords(words)
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

// leastWords is how many words of a command a rule must keep. It is more than
// there are when only exactly this command may be allowed.
func leastWords(words []string) int {
	never := len(words) + 1
	subs, listed := narrow[programName(words[0])]
	switch {
	case listed && subs == "":
		return never
	case len(words) == 1:
		return never // whatever follows is unknown
	case strings.HasPrefix(words[1], "-"):
		if listed {
			return never // the sub-command isn't where it is looked for
		}
		return 1
	case slices.Contains(strings.Fields(subs), words[1]):
		return never
	case listed || isWord(words[1]):
		return 2
	}
	return 1
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

// narrow are programs that are allowed only as exactly this command: all of
// them that run code, delete, reach other machines or change the system, and
// the sub-commands listed of those that do so only sometimes.
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
	for _, name := range strings.Fields(`rm rmdir unlink shred dd mkfs fdisk parted wipefs truncate mv cp ln install tee rsync
		sudo doas su runuser pkexec chroot unshare nsenter sh bash zsh dash ksh fish csh tcsh pwsh powershell cmd
		python pypy perl ruby node nodejs deno php lua luajit tclsh rscript r osascript groovy java scala awk gawk mawk nawk sed ed ex vi vim emacs
		eval exec source . command builtin env xargs parallel watch nohup setsid time timeout nice ionice stdbuf strace script flock busybox toybox
		npx bunx pipx uvx tsx ts-node curl wget aria nc ncat netcat socat telnet ftp sftp scp ssh ssh-keygen openssl gpg
		chmod chown chgrp chattr setfacl kill pkill killall systemctl service launchctl shutdown reboot halt poweroff crontab at batch
		mount umount iptables nft ip useradd userdel usermod passwd visudo apt-get yum dnf pacman apk dpkg rpm snap flatpak
		aws gcloud az psql mysql sqlite mongo redis-cli`) {
		m[name] = ""
	}
	return m
}()
