package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// become confines this process and turns it into the wrapped command. It
// returns only errors. args are the policy, the program and its arguments.
func become(args []string) error {
	// The kernel confines threads. The one that calls exec is the one that
	// stays, so that it must be the one that was confined.
	runtime.LockOSThread()
	if len(args) < 3 {
		return errors.New("there is no policy, or no command")
	}
	c, err := decodeCage(args[0])
	if err != nil {
		return err
	}
	if err := confine(c); err != nil {
		return err
	}
	if c.Probe {
		os.Exit(0)
	}
	err = syscall.Exec(args[1], args[2:], os.Environ())
	return &os.PathError{Op: "exec", Path: args[1], Err: err}
}

func confine(c *cage) error {
	if c.Mounts {
		dir, err := unix.Getwd()
		if err != nil {
			return err
		}
		if err := mountAll(c); err != nil {
			return err
		}
		// The old working directory lies below the new mounts.
		if err := unix.Chdir(dir); err != nil {
			return fmt.Errorf("the working directory: %w", err)
		}
	}
	leaveTerminal()
	if err := dropCapabilities(); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	return enforceLandlock(c)
}

// leaveTerminal gives up the controlling terminal, into which the agent could
// else type. A session of its own would not do, since the leader of a process
// group can't begin one.
func leaveTerminal() {
	sid, err := unix.Getsid(0)
	if err != nil || sid == os.Getpid() {
		return
	}
	tty, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return // there is none
	}
	_ = unix.IoctlSetInt(tty, unix.TIOCNOTTY, 0)
	unix.Close(tty)
}

// maxPolicy is a little less than what the kernel takes as one argument.
const maxPolicy = 127 << 10

// start changes cmd so that this program is started again in its place.
func (c *cage) start(cmd *exec.Cmd) error {
	if !hosted.Load() {
		return errNotHosted
	}
	policy, err := c.encode()
	if err != nil {
		return err
	}
	if len(policy) > maxPolicy {
		return fmt.Errorf("%w: it names too many files (%d bytes, %d can be handed over)", ErrUnenforceable, len(policy), maxPolicy)
	}
	cmd.Args = append([]string{"blitz-sandbox", marker, policy, cmd.Path}, cmd.Args...)
	cmd.Path = "/proc/self/exe" // also after the file was replaced by an update
	if !c.Mounts {
		return nil
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	a := cmd.SysProcAttr
	// Shared memory and queues of System V are neither files nor sockets.
	a.Cloneflags |= syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC
	if c.NoNetwork {
		a.Cloneflags |= syscall.CLONE_NEWNET
	}
	if os.Geteuid() == 0 {
		if a.UidMappings, err = sameIDs("/proc/self/uid_map"); err != nil {
			return err
		}
		a.GidMappings, err = sameIDs("/proc/self/gid_map")
		a.GidMappingsEnableSetgroups = true
		return err
	}
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	// Others than root lose their capabilities by exec, and mounting needs one.
	a.AmbientCaps = append(a.AmbientCaps, unix.CAP_SYS_ADMIN)
	return nil
}

// sameIDs maps each of root's identities to itself.
func sameIDs(file string) ([]syscall.SysProcIDMap, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var ids []syscall.SysProcIDMap
	for line := range strings.Lines(string(text)) {
		var inside, outside, size int
		if _, err := fmt.Sscan(line, &inside, &outside, &size); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		ids = append(ids, syscall.SysProcIDMap{ContainerID: inside, HostID: inside, Size: size})
	}
	return ids, nil
}
