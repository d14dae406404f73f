package gate

import (
	"path"
	"strings"
)

// protectedFolders and protectedFiles change how programs behave when they
// are written to, so that a broad approval doesn't reach them.
var protectedFolders = map[string]bool{
	".git": true, ".blitz": true, ".claude": true, ".codex": true, ".gemini": true, ".opencode": true,
	".cursor": true, ".zed": true, ".vscode": true, ".idea": true, ".husky": true,
}

var protectedFiles = map[string]bool{".mcp.json": true, ".envrc": true, ".ripgreprc": true}

// startupFiles are relative to the person's home.
var startupFiles = []string{
	".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
	".kshrc", ".cshrc", ".tcshrc", ".gitconfig", ".ssh", ".config/fish/config.fish", ".config/git/config",
}

const workflows = ".github/workflows"

// protected reports whether a broad approval must not reach f. With whole
// set, f counts with all that lies below it.
func (p place) protected(f filePath, whole bool) bool {
	for _, form := range f.forms {
		if p.protectedPath(form) || whole && p.holdsProtected(form) {
			return true
		}
	}
	return f.end == linkLoop
}

func (p place) protectedPath(file string) bool {
	if _, ok := p.gateHome.within(file); ok {
		return true
	}
	// A workspace that itself lies in such a folder is not protected whole.
	inside := strings.TrimPrefix(file, "/")
	if rel, ok := p.workspace.within(file); ok {
		inside = rel
	}
	// Volumes that fold case reach the same folder by another spelling.
	inside = strings.ToLower(inside)
	for part := range strings.SplitSeq(inside, "/") {
		if protectedFolders[part] {
			return true
		}
	}
	if protectedFiles[path.Base(inside)] || strings.Contains("/"+inside+"/", "/"+workflows+"/") {
		return true
	}
	rel, ok := p.home.within(file)
	if !ok {
		return false
	}
	rel = strings.ToLower(rel)
	for _, name := range startupFiles {
		if rel == name || isBelow(rel, name) {
			return true
		}
	}
	return false
}

// holdsProtected reports whether folder is known to hold something protected
// when it is there: the workspace, the home, and what lies in them under a
// fixed name.
func (p place) holdsProtected(folder string) bool {
	if p.workspace.below(folder) || p.home.below(folder) || p.gateHome.below(folder) || path.Base(strings.ToLower(folder)) == path.Dir(workflows) {
		return true
	}
	rel, ok := p.home.within(folder)
	if !ok {
		return false
	}
	rel = strings.ToLower(rel)
	for _, name := range startupFiles {
		if isBelow(name, rel) {
			return true
		}
	}
	return false
}
