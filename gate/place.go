package gate

import (
	"os"
	"path"
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

// resolve follows the links of the deepest ancestor that exists. A link that
// points nowhere is followed as far as it can be read, since a write through
// it would create the file there.
func resolve(file string) string {
	rest := ""
	for cur, hops := file, 0; ; {
		if real, err := filepath.EvalSymlinks(cur); err == nil {
			return filepath.Join(real, rest)
		}
		if target, err := os.Readlink(cur); err == nil && hops < 40 {
			hops++
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(cur), target)
			}
			cur = target
			continue
		}
		parent := filepath.Dir(cur)
		if parent == cur {
			return file
		}
		rest = filepath.Join(filepath.Base(cur), rest)
		cur = parent
	}
}

// inWorkspace reports whether both forms of f lie inside the workspace.
func (p place) inWorkspace(f filePath) bool {
	root := filepath.ToSlash(resolve(p.workspace))
	return (isBelow(f.written, p.workspace) || isBelow(f.written, root)) && isBelow(f.resolved, root)
}

// protectedFolders and protectedFiles change how programs behave when they
// are written to, so that a broad approval doesn't reach them.
var protectedFolders = map[string]bool{
	".git": true, ".blitz": true, ".claude": true, ".codex": true, ".gemini": true, ".opencode": true,
	".cursor": true, ".zed": true, ".vscode": true, ".idea": true, ".husky": true,
}

var protectedFiles = map[string]bool{".mcp.json": true, ".envrc": true, ".ripgreprc": true}

var startupFiles = map[string]bool{
	".bashrc": true, ".bash_profile": true, ".bash_login": true, ".bash_logout": true, ".profile": true, ".zshrc": true, ".zshenv": true,
	".zprofile": true, ".zlogin": true, ".kshrc": true, ".cshrc": true, ".tcshrc": true, ".gitconfig": true, ".ssh": true,
	".config/fish/config.fish": true, ".config/git/config": true,
}

// protected reports whether a broad approval must not reach f. With whole
// set, f is to be deleted with all below it.
func (p place) protected(f filePath, whole bool) bool {
	return p.protectedPath(f.written, whole) || p.protectedPath(f.resolved, whole)
}

func (p place) protectedPath(file string, whole bool) bool {
	// A workspace that itself lies in such a folder is not protected whole.
	for _, part := range strings.Split(strings.TrimPrefix(file, p.workspace+"/"), "/") {
		// Volumes that fold case reach the same folder by another spelling.
		if protectedFolders[strings.ToLower(part)] {
			return true
		}
	}
	if protectedFiles[strings.ToLower(path.Base(file))] || strings.Contains(strings.ToLower(file)+"/", "/.github/workflows/") {
		return true
	}
	if p.gateHome != "" && (file == p.gateHome || isBelow(file, p.gateHome)) {
		return true
	}
	if rel, ok := strings.CutPrefix(file, p.home+"/"); ok && p.home != "" {
		first, _, _ := strings.Cut(rel, "/")
		if startupFiles[rel] || startupFiles[first] {
			return true
		}
	}
	return whole && (file == p.workspace || isBelow(p.workspace, file))
}
