package sandbox

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
)

// marker is the first argument of a program that was started again.
const marker = "__sandboxed"

// exitBroken is the exit code of a child that could not be confined, as shells
// give it for a command that can't be run.
const exitBroken = 126

// hosted says that Main was called. Without, a program that is started again
// would run as itself, unconfined and once more.
var hosted atomic.Bool

var errNotHosted = errors.New("sandbox.Main was not called at the start of this program")

// Main is to be called first in main, and in TestMain. In a process that
// [Policy.Wrap] started it applies the policy and becomes the wrapped command;
// if that fails in any way, it ends the process. Otherwise it returns at once.
func Main() {
	hosted.Store(true)
	if len(os.Args) < 2 || os.Args[1] != marker {
		return
	}
	err := become(os.Args[2:])
	fmt.Fprintln(os.Stderr, "sandbox: the agent was not started:", err)
	os.Exit(exitBroken)
}
