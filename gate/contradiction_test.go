package gate

import (
	"strings"
	"testing"
	"time"
)

// APR-12: an answer that contradicts itself is refused, and says why; none of it
// is dropped unseen. A refusal stays what it is.
func TestContradictoryAnswers(t *testing.T) {
	for name, row := range map[string]struct {
		answer Answer
		reason string
	}{
		"a grant for the session":      {Answer{Decision: Session, Grant: GrantExact}, "a grant comes with once"},
		"a grant for always":           {Answer{Decision: Always, Grant: GrantAround, Remember: true}, "a grant comes with once"},
		"a rule until a time":          {Answer{Decision: Until, For: time.Hour, Rule: "shell(make)", Place: GlobalRules}, "a rule comes with always"},
		"a rule for the session":       {Answer{Decision: Session, Rule: "shell(make)", Place: GlobalRules}, "a rule comes with always"},
		"a place without a rule":       {Answer{Decision: Always, Place: WorkspaceRules}, "names no rule"},
		"a time that isn't asked for":  {Answer{Decision: Turn, For: time.Hour}, "a time comes with until"},
		"no, with all that could last": {Answer{Grant: GrantExact, Remember: true, Rule: "shell(make)", For: 1, Message: "no"}, "the person declined it"},
	} {
		t.Run(name, func(t *testing.T) {
			v := decideOne(t, Options{Workspace: "/w", Mode: Default, Approver: always(row.answer)}, shellRun("make"))
			if v.Allowed() || !strings.Contains(v.Reason, row.reason) || v.Message != row.answer.Message {
				t.Errorf("%s by %s: %s (%q)", v.Effect, v.Cause, v.Reason, v.Message)
			}
		})
	}
}
