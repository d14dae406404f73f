package gate

// modeCauses are the causes of what a mode lets pass.
var modeCauses = func() (causes [len(modeNames)]string) {
	for m, name := range modeNames {
		causes[m] = "mode-" + name
	}
	return causes
}()

// Causes are the words that the audit log and a verdict carry (APR-10, 11,
// 14a, 15). A mode that lets something pass is "mode-" and its name; a
// reviewer's allow is [CauseAutoAllow], a colon and its reason.
const (
	CauseInvalid             = "invalid"
	CauseHardPolicy          = "hard-policy"
	CauseToolDeny            = "tool-deny"
	CauseRuleDeny            = "rule-deny"
	CauseUserDeny            = "user-deny"
	CauseUnattendedPermitted = "unattended-permitted"
	CauseUnattendedRefused   = "unattended-refused"
	CauseModePlan            = "mode-plan"
	CauseModeDontAsk         = "mode-dont-ask"
	CauseToolAllow           = "tool-allow"
	CauseRuleAllow           = "rule-allow"
	CauseUserAllow           = "user-allow"
	CauseAutoPolicy          = "auto-policy"
	CauseSessionRule         = "session-rule"
	CauseTurnRule            = "turn-rule"
	CauseTimedRule           = "timed-rule"
	CauseSavedRule           = "saved-rule"
	CauseGrant               = "grant"
	CauseHookAllow           = "hook-allow"
	CauseHookDeny            = "hook-deny"
	CauseAutoAllow           = "auto-allow"
	CauseAutoDeny            = "auto-deny"
	CauseAutoError           = "auto-error"
	CauseNoApprover          = "no-approver"
	// CauseAsked is the cause of a verdict that waits for a person.
	CauseAsked = "asked"
	// The causes of a person's answer.
	CauseUserOnce    = "user-once"
	CauseUserSession = "user-session"
	CauseUserTurn    = "user-turn"
	CauseUserUntil   = "user-until"
	CauseUserAlways  = "user-always"
	CauseUserRefused = "user-refused"
	// CauseCancelled is a turn that the person cancelled.
	CauseCancelled = "cancelled"
	// CauseWithdrawn is a request that the agent took back, or whose turn or
	// connection the agent ended.
	CauseWithdrawn = "withdrawn"
	// CauseUnanswered is what ended before anybody answered: [ErrUnanswered].
	CauseUnanswered = "unanswered"
	// CauseHandedOver is what somebody else is asked about: [ErrHandedOver].
	CauseHandedOver = "handed-over"
	// CauseLeft is what nothing here stops, and the agent's own rules decide on:
	// see [Request].OwnRules.
	CauseLeft = "left-to-agent"
	// CauseError is an approver that failed.
	CauseError = "error"
	// CauseAuditFailed turns an allow into a deny when it can't be recorded.
	CauseAuditFailed = "audit-failed"
)
