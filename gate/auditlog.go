package gate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/blitz-approve/blitz-approve/diffview/unseen"
)

// AuditLog appends records to a file, one JSON line each. Several processes
// may share the file.
type AuditLog struct{ path string }

// OpenAuditLog makes the folder (0700) and the file (0600) when they don't
// exist, so that a log that can't be written is known at the start.
func OpenAuditLog(path string) (*AuditLog, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open the audit log: %w", err)
	}
	l := &AuditLog{path: path}
	f, err := l.open()
	if err != nil {
		return nil, err
	}
	return l, f.Close()
}

func (l *AuditLog) open() (*os.File, error) {
	if err := regular(l.path); err != nil {
		return nil, fmt.Errorf("open the audit log: %w", err)
	}
	f, err := os.OpenFile(l.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the audit log: %w", err)
	}
	return f, nil
}

// Path is the log's file.
func (l *AuditLog) Path() string { return l.path }

// Record appends one line. The file is opened each time, so that one that was
// moved away is begun anew instead of written to unseen.
func (l *AuditLog) Record(r Record) (err error) {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode the audit record: %w", err)
	}
	unlock, err := lock(l.path)
	if err != nil {
		return err
	}
	defer unlock()
	f, err := l.open()
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	return appendLine(f, unseen.JSON(line))
}

// appendLine adds a line of its own also behind one that a crash left without
// its end. What there is no room for leaves nothing behind.
func appendLine(f *os.File, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	line = append(line, '\n')
	if size > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	if _, err = f.Write(line); err != nil {
		_ = f.Truncate(size) // if it fails, the next line begins behind the rest
	}
	return err
}
