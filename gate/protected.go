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
