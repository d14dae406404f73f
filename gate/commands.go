package gate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// A command is one command of the request's lines with what the rules say of
// it.
type command struct {
	*shell.Command
	deny, ask, allow *Rule
	readOnly         bool     // allowed by the built-in defaults alone
	doubt            string   // why an allow can't be trusted
	alone            *command // as it would be but for a doubt about another one; nothing is decided by it
	unnamed          bool     // the doubt is that a rule must name more
	uncounted        string   // why a rule that allows its words isn't enough
	displaced        bool     // that is since it runs elsewhere
	carried          bool     // its words are the last ones of a command before
	ruled            int      // the index of the command that allow was found for
	from             int      // the index of the first command of its line
	outer            int      // if it is carried, the index of that command
	walked           *walked
	alias
}

// readCommands matches every rule for commands on every command, once.
func (e *evaluation) readCommands() {
	for at := 0; at < len(e.lines); at++ { // aliases add more
		line, base := e.lines[at], len(e.commands)
		for i := range line.Commands {
			e.commands = append(e.commands, e.readCommand(line, &line.Commands[i], e.commands[base:]))
			c := &e.commands[base+i]
			c.ruled, c.from = base+i, base
			if outer, ok := line.Wrapper(c.Command); ok {
				c.carried, c.outer = true, base+outer
				e.carry(&e.commands[c.outer], c)
			}
			e.lines = append(e.lines, c.aliased...)
		}
		e.readPossible(line)
	}
}

// carry holds the rules for a wrapper, such as timeout, and for what it runs, c,
// together.
func (e *evaluation) carry(wrapper, c *command) {
	switch {
	case c.allow == nil && (c.doubt == "" || c.unnamed):
		e.carryOver(wrapper, c)
	case c.ruledByUser() && wrapper.allow == nil && wrapper.uncounted == "":
		before := wrapper.Args()[:len(wrapper.Words)-len(c.Words)]
		wrapper.uncounted = c.allow.Text + " isn't enough: a rule must begin with " + quoteWords(before)
	}
}

// carryOver takes the rule that allows a wrapper, such as timeout, for the words
// that it runs, c, if it names that program in its place, and all that a rule
// for c itself would have to name. A rule for the wrapper alone leaves open what
// it runs.
func (e *evaluation) carryOver(wrapper, c *command) {
	r := wrapper.allow
	if r == nil || r.kind != ruleShell || r.matcher == nil {
		return
	}
	m, words := r.matcher.(*commandMatcher), e.commands[wrapper.ruled].Args()
	if m.regex != nil && !m.literal || m.regex == nil && len(m.words) <= len(words)-len(c.Words) {
		return
	}
	named, _ := e.protectedWrites(c.Command)
	if slices.ContainsFunc(append(named, c.Launches()...), func(w string) bool { return !m.names(words, w) }) {
		return
	}
	c.allow, c.ruled, c.doubt = r, wrapper.ruled, ""
}

// readPossible adds what the line may run beside that, where a rule speaks
// against it.
func (e *evaluation) readPossible(line *shell.Line) {
	for i := range line.Possible {
		sc := &line.Possible[i]
		c := command{Command: sc, deny: e.restrictingShell(Deny, sc), ask: e.restrictingShell(Ask, sc)}
		if sc.Mentioned() { // perhaps it is only talk
			c.deny, c.ask = nil, cmp.Or(c.deny, c.ask)
		}
		c.walked = e.walkBlocked(line, sc)
		if c.deny != nil || c.ask != nil || c.walked != nil {
			e.commands = append(e.commands, c)
		}
	}
}

// readCommand matches the rules on a command, of whose line the ones before it
// are read.
func (e *evaluation) readCommand(line *shell.Line, sc *shell.Command, before []command) command {
	c := command{Command: sc}
	c.deny = e.restrictingShell(Deny, sc)
	c.ask = e.restrictingShell(Ask, sc)
	c.walked = e.walkBlocked(line, sc)
	c.alias = e.aliasOf(sc)
	c.doubt = c.hidden
	if sc.Writes() {
		c.doubt = "it writes a file by redirection"
	}
	allowed, guard := shell.ReadOnlyIn(sc, e.inside)
	if guard != "" && c.ask == nil && !e.policy.NoReadOnlyGuards {
		c.ask = &Rule{Effect: Ask, Text: guard, Source: builtIn, kind: ruleShell}
	}
	doubt, unsure := line.FirstDoubt()
	if unsure && blamed(line, sc) {
		c.doubt = doubt.Reason
		return c
	}
	if c.doubt == "" {
		e.allowCommand(&c, allowed, before)
	}
	if unsure {
		alone := c
		c = command{Command: sc, deny: c.deny, ask: c.ask, walked: c.walked, alias: c.alias, doubt: doubt.Reason, alone: &alone}
	}
	return c
}

// blamed reports a command of a line with a doubt that is about the whole line,
// the command, or what runs it.
func blamed(line *shell.Line, sc *shell.Command) bool {
	if len(line.Doubts)+len(sc.Doubts) > 0 {
		return true
	}
	outer, inside := line.Wrapper(sc)
	return inside && blamed(line, &line.Commands[outer])
}

// allowCommand finds what allows a command that is in no doubt: a rule, or, where
// it is one of them, the read-only defaults.
func (e *evaluation) allowCommand(c *command, readOnly bool, before []command) {
	sc, args := c.Command, c.Args()
	c.allow, c.doubt = e.allowing(sc, c.foreign)
	c.unnamed = c.doubt != ""
	if c.allow != nil {
		if why := e.displaced(sc, before); why != "" {
			c.uncounted, c.displaced, c.allow = c.allow.Text+" isn't enough: "+why, true, nil
		}
	}
	c.readOnly = !e.policy.NoReadOnlyDefaults && e.inside(sc.Dir) && (readOnly || e.changesInside(sc))
	if c.readOnly && sc.Program() == "git" {
		if why := e.gitRuns(sc.Dir); why != "" {
			c.readOnly, c.doubt = false, why
		}
	}
	if c.readOnly && len(e.place.programs) > 0 && sc.Program() != "cd" {
		if own := e.shadowed(sc); own != "" {
			c.readOnly, c.doubt = false, "PATH has "+own+" run by that name"
		}
	}
	if c.allow == nil && c.readOnly {
		c.allow = &Rule{Effect: Allow, Text: "shell(" + strings.Join(args[:min(len(args), defaultWords(args))], " ") + ")", Source: builtIn, kind: ruleShell}
	}
}

// allowing finds the allow rule for a command, or says what a rule would have
// to name: a broad one reaches neither what is protected (APR-13) nor the
// options that make a program another one.
func (e *evaluation) allowing(c *shell.Command, foreign string) (r *Rule, doubt string) {
	x := &e.index.shell[Allow]
	if x.empty() {
		return nil, ""
	}
	named, doubt := e.protectedWrites(c)
	if launches := c.Launches(); len(launches) > 0 {
		named = append(named, launches...)
		doubt = cmp.Or(doubt, launches[0]+" may make it do something else, so that only a rule with it allows that")
	}
	if goal := e.entersProtected(c); goal != "" {
		named = append(named, goal)
		doubt = cmp.Or(doubt, "it enters "+goal+", which is protected, so that only a rule for exactly this allows it")
	}
	if foreign != "" {
		named = append(named, foreign)
		doubt = cmp.Or(doubt, foreign+" is no command of git's own, so that only a rule with it allows that")
	}
	if r = x.allowing(c, named); r == nil && len(named) > 0 {
		return nil, doubt
	}
	return r, ""
}

// inside reports whether a command's directory is the workspace or in it.
func (e *evaluation) inside(dir string) bool {
	base := e.verdict.Request.Dir
	if dir == "" {
		return e.place.runsInWorkspace(base)
	}
	return e.place.runsInWorkspace(e.place.file(dir, base).written())
}

var builtIn = Source{Layer: "built-in"}

func defaultWords(args []string) int {
	if len(args) > 0 && args[0] == "git" {
		return 2
	}
	return 1
}

// changesInside reports a cd to a literal folder inside the workspace, which
// by itself changes nothing.
func (e *evaluation) changesInside(c *shell.Command) bool {
	dir, ok := c.ChangesTo()
	return ok && e.inside(dir)
}

// gitRuns says which setting of the repository makes even a reading git
// command run a program, or is empty.
func (e *evaluation) gitRuns(dir string) string {
	if e.place.dark {
		return errDark.Error()
	}
	why, err := shell.GitConfigRuns(e.place.file(cmp.Or(dir, "."), e.verdict.Request.Dir).forms[0])
	if err != nil {
		return "the repository's configuration can't be read: " + err.Error()
	}
	switch {
	case why == "":
		return ""
	case strings.HasPrefix(why, "hooks/"):
		return "git runs a program by " + why + ", which is set in this repository alone"
	}
	return "git runs a program by " + why + ", which only this repository sets; if it is yours, set it with git config --global"
}

func (e *evaluation) restrictingShell(effect Effect, c *shell.Command) *Rule {
	x := &e.index.shell[effect]
	if x.empty() {
		return nil
	}
	for _, words := range c.Forms() {
		if r := x.restricting(words); r != nil {
			return r
		}
	}
	return nil
}

// declareCommands joins what the shell tool says of each line with what the
// request brought along; the stricter word stays.
func (e *evaluation) declareCommands() {
	d := &e.verdict.Request.Declared
	allows := len(e.lines) > 0 && d.Policy != PolicyPrompt && d.Policy != PolicyDeny
	for _, line := range e.lines {
		o := line.Resolve(e.policy.Shell)
		switch p := ToolPolicy(o.Policy); {
		case p == PolicyDeny, p == PolicyPrompt && d.Policy != PolicyDeny:
			d.Policy, d.Reason = p, o.Reason
			allows = false
		case p != PolicyAllow:
			allows = false
		}
		if o.Override {
			d.Override, allows = true, false
			e.critical = cmp.Or(e.critical, o.Reason)
			if d.Policy == PolicyAllow {
				d.Policy = NoPolicy
			}
			if d.Reason == "" {
				d.Reason = o.Reason
			}
		}
		if o.Reason != "" {
			e.note(o.Reason)
		}
	}
	if allows {
		d.Policy, d.Tier = PolicyAllow, Write
		d.Reason = "a shell pattern allows it"
	}
}

// forcedCommand forces the ask for guards, and for a line that can't be read
// for sure while a rule might speak against it (APR-15).
func (e *evaluation) forcedCommand() bool {
	if e.verdict.Request.Kind != RunCommand {
		return false
	}
	if why := e.readsForbidden(); why != "" {
		e.mustAsk(why)
		return true
	}
	if what, hit := e.codeMayWrite(); hit {
		e.mustAsk("its code may write to " + what + ", which a rule forbids or asks about")
		return true
	}
	if e.forcedWalk() {
		return true
	}
	if why, touched := e.touchesGate(); touched && e.inMode != Yolo {
		e.mustAsk(why)
		return true
	}
	if !e.index.unsure {
		return false
	}
	if len(e.commands) == 0 && len(e.lines) == 0 {
		e.mustAsk("it doesn't say what would run")
		return true
	}
	if e.unknownTarget() {
		e.mustAsk("it writes to a file whose name is known only when it runs")
		return true
	}
	if i := slices.IndexFunc(e.commands, func(c command) bool { return c.hidden != "" }); i >= 0 {
		e.mustAsk(e.commands[i].hidden)
		return true
	}
	for _, line := range e.lines {
		if doubt, unsure := line.FirstDoubt(); unsure {
			e.mustAsk("it can't be read for sure: " + doubt.Reason)
			return true
		}
	}
	return false
}

// forcedWalk forces the ask for a command that reads a folder with something in
// it that may not be read.
func (e *evaluation) forcedWalk() bool {
	for i := range e.commands {
		if w := e.commands[i].walked; w != nil {
			e.verdict.Rule = w.rule
			e.mustAsk(w.why())
			return true
		}
	}
	return false
}

// coveringCommands needs an allow rule for every command of every line.
func (e *evaluation) coveringCommands() (*Rule, string) {
	rule := everyTarget(e.commands, func(c *command) *Rule { return c.allow })
	if len(e.commands) > 1 {
		return rule, "rules allow every command in it"
	}
	return rule, "a rule allows it"
}

// restriction is the deny or ask rule for the command, or nil.
func (c *command) restriction(effect Effect) *Rule {
	if effect == Deny {
		return c.deny
	}
	return c.ask
}

// readOnlyCommands reports a line that the built-in defaults allow whole.
func (e *evaluation) readOnlyCommands() bool {
	if len(e.commands) == 0 || e.verdict.Forced {
		return false
	}
	for i := range e.commands {
		if !e.commands[i].readOnly {
			return false
		}
	}
	return true
}

// parts explains a line command by command.
func (e *evaluation) parts() []Part {
	parts := make([]Part, 0, len(e.commands))
	for i := range e.commands {
		c := &e.commands[i]
		if c.alone != nil {
			c = c.alone // it isn't to blame
		}
		p := Part{Command: c.Source, Effect: Ask, Reason: cmp.Or(c.doubt, c.uncounted, "no rule matches")}
		switch {
		case c.deny != nil:
			p.Effect, p.Rule, p.Reason = Deny, c.deny, ""
		case c.ask != nil:
			p.Rule, p.Reason = c.ask, ""
		case c.walked != nil:
			p.Rule, p.Reason = c.walked.rule, c.walked.why()
		case c.allow != nil:
			p.Effect, p.Rule, p.Reason = Allow, c.allow, ""
		}
		parts = append(parts, p)
	}
	return parts
}

// commandFile is an operand as the command would open it.
func (e *evaluation) commandFile(c *shell.Command, operand string) filePath {
	dir := e.verdict.Request.Dir
	if c.Dir != "" {
		dir = e.place.file(c.Dir, dir).written()
	}
	return e.place.file(operand, dir)
}
