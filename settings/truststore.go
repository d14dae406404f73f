package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A TrustStore remembers which content of which project's files the user
// trusts (APR-15a), in trust.json in their home. It keeps nothing in memory:
// what another program trusts or revokes holds at once.
//
// A file that can't be understood trusts nothing, and is never overwritten;
// [TrustStore.List] tells what is wrong with it.
type TrustStore struct{ path string }

// NewTrustStore is the store in a user's home; see [DefaultHome].
func NewTrustStore(home string) *TrustStore {
	return &TrustStore{path: filepath.Join(home, "trust.json")}
}

// Path is the store's file, for watching.
func (t *TrustStore) Path() string { return t.path }

// A Trust is one file with the content that the user trusts.
type Trust struct {
	File   string    `json:"file"`
	SHA256 string    `json:"sha256"` // of the content, in hex
	Added  time.Time `json:"added"`
	// Content is kept to show later what has changed; it is empty when it was
	// larger than [MaxTrustedContent].
	Content string `json:"content,omitempty"`
}

// MaxTrustedContent is the largest content that is kept, in bytes. Larger
// ones are remembered by their hash alone.
const MaxTrustedContent = 256 << 10

// Trusted reports whether the user trusts this content of the file. It fits
// [Sources.Trusted].
func (t *TrustStore) Trusted(file string, content []byte) bool {
	list, err := t.List()
	if err != nil {
		return false
	}
	file, sum := trustName(file), hashOf(content)
	return slices.ContainsFunc(list, func(e Trust) bool { return e.File == file && e.SHA256 == sum })
}

// Trust remembers that the user trusts this content of the file, which must
// be what they were shown. It takes the place of what they trusted before:
// going back to that waits for trust again.
func (t *TrustStore) Trust(file string, content []byte) error {
	e := Trust{File: trustName(file), SHA256: hashOf(content), Added: time.Now().UTC().Truncate(time.Second)}
	if len(content) <= MaxTrustedContent && utf8.Valid(content) {
		e.Content = string(content)
	}
	return t.update(func(list []Trust) []Trust {
		return append(slices.DeleteFunc(list, e.same), e)
	})
}

// TrustShown is [TrustStore.Trust] for a file of [Settings.Untrusted] that the
// user was shown. When the file says something else by now it fails with
// [ErrChanged]: what they did not see is not trusted (APR-15a).
func (t *TrustStore) TrustShown(f *File) error {
	now, err := readFile(Path{Name: f.Name, Layer: f.Layer})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil || !bytes.Equal(now, f.Content) {
		return fmt.Errorf("%s: %w", f.Name, ErrChanged)
	}
	return t.Trust(f.Name, f.Content)
}

// Revoke forgets the file, whatever its content, and reports whether it was
// trusted.
func (t *TrustStore) Revoke(file string) (found bool, err error) {
	e := Trust{File: trustName(file)}
	err = t.update(func(list []Trust) []Trust {
		found = slices.ContainsFunc(list, e.same)
		return slices.DeleteFunc(list, e.same)
	})
	return found && err == nil, err
}

func (e Trust) same(other Trust) bool { return e.File == other.File }

// List returns what is trusted, sorted by file.
func (t *TrustStore) List() ([]Trust, error) {
	data, err := readFile(Path{Name: t.path})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("no project is trusted, since %s can't be read: %w", t.path, err)
	}
	return t.decode(data)
}

// Before is the content of the file that was trusted last, to show what has
// changed since; false when there is none, or it was too large to be kept.
func (t *TrustStore) Before(file string) (content []byte, ok bool) {
	list, err := t.List()
	i := slices.IndexFunc(list, Trust{File: trustName(file)}.same)
	if err != nil || i < 0 || list[i].Content == "" && list[i].SHA256 != hashOf(nil) {
		return nil, false
	}
	return []byte(list[i].Content), true
}

// trustName is the file's name with the links on the way to it resolved.
func trustName(file string) string {
	return filepath.Join(resolved(filepath.Dir(file)), filepath.Base(file))
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// trustFile is the form of trust.json.
type trustFile struct {
	Version int     `json:"version"`
	Files   []Trust `json:"files"`
}

const trustVersion = 1

func (t *TrustStore) decode(data []byte) ([]Trust, error) {
	var file trustFile
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields() // a later version's; rewriting would lose them
	err := d.Decode(&file)
	if err == nil && file.Version != trustVersion {
		err = fmt.Errorf("version %d is not understood, only %d is", file.Version, trustVersion)
	}
	if err == nil && d.More() {
		err = errors.New("there is more behind its end")
	}
	if err != nil {
		return nil, fmt.Errorf("no project is trusted, since %s can't be understood: %w; mend the file, or move it away", t.path, err)
	}
	return file.Files, nil
}

func (t *TrustStore) update(change func([]Trust) []Trust) error {
	return update(t.path, func(old []byte) ([]byte, error) {
		var list []Trust
		var err error
		if old != nil {
			if list, err = t.decode(old); err != nil {
				return nil, err
			}
		}
		list = change(list)
		slices.SortFunc(list, func(a, b Trust) int { return strings.Compare(a.File, b.File) })
		data, err := json.MarshalIndent(trustFile{trustVersion, list}, "", "  ")
		return append(data, '\n'), err
	})
}
