package shell

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The sizes of object names, in bytes.
const (
	sha1Size   = 20
	sha256Size = 32
)

// gitLinks are the paths in an index at which another repository lies, as
// submodules do. Reading commands run git in these.
func gitLinks(gitDir string, hash int) (links []string, err error) {
	shared, err := filepath.Glob(literalGlob(gitDir) + "/sharedindex.*")
	if err != nil {
		return nil, err
	}
	for _, file := range append(shared, gitDir+"/index") {
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		found, ok := indexLinks(data, hash)
		if !ok {
			return nil, fmt.Errorf("%s: an index that can't be read", file)
		}
		links = append(links, found...)
	}
	return links, nil
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

// indexLinks reads an index of version 2, 3 or 4.
func indexLinks(data []byte, hash int) (links []string, ok bool) {
	const head, stat, linkType = 12, 40, 0o160000
	if len(data) < head || string(data[:4]) != "DIRC" {
		return nil, false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return nil, false
	}
	at := head
	var name []byte
	for range count {
		start := at
		if at += stat + hash + 2; at > len(data) {
			return nil, false
		}
		mode := binary.BigEndian.Uint32(data[start+24:])
		if data[at-2]&0x40 != 0 {
			at += 2
		}
		kept := 0
		if version == 4 {
			cut, size := varint(data[min(at, len(data)):])
			if size == 0 || cut > len(name) {
				return nil, false
			}
			at, kept = at+size, len(name)-cut
		}
		end := bytes.IndexByte(data[min(at, len(data)):], 0)
		if end < 0 {
			return nil, false
		}
		name = append(name[:kept], data[at:at+end]...)
		if at += end + 1; version < 4 {
			at = start + (at-start+7)&^7
		}
		if mode&0o170000 != linkType {
			continue
		}
		if len(name) == 0 { // it replaces one of another file
			return nil, false
		}
		links = append(links, string(name))
	}
	return links, true
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
