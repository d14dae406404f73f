package gate

import (
	"fmt"
	"path"
)

// offers lists what a person may answer: once, and, when nothing forces the
// ask, what a remembered approval would cover (APR-03, TAM-11, TAM-20).
func (e *evaluation) offers() []Decision {
	req := &e.verdict.Request
	offers := []Decision{Once}
	if e.verdict.Forced || req.Unrevealed || e.anyProtected() {
		return offers
	}
	// Grants stand in the place of the others (TAM-07).
	if e.inMode == AlwaysAskCached && len(e.gatedTargets()) > 0 {
		return offers
	}
	// The key of an edit doesn't say that something is deleted as well.
	keyed := e.keyCovers() && !e.removes()
	if keyed || e.inMode.byTier() {
		offers = append(offers, Session)
	}
	if keyed && !LooksSecret(req.Key) {
		offers = append(offers, Always)
	}
	return offers
}

func (m Mode) byTier() bool {
	return m == AlwaysAsk || m == AlwaysAskCached || m == WriteMode || m == Yolo
}

// wayOut names what would let the request pass without a person.
func (e *evaluation) wayOut() string {
	if e.verdict.Forced {
		return "run it where a person can answer"
	}
	rule := e.suggestion()
	if rule == "" {
		return "choose a mode that lets it pass"
	}
	return fmt.Sprintf("allow it with the rule %s, or choose a mode that lets it pass", rule)
}

// suggestion is the narrowest rule that would allow the request, or empty.
func (e *evaluation) suggestion() string {
	req := &e.verdict.Request
	if len(req.Targets) == 0 {
		return ""
	}
	t := req.Targets[0]
	if wild(t) {
		return "" // in a rule it would stand for more than itself
	}
	switch req.Kind {
	case RunCommand:
		if len(e.lines) > 0 && e.lines[0].Clear() && len(e.lines[0].Commands) == 1 {
			return "shell(" + quoteWords(e.lines[0].Commands[0].Args()) + ")"
		}
	case WriteFile:
		return "write(" + path.Clean(t) + ")"
	case DeleteFile:
		return "delete(" + path.Clean(t) + ")"
	case Network:
		return "web(" + HostOf(t) + ")"
	case MCPTool:
		return "mcp(" + t + ")"
	}
	return ""
}
