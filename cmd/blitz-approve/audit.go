package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/gate"
)

// An auditFilter says which records are listed.
type auditFilter struct {
	verdict, cause, tool, agent, grep string
	since                             time.Time
	last                              int
	follow                            bool
}

func auditCommand(f *flags) *cobra.Command {
	var filter auditFilter
	var file, since string
	cmd := &cobra.Command{
		Use: "audit", Short: "List the decisions that were made, newest last", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := f.inspect()
			if err != nil {
				return err
			}
			if !slices.Contains([]string{"", "allow", "deny", "ask"}, filter.verdict) {
				return fmt.Errorf("--verdict %s: it is allow, deny or ask", filter.verdict)
			}
			if since != "" {
				if filter.since, err = parseSince(since, time.Now()); err != nil {
					return fmt.Errorf("--since %w", err)
				}
			}
			if file != "" {
				if _, err := os.Stat(file); err != nil {
					return fmt.Errorf("read the audit log: %w", err)
				}
			}
			return listAudit(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), cmp.Or(file, m.auditPath()), filter, f.json)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&file, "file", "", "read this log instead of your own, such as that of a demo")
	fs.StringVar(&filter.verdict, "verdict", "", "only allow, deny, or ask: what was left to the agent to ask")
	fs.StringVar(&filter.cause, "cause", "", "only this cause, such as rule-deny")
	fs.StringVar(&filter.tool, "tool", "", "only this tool")
	fs.StringVar(&filter.agent, "agent", "", "only this agent")
	fs.StringVar(&filter.grep, "grep", "", "only records whose targets or reason contain this text")
	fs.StringVar(&since, "since", "", "only what is not older: 2h, 7d, 2026-01-31 or '2026-01-31 08:00'")
	fs.IntVarP(&filter.last, "last", "n", 0, "only the last so many; 0 is all")
	fs.BoolVarP(&filter.follow, "follow", "f", false, "go on with what is decided from now on, until Ctrl+C")
	return cmd
}

func (f auditFilter) takes(r gate.Record) bool {
	text := strings.Join(r.Targets, "\n") + "\n" + r.Reason
	return (f.verdict == "" || f.verdict == r.Verdict) &&
		(f.cause == "" || f.cause == r.Cause || strings.HasPrefix(r.Cause, f.cause+":")) &&
		(f.tool == "" || f.tool == r.Tool) && (f.agent == "" || f.agent == r.Agent) &&
		(f.grep == "" || strings.Contains(text, f.grep)) &&
		!r.Time.Before(f.since)
}

func listAudit(ctx context.Context, w, problems io.Writer, path string, filter auditFilter, asJSON bool) error {
	if filter.last < 0 {
		return fmt.Errorf("-n %d: give a number from 1, or 0 for all", filter.last)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Mode().IsRegular() && info.Size() == 0 && !filter.follow:
		if asJSON {
			return output.List[gate.Record](w, nil)
		}
		_, err = fmt.Fprintln(w, "nothing was decided yet: what agents want, and how it was settled, stands here (blitz-approve run, stream or hook)"+demoHint("audit"))
		return err
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("read the audit log: %s: %w; move it away", path, gate.ErrNotRegular)
	}
	log, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read the audit log: %w", err)
	}
	defer log.Close()
	list := auditList{filter: filter, json: asJSON, out: bufio.NewWriter(w)}
	reader, err := readLog(ctx, log, filter, list.take, problems)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := list.end(problems); err != nil || !filter.follow {
		return err
	}
	return list.follow(ctx, reader)
}

// An auditList prints records as they come, or holds those back of which only
// the last are listed, or that are one JSON list.
type auditList struct {
	filter auditFilter
	json   bool
	out    *bufio.Writer
	held   []gate.Record
	count  int
}

func (l *auditList) whole() bool { return l.json && !l.filter.follow }

func (l *auditList) take(r gate.Record) {
	l.count++
	last := l.filter.last
	if last <= 0 && !l.whole() {
		printRecord(l.out, r, l.json)
		return
	}
	l.held = append(l.held, r)
	if last > 0 && len(l.held)/2 >= last {
		l.held = append(l.held[:0], l.held[len(l.held)-last:]...)
	}
}

// end prints what was held back.
func (l *auditList) end(problems io.Writer) error {
	if last := l.filter.last; last > 0 && len(l.held) > last {
		l.held = l.held[len(l.held)-last:]
	}
	if l.whole() {
		if err := output.List(l.out, l.held); err != nil {
			return err
		}
		return l.out.Flush()
	}
	for _, r := range l.held {
		printRecord(l.out, r, l.json)
	}
	if l.count == 0 && !l.filter.follow {
		fmt.Fprintln(problems, "blitz-approve: no decision is like that")
	}
	return l.out.Flush()
}

// follow looks for new records until the context ends.
func (l *auditList) follow(ctx context.Context, reader *recordReader) error {
	reader.take = func(r gate.Record) { printRecord(l.out, r, l.json) }
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			err := reader.next(ctx)
			if err = errors.Join(err, l.out.Flush()); err != nil && ctx.Err() == nil {
				return err
			}
		}
	}
}

func printRecord(w io.Writer, r gate.Record, asJSON bool) {
	if asJSON {
		_ = output.Encoder(w).Encode(r)
		return
	}
	what := r.Tool
	if len(r.Targets) > 0 {
		what += "  " + strings.Join(r.Targets, " ")
	}
	by := r.Cause
	if r.Rule != "" {
		by += " · " + r.Rule + " (" + r.Source + ")"
	}
	fmt.Fprintf(w, "%s  %-5s  %s\n    %s  %s  %s\n", r.Time.Local().Format(time.DateTime), r.Verdict, printable(what), r.ID, printable(by), printable(r.Reason))
	if left := leftOut(r); left != "" {
		fmt.Fprintf(w, "    left out of the log: %s\n", printable(left))
	}
}

// leftOut says which credentials were left out of a record, and where. Older
// versions only counted them.
func leftOut(r gate.Record) string {
	switch {
	case len(r.Redactions) > 0:
		return strings.Join(r.Redactions, ", ")
	case r.Redacted > 0:
		return counted(r.Redacted, "credential", "credentials")
	}
	return ""
}
