package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/replay"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

// replayLog decides what the log holds once more (BEY-09).
func replayLog(cmd *cobra.Command, f *flags, from, file string) error {
	home, err := settings.DefaultHome()
	if err != nil {
		return err
	}
	p := &replay.Replay{Home: home, OwnMode: f.mode != "" || f.yolo || f.autoApprove}
	p.Settings = func(workspace string) (gate.Policy, gate.Mode, error) {
		m, err := f.loadFrom(home, workspace)
		if err != nil {
			return gate.Policy{}, 0, err
		}
		m.report(cmd.ErrOrStderr())
		return m.policy, m.mode, nil
	}
	if p.Policy, err = replayPolicy(cmd, file); err != nil {
		return err
	}
	path := (&machine{home: home}).auditPath()
	if info, err := os.Stat(from); err == nil && !info.IsDir() {
		path = from
	} else if p.Since, err = parseSince(from, time.Now()); err != nil {
		return fmt.Errorf("--replay %w, or the path of a log", err)
	}
	if f.workspace != "" {
		m, err := f.loadFrom(home, f.workspace)
		if err != nil {
			return err
		}
		p.Only = m.workspace
	}
	report, err := p.Run(cmd.Context(), path)
	if err != nil {
		return err
	}
	if f.json {
		err = output.Object(cmd.OutOrStdout(), report)
	} else {
		printReplay(cmd.OutOrStdout(), report)
	}
	if err == nil && report.Changed > 0 {
		return &codedError{exitRefused, errors.New("the rules of today decide otherwise than the log")}
	}
	return err
}

// replayPolicy is that of the file of --settings; nil without one.
func replayPolicy(cmd *cobra.Command, file string) (*gate.Policy, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	parsed, problems := settings.Parse(file, data, settings.Global)
	p, more := policy.Of(&parsed.Values)
	for _, problem := range append(problems, more...) {
		fmt.Fprintf(cmd.ErrOrStderr(), "blitz-approve: %s: %s\n", problem.Severity, printable(problem.Error()))
	}
	return &p, nil
}

func printReplay(w io.Writer, r *replay.Report) {
	for _, c := range r.Changes {
		fmt.Fprintf(w, "%-5s → %-5s  %3d×  %s\n", c.Was, c.Now, c.Count, printable(strings.TrimSpace(c.Tool+"  "+strings.Join(c.Targets, " "))))
		by := c.Reason
		if c.Rule != "" {
			by += " · " + c.Rule + " (" + c.Source + ")"
		}
		fmt.Fprintf(w, "    was %s, would be %s: %s\n", printable(c.WasCause), printable(c.Cause), printable(by))
	}
	fmt.Fprintf(w, "%d of %s would be decided otherwise\n", r.Changed, counted(r.Requests, "request", "requests"))
	for _, why := range slices.Sorted(maps.Keys(r.Left)) {
		fmt.Fprintf(w, "%s not decided once more: %s\n", counted(r.Left[why], "record was", "records were"), printable(why))
	}
	if r.Limited {
		fmt.Fprintf(w, "only the newest %d records were taken\n", replay.Limit)
	}
}
