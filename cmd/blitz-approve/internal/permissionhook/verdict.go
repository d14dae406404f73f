package permissionhook

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/review"
)

// ErrNoVerdict is output that isn't exactly one verdict.
var ErrNoVerdict = errors.New("its output is not a verdict")

// parseVerdict reads the output of a hook; none at all says nothing.
func parseVerdict(output []byte) (gate.HookAnswer, error) {
	if output = bytes.TrimSpace(output); len(output) == 0 {
		return gate.HookAnswer{}, nil
	}
	decision, reason, err := review.Decode(string(output))
	if err != nil {
		return gate.HookAnswer{}, fmt.Errorf("%w: %w", ErrNoVerdict, err)
	}
	a := gate.HookAnswer{Reason: reason}
	switch decision {
	case "allow":
		a.Effect = gate.HookAllow
	case "deny":
		a.Effect = gate.HookDeny
	case "none":
		a.Effect = gate.HookSilent
	default:
		return gate.HookAnswer{}, fmt.Errorf("%w: the decision %q is none of allow, deny and none", ErrNoVerdict, review.Sentence(decision))
	}
	return a, nil
}
