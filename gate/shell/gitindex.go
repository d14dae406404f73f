package shell

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// The sizes of object names, in bytes.
const (
	sha1Size   = 20
	sha256Size = 32
)

// maxGitIndex is how large an index may be that is read, in bytes.
const maxGitIndex = 256 << 20

// gitLinks are the paths in an index at which another repository lies, as
// submodules do. Reading commands run git in these.
func gitLinks(gitDir string, hash int) (links []string, err error) {
	err = eachTracked(gitDir, hash, func(t *tracked) bool {
		if t.isLink() {
			links = append(links, string(t.name))
		}
		return true
	})
	return links, err
}

// A tracked entry is one that an index holds. It is only good until the next
// one is read.
type tracked struct {
	name []byte // from the top of the repository; a folder's ends in a slash
	mode uint32
	id   []byte // the name of the object with its content
	stat []byte // what the file was on disk, as git writes it
}

// The kinds of entries beside files and symbolic links.
const (
	kindOfEntry  = 0o170000
	linkEntry    = 0o160000
	foldersEntry = 0o040000 // of a sparse index: all below it
)

func (t *tracked) isLink() bool   { return t.mode&kindOfEntry == linkEntry }
func (t *tracked) isFolder() bool { return t.mode&kindOfEntry == foldersEntry }

// eachTracked calls each for the entries of an index, and of those that it
// shares, until each says false.
func eachTracked(gitDir string, hash int, each func(*tracked) bool) error {
	shared, err := filepath.Glob(literalGlob(gitDir) + "/sharedindex.*")
	if err != nil {
		return err
	}
	for i, file := range append(shared, gitDir+"/index") {
		data, err := readBounded(file, maxGitIndex)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		visit := each
		if i < len(shared) { // what is on disk now is in the other one
			visit = func(t *tracked) bool { t.stat = nil; return each(t) }
		}
		if !readIndex(data, hash, visit) {
			return fmt.Errorf("%s: an index that can't be read", file)
		}
	}
	return nil
}

// readBounded reads a plain file; neither a pipe nor one that is too large
// holds it up.
func readBounded(file string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > limit:
		return nil, fmt.Errorf("%s: not a file, or too large", file)
	}
	data := make([]byte, info.Size()+1)
	switch n, err := io.ReadFull(f, data); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return data[:n], nil
	case err != nil:
		return nil, err
	}
	return nil, fmt.Errorf("%s: it grows", file)
}

// literalGlob escapes what [filepath.Glob] takes for a wildcard.
func literalGlob(path string) string {
	var b bytes.Buffer
	for i := range len(path) {
		if c := path[i]; c == '*' || c == '?' || c == '[' || c == '\\' && filepath.Separator == '/' {
			b.WriteByte('\\')
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// readIndex reads an index of version 2, 3 or 4. It stops where each says false.
func readIndex(data []byte, hash int, each func(*tracked) bool) (ok bool) {
	const head, stat = 12, 40
	if len(data) < head || string(data[:4]) != "DIRC" {
		return false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return false
	}
	at := head
	var t tracked
	for range count {
		start := at
		if at += stat + hash + 2; at > len(data) {
			return false
		}
		t.stat, t.id = data[start:start+stat], data[start+stat:start+stat+hash]
		t.mode = binary.BigEndian.Uint32(data[start+24:])
		if data[at-2]&0x40 != 0 {
			at += 2
		}
		kept := 0
		if version == 4 {
			cut, size := varint(data[min(at, len(data)):])
			if size == 0 || cut > len(t.name) {
				return false
			}
			at, kept = at+size, len(t.name)-cut
		}
		end := bytes.IndexByte(data[min(at, len(data)):], 0)
		if end < 0 {
			return false
		}
		t.name = append(t.name[:kept], data[at:at+end]...)
		if at += end + 1; version < 4 {
			at = start + (at-start+7)&^7
		}
		if len(t.name) == 0 { // it replaces one of another file
			if t.isLink() {
				return false
			}
			continue
		}
		if !each(&t) {
			return true
		}
	}
	return true
}

// varint reads a number in git's form of variable length; size is 0 when it
// has no end.
func varint(data []byte) (n, size int) {
	for i, c := range data {
		if i > 4 {
			break
		}
		if i > 0 {
			n++
		}
		n = n<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return n, i + 1
		}
	}
	return 0, 0
}
