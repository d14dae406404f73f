package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

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
	fs.IntVarP(&filter.last, "last", "n", 0, "only the last so many")
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
	log, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if asJSON {
			return printJSON[gate.Record](w, nil)
		}
		_, err = fmt.Fprintln(w, "nothing was decided yet: what agents want, and how it was settled, stands here (blitz-approve run, stream or hook)")
		return err
	}
	if err != nil {
		return fmt.Errorf("read the audit log: %w", err)
	}
	defer log.Close()
	reader, records, err := readLog(log, filter, problems)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if filter.last > 0 && len(records) > filter.last {
		records = records[len(records)-filter.last:]
	}
	if asJSON && !filter.follow {
		return printJSON(w, records)
	}
	for _, r := range records {
		printRecord(w, r, asJSON)
	}
	if !filter.follow {
		if len(records) == 0 {
			fmt.Fprintln(problems, "blitz-approve: no decision is like that")
		}
		return nil
	}
	return followAudit(ctx, w, reader, asJSON)
}

// A recordReader reads the audit log, as far as it is written.
type recordReader struct {
	lines  *bufio.Reader
	filter auditFilter
	line   int
	// damaged are the lines that are no records; they are left out.
	damaged []int
}

// next reads to the end of what is there. A last line without its end is being
// written, and left for the next call.
func (r *recordReader) next() ([]gate.Record, error) {
	var records []gate.Record
	for {
		line, err := r.lines.ReadBytes('\n')
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return records, err
		}
		r.line++
		var record gate.Record
		if json.Unmarshal(line, &record) != nil {
			r.damaged = append(r.damaged, r.line)
			continue
		}
		if r.filter.takes(record) {
			records = append(records, record)
		}
	}
}

// readLog reads a whole log. Lines that are no records are told to problems.
func readLog(log io.Reader, filter auditFilter, problems io.Writer) (*recordReader, []gate.Record, error) {
	r := &recordReader{lines: bufio.NewReader(log), filter: filter}
	records, err := r.next()
	for _, n := range r.damaged {
		fmt.Fprintf(problems, "blitz-approve: line %d of the audit log is no record and is left out\n", n)
	}
	return r, records, err
}

// followAudit looks for new records until the context ends.
func followAudit(ctx context.Context, w io.Writer, reader *recordReader, asJSON bool) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			records, err := reader.next()
			if err != nil {
				return err
			}
			for _, r := range records {
				printRecord(w, r, asJSON)
			}
		}
	}
}

func printRecord(w io.Writer, r gate.Record, asJSON bool) {
	if asJSON {
		_ = jsonEncoder(w).Encode(r)
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
		return fmt.Sprintf("%d credentials", r.Redacted)
	}
	return ""
}
