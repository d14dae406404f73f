package gate

import (
	"os"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// Behind a cd the words of a rule may do something else than in the workspace's
// own folder, for which it was written. They count there once a rule of the
// user's allows the cd as well, and the folder is in the workspace.

// displaced says why a rule doesn't count for a command where it runs, or is
// empty. The cds before it in its line are among before.
func (e *evaluation) displaced(sc *shell.Command, before []command) string {
	cds, why := e.behind(sc, before)
	if why == "" && len(cds) > 0 {
		return "it runs behind " + cds[0].Source + ", which needs a rule as well"
	}
	return why
}

// behind lists the cds before a command that need a rule. Otherwise why says
// that no rule counts where it runs.
func (e *evaluation) behind(sc *shell.Command, before []command) (cds []*command, why string) {
	if !e.inside("") {
		return nil, "it runs outside of the workspace"
	}
	if sc.Dir == "" {
		return nil, ""
	}
	if !e.inside(sc.Dir) {
		return nil, "it runs in " + sc.Dir + ", outside of the workspace"
	}
	goal := ""
	for i := range before {
		c := &before[i]
		dir, ok := c.ChangesTo()
		if !ok {
			continue
		}
		goal = dir
		if !c.ruledByUser() {
			cds = append(cds, c)
		}
	}
	if goal != sc.Dir {
		return nil, "it runs in " + sc.Dir + ", and rules count where the line begins or a cd leads"
	}
	return cds, ""
}

// ruledByUser reports whether a rule that a person wrote allows c, rather than a
// built-in one.
func (c *command) ruledByUser() bool { return c.allow != nil && c.allow.Source != builtIn }

// entersProtected is the operand of a cd into a protected folder, or empty.
func (e *evaluation) entersProtected(c *shell.Command) string {
	dir, ok := c.ChangesTo()
	if !ok || len(c.Words) < 2 || !e.place.protected(e.place.file(dir, e.verdict.Request.Dir), false) {
		return ""
	}
	return c.Words[len(c.Words)-1].Text
}

// leads reports whether a cd into dir succeeds.
func (e *evaluation) leads(dir string) bool {
	if e.place.dark {
		return false
	}
	// A folder that may not be entered has no dot in it for us.
	info, err := os.Stat(e.place.file(dir, e.verdict.Request.Dir).written() + "/.")
	return err == nil && info.IsDir()
}
