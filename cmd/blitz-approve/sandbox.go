package main

import (
	"fmt"
	"io"
	"os/exec"

	"github.com/blitz-approve/blitz-approve/gate/sandbox"
)

// A box is the OS sandbox of one session. A nil box is none.
type box struct {
	report  sandbox.Report
	policy  sandbox.Policy
	release func() error
}

// newBox makes the sandbox that the flags ask for, or says why there is none:
// who asks for one never runs without.
func newBox(m *machine, agent string, noNetwork bool) (*box, error) {
	b := &box{report: sandbox.Available()}
	if !b.report.Active() {
		return nil, fmt.Errorf("--sandbox: %w", b.report.Err)
	}
	b.policy = sandbox.ForWorkspace(m.workspace, agent, m.home)
	b.policy.NoNetwork = noNetwork
	return b, nil
}

// prepare puts the agent's command under the sandbox.
func (b *box) prepare(cmd *exec.Cmd) (err error) {
	if b == nil || cmd.Err != nil { // starting it says what is missing
		return nil
	}
	b.release, err = b.policy.Wrap(cmd)
	return err
}

// close clears up when the agent is gone; its error is for the person.
func (b *box) close() error {
	if b == nil || b.release == nil {
		return nil
	}
	return b.release()
}

// name is what the screen shows: a sandbox that bypass can't rely on says so.
func (b *box) name() string {
	switch {
	case b == nil:
		return ""
	case !b.report.Whole():
		return b.report.Name + " in part"
	}
	return b.report.Name
}

// whole reports whether mode bypass may rely on it (APR-14).
func (b *box) whole() bool { return b != nil && b.report.Whole() }

// describedSandbox is what holds here, for the doctor.
func describedSandbox(r sandbox.Report) foundSandbox {
	f := foundSandbox{Name: r.Name, Version: r.ABI, Bypass: r.Whole(), Holds: append([]string{}, r.Holds...), Lacks: append([]string{}, r.Lacks...)}
	if r.Err != nil {
		f.Error = r.Err.Error()
	}
	return f
}

func (f *foundSandbox) print(w io.Writer) {
	if f.Name == "" || f.Error != "" {
		fmt.Fprintf(w, "sandbox    none: %s\n", printable(f.Error))
		return
	}
	fmt.Fprintf(w, "sandbox    %s (version %d), bypass may rely on it: %t\n", f.Name, f.Version, f.Bypass)
	for _, line := range f.Holds {
		fmt.Fprintln(w, "  held:", line)
	}
	for _, line := range f.Lacks {
		fmt.Fprintln(w, "  not held:", line)
	}
}
