package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"time"
)

// Approvals are the saved keys, in a file that several processes may share
// (APR-20, APR-21). Every change is read, merged and written under a lock.
type Approvals struct {
	path string
	mu   sync.RWMutex
	keys map[string]SavedKey
}

// A SavedKey is one remembered approval.
type SavedKey struct {
	Key   string
	Label string
	Added time.Time
	extra map[string]json.RawMessage // fields that this version doesn't know
}

// OpenApprovals reads the file; a missing one is empty. A file that can't be
// understood is an error that names the file and the position, and nothing is
// overwritten.
func OpenApprovals(path string) (*Approvals, error) {
	a := &Approvals{path: path}
	return a, a.Reload()
}

// KeepApprovals keeps keys in memory only, as a dry run and a test need it.
func KeepApprovals(keys ...SavedKey) *Approvals {
	a := &Approvals{keys: map[string]SavedKey{}}
	for _, k := range keys {
		a.keys[k.Key] = k
	}
	return a
}

// Reload reads the file again. On an error the keys read last stay.
func (a *Approvals) Reload() error {
	if a.path == "" {
		return nil
	}
	keys, _, err := readApprovals(a.path)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.keys = keys
	return nil
}

func (a *Approvals) has(key string) bool {
	a.mu.RLock()
	defer a.mu.RUnlock()
	_, ok := a.keys[key]
	return ok
}

// List returns the saved approvals sorted by key.
func (a *Approvals) List() []SavedKey {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return sortedKeys(a.keys)
}

func sortedKeys(keys map[string]SavedKey) []SavedKey {
	list := make([]SavedKey, 0, len(keys))
	for _, k := range keys {
		list = append(list, k)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Key < list[j].Key })
	return list
}

// ErrSecretKey refuses to save a key that holds what looks like a credential
// (BEY-12).
var ErrSecretKey = errors.New("it holds what looks like a credential and is not saved; approve it for the session instead")

// Save adds a key. Saving one that is there keeps when it was added.
func (a *Approvals) Save(key, label string, now time.Time) error {
	if LooksSecret(key) {
		return ErrSecretKey
	}
	return a.update(func(keys map[string]SavedKey) {
		if _, ok := keys[key]; !ok {
			keys[key] = SavedKey{Key: key, Label: label, Added: now.UTC().Truncate(time.Second)}
		}
	})
}

// Revoke removes a key and reports whether it was there.
func (a *Approvals) Revoke(key string) (found bool, err error) {
	err = a.update(func(keys map[string]SavedKey) {
		_, found = keys[key]
		delete(keys, key)
	})
	return found, err
}

// Clear removes every key and returns how many there were.
func (a *Approvals) Clear() (n int, err error) {
	err = a.update(func(keys map[string]SavedKey) {
		n = len(keys)
		clear(keys)
	})
	return n, err
}

func (a *Approvals) update(change func(map[string]SavedKey)) error {
	if a.path == "" {
		a.mu.Lock()
		defer a.mu.Unlock()
		change(a.keys)
		return nil
	}
	dir := filepath.Dir(a.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("save approvals: %w", err)
	}
	unlock, err := lock(a.path)
	if err != nil {
		return err
	}
	defer unlock()
	keys, extra, err := readApprovals(a.path)
	if err != nil {
		return err
	}
	change(keys)
	data, err := encodeApprovals(keys, extra)
	if err != nil {
		return fmt.Errorf("save approvals: %w", err)
	}
	if err := replaceFile(a.path, data, true); err != nil {
		return fmt.Errorf("save approvals: %w", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.keys = keys
	return nil
}
