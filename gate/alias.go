package gate

import (
	"cmp"
	"errors"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// An alias says of a git command what it stands for where its subcommand isn't
// git's own (APR-15).
type alias struct {
	aliased []*shell.Line // then rules have to allow these as well
	foreign string        // the subcommand, of which nothing is known
	hidden  string        // why it can't be told what it stands for
}

// maxAliases is how many lines aliases may add: they may stand for each other.
const maxAliases = 10

// aliasOf looks an alias up as git does. What is none is a program of its own,
// which only a rule with its name allows.
func (e *evaluation) aliasOf(c *shell.Command) (a alias) {
	name, shipped := c.GitAlias()
	if name == "" {
		return a
	}
	if e.place.dark {
		a.hidden = errDark.Error()
		return a
	}
	dir := e.place.file(cmp.Or(c.Dir, "."), e.verdict.Request.Dir).forms[0]
	lines, err := c.Aliased(dir, e.place.home.written)
	if e.aliases += len(lines); e.aliases > maxAliases {
		err = errors.New("aliases stand for each other")
	}
	switch {
	case err != nil:
		a.hidden = "what " + name + " stands for in git can't be told: " + err.Error()
	case len(lines) > 0:
		a.aliased = lines
	case !shipped:
		a.foreign = name
	}
	return a
}
