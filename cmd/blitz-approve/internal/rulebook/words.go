package rulebook

import (
	"fmt"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// readRule says in words how a rule is read (APR-15).
func readRule(effect gate.Effect, text string) (string, error) {
	r, err := gate.CheckRule(effect, text, "", "", "")
	if err != nil {
		return "", err
	}
	return ruleWords(effect, r), nil
}

// ruleAside is how a rule is read in two words, and everything about it.
func ruleAside(effect gate.Effect, text string) (string, []gate.Field) {
	r, err := gate.CheckRule(effect, text, "", "", "")
	if err != nil {
		return "", nil
	}
	does := map[gate.Effect]string{
		gate.Deny:  "refuses it, in every mode, whatever allows it",
		gate.Ask:   "puts it before you, whatever would allow it",
		gate.Allow: "lets it pass, unless something denies or asks",
	}[effect]
	return r.Kind + ", " + r.Match, []gate.Field{{Label: "is read as", Value: ruleWords(effect, r)}, {Label: "does", Value: does}}
}

// things are what the kinds of rules look at.
var things = map[string]string{
	"shell": "commands", "write": "writing to files", "delete": "deleting files", "read": "reading files",
	"web": "hosts", "mcp": "tools of MCP servers", "skill": "skills", "agent": "agents", "tool": "tools",
}

// ruleWords says what a rule is for. One that restricts holds for all below a
// path, one that allows only where it ends in a slash.
func ruleWords(effect gate.Effect, r gate.RuleReading) string {
	what := things[r.Kind]
	switch {
	case r.Pattern == "*":
		return what + ": all of them"
	case r.Kind == "shell" && r.Match == "prefix":
		return fmt.Sprintf("commands that begin with the words %q", r.Pattern)
	case r.Match == "regex":
		return fmt.Sprintf("%s that the expression %s matches", what, r.Pattern)
	case r.Kind == "write" || r.Kind == "delete" || r.Kind == "read":
		below := ""
		if effect != gate.Allow || strings.HasSuffix(r.Pattern, "/") {
			below = " and what lies below it"
		}
		if r.Match == "glob" {
			return fmt.Sprintf("%s whose path matches %s: * stands for a name, ** for any folders", what, r.Pattern)
		}
		return fmt.Sprintf("%s: the path %s%s", what, r.Pattern, below)
	case r.Match == "glob":
		return fmt.Sprintf("%s that %s matches, where * stands for any text", what, r.Pattern)
	case r.Kind == "tool":
		return fmt.Sprintf("the tool called %s; for a command write shell(%s)", r.Pattern, r.Pattern)
	case r.Kind == "web" && strings.HasPrefix(r.Pattern, "*."):
		return fmt.Sprintf("the host %s and its subdomains", r.Pattern[2:])
	case r.Kind == "web":
		return fmt.Sprintf("the host %s", r.Pattern)
	}
	return fmt.Sprintf("%s called %s", what, r.Pattern)
}
