package grants

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A Store holds grants in one file. Use [Open]; the zero Store has no grants
// and can't save any.
type Store struct {
	path string
}

var _ interface {
	gate.GrantStore
	gate.GrantIndex
	gate.GrantEpochs
} = (*Store)(nil)

// An Entry is one saved grant, for a list.
type Entry struct {
	gate.GrantTarget
	Added time.Time // zero when the row doesn't say it as a time
}

// Open returns the store in the named file. Neither the file nor its folder
// needs to exist: they are made when the first grant is saved.
func Open(file string) (*Store, error) {
	if file == "" {
		return nil, errors.New("open saved grants: no file is named")
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, fmt.Errorf("open saved grants: %w", err)
	}
	return &Store{path: abs}, nil
}

// Path is the store's file.
func (s *Store) Path() string { return s.path }

// List returns all grants, sorted by path. A damaged database is an error
// that wraps [ErrDamaged], with an empty list.
func (s *Store) List() ([]Entry, error) {
	var list []Entry
	err := s.read(func(c *sqlite3.Conn) error {
		st, _, err := c.Prepare(`SELECT kind, path, tier, added FROM grants ORDER BY path, kind`)
		if err != nil {
			return err
		}
		defer st.Close()
		for st.Step() {
			if e, ok := entry(st); ok {
				list = append(list, e)
			}
		}
		return st.Err()
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Grants returns all grants; with an error, none (TAM-12).
func (s *Store) Grants() ([]gate.Grant, error) {
	list, err := s.List()
	return saved(list), err
}

// About returns the grants that may cover the targets: those of the same kind
// and path, and for files those of the folder around them, at whatever tier
// (TAM-07, TAM-08). Paths are compared as they are written, so targets must be
// in the form in which they were granted. It takes about as long with ten
// thousand rows as with ten, and does not notice damage to the other rows.
func (s *Store) About(targets ...gate.GrantTarget) ([]gate.Grant, error) {
	var list []Entry
	err := s.read(func(c *sqlite3.Conn) error {
		st, _, err := c.Prepare(`SELECT kind, path, tier, added FROM grants WHERE kind = ? AND path = ?`)
		if err != nil {
			return err
		}
		defer st.Close()
		for _, t := range around(targets) {
			if err := bindKey(st, t.Kind, t.Path); err != nil {
				return err
			}
			if st.Step() {
				if e, ok := entry(st); ok {
					list = append(list, e)
				}
			}
			if err := st.Reset(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return saved(list), nil
}

// around adds to files the folders that they lie in.
func around(targets []gate.GrantTarget) []gate.GrantTarget {
	keys := make([]gate.GrantTarget, 0, 2*len(targets))
	for _, t := range targets {
		keys = append(keys, t)
		if t.Kind == gate.GrantFile {
			keys = append(keys, gate.GrantTarget{Kind: gate.GrantFolder, Path: path.Dir(t.Path)})
		}
	}
	return keys
}

func saved(list []Entry) []gate.Grant {
	grants := make([]gate.Grant, len(list))
	for i, e := range list {
		grants[i] = gate.Grant{GrantTarget: e.GrantTarget, Saved: true}
	}
	return grants
}
