package gate

import "fmt"

// A Source says where a rule or a value comes from.
type Source struct {
	// Layer is "built-in", "global", "workspace", "project", "local",
	// "overlay", "flag" or "session".
	Layer string
	File  string
	Line  int // from 1; 0 when there is no file
}

func (s Source) String() string {
	if s.File == "" {
		return s.Layer
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}

// A Rule is one permission rule: an effect, what it matches, and where it
// comes from (APR-15). Make one with [ParseRule].
type Rule struct {
	Effect Effect
	Text   string // as written, such as shell(go test)
	Source Source

	matcher matcher
}

func (r *Rule) String() string { return fmt.Sprintf("%s %s (%s)", r.Effect, r.Text, r.Source) }

type matcher any
