package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// DefaultHome is where the user's files are: $BLITZ_HOME, else .blitz in the
// home directory. The error is set when neither is known.
func DefaultHome() (string, error) {
	if home := os.Getenv("BLITZ_HOME"); home != "" {
		return filepath.Abs(home)
	}
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return "", errors.Join(errors.New("no home directory: set BLITZ_HOME"), err)
	}
	return filepath.Join(home, ".blitz"), nil
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
