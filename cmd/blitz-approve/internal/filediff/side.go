package filediff

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
	"slices"
	"syscall"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/diffview"
)

// A side is one version of a file as it is on disk.
type side struct {
	content []byte // nil if there is none
	mode    fs.FileMode
	odd     string // what it is, where it is nothing that can be read
}

// maxPiped is how much is read of what is no regular file, in bytes.
const maxPiped = 256 << 20

// readSide reads a file, or what comes through a pipe.
func readSide(path string) (side, error) {
	if isNone(path) {
		return side{}, nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return side{}, nil
	} else if err != nil {
		return side{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return side{}, err
	}
	most := math.MaxInt
	if !info.Mode().IsRegular() {
		most = maxPiped // a device may never end
	}
	content, err := readAll(file, int(info.Size()), most)
	if errors.Is(err, errTooMuch) {
		err = fmt.Errorf("%s: %w", output.Printable(path), err)
	}
	if err != nil {
		return side{}, err
	}
	s := side{content: content}
	if info.Mode().IsRegular() && runtime.GOOS != "windows" {
		s.mode = info.Mode()
	}
	return s, nil
}

var errTooMuch = errors.New("it is no regular file, and has no end")

// readAll reads to the end, of at most most bytes. A size that is known beforehand
// saves memory. What is read is never nil.
func readAll(r io.Reader, size, most int) ([]byte, error) {
	content := make([]byte, 0, max(size, 0)+1)
	for {
		n, err := r.Read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		switch {
		case errors.Is(err, io.EOF):
			return content, nil
		case err != nil:
			return nil, err
		case len(content) > most:
			return nil, errTooMuch
		case len(content) == cap(content):
			content = slices.Grow(content, len(content)+512)
		}
	}
}

// readEntry reads what is found in a folder. Nothing there is waited for, as reading
// a pipe would: what is no regular file has no content. A link is followed to a
// regular file, as which git difftool gives them; another is its target.
func readEntry(path string) (side, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return side{}, nil
	case err != nil:
		return side{}, err
	case info.IsDir():
		return side{}, nil // its files are compared
	case info.Mode()&fs.ModeSymlink != 0:
		if target, err := os.Stat(path); err == nil && target.Mode().IsRegular() {
			return readSide(path)
		}
		target, err := os.Readlink(path)
		return side{content: []byte(target), mode: info.Mode()}, err
	case info.Mode().IsRegular():
		return readSide(path)
	}
	return side{odd: oddKind(info.Mode())}, nil
}

func oddKind(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "of an unknown kind"
}

func (s side) with(after side) diffview.File {
	return diffview.File{Before: s.content, After: after.content, BeforeMode: s.mode, AfterMode: after.mode}
}

func (s side) same(o side) bool {
	return (s.content == nil) == (o.content == nil) && string(s.content) == string(o.content) && s.mode&0o111 == o.mode&0o111
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isNone reports whether a path stands for a file that isn't there.
func isNone(path string) bool { return path == os.DevNull || path == "/dev/null" }

// mustExist keeps a misspelled name from passing for a file that was deleted or
// created: git writes /dev/null for those.
func mustExist(path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !isNone(path) {
		return fmt.Errorf("%s isn't there; for a file that is created or deleted write /dev/null", output.Printable(path))
	}
	return nil
}
