package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A cage is a policy worked out for this machine, as it is handed to the
// program that is started again. All paths are absolute, exist, and are free
// of links.
type cage struct {
	Mounts bool     `json:"mounts"` // the process is in namespaces of its own
	Roots  []string `json:"roots"`  // what may be written; none lies below another
	Pins   []string `json:"pins"`   // folders inside roots that must not be moved
	Hold   []string `json:"hold"`   // read-only inside roots
	Hide   []string `json:"hide"`   // not to be read

	// Write and Read are what Landlock grants. Read is empty when it doesn't
	// hold reading.
	Write []string `json:"write"`
	Read  []string `json:"read"`

	NoNetwork bool `json:"noNetwork"`
	Probe     bool `json:"probe"` // only to see whether it works
}

func (c *cage) encode() (string, error) {
	text, err := json.Marshal(c)
	return string(text), err
}

// decodeCage is strict: half a policy is none.
func decodeCage(text string) (*cage, error) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	c := new(cage)
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("the policy can't be read: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the policy is followed by something else")
	}
	if len(c.Roots) == 0 {
		return nil, errors.New("the policy is empty")
	}
	if !c.Mounts && (c.NoNetwork || len(c.Hold) > 0 || len(c.Hide) > 0) {
		return nil, errors.New("the policy asks for what needs namespaces, without them")
	}
	return c, nil
}
