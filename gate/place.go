package gate

import (
	"path/filepath"
	"strings"
)

// A place is where relative paths are read from.
type place struct {
	workspace string // absolute
	home      string
	gateHome  string // the gate's own folder, protected
}

// A filePath is a target as written and as the file system resolves it.
type filePath struct {
	written  string // absolute and clean, links not followed
	resolved string // through the links of its deepest existing ancestor
}

// file reads a target against a directory.
func (p place) file(target, dir string) filePath {
	abs := p.expand(target)
	if !filepath.IsAbs(abs) {
		if dir == "" {
			dir = p.workspace
		} else if !filepath.IsAbs(dir) {
			dir = filepath.Join(p.workspace, dir)
		}
		abs = filepath.Join(dir, abs)
	}
	abs = filepath.Clean(abs)
	return filePath{written: filepath.ToSlash(abs), resolved: filepath.ToSlash(resolve(abs))}
}

func (p place) expand(target string) string {
	if target == "~" {
		return p.home
	}
	if rest, ok := strings.CutPrefix(target, "~/"); ok {
		return filepath.Join(p.home, rest)
	}
	return target
}

// inWorkspace reports whether both forms of f lie inside the workspace.
func (p place) inWorkspace(f filePath) bool {
	root := filepath.ToSlash(resolve(p.workspace))
	return (isBelow(f.written, p.workspace) || isBelow(f.written, root)) && isBelow(f.resolved, root)
}
