// Package replay decides what an audit log holds once more, by other rules, and
// says what would come out otherwise (BEY-09).
package replay

import (
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A Report is what `check --replay --json` prints.
type Report struct {
	Since    time.Time `json:"since,omitzero"`
	Requests int       `json:"requests"` // that were decided once more
	Changed  int       `json:"changed"`
	// Left counts the records that were not decided once more, by the reason.
	Left map[string]int `json:"left_out,omitempty"`
	// Limited says that older records were left out.
	Limited bool      `json:"limited,omitempty"`
	Changes []*Change `json:"changes"`
}

// A Change is one request that comes out otherwise, as often as it came.
type Change struct {
	Was       string    `json:"was"`
	WasCause  string    `json:"was_cause"`
	Now       string    `json:"now"`
	Cause     string    `json:"cause"`
	Count     int       `json:"count"`
	Last      time.Time `json:"last"`
	Tool      string    `json:"tool"`
	Kind      gate.Kind `json:"kind,omitempty"`
	Targets   []string  `json:"targets,omitempty"`
	Workspace string    `json:"workspace"`
	Mode      string    `json:"mode"`
	Rule      string    `json:"rule,omitempty"`
	Source    string    `json:"source,omitempty"`
	Reason    string    `json:"reason"`
}
