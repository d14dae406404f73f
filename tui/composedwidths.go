package tui

// composedWidths are the gate's sentences on where rules count, and on which of
// them may be saved.
var composedWidths = []string{
	"it enters %s, which is protected, so that only a rule for exactly this allows it",
	"it runs behind %s, which needs a rule as well",
	"it runs in %s, outside of the workspace",
	"it runs in %s, and rules count where the line begins or a cd leads",
	"it runs outside of the workspace",
	"%s isn't enough: a rule must begin with %s",
	"%s isn't enough: %v",
	"exactly %s",
	"cd into every folder of the workspace",
	"that is every folder",
	"with other words %s may do anything",
	"with other words %s may run, send or destroy anything",
	"with other words %s may run, send or destroy something else",
	"an option stands where %s says what it does",
	"that is all of %s",
	"a wider rule would let %s do something else",
	"it holds what looks like a secret",
	"it doesn't say all that it does",
	"no rule would let it pass",
	"what is wider may belong to others",
	"that is all of the server",
	"that is all of the tool",
	"it takes several rules",
	"what is protected is allowed file by file",
	"it is outside of the workspace",
	"what is deleted is allowed folder by folder",
	"the next is the whole workspace",
}
