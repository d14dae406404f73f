package sandbox

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// keptCapabilities are root's over files and its own processes. The others
// would let root get round what holds it, as by opening files by handle or
// reading the memory of other processes. Users that aren't root have none.
const keptCapabilities = 1<<unix.CAP_CHOWN | 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_FOWNER | 1<<unix.CAP_FSETID |
	1<<unix.CAP_KILL | 1<<unix.CAP_SETGID | 1<<unix.CAP_SETUID

// dropCapabilities of this thread, and of all that it will execute.
func dropCapabilities() error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("ambient capabilities: %w", err)
	}
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var has, keep [2]unix.CapUserData
	if err := unix.Capget(header, &has[0]); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	if os.Geteuid() == 0 {
		if err := boundCapabilities(); err != nil {
			return err
		}
		keep[0].Permitted = has[0].Permitted & keptCapabilities
		keep[0].Effective = keep[0].Permitted
	}
	if err := unix.Capset(header, &keep[0]); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	return nil
}

// boundCapabilities takes from root what it would have again after exec. A
// root without the right to do so has nothing to lose: no new privileges keeps
// it from gaining any.
func boundCapabilities() error {
	for c := uintptr(0); c < 64; c++ {
		if keptCapabilities&(1<<c) != 0 {
			continue
		}
		err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EPERM) {
			return nil // the kernel knows no more, or gives none
		}
		if err != nil {
			return fmt.Errorf("capability %d: %w", c, err)
		}
	}
	return nil
}
