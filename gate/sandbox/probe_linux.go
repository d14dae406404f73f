package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// probeLimit is how long trying the sandbox out may take.
const probeLimit = 10 * time.Second

// Available says what the sandbox holds on this machine. The first call tries
// it out with a process; [Main] must have been called before.
func Available() Report {
	if !hosted.Load() {
		return Report{Err: fmt.Errorf("%w: %w", ErrUnavailable, errNotHosted)}
	}
	return available()
}

var available = sync.OnceValue(func() Report {
	abi := landlockABI()
	if abi < abiLeast {
		return Report{ABI: abi, Err: fmt.Errorf("%w: this kernel has no Landlock of version %d or later (it says %d)", ErrUnavailable, abiLeast, abi)}
	}
	if err := probe(false); err != nil {
		return Report{ABI: abi, Err: fmt.Errorf("%w: Landlock doesn't work: %w", ErrUnavailable, err)}
	}
	return describe(abi, probe(true))
})

// probe tries out whether a process can be confined.
func probe(mounts bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), probeLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	var said bytes.Buffer
	cmd.Stderr = &said
	c := &cage{Mounts: mounts, Roots: []string{os.DevNull}, Write: []string{os.DevNull}, NoNetwork: mounts, Probe: true}
	if err := c.start(cmd); err != nil {
		return err
	}
	if err := cmd.Run(); err != nil {
		return errors.New(err.Error() + " " + string(bytes.TrimSpace(said.Bytes())))
	}
	return nil
}

// describe puts what was found into words.
func describe(abi int, noNamespaces error) Report {
	r := Report{Name: "landlock", ABI: abi, Namespaces: noNamespaces == nil}
	held := func(yes bool, text string) {
		if yes {
			r.Holds = append(r.Holds, text)
		} else {
			r.Lacks = append(r.Lacks, text)
		}
	}
	held(true, "writing, truncating and removing outside the workspace and the folders named")
	held(true, "protected entries inside the workspace")
	held(true, "tracing processes outside")
	held(abi >= abiIoctl, "control of devices")
	held(abi >= abiScopes, "signals and abstract sockets to processes outside")
	held(r.Namespaces, "the network as a whole, when it is to be off")
	held(r.Namespaces, "sockets that start processes elsewhere or use your keys (D-Bus, Docker, tmux, ssh agents and others known, or named by the environment)")
	held(r.Namespaces, "shared memory and queues of System V")
	held(r.Namespaces, "modes, owners and times of files elsewhere")
	held(r.Namespaces, "the terminals of this user")
	if noNamespaces != nil {
		r.Lacks = append(r.Lacks,
			"new entries beside protected ones: the agent can't make files in the workspace's own folder, nor commit with git",
			"namespaces can't be used: "+noNamespaces.Error())
	}
	r.Lacks = append(r.Lacks, "reading files that no rule denies, other sockets in the file system, keys in the kernel's keyrings, repositories inside the workspace")
	return r
}
