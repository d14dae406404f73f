package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/demo"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

func demoCommand(f *flags) *cobra.Command {
	var dir string
	var pace time.Duration
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "See it work with a scripted agent, in a scratch folder",
		Long: `See it work: a scripted agent, built in, fixes a small program in a scratch
folder. It reads, edits, runs commands, asks, presents a plan, and tries
something that a rule refuses. What you approve really happens there.`,
		Args: cobra.NoArgs,
		RunE: f.spoken(func(cmd *cobra.Command, _ []string) error {
			m, err := f.prepareDemo(dir)
			if err != nil {
				return err
			}
			s := &session{machine: m, name: "demo agent", prompt: demo.Prompt, demo: true, connect: connectDemo(m.workspace, pace)}
			return s.start(cmd.Context(), cmd)
		}),
	}
	cmd.Flags().StringVar(&dir, "dir", "", "work in this new folder instead of a temporary one")
	cmd.Flags().DurationVar(&pace, "pace", demo.HumanPace, "pause before each thing that the agent does")
	return cmd
}

// demoFolders are those that demos work in, in the temporary folder.
const demoFolders = "blitz-approve-demo-*"

// demoHint says, to who looks for what they have just decided in a demo, how to
// see the newest demo's log with a command. It is empty where there is none.
func demoHint(command string) string {
	logs, _ := filepath.Glob(filepath.Join(os.TempDir(), demoFolders, "home", "audit.jsonl"))
	var newest string
	var when time.Time
	for _, log := range logs {
		info, err := os.Lstat(log)
		if err == nil && info.Mode().IsRegular() && info.Size() > 0 && !foreignOwner(info) && info.ModTime().After(when) {
			newest, when = log, info.ModTime()
		}
	}
	if newest == "" {
		return ""
	}
	return "\nthe demo has a log of its own: blitz-approve " + command + " --file " + printable(newest)
}

// prepareDemo makes the scratch workspace, with the gate's home beside it, so
// that the person's own settings and approvals are not touched.
func (f *flags) prepareDemo(dir string) (*machine, error) {
	var err error
	if dir == "" {
		if dir, err = os.MkdirTemp("", demoFolders); err != nil {
			return nil, fmt.Errorf("make a scratch folder: %w", err)
		}
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	home, workspace := filepath.Join(dir, "home"), filepath.Join(dir, "shop")
	text, err := demo.Prepare(workspace)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(home, "settings.toml"), []byte(text), 0o600); err != nil {
		return nil, err
	}
	m, err := f.loadFrom(home, workspace)
	if err == nil {
		m.flag = f.tongue() // the settings there know nothing of the person
	}
	return m, err
}

// connectDemo connects the scripted agent by two pipes in memory: from there
// on it is an agent like any other.
func connectDemo(workspace string, pace time.Duration) func(acp.Options) (*acp.Host, error) {
	return func(o acp.Options) (*acp.Host, error) {
		if o.Prompter == nil {
			pace = 0 // nobody follows it
		}
		toAgent, fromHost := io.Pipe()
		toHost, fromAgent := io.Pipe()
		go func() {
			// It ends when the host closes its end.
			_ = demo.Serve(context.Background(), toAgent, fromAgent, workspace, pace)
		}()
		return acp.NewHost(toHost, fromHost, o), nil
	}
}
