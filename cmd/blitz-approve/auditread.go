package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A recordReader reads the audit log, as far as it is written.
type recordReader struct {
	lines  *bufio.Reader
	filter auditFilter
	take   func(gate.Record)
	// problems is told of the lines that are no records; they are left out.
	problems io.Writer

	line  int    // how many were read
	begun []byte // the last one, which is still being written
}

// next reads to the end of what is there.
func (r *recordReader) next(ctx context.Context) error {
	for ctx.Err() == nil {
		line, err := r.lines.ReadBytes('\n')
		r.begun = append(r.begun, line...)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		r.record(r.begun)
		r.begun = r.begun[:0]
	}
	return ctx.Err()
}

func (r *recordReader) record(line []byte) {
	r.line++
	var record gate.Record
	if json.Unmarshal(line, &record) != nil {
		fmt.Fprintf(r.problems, "blitz-approve: line %d of the audit log is no record and is left out\n", r.line)
	} else if r.filter.takes(record) {
		r.take(record)
	}
}

// readLog reads a whole log, or no more of it than the last lines where any
// record is listed.
func readLog(ctx context.Context, log io.ReadSeeker, filter auditFilter, take func(gate.Record), problems io.Writer) (*recordReader, error) {
	r := &recordReader{lines: bufio.NewReader(log), filter: filter, take: take, problems: problems}
	if filter.last > 0 && filter == (auditFilter{last: filter.last, follow: filter.follow}) {
		at, before, err := lastLines(log, filter.last)
		if err == nil {
			_, err = log.Seek(at, io.SeekStart)
		}
		if err != nil {
			return nil, err
		}
		r.line = before
	}
	return r, r.next(ctx)
}

// lastLines is where the last n complete lines of a text begin, and how many
// stand before them.
func lastLines(text io.Reader, n int) (at int64, before int, err error) {
	var ends []int64 // of the last n+1 lines, as a ring
	block := make([]byte, 64<<10)
	lines := 0
	for read := int64(0); ; {
		size, err := text.Read(block)
		for from := 0; ; {
			i := bytes.IndexByte(block[from:size], '\n')
			if i < 0 {
				break
			}
			from += i + 1
			if len(ends) <= n {
				ends = append(ends, 0)
			}
			ends[lines%(n+1)] = read + int64(from)
			lines++
		}
		read += int64(size)
		switch {
		case errors.Is(err, io.EOF) && lines <= n:
			return 0, 0, nil
		case errors.Is(err, io.EOF):
			return ends[lines%(n+1)], lines - n, nil
		case err != nil:
			return 0, 0, err
		}
	}
}
