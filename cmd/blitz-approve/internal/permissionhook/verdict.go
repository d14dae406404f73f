package permissionhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/blitz-approve/blitz-approve/gate"
)

// ErrNoVerdict is output that isn't exactly one verdict.
var ErrNoVerdict = errors.New("its output is not a verdict")

// parseVerdict reads the output of a hook; none at all says nothing.
func parseVerdict(output []byte) (gate.HookAnswer, error) {
	if output = bytes.TrimSpace(output); len(output) == 0 {
		return gate.HookAnswer{}, nil
	}
	var v struct{ Decision, Reason once }
	dec := json.NewDecoder(bytes.NewReader(output))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		return gate.HookAnswer{}, fmt.Errorf("%w: %s", ErrNoVerdict, sentence(err.Error()))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return gate.HookAnswer{}, fmt.Errorf("%w: something follows the first one", ErrNoVerdict)
	}
	a := gate.HookAnswer{Reason: sentence(v.Reason.text)}
	switch v.Decision.text {
	case "allow":
		a.Effect = gate.HookAllow
	case "deny":
		a.Effect = gate.HookDeny
	case "none":
		a.Effect = gate.HookSilent
	default:
		return gate.HookAnswer{}, fmt.Errorf("%w: the decision %q is none of allow, deny and none", ErrNoVerdict, sentence(v.Decision.text))
	}
	return a, nil
}

// once is a text that may be given once: of two members with the same name,
// JSON takes the last, and they may contradict each other.
type once struct {
	text string
	set  bool
}

func (o *once) UnmarshalJSON(raw []byte) error {
	if o.set {
		return errors.New("a member comes twice")
	}
	if !bytes.HasPrefix(raw, []byte{'"'}) {
		return errors.New("a member is not a text")
	}
	o.set = true
	return json.Unmarshal(raw, &o.text)
}

// maxSentence is how many characters of a hook's text are kept.
const maxSentence = 500

// sentence makes text from outside one short line without characters that
// act on a terminal or can't be seen.
func sentence(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > maxSentence {
		s = string(runes[:maxSentence]) + "…"
	}
	return s
}
