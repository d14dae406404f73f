//go:build !unix

package desk

import (
	"errors"
	"fmt"
	"net"
)

var errSystem = fmt.Errorf("%w: a desk needs to know who connects, which this system doesn't say: %w", ErrUnsafe, errors.ErrUnsupported)

func private(string) error { return errSystem }

func samePerson(*net.UnixConn) error { return errSystem }
