package gate

import (
	"context"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// A RuleReading says how a rule was understood and what it does to a sample.
type RuleReading struct {
	Kind    string // shell, write, delete, read, web, mcp, skill, agent or tool
	Match   string // prefix, glob, regex, path or name
	Pattern string
	// Applies says whether the rule applies to the sample; nil without one.
	Applies *bool
	// Note is a remark, such as that a redirection asks whatever the rule says.
	Note string
}

// CheckRule reads a rule without adding it. With a sample it says whether the
// rule applies: an allow rule to every command in it, a deny or ask rule to
// any (APR-15). The error is that of [ParseRule].
func CheckRule(effect Effect, text, sample, workspace, home string) (RuleReading, error) {
	r, err := ParseRule(effect, text, Source{Layer: "sample"})
	if err != nil {
		return RuleReading{}, err
	}
	_, pattern, _ := splitRule(r.Text)
	reading := RuleReading{Kind: r.kind.String(), Match: r.matcher.form(), Pattern: pattern}
	if sample == "" {
		return reading, nil
	}
	g, err := New(Options{Workspace: workspace, Home: home, Policy: Policy{Rules: []Rule{r}, NoReadOnlyDefaults: true, NoReadOnlyGuards: true}})
	if err != nil {
		return RuleReading{}, err
	}
	v := g.Check(context.Background(), r.sampleRequest(sample, g.Workspace()))
	applies := v.Rule != nil
	reading.Applies = &applies
	if r.kind == ruleShell {
		reading.Note = sampleNote(sample)
	}
	return reading, nil
}

// sampleRequest is the request that a sample stands for, under a rule of this
// kind.
func (r *Rule) sampleRequest(sample, workspace string) Request {
	switch r.kind {
	case ruleShell:
		return CommandRequest(workspace, "bash", sample)
	case ruleWrite:
		return WriteRequest(workspace, "edit", Change{Path: sample})
	case ruleDelete:
		return DeleteRequest(workspace, "delete", sample)
	case ruleRead:
		return ReadRequest("read", sample)
	case ruleWeb:
		return FetchRequest("web_fetch", sample)
	case ruleMCP:
		server, tool, _ := strings.Cut(sample, ":")
		return MCPRequest(server, tool)
	case ruleSkill, ruleAgent:
		return Request{Tool: r.kind.String(), Targets: []string{sample}}
	}
	return Request{Tool: sample}
}

func sampleNote(sample string) string {
	line := shell.Read(sample)
	for i := range line.Commands {
		if line.Commands[i].Writes() {
			return "a redirection to a file asks, whatever a rule allows"
		}
	}
	if d, unsure := line.FirstDoubt(); unsure {
		return "the sample can't be read for sure, so that no rule allows it: " + d.Reason
	}
	return ""
}
