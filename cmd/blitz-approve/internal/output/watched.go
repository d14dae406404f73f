package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// A Watched output remembers that something could not be written to it, so that
// no command has to look at each line that it prints.
type Watched struct {
	file *os.File
	mu   sync.Mutex // holds err
	err  error
}

// Watch watches what is written to file.
func Watch(file *os.File) *Watched { return &Watched{file: file} }

// Write writes to the file.
func (w *Watched) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	if err == nil {
		return n, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = unwritten(err)
	}
	return n, w.err
}

// Fd is that of the file, for who asks whether it is a terminal.
func (w *Watched) Fd() uintptr { return w.file.Fd() }

// Err is what kept something from being written first, if anything did.
func (w *Watched) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// unwritten says it without the name that the system has for the output.
func unwritten(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("not all that was to be printed could be written: %w", err)
}
