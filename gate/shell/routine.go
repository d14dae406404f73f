package shell

import (
	"path"
	"strings"
)

// Routine says how much of a command may be offered as a rule after it was
// approved often (BEY-14). Words is how many of its first words name a kind of
// work that a rule may cover whatever follows, such as the two of go test; 0
// offers the exact words only. It is not ok for what destroys, hands over the
// machine, runs text or fetched code, acts on other machines, or reaches
// outside the folder that it runs in.
//
// It is a choice of what to offer, no proof that a command is harmless.
func (c *Command) Routine() (words int, ok bool) {
	if len(c.Words) == 0 || len(c.Assigns) > 0 || len(c.Doubts) > 0 || len(c.Via) > 0 || c.Writes() {
		return 0, false
	}
	name := base(c.Program())
	switch {
	case Grave(name), c.runsGivenText(name):
		return 0, false
	}
	for _, w := range c.Words[1:] {
		if !w.Literal || outside(w.Text) || harmfulWord(w.Text) {
			return 0, false
		}
	}
	if name == "git" && !listed(gitRoutine, c.word(1)) {
		return 0, false
	}
	return Family(c.Args()), true
}

// Family is how many of the first words of a command name a kind of work that
// stays in the folder of a project, whatever follows them, or 0.
func Family(words []string) int {
	for n := min(3, len(words)); n > 0; n-- {
		if families[strings.Join(words[:n], " ")] {
			return n
		}
	}
	// A script of a project's own is named after the word run.
	if n := 3; len(words) >= n && listed("npm pnpm yarn bun", words[0]) && words[1] == "run" && !startsOption(words[2]) {
		return n
	}
	return 0
}

// Grave reports a program that no rule should be made for from one of its
// uses: a shell, one that runs others, or one that destroys, changes what
// others own, or acts on other machines.
func Grave(name string) bool {
	return isShell(name) || wrappers[name] != nil || strings.HasPrefix(name, "mkfs") || listed(neverOffered, name)
}

func (c *Command) word(i int) string {
	if i >= len(c.Words) {
		return ""
	}
	return c.Words[i].Text
}

// neverOffered destroy, change what others own, act on other machines, or run
// what they fetch or are given.
const neverOffered = "rm rmdir unlink shred dd truncate mv cp ln install rsync find eval source . trap exec " +
	"chmod chown chgrp chattr setfacl kill killall pkill shutdown reboot halt poweroff init telinit systemctl service launchctl mount umount " +
	"wipefs mke2fs mkswap blkdiscard fdisk sgdisk parted useradd usermod userdel passwd visudo crontab at iptables nft sysctl modprobe " +
	"curl wget fetch aria2c http nc ncat socat telnet ftp sftp scp ssh " +
	"npx bunx uvx pipx docker podman kubectl helm terraform tofu pulumi ansible ansible-playbook aws gcloud az gsutil heroku flyctl vercel " +
	"fly doctl wrangler netlify vault consul nomad eksctl oc minikube kind helmfile argocd flux terragrunt packer vagrant virsh lxc multipass firebase supabase railway rclone restic borg zfs zpool btrfs " +
	"psql mysql mariadb sqlite3 mongosh mongo redis-cli dropdb gh glab apt apt-get dnf yum pacman apk brew snap tee awk gawk mawk sed ed vi vim emacs"

// gitRoutine are git's commands that lose nothing and leave this machine alone.
const gitRoutine = "add commit status log show diff blame fetch pull init"

// families are the first words of work that stays in the folder of a project,
// whatever follows them.
var families = func() map[string]bool {
	known := map[string]bool{}
	for program, subs := range map[string]string{
		"go": "build test vet fmt list doc", "cargo": "build test check clippy fmt bench doc", "git": "add commit",
		"npm": "test", "pnpm": "test", "yarn": "test", "bun": "test", "deno": "test check fmt lint",
		"dotnet": "build test", "mix": "test compile format", "swift": "build test", "zig": "build",
		"python -m": "pytest unittest mypy", "python3 -m": "pytest unittest mypy", "uv run": "pytest mypy ruff", "poetry run": "pytest mypy ruff",
	} {
		for sub := range strings.FieldsSeq(subs) {
			known[program+" "+sub] = true
		}
	}
	for program := range strings.FieldsSeq("gofmt pytest tox mypy ruff tsc eslint prettier jest vitest phpunit rspec rubocop staticcheck golangci-lint shellcheck") {
		known[program] = true
	}
	return known
}()

// runsGivenText reports an interpreter that is given its program in its words
// or on its input.
func (c *Command) runsGivenText(name string) bool {
	name = strings.TrimRight(name, "0123456789.")
	if !listed("python pypy node deno bun perl ruby php lua osascript Rscript julia tclsh", name) {
		return false
	}
	if len(c.Words) < 2 {
		return true
	}
	for _, w := range c.Words[1:] {
		switch s := w.Text; {
		case s == "-" || s == "eval" || strings.HasPrefix(s, "--eval") || strings.HasPrefix(s, "--print"):
			return true
		case startsOption(s) && !strings.HasPrefix(s, "--"):
			if strings.ContainsAny(s, "ceErRp") {
				return true
			}
		}
		if !startsOption(w.Text) || w.Text == "-m" {
			return false // the rest is for the script or module
		}
	}
	return false
}

// outside reports a word that names something outside the folder, by itself or
// as the value of an option.
func outside(word string) bool {
	if _, value, ok := strings.Cut(word, "="); ok && outside(value) {
		return true
	}
	clean := path.Clean(word)
	return strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~") || clean == ".." || strings.HasPrefix(clean, "../") ||
		strings.Contains(word, "://") || startsOption(word) && strings.Contains(word, "../")
}

// harmfulWord reports a word that says that something is lost or published.
func harmfulWord(word string) bool {
	const harmful = "f force hard delete destroy drop purge prune wipe clean clobber overwrite uninstall remove rm reset revert publish deploy release push " +
		"exec toolexec vettool eval upload-pack receive-pack force-with-lease no-verify yes"
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	return listed(harmful, strings.ToLower(name)) && (startsOption(word) || !strings.ContainsAny(word, "/."))
}
