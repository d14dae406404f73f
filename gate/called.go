package gate

import (
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// CalledNames are the names under which the request runs or calls something:
// the programs of a command that have letters beyond ASCII, else the tool and its
// server. A look-alike letter in them could make one pass for another, so that
// who shows the request marks it wherever they stand (BEY-03).
func (r *Request) CalledNames() []string {
	var names []string
	if r.Kind == RunCommand {
		for _, t := range r.Targets {
			names = append(names, shell.ForeignNames(t)...)
		}
		return names
	}
	names = append(names, r.Server, r.Tool)
	if server, tool, ok := strings.Cut(r.Tool, ":"); ok {
		names = append(names, server, tool)
	}
	return slices.DeleteFunc(names, func(s string) bool { return s == "" })
}
