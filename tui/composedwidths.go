package tui

// composedWidths are the gate's sentences on where rules count, and on which of
// them may be saved.
var composedWidths = []string{
	"it enters %s, which is protected, so that only a rule for exactly this allows it",
	"it runs behind %s, which needs a rule as well",
	"it runs in %s, outside of the workspace",
	"it runs in %s, and rules count where the line begins or a cd leads",
	"it runs outside of the workspace",
	"%s doesn't count: %v",
}
