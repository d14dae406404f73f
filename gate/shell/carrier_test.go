package shell

import (
	"slices"
	"strings"
	"testing"
)

// A program that runs its last words is looked into for deny and ask rules
// (APR-15), whatever stands before the command.
func TestCarriers(t *testing.T) {
	for _, line := range []string{
		"npx rm -rf x", "npm exec -- rm -rf x", "npm exec -c 'rm -rf x'", "npx --call='rm -rf x'", "pnpm dlx rm -rf x",
		"docker exec box rm -rf x", "docker run -it --rm -v /:/h -w /h alpine rm -rf x", "podman run alpine sh -c 'ls; rm -rf x'",
		"docker compose exec web rm -rf x", "kubectl -n a exec pod -c b -- rm -rf x",
		"poetry run rm -rf x", "uv run --with y rm -rf x", "direnv exec . rm -rf x", "conda run -n base rm -rf x",
		"nix develop --command rm -rf x", "nix-shell -p y --run 'rm -rf x'", "fd -e o -x rm -rf x", "gdb -q --args rm -rf x",
		"git bisect run rm -rf x", "git submodule foreach 'rm -rf x'", "git rebase --exec='rm -rf x' main", "git difftool -y -x 'rm -rf x'",
		"tmux new-session -d 'rm -rf x'", "systemd-run --user -t rm -rf x", "nsenter -t 1 -m -- rm -rf x", "bwrap --bind / / rm -rf x",
		"repeat 3 rm -rf x", "emulate sh -c 'rm -rf x'", "chronic rm -rf x", "cross-env A=b rm -rf x", "split --filter='rm -rf x' f", "ncat -c 'rm -rf x' h 1",
		"hg --config alias.x='!rm -rf x' x", "svn diff --diff-cmd 'rm -rf x'", "sops exec-env f 'rm -rf x'", "toolbox run rm -rf x", "volta run rm -rf x", "rr record rm -rf x", "samply record rm -rf x", "rush 'rm -rf x'",
		"flatpak run --command='rm -rf x' a", "helm template --post-renderer 'rm -rf x' c",
		"sudo nsenter -t 1 rm -rf x", "npx env sudo rm -rf x", "poetry run uv run rm -rf x", "setarch x86_64 -R rm -rf x",
	} {
		l := Read(line)
		if !mayRun(l, "rm -rf x") {
			t.Errorf("%s: rm -rf x is not found in %v", line, l.Possible)
		}
		if strings.HasPrefix(line, "sudo") || strings.Contains(line, "uv run") {
			continue
		}
		if len(l.Commands) != 1 || !l.Clear() {
			t.Errorf("%s: what it may run must not be in the way of a rule for the whole: %v", line, l.Doubts)
		}
	}
	for _, line := range []string{
		"uv run pytest -k curl tests/curl", "docker run --rm alpine apk add curl", "npx eslint curl", "docker build -t curl .",
		"git log run", "git add curl", "fd curl", "poetry add curl", "kubectl get curl", "tmux ls",
		"cargo run curl", "cargo build --release curl", "yarn add curl", "bun add curl", "deno cache curl", "nix build curl", "conda install curl",
		"composer require curl", "gh pr list curl", "gcloud compute instances list curl", "ip addr show curl", "aws s3 ls curl", "az group show curl",
		"pixi add curl", "adb install curl", "rustup target add curl", "gem install curl", "mix test curl", "lxc list curl", "pm2 list curl",
		"perf report curl", "devbox add curl", "sops edit curl", "ssh-add curl", "machinectl list curl", "sudo -l", "su curl", "ssh -o A=b curl",
		"gh repo view curl", "aws s3 rm curl", "nc -z curl 80", "install -m 755 curl bin/", "pandoc curl -o x",
	} {
		if l := Read(line); mayRun(l, "curl") {
			t.Errorf("%s doesn't run curl: %v", line, l.Possible)
		}
	}
}

func mayRun(l *Line, want string) bool {
	return slices.ContainsFunc(l.Possible, func(c Command) bool { return strings.Join(c.Args(), " ") == want })
}

// What isn't looked at any more is said, so that a deny can't be run past.
func TestCarriersAreBounded(t *testing.T) {
	for _, line := range []string{
		strings.Repeat("npx -a npx -b ", 300) + "rm -rf x", strings.Repeat("npx a; ", 150) + "npx rm -rf x", strings.Repeat("npx sudo ", 20) + "rm -rf x",
	} {
		l := Read(line)
		if n := len(l.Possible); n == 0 || n > 2*maxGuesses {
			t.Errorf("%d guesses", n)
		}
		if l.Clear() && !mayRun(l, "rm -rf x") {
			t.Errorf("%.20s…: what is beyond the bound is neither found nor doubted", line)
		}
	}
	if l := Read("docker run " + strings.Repeat("-e A=b ", 40) + "alpine ls"); !l.Clear() {
		t.Errorf("many options are no doubt: %v", l.Doubts)
	}
}
