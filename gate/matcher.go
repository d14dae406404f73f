package gate

// A matcher is what a rule's pattern became: one of the types below. Which
// method a rule needs follows from its kind.
type matcher interface{ form() string }

func newMatcher(kind ruleKind, pattern string) (matcher, error) {
	switch kind {
	case ruleShell:
		return newCommandMatcher(pattern)
	case ruleWrite, ruleDelete, ruleRead:
		return newPathMatcher(pattern)
	case ruleWeb:
		return newHostMatcher(pattern)
	}
	return newNameMatcher(pattern), nil
}
