package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/sandbox"
	"github.com/blitz-approve/blitz-approve/settings"
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
	denied, whole := m.readDenied()
	b.policy.ReadDeny = append(b.policy.ReadDeny, denied...)
	if !whole {
		m.problems = append(m.problems, settings.Problem{
			Severity: settings.Warning, File: "read rules", Message: "they reach over more files than can be looked through",
			Hint: "the sandbox keeps the agent from those that were found; name folders instead, as in read(keys/)",
		})
	}
	return b, nil
}

// readDenied is what read rules deny and is there now.
func (m *machine) readDenied() (paths []string, whole bool) {
	home, _ := os.UserHomeDir()
	return gate.ReadDenied(m.policy, m.workspace, home)
}

// foundReadRules says who holds the read rules, for the doctor.
type foundReadRules struct {
	// Denied is how many files and folders that are here they deny, or more
	// where AtLeast is set.
	Denied  int  `json:"denied"`
	AtLeast bool `json:"at_least,omitempty"`
	// Held says that a sandboxed agent can't read them by any way.
	Held bool `json:"held_in_sandbox"`
}

func (m *machine) readRules(r sandbox.Report) foundReadRules {
	denied, whole := m.readDenied()
	return foundReadRules{Denied: len(denied), AtLeast: !whole, Held: r.Active()}
}

func (f *foundReadRules) print(w io.Writer) {
	if f.Denied == 0 && !f.AtLeast {
		return
	}
	found := counted(f.Denied, "file or folder that is here", "files and folders that are here")
	if f.AtLeast {
		found = fmt.Sprintf("%d or more files and folders that are here", f.Denied)
	}
	fmt.Fprintf(w, "read rules deny %s\n", found)
	if f.Held {
		fmt.Fprintln(w, "  held: under --sandbox the agent can't read these by any way; without it, what the agent asks for is refused, and what it reads without asking isn't held")
		fmt.Fprintln(w, "  not held: files that appear while the agent runs, but for those in a folder that a rule names")
	} else {
		fmt.Fprintln(w, "  not held: what the agent reads without asking; that needs the sandbox")
	}
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
	rely := "enough for mode bypass"
	if !f.Bypass {
		rely = "not enough for mode bypass"
	}
	fmt.Fprintf(w, "sandbox    %s (version %d), %s\n", f.Name, f.Version, rely)
	for _, line := range f.Holds {
		fmt.Fprintln(w, "  held:", line)
	}
	for _, line := range f.Lacks {
		fmt.Fprintln(w, "  not held:", line)
	}
}
