package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// DefaultHome is where the user's files are: $BLITZ_HOME, else .blitz in the
// home directory. The error is set when neither is known, or it isn't absolute: in
// every folder that an agent works in another home, without the user's rules,
// would be found.
func DefaultHome() (string, error) {
	if home := os.Getenv("BLITZ_HOME"); home != "" {
		return absoluteHome("BLITZ_HOME", home)
	}
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return "", errors.Join(errors.New("no home directory: set BLITZ_HOME"), err)
	}
	return absoluteHome("the home directory", filepath.Join(home, ".blitz"))
}

func absoluteHome(what, dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("%s is %s: make it an absolute path, so that every agent finds the same rules", what, dir)
	}
	return filepath.Clean(dir), nil
}

// WorkspaceID names a workspace's own folder in the user's home: its base
// name, for people, and a hash of its whole path with links resolved.
func WorkspaceID(workspace string) string {
	dir := resolved(workspace)
	sum := sha256.Sum256([]byte(dir))
	base := strings.Map(func(c rune) rune {
		if notBare(c) {
			return '-'
		}
		return c
	}, filepath.Base(dir))
	if len(base) > 40 {
		base = base[:40]
	}
	return strings.TrimLeft(base+"-"+hex.EncodeToString(sum[:5]), ".-")
}

func resolved(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = filepath.Clean(path)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	return abs
}
