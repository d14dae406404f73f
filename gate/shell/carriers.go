package shell

import "strings"

// carriers are programs that agents and build scripts use to start others. What
// isn't in the list is no proof that a program runs nothing.
var carriers = func() map[string]*carrier {
	known := map[string]*carrier{}
	for _, group := range carrierGroups {
		for name := range strings.FieldsSeq(group.names) {
			known[name] = &group.carrier
		}
	}
	return known
}()

// carrierGroups are the carriers by how they are told what to run.
var carrierGroups = []struct {
	names string
	carrier
}{
	// All that stands behind their options.
	{names: `bunx uvx pnpx nlx na c8 nyc corepack
		systemd-run systemd-inhibit systemd-cat systemd-nspawn run0 sudo-rs please nsenter setpriv prlimit numactl choom uclampset uname26 linux32 linux64 i386 x86_64
		chronic zargs ifne zrun ts tsp nq pssh parallel-ssh sshpass daemon daemonize dbus-launch dbus-run-session ssh-agent gpg-agent softlimit chpst tini dumb-init cttyhack
		ltrace valgrind catchsegv heaptrack operf ncu compute-sanitizer dtruss landrun fakeroot fakeroot-ng fakechroot proot firejail minijail0 nsjail sandbox-exec
		schroot distrobox-host-exec flatpak-spawn libtool eatmydata torsocks torify tsocks proxychains proxychains4 trickle cpulimit cgexec aa-exec
		xvfb-run startx xinit unbuffer rlwrap caffeinate foot winpty dvtm dtach abduco screen sem noti retry dockerize entr watchexec hyperfine
		ddtrace-run opentelemetry-instrument esy pkgx tea lima lxc-attach lxc-execute k3s microk8s wsl wsl.exe nix-portable nixGL steam-run appimage-run ,
		summon vault-env envconsul ccache sccache distcc icecc bear scan-build intercept-build compiledb checkinstall`},
	{names: "bwrap", carrier: carrier{values: 3}},
	// The same, behind an operand or more.
	{names: "faketime gosu su-exec envdir envuidgid setuidgid s6-envdir s6-setuidgid setlock lckdo kcov nix-user-chroot vex envchain", carrier: carrier{skip: 1}},
	{names: "setarch runcon uftrace rr sde cross-env cross-env-shell env-cmd autossh mosh rsh plink dbclient pdsh dsh clush psexec", carrier: carrier{skip: 1, upTo: true}},
	{names: "kitty dotenv dotenvx", carrier: carrier{skip: 2, upTo: true}},
	{names: "gksudo kdesu", carrier: carrier{script: "c"}},
	{names: "repeat sched", carrier: carrier{skip: 1}},
	{names: "emulate", carrier: carrier{script: "c", subs: noSubs}},
	{names: "sg et mussh", carrier: carrier{skip: 1, script: "c"}},
	// Behind a subcommand.
	{names: `poetry uv pipx pipenv pdm hatch rye conda mamba micromamba infisical op railway volta teller bws secretspec phase foreman forego goreman
		honcho overmind toolbox dagger heroku mr snap auto-apt`, carrier: carrier{subs: "run", script: "command"}},
	{names: "bundle rbenv pyenv nodenv goenv jenv plenv phpenv perlbrew swiftenv carton composer gem hermit shadowenv stack cabal opam dune tox lerna nx ddev berglas fnox jj", carrier: carrier{subs: "exec"}},
	{names: "aws-vault aws-okta aws-sso saml2aws chamber direnv nvm fnm n runc crun crictl incus lxc multipass nomad sail ip hab", carrier: carrier{subs: "exec", skip: 1, upTo: true}},
	{names: "apptainer singularity buildah enroot ctr udocker", carrier: carrier{subs: "exec run start", skip: 2, upTo: true}},
	{names: "tsh knife hcloud coder waypipe minikube colima devpod", carrier: carrier{subs: "ssh", skip: 1, upTo: true, script: "command"}},
	{names: "docker podman nerdctl docker-compose", carrier: carrier{subs: "run exec", skip: 1, script: "entrypoint"}},
	{names: "kubectl oc", carrier: carrier{subs: "exec run debug rsh", skip: 1}},
	{names: "npm pnpm", carrier: carrier{subs: "exec x dlx", script: "c call"}},
	{names: "npx", carrier: carrier{script: "c call"}},
	{names: "yarn bun deno", carrier: carrier{subs: "exec dlx x run"}},
	{names: "mise asdf rtx", carrier: carrier{subs: "exec x", script: "c command"}},
	{names: "pixi", carrier: carrier{subs: "run exec"}},
	{names: "doppler", carrier: carrier{subs: "run", script: "command"}},
	{names: "rustup", carrier: carrier{subs: "run", skip: 1}},
	{names: "cargo", carrier: carrier{subs: "watch flamegraph with", script: "s shell"}},
	{names: "cargo-watch", carrier: carrier{script: "s shell"}},
	{names: "mix", carrier: carrier{subs: "cmd"}},
	{names: "rvm", carrier: carrier{subs: "do"}},
	{names: "R", carrier: carrier{subs: "CMD"}},
	{names: "spack", carrier: carrier{subs: "build-env", skip: 1}},
	{names: "devbox devenv flox", carrier: carrier{subs: "run shell exec activate"}},
	{names: "ghcup py-spy samply newrelic-admin", carrier: carrier{subs: "run record top run-program"}},
	{names: "gopass", carrier: carrier{subs: "env", skip: 1}},
	{names: "sops", carrier: carrier{subs: "exec-env exec-file", skip: 1}},
	{names: "adb", carrier: carrier{subs: "shell exec-out exec-in"}},
	{names: "limactl machinectl", carrier: carrier{subs: "shell", skip: 1}},
	{names: "distrobox", carrier: carrier{subs: "enter", skip: 1}},
	{names: "devcontainer", carrier: carrier{subs: "exec"}},
	{names: "werf", carrier: carrier{subs: "kube-run", skip: 1}},
	{names: "gcloud gh", carrier: carrier{subs: "ssh", skip: 1, upTo: true, script: "command"}},
	{names: "salt", carrier: carrier{subs: "cmd.run"}},
	{names: "bolt", carrier: carrier{subs: "run"}},
	{names: "perf", carrier: carrier{subs: "stat record trace mem sched ftrace"}},
	{names: "nsys gprofng", carrier: carrier{subs: "profile app"}},
	{names: "coresched", carrier: carrier{subs: "new"}},
	{names: "wezterm", carrier: carrier{subs: "start"}},
	{names: "zellij", carrier: carrier{subs: "run"}},
	{names: "gum", carrier: carrier{subs: "spin"}},
	{names: "pueue", carrier: carrier{subs: "add"}},
	{names: "pm2 gita ntfy", carrier: carrier{subs: "start shell done"}},
	{names: "tmux", carrier: carrier{subs: "new new-session neww new-window splitw split-window respawnp respawn-pane respawnw respawn-window run run-shell " +
		"send send-keys popup display-popup"}},
	{names: "git", carrier: carrier{subs: "foreach run", settings: true,
		script: "x exec extcmd tree-filter index-filter msg-filter env-filter commit-filter parent-filter tag-name-filter"}},
	{names: "hg", carrier: carrier{subs: noSubs, settings: true}},
	{names: "svn", carrier: carrier{subs: noSubs, settings: true, script: "diff-cmd editor-cmd diff3-cmd"}},
	{names: "split install pandoc helm dpkg aria2c", carrier: carrier{subs: noSubs, script: "filter F pdf-engine strip-program post-renderer pre-invoke post-invoke " +
		"on-download-start on-download-complete on-download-error on-download-stop on-download-pause on-bt-download-complete"}},
	// Behind an option, to the end.
	{names: "nix guix", carrier: carrier{after: "c command", subs: noSubs, rest: true}},
	{names: "fd fdfind", carrier: carrier{after: "x X exec exec-batch", subs: noSubs}},
	{names: "just repo", carrier: carrier{after: "command c", subs: noSubs}},
	{names: "gdb", carrier: carrier{after: "args", subs: noSubs, script: "ex eval-command"}},
	{names: "xterm alacritty konsole schedtool cset", carrier: carrier{after: "e command exec", subs: noSubs}},
	{names: "gnome-terminal", carrier: carrier{after: "x", subs: noSubs, rest: true}},
	{names: "xctrace lldb vtune reflex onchange chruby-exec fab termshot wait-for wait-for-it", carrier: carrier{subs: noSubs, rest: true}},
	{names: "capsh vagrant", carrier: carrier{subs: noSubs, rest: true, script: "c command"}},
	{names: "start-stop-daemon", carrier: carrier{script: "exec x startas a S", subs: noSubs}},
	// As the value of an option, or as words, each of which is text for a shell.
	{names: `nix-shell cached-nix-shell lando flatpak fly flyctl asciinema bpftrace dtrace wsrun chokidar forever scriptlive ttyrec
		aws az doctl ansible nodemon air peco fzf sk assume nc ncat netcat rc ion murex`,
		carrier: carrier{subs: noSubs, script: "c C e x a s run command exec sh-exec args build.cmd preview ssh-command scripts"}},
	{names: "concurrently mispipe rush", carrier: carrier{subs: noSubs, texts: true}},
	{names: "socat", carrier: carrier{subs: noSubs, begins: "EXEC: SYSTEM: SHELL: exec: system: shell:"}},
}
