package shell

import (
	"slices"
	"strings"
)

// A carrier is a program that runs the command in its last words, such as npx
// or docker run, and whose options aren't known well enough for a [wrapper].
// What it may run is guessed, for deny and ask rules only: an allow rule for
// the carrier means whatever it carries.
type carrier struct {
	subs   string // the subcommands that do so, between spaces; empty when it always does, or noSubs
	skip   int    // operands before the command
	values int    // how many words may be the value of an option; 0 means 1
	after  string // options behind which all that follows is the command
	script string // options whose value is text for a shell
	// rest says that all behind -- is the command.
	rest bool
	// texts says that each word may be text for a shell.
	texts bool
	// settings says that -c takes NAME=value, and many a value is a command.
	settings bool
}

// noSubs is for a carrier of which only an option says what to run.
const noSubs = " "

// carriers are those that agents and build scripts use most. What isn't in
// the list is no proof that a program runs nothing.
var carriers = func() map[string]*carrier {
	known := map[string]*carrier{
		"docker": {subs: "run exec", skip: 1, script: "entrypoint"}, "kubectl": {subs: "exec run debug", skip: 1},
		"npm": {subs: "exec x dlx", script: "c call"}, "npx": {script: "c call"}, "bunx": {}, "bun": {subs: "x"},
		"yarn": {subs: "exec dlx"}, "bundle": {subs: "exec"}, "poetry": {subs: "run"}, "uvx": {}, "pixi": {subs: "run exec"},
		"direnv": {subs: "exec", skip: 1}, "mise": {subs: "exec x", script: "c command"},
		"nix": {after: "c command"}, "nix-shell": {script: "run command"},
		"dotenv": {}, "doppler": {subs: "run", script: "command"}, "aws-vault": {subs: "exec", skip: 1}, "heroku": {subs: "run"},
		"vagrant": {script: "c command"},
		"git":     {subs: "foreach run", settings: true, script: "x exec extcmd tree-filter index-filter msg-filter env-filter commit-filter parent-filter tag-name-filter"},
		"fd":      {after: "x X exec exec-batch", subs: noSubs},
		"tmux": {subs: "new new-session neww new-window splitw split-window respawnp respawn-pane respawnw respawn-window run run-shell " +
			"send send-keys popup display-popup"},
		"nodemon": {script: "exec x", subs: noSubs}, "ansible": {script: "args a", subs: noSubs}, "pssh": {}, "just": {after: "command c", subs: noSubs},
		"xterm": {after: "e", subs: noSubs}, "alacritty": {after: "e command", subs: noSubs}, "gnome-terminal": {after: "x", subs: noSubs, rest: true}, "wezterm": {subs: "start"}, "zellij": {subs: "run"},
		"start-stop-daemon": {script: "exec x startas a", subs: noSubs},
		"concurrently":      {subs: noSubs, texts: true}, "perf": {subs: "stat record trace mem sched ftrace"},
		"setarch": {skip: 1}, "faketime": {skip: 1}, "gosu": {skip: 1}, "sg": {skip: 1, script: "c"}, "cgexec": {}, "gdb": {after: "args", subs: noSubs}, "bwrap": {values: 3},
	}
	for name, same := range map[string]string{
		"docker": "podman nerdctl docker-compose", "kubectl": "oc", "npm": "pnpm", "aws-vault": "chamber", "fd": "fdfind", "gosu": "su-exec",
		"poetry": "uv pipx pipenv pdm hatch rye conda mamba micromamba dotenvx op infisical", "bundle": "rbenv pyenv nodenv goenv",
		"mise": "asdf rtx",
		"bunx": "pnpx systemd-run nsenter setpriv prlimit numactl runcon ltrace valgrind catchsegv fakeroot proot firejail xvfb-run dbus-run-session " +
			"unbuffer rlwrap caffeinate linux32 linux64 i386 x86_64 ssh-agent daemonize torsocks torify tsocks proxychains proxychains4 " +
			"wsl kitty parallel-ssh entr watchexec hyperfine screen chpst softlimit envdir sem trickle eatmydata cpulimit",
	} {
		for other := range strings.FieldsSeq(same) {
			known[other] = known[name]
		}
	}
	return known
}()

// carried records what the carrier at index may run.
func (r *reader) carried(index int, w *carrier) {
	words := r.line.Commands[index].Words
	from, found := 1, w.subs == ""
	for i := 1; i < min(len(words), 8) && !found; i++ {
		if listed(w.subs, words[i].Text) {
			from, found = i+1, true
		}
	}
	for i := 1; i < len(words); i++ {
		if !startsOption(words[i].Text) {
			continue
		}
		name, value, joined := strings.Cut(strings.TrimLeft(words[i].Text, "-"), "=")
		rest := words[i+1:]
		switch {
		case w.settings && words[i].Text == "-c" && len(rest) > 0:
			_, setting, _ := strings.Cut(rest[0].Text, "=")
			r.perhaps(index, []Word{literal(strings.TrimPrefix(setting, "!"))})
		case name == "" && (w.rest || found && i >= from), listed(w.after, name) && !joined:
			r.perhaps(index, rest)
		case !listed(w.script, name):
		case joined:
			r.perhaps(index, []Word{literal(value)})
		case len(rest) > 0:
			r.perhaps(index, rest[:1])
		}
	}
	for i := 1; w.texts && i < len(words); i++ {
		r.perhaps(index, words[i:i+1])
	}
	if found {
		for _, i := range w.starts(words, from) {
			r.perhaps(index, words[i:])
		}
	}
}

// starts lists the words at which the command may begin: each word behind an
// option may be an operand, or the option's value.
func (w *carrier) starts(words []Word, from int) (at []int) {
	seen := 1 // bit n: there may have been n operands so far
	values := 0
	for i := from; i < len(words) && seen != 0; i++ {
		text := words[i].Text
		if startsOption(text) {
			if text == "--" {
				return at
			}
			values = 0
			if !strings.Contains(text, "=") {
				values = max(w.values, 1)
			}
			continue
		}
		if seen&(1<<w.skip) != 0 {
			at = append(at, i)
		}
		next := seen << 1
		if values > 0 {
			next |= seen
		}
		values--
		seen = next & (1<<(w.skip+1) - 1)
	}
	return at
}

// limits are the doubts about what isn't looked at for its size.
var limits = []string{tooMuch, tooDeep, scriptsTooDeep, groupsTooDeep, tooManyCommands}

// perhaps records a command that the one at index may run, with what it runs in
// turn. Nothing that is unclear in it makes the line unclear, but for more than
// is looked at.
func (r *reader) perhaps(index int, words []Word) {
	if len(words) == 0 || words[0].Text == "" {
		return
	}
	outer := r.line.Commands[index]
	pos := outer.pos
	if r.line.guesses >= maxGuesses || r.depth > maxNested {
		r.line.doubt(tooMuch, pos)
		return
	}
	r.line.guesses++
	guess := &Line{guesses: r.line.guesses}
	guess.Commands = append(guess.Commands, Command{
		Source: spell(words), Words: words, Dir: outer.Dir, pos: pos,
		Via: append(append([]string{}, outer.Via...), base(outer.Program())),
	})
	inner := &reader{line: guess, base: &pos, depth: r.depth + 1, where: place{dir: outer.Dir}}
	inner.inside(0, nil)
	r.line.guesses = guess.guesses
	for _, d := range guess.Doubts {
		if slices.Contains(limits, d.Reason) {
			r.line.doubt(tooMuch, pos)
		}
	}
	for _, c := range append(guess.Commands, guess.Possible...) {
		c.Doubts, c.parent, c.pipeline, c.wrapper = nil, 0, 0, index+1
		r.line.Possible = append(r.line.Possible, c)
	}
}
