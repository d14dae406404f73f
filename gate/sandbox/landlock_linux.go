package sandbox

import (
	"errors"
	"fmt"
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Rights that are held, and those granted for folders and for files. Nobody
// gets to make device nodes.
const (
	writeFile landlock.AccessFSSet = ll.AccessFSWriteFile | ll.AccessFSTruncate
	writeTree                      = writeFile | ll.AccessFSRemoveDir | ll.AccessFSRemoveFile | ll.AccessFSMakeDir | ll.AccessFSMakeReg |
		ll.AccessFSMakeSock | ll.AccessFSMakeFifo | ll.AccessFSMakeSym | ll.AccessFSRefer
	writeAny = writeTree | ll.AccessFSMakeChar | ll.AccessFSMakeBlock
)

// devices that any program may write to; the second list only when they are
// the agent's own.
var (
	devices    = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}
	ownTerms   = []string{"/dev/ptmx", "/dev/pts"}
	ownFolders = []string{"/dev/shm"}
)

// landlockABI is the kernel's version, 0 without Landlock. Kernels whose
// signal scoping is broken count as the version before that.
func landlockABI() int {
	abi, err := ll.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	if errata, err := ll.LandlockGetErrata(); abi >= abiScopes && (err != nil || errata&2 == 0) {
		return abiScopes - 1
	}
	return abi
}

// enforceLandlock confines this thread, and what it executes, for good. There
// is no best effort in it: a kernel that lacks a right gives an error.
func enforceLandlock(c *cage) error {
	abi := landlockABI()
	if abi < abiLeast {
		return fmt.Errorf("%w: Landlock has version %d, %d is needed", ErrUnavailable, abi, abiLeast)
	}
	config := landlock.Config{HandledAccessFS: writeAny}
	device := writeFile
	if abi >= abiIoctl {
		config.HandledAccessFS |= ll.AccessFSIoctlDev
		device |= ll.AccessFSIoctlDev
	}
	if abi >= abiScopes {
		config.Scoped = ll.ScopeSignal | ll.ScopeAbstractUnixSocket
	}
	if c.NoNetwork && abi >= abiTCP {
		config.HandledAccessNet = ll.AccessNetBindTCP | ll.AccessNetConnectTCP
	}
	rules := []landlock.Rule{landlock.PathAccess(device, devices...).IgnoreIfMissing()}
	if c.Mounts {
		rules = append(rules,
			landlock.PathAccess(device, ownTerms...),
			landlock.PathAccess(writeTree, ownFolders...))
	}
	if len(c.Read) > 0 {
		config.HandledAccessFS |= ll.AccessFSReadFile
		rules = append(rules, landlock.PathAccess(ll.AccessFSReadFile, c.Read...).IgnoreIfMissing())
	}
	for _, path := range c.Write {
		rights, err := writeRights(path)
		if err != nil {
			return err
		}
		rules = append(rules, landlock.PathAccess(rights, path))
	}
	ruleset, flags, err := config.NewRulesetFD(rules...)
	if err != nil {
		return err
	}
	if ruleset < 0 {
		return errors.New("nothing is restricted")
	}
	defer unix.Close(ruleset)
	return ll.LandlockRestrictSelf(ruleset, flags)
}

func writeRights(path string) (landlock.AccessFSSet, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	if info.IsDir() {
		return writeTree, nil
	}
	return writeFile, nil
}
