package gate

import (
	"cmp"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// A command is one command of the request's lines with what the rules say of
// it.
type command struct {
	*shell.Command
	deny, ask, allow *Rule
	readOnly         bool   // allowed by the built-in defaults alone
	doubt            string // why an allow can't be trusted
}

// readCommands matches every rule for commands on every command, once.
func (e *evaluation) readCommands() {
	for _, line := range e.lines {
		for i := range line.Commands {
			e.commands = append(e.commands, e.readCommand(line, &line.Commands[i]))
		}
	}
}

func (e *evaluation) readCommand(line *shell.Line, sc *shell.Command) command {
	c := command{Command: sc}
	args := sc.Args()
	c.deny = e.shellRule(Deny, sc)
	c.ask = e.shellRule(Ask, sc)
	switch doubt, unsure := line.FirstDoubt(); {
	case unsure:
		c.doubt = doubt.Reason
	case sc.Writes():
		c.doubt = "it writes a file by redirection"
	}
	allowed, guard := shell.ReadOnly(sc)
	if guard != "" && c.ask == nil && !e.policy.NoReadOnlyGuards {
		c.ask = &Rule{Effect: Ask, Text: guard, Source: builtIn, kind: ruleShell}
	}
	if c.doubt != "" {
		return c
	}
	// A rule was written for the workspace's own folder; elsewhere the same
	// words may do something else.
	if sc.Dir == "" {
		c.allow = e.shellAllow(args)
	}
	c.readOnly = !e.policy.NoReadOnlyDefaults && e.inside(sc.Dir) && (allowed || e.changesInside(sc))
	if c.readOnly && args[0] == "git" {
		if why := e.gitRuns(sc.Dir); why != "" {
			c.readOnly, c.doubt = false, why
		}
	}
	if c.allow == nil && c.readOnly {
		c.allow = &Rule{Effect: Allow, Text: "shell(" + strings.Join(args[:min(len(args), defaultWords(args))], " ") + ")", Source: builtIn, kind: ruleShell}
	}
	return c
}

// inside reports whether a command's directory is the workspace or in it.
func (e *evaluation) inside(dir string) bool {
	if dir == "" {
		return true
	}
	f := e.place.file(dir, e.verdict.Request.Dir)
	return e.place.inWorkspace(f) || f.written == e.place.workspace
}

var builtIn = Source{Layer: "built-in"}

func defaultWords(args []string) int {
	if args[0] == "git" {
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
	why, err := shell.GitConfigRuns(e.place.file(cmp.Or(dir, "."), e.verdict.Request.Dir).resolved)
	if err != nil {
		return "the repository's configuration can't be read: " + err.Error()
	}
	return why
}

func (e *evaluation) shellRule(effect Effect, c *shell.Command) *Rule {
	rules := e.rules(ruleShell, effect)
	if len(rules) == 0 {
		return nil
	}
	forms := c.Forms()
	for _, r := range rules {
		for _, words := range forms {
			if r.matcher.(*commandMatcher).restricts(words) {
				return r
			}
		}
	}
	return nil
}

func (e *evaluation) shellAllow(args []string) *Rule {
	for _, r := range e.rules(ruleShell, Allow) {
		if r.matcher.(*commandMatcher).matches(args) {
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
	for _, target := range e.verdict.Request.Targets {
		o := shell.Resolve(target, e.policy.Shell)
		switch p := ToolPolicy(o.Policy); {
		case p == PolicyDeny, p == PolicyPrompt && d.Policy != PolicyDeny:
			d.Policy, d.Reason = p, o.Reason
			allows = false
		case p != PolicyAllow:
			allows = false
		}
		if o.Override {
			d.Override, allows = true, false
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
	for i := range e.commands {
		if what, hit := e.readMayReach(e.commands[i].Command); hit {
			e.mustAsk(what + " may be a file that may not be read")
			return true
		}
	}
	if !e.policy.unsure() {
		return false
	}
	for _, line := range e.lines {
		if doubt, unsure := line.FirstDoubt(); unsure {
			e.mustAsk("it can't be read for sure: " + doubt.Reason)
			return true
		}
	}
	return false
}

// allowCommands needs an allow rule for every command of every line.
func (e *evaluation) allowCommands() bool {
	if len(e.commands) == 0 {
		return false
	}
	for i := range e.commands {
		if e.commands[i].allow == nil {
			return false
		}
	}
	e.verdict.Rule = e.commands[0].allow
	reason := "a rule allows it"
	if len(e.commands) > 1 {
		reason = "rules allow every command in it"
	}
	e.allow(CauseRuleAllow, reason)
	return true
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
		p := Part{Command: c.Source, Effect: Ask, Reason: cmp.Or(c.doubt, "no rule matches")}
		switch {
		case c.deny != nil:
			p.Effect, p.Rule, p.Reason = Deny, c.deny, ""
		case c.ask != nil:
			p.Rule, p.Reason = c.ask, ""
		case c.allow != nil:
			p.Effect, p.Rule, p.Reason = Allow, c.allow, ""
		}
		parts = append(parts, p)
	}
	return parts
}

// redirectRestricted applies write rules to files that a command writes by
// redirection.
func (e *evaluation) redirectRestricted(m *pathMatcher) bool {
	for i := range e.commands {
		for _, r := range e.commands[i].Redirects {
			if !r.Writes || !r.Target.Literal {
				continue
			}
			f := e.commandFile(e.commands[i].Command, r.Target.Text)
			if m.restricts(e.place, f.written, false) || m.restricts(e.place, f.resolved, false) {
				return true
			}
		}
	}
	return false
}

// commandFile is an operand as the command would open it.
func (e *evaluation) commandFile(c *shell.Command, operand string) filePath {
	dir := e.verdict.Request.Dir
	if c.Dir != "" {
		dir = e.place.file(c.Dir, dir).written
	}
	return e.place.file(operand, dir)
}
