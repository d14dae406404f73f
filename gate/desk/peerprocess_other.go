//go:build !linux

package desk

import "errors"

func peerProcess(int) (int, error) { return 0, errors.ErrUnsupported }
