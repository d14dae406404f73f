package filediff

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/diffview"
)

// A side is one version of a file as it is on disk.
type side struct {
	content []byte // nil if there is none
	mode    fs.FileMode
}

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
	content := make([]byte, 0, info.Size()+1)
	for {
		n, err := file.Read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		if err == io.EOF {
			break
		} else if err != nil {
			return side{}, err
		}
		if len(content) == cap(content) {
			content = slices.Grow(content, len(content)+512)
		}
	}
	s := side{content: content}
	if info.Mode().IsRegular() && runtime.GOOS != "windows" {
		s.mode = info.Mode()
	}
	return s, nil
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
