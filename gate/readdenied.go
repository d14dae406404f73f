package gate

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
)

// Bounds of [ReadDenied]: how many entries of folders are looked at, and how
// many paths are returned.
const (
	maxDeniedLooks = 100_000
	maxDeniedPaths = 500
)

// ReadDenied lists what read rules deny and is there now, for a sandbox that
// keeps an agent from it (APR-13, APR-15). whole is false when there was too
// much to look through, or something could not be looked at: then there may be
// more. What comes later is in no list.
func ReadDenied(p Policy, workspace, home string) (paths []string, whole bool) {
	x := newRuleIndex(&p, newPlace(workspace, home, "")).read
	looks := maxDeniedLooks
	whole = true
	add := func(path string) {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	for _, pattern := range x.patterns {
		if !pattern.glob {
			if exists(pattern.text) {
				add(pattern.text)
			}
			continue
		}
		err := filepath.WalkDir(filepath.FromSlash(pattern.root), func(path string, d fs.DirEntry, err error) error {
			looks--
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil && !errors.Is(err, fs.ErrPermission): // else it is out of reach already
				return err
			case looks < 0 || len(paths) > maxDeniedPaths:
				return errTooMuch
			case pattern.restricts(x.place.fold(filepath.ToSlash(path))):
				add(path)
				if d != nil && d.IsDir() {
					return fs.SkipDir
				}
			}
			return nil
		})
		whole = whole && err == nil
	}
	if len(paths) > maxDeniedPaths {
		paths, whole = paths[:maxDeniedPaths], false
	}
	return paths, whole
}

var errTooMuch = errors.New("too much to look through")
