package rulebook

import (
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/shell"
	"github.com/blitz-approve/blitz-approve/tui"
)

// A Default is what the built-in rules allow: commands that ask with the same
// options, which may be none.
type Default struct{ Commands, Guards string }

// Defaults are the built-in rules for commands that only read.
func Defaults() (list []Default) {
	at := map[string]int{}
	for _, d := range shell.Defaults() {
		guards := strings.Join(d.Guards, " ")
		if len(d.Before) > 0 {
			guards += ", or git " + strings.Join(d.Before, " ")
		}
		if i, ok := at[guards]; ok {
			list[i].Commands += ", " + d.Command
			continue
		}
		at[guards] = len(list)
		list = append(list, Default{d.Command, guards})
	}
	return list
}

// builtIn is the group of the built-in rules.
func builtIn() tui.RuleGroup {
	group := tui.RuleGroup{Title: "built-in"}
	for _, d := range Defaults() {
		it := tui.RuleItem{
			Rule: true, Effect: gate.Allow, Mark: "allow", Text: d.Commands, Aside: "read-only defaults",
			Source:  gate.Source{Layer: "built-in"},
			Details: []gate.Field{{Label: "switch", Value: "permissions.read_only_defaults = false switches them off; see the page Settings"}},
		}
		if d.Guards != "" {
			it.Details = append([]gate.Field{{Label: "asks with", Value: d.Guards}}, it.Details...)
		}
		group.Items = append(group.Items, it)
	}
	return group
}
