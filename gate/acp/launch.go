package acp

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Launch starts an agent's program and a [Host] for it. Its standard error
// and its end come as events. The program is looked for on PATH.
func Launch(argv []string, o Options) (*Host, error) {
	h := newHost(o)
	p, err := StartAgent(argv, o, func(line string) { h.emit(Stderr{line}) })
	if err != nil {
		h.end(nil)
		return nil, err
	}
	h.process = p
	h.serve(p.Stdout(), p.Stdin())
	h.leaving.Go(func() {
		<-p.Done()
		h.emit(AgentExited{p.Err()})
	})
	return h, nil
}

// StartAgent starts an agent's program in the workspace that o names, with the
// environment that its preset needs. Lines of its standard error go to stderr.
func StartAgent(argv []string, o Options, stderr func(line string)) (*Process, error) {
	if len(argv) == 0 {
		return nil, errors.New("no agent given")
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = o.Workspace
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(o.Withhold, name)
	})
	if o.Preset.Env != nil {
		cmd.Env = append(cmd.Env, o.Preset.Env(os.Getenv)...)
	}
	cmd.Env = append(cmd.Env, o.Env...)
	if o.Prepare != nil {
		if err := o.Prepare(cmd); err != nil {
			return nil, err
		}
	}
	p, err := StartProcess(cmd, stderr)
	if errors.Is(err, exec.ErrNotFound) && o.Preset.Install != "" {
		return nil, fmt.Errorf("%w; to get it: %s", err, o.Preset.Install)
	}
	return p, err
}

// lost says why the connection is gone: how the agent's program ended, if it
// did.
func (h *Host) lost(err error) error {
	if h.process == nil || !errors.Is(err, ErrClosed) {
		return err
	}
	select {
	case <-h.process.Done():
		return cmp.Or(h.process.Err(), err)
	case <-time.After(termGrace + killGrace): // as long as ending what it left behind may take
		return err
	}
}
