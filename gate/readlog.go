package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
)

// ErrDamagedRecord is wrapped by the errors of [Records] for lines that are no
// records.
var ErrDamagedRecord = errors.New("this line of the audit log is no record")

// Records yields what an audit log holds, newest first, and keeps one line in
// memory at a time. A log that doesn't exist holds nothing. A damaged line
// yields an error that wraps [ErrDamagedRecord], and reading goes on; after
// any other error it ends. A last line without its end is being written, and
// is left out.
func Records(path string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		f, end, err := openLog(path)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(Record{}, fmt.Errorf("read the audit log: %w", err))
			return
		}
		defer f.Close()
		for line, err := range linesFromEnd(f, end) {
			if err != nil {
				yield(Record{}, fmt.Errorf("read the audit log: %w", err))
				return
			}
			var r Record
			if err := json.Unmarshal(line, &r); err != nil {
				if !yield(Record{}, fmt.Errorf("%w: %w", ErrDamagedRecord, err)) {
					return
				}
			} else if !yield(r, nil) {
				return
			}
		}
	}
}

func openLog(path string) (f *os.File, size int64, err error) {
	if err := regular(path); err != nil {
		return nil, 0, err
	}
	if f, err = os.Open(path); err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

const readBlock = 64 << 10

// linesFromEnd yields the complete lines of the first end bytes of r, the last
// one first, without those that are blank.
func linesFromEnd(r io.ReaderAt, end int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		block := make([]byte, readBlock)
		var rest [][]byte // the end of a line whose beginning is not read yet, its last block first
		complete := false
		give := func(line []byte) bool {
			whole := complete
			complete = true
			return !whole || len(bytes.TrimSpace(line)) == 0 || yield(line, nil)
		}
		for end > 0 {
			n := min(end, readBlock)
			end -= n
			if _, err := r.ReadAt(block[:n], end); err != nil {
				yield(nil, err)
				return
			}
			part := block[:n]
			for i := bytes.LastIndexByte(part, '\n'); i >= 0; i = bytes.LastIndexByte(part, '\n') {
				line := joinBlocks(append(rest, part[i+1:]))
				part, rest = part[:i], nil
				if !give(line) {
					return
				}
			}
			rest = append(rest, slices.Clone(part))
		}
		give(joinBlocks(rest))
	}
}

func joinBlocks(lastFirst [][]byte) []byte {
	slices.Reverse(lastFirst)
	return slices.Concat(lastFirst...)
}
