//go:build unix && !linux && !darwin && !freebsd

package desk

import "errors"

func peerUser(int) (int, error) { return 0, errors.ErrUnsupported }
