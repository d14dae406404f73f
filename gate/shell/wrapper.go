package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A wrapper is a program that runs another one given in its words. The tables
// of options are complete: an option that is not in them makes the reading
// doubtful, since its value could be taken for the program.
type wrapper struct {
	options
	skip    int    // operands before the program
	assigns bool   // NAME=value operands before the program
	opaque  string // options after which the inside can't be known, short or long, between spaces
	script  string // options whose value is a script of the shell
	setting string // options whose value is NAME=value, or NAME value, and may be a command
	late    bool   // options may stand behind operands
	none    string // options with which it runs nothing
	doubt   string // why the inside is never sure
}

var wrappers = map[string]*wrapper{
	"env": {
		options: options{flags: "i0v", values: "uCS", longFlags: "ignore-environment null debug version help list-signal-handling block-signal default-signal ignore-signal",
			longValues: "unset chdir split-string", abbreviate: true},
		assigns: true, opaque: "S split-string C chdir",
	},
	"nohup":  {options: options{longFlags: "help version"}},
	"setsid": {options: options{flags: "cfw", longFlags: "ctty fork wait help version"}},
	"time": {options: options{flags: "pvqaV", values: "of", longFlags: "portability verbose quiet append version help",
		longValues: "output format"}, opaque: "o output"},
	"timeout": {options: options{flags: "vfp", values: "ks", longFlags: "preserve-status foreground verbose help version",
		longValues: "kill-after signal", abbreviate: true}, skip: 1},
	"nice":    {options: options{flags: "0123456789", values: "n", longValues: "adjustment", longFlags: "help version", abbreviate: true}},
	"ionice":  {options: options{flags: "t", values: "cnpPu", longFlags: "ignore", longValues: "class classdata pid pgid uid"}},
	"chrt":    {options: options{flags: "abfiorRdvm", values: "TPD", longFlags: "all-tasks batch fifo idle other rr deadline reset-on-fork verbose max"}, skip: 1},
	"taskset": {options: options{flags: "acp", longFlags: "all-tasks cpu-list pid"}, skip: 1},
	"stdbuf":  {options: options{values: "ioe", longValues: "input output error", longFlags: "help version", abbreviate: true}},
	"sudo": {options: options{flags: "AbBEeHiKklnNPsSVv", values: "aCcDghpRrTtUu",
		longFlags:  "askpass background bell edit preserve-env set-home login remove-timestamp reset-timestamp list non-interactive no-update preserve-groups shell stdin version validate help",
		longValues: "auth-type close-from login-class chdir group host prompt chroot role command-timeout type other-user user"},
		assigns: true, opaque: "i s login shell e edit D R chdir chroot", none: "l list v validate K k"},
	"doas":    {options: options{flags: "nLs", values: "aCu"}, opaque: "s C"},
	"command": {options: options{flags: "pvV"}, none: "v V"},
	"builtin": {},
	"exec":    {options: options{flags: "cl", values: "a"}},
	"busybox": {options: options{longFlags: "list list-full help"}},
	"toybox":  {options: options{longFlags: "long version help"}},
	"strace":  {options: options{flags: "fqvCcdDFhiknrtTVwxyYzZ", values: "aIeEoOpPsSuUXb"}, opaque: "o E p"},
	"chroot":  {options: options{longFlags: "skip-chdir help version", longValues: "groups userspec"}, skip: 1, doubt: "it runs below another root"},
	"unshare": {options: options{flags: "muinpUCTfrc", values: "RwSG",
		longFlags: "mount uts ipc net pid user cgroup time fork map-root-user map-current-user kill-child mount-proc propagation"},
		doubt: "it runs in another namespace"},
	"xargs": {options: options{flags: "0rtpxo", values: "aEdIJLnPRsS", attached: "eil", longFlags: "null no-run-if-empty verbose interactive exit open-tty eof replace max-lines show-limits process-slot-var",
		longValues: "arg-file delimiter max-args max-procs max-chars", abbreviate: true}, doubt: "it takes words from its input"},
	"parallel": {doubt: "it runs commands made from its input"},
	"watch":    {options: options{flags: "bcCdegprtwx", values: "nqs"}, doubt: "it runs text as a command"},
	"su":       {options: options{flags: "lmpfP", values: "cgGsw", longFlags: "login preserve-environment fast pty", longValues: "command session-command group supp-group shell whitelist-environment"}, script: "c command session-command", late: true, skip: 1, doubt: "it runs as another user"},
	"runuser":  {options: options{flags: "lmpfP", values: "cgGsuw", longFlags: "login", longValues: "command user group"}, script: "c command", late: true, doubt: "it runs as another user"},
	"pkexec":   {options: options{longFlags: "disable-internal-agent keep-cwd", longValues: "user"}},
	"flock":    {options: options{flags: "sxenuoFv", values: "wEc", longFlags: "shared exclusive unlock nonblock close no-fork verbose", longValues: "timeout wait conflict-exit-code command"}, script: "c command", skip: 1},
	"script": {options: options{flags: "aefq", values: "cEIOBTmot", longFlags: "append return flush force quiet version help", longValues: "command log-in log-out log-io log-timing output-limit echo logging-format timing", abbreviate: true},
		script: "c command", late: true, skip: 1, doubt: "it writes what a command prints"},
	"ssh": {options: options{flags: "46AaCfGgKkMNnqsTtVvXxYy", values: "BbcDEeFIiJLlmOoPpQRSWw"}, setting: "o", skip: 1, doubt: "it runs on another machine"},
}

// inside reads what the wrapper at index runs.
func (r *reader) inside(index int, s *syntax.Stmt) {
	c := r.line.Commands[index]
	if len(c.Via) > 0 && strings.ContainsAny(c.Program(), " \t\n;&|") {
		// What stands before joins its words and gives them to a shell.
		r.looseInside(index, c.Program(), "text")
		return
	}
	r.feed(index)
	r.interpreted(index)
	r.console(index)
	r.launched(index)
	if len(c.Words) < 2 && !isShell(base(c.Program())) {
		return
	}
	switch name := base(c.Program()); {
	case isShell(name):
		r.shell(index, name, s)
	case startsOption(name):
		// Another shell may take the word for an option of what stands before.
		r.guess(index, name)
	case name == "find":
		r.find(index)
	case isSed(name):
		_, script := c.sedScripts()
		for _, text := range script.runs {
			r.perhaps(index, []Word{literal(text)})
			if text == "" { // by the flag e: what is put in the place of something
				r.replaced(index)
			}
		}
	case name == "eval":
		r.evaluated(index, 1, "eval")
	case name == "trap":
		r.trapped(index)
	case wrappers[name] != nil:
		r.wrapped(index, name, wrappers[name])
	case carriers[name] != nil:
		r.carried(index, carriers[name])
	}
}

func (r *reader) wrapped(index int, name string, w *wrapper) {
	c := &r.line.Commands[index]
	opts, operands := w.scan(c.Words, !w.late)
	sure := true
	for _, o := range opts {
		switch {
		case listed(w.none, o.name) && o.known:
			return
		case listed(w.script, o.name) && o.hasValue:
			r.nestedScript(index, c.Words[o.valueAt], o.value, name+" -c")
			c = &r.line.Commands[index]
		case listed(w.setting, o.name) && o.hasValue:
			if i := strings.IndexAny(o.value, "= "); i > 0 {
				r.perhaps(index, []Word{literal(o.value[i+1:])})
			}
		case listed(w.opaque, o.name):
			c.doubt("an option of " + name + " that hides what it runs")
			if o.hasValue {
				r.looseInside(index, o.value, name)
				c = &r.line.Commands[index]
			}
		case !o.known:
			sure = false
		}
	}
	if w.doubt != "" {
		c.doubt(w.doubt)
	}
	if !sure {
		c.doubt("an option of " + name + " that is not known")
		r.guess(index, name)
		return
	}
	if w.assigns {
		operands = r.environment(index, operands)
	}
	if len(operands) > w.skip {
		r.run(index, c.Words[operands[w.skip]:], name)
	}
}

// environment records the NAME=value operands of env and sudo, and returns
// the operands after them.
func (r *reader) environment(index int, operands []int) []int {
	c := &r.line.Commands[index]
	for len(operands) > 0 {
		w := c.Words[operands[0]]
		name, value, ok := strings.Cut(w.Text, "=")
		if w.Text == "-" { // env's old spelling of -i
			operands = operands[1:]
			continue
		}
		if !ok {
			break
		}
		v := w
		v.Text = value
		if !harmlessAssign(name, v) {
			c.doubt("it sets " + name)
		}
		operands = operands[1:]
	}
	return operands
}

// run records the command that words make, found inside the wrapper at index.
func (r *reader) run(index int, words []Word, via string) {
	outer := r.line.Commands[index]
	if len(words) == 0 || words[0].Text == "" {
		return
	}
	c := Command{
		Source: spell(words), Words: words, Dir: outer.Dir, pos: outer.pos,
		Via:    append(append([]string{}, outer.Via...), via),
		parent: outer.parent, pipeline: outer.pipeline,
		Redirects: outer.Redirects, wrapper: index + 1, input: outer.input,
	}
	if len(c.Via) > maxNested || len(r.line.Commands) >= maxCommands {
		r.line.doubt(tooDeep, outer.pos)
		return
	}
	r.judge(&c)
	if p := c.Program(); p == "cd" || p == "pushd" || p == "popd" {
		c.doubt("a change of directory inside " + via)
		r.where.unsure = true
	}
	r.line.Commands = append(r.line.Commands, c)
	r.inside(len(r.line.Commands)-1, nil)
}

// maxGuesses bounds how many commands of a line are guessed.
const maxGuesses = 100

// guess records every command that the words of the wrapper at index could
// be, so that a deny rule sees it.
func (r *reader) guess(index int, via string) {
	words := r.line.Commands[index].Words
	for i := 1; i < len(words) && i < 12; i++ {
		if !startsOption(words[i].Text) && r.line.guesses < maxGuesses {
			r.line.guesses++
			r.run(index, words[i:], via)
		}
	}
}

// find reads what find -exec and its like run.
func (r *reader) find(index int) {
	words := r.line.Commands[index].Words
	for i := 1; i < len(words); i++ {
		switch words[i].Text {
		case "-exec", "-execdir", "-ok", "-okdir":
		default:
			continue
		}
		end := i + 1
		for end < len(words) && words[end].Text != ";" && (words[end].Text != "+" || words[end-1].Text != "{}") {
			end++
		}
		inner := make([]Word, 0, end-i)
		for _, w := range words[i+1 : end] {
			if strings.Contains(w.Text, "{}") {
				w.Literal, w.inert = false, true
			}
			inner = append(inner, w)
		}
		r.run(index, inner, "find "+words[i].Text)
		i = end
	}
}

func base(program string) string {
	return program[strings.LastIndexByte(program, '/')+1:]
}

func joinText(words []Word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}
