package gate

import (
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// protectedFolders and protectedFiles change how programs behave when they
// are written to, so that a broad approval doesn't reach them.
var protectedFolders = map[string]bool{
	".git": true, ".blitz": true, ".claude": true, ".codex": true, ".gemini": true, ".opencode": true,
	".copilot": true, ".cursor": true, ".qwen": true, ".goose": true, ".kimi": true, ".vibe": true,
	".zed": true, ".vscode": true, ".idea": true, ".devcontainer": true, ".husky": true, ".cargo": true,
}

var protectedFiles = map[string]bool{
	".mcp.json": true, ".envrc": true, ".ripgreprc": true, ".npmrc": true,
	".gitattributes": true, ".gitmodules": true, ".pre-commit-config.yaml": true, "lefthook.yml": true,
	"opencode.json": true, "opencode.jsonc": true, ".yarnrc": true, ".yarnrc.yml": true, ".pnpmfile.cjs": true,
}

// gitFiles make a folder of any name a git directory, or belong to one.
var gitFiles = []string{"HEAD", "commondir", "gitdir", "config.worktree", "packed-refs"}

// gitMembers belong to a git directory when they lie in one; ordinary files
// and folders have these names too.
var gitMembers = []string{"config", "objects", "refs", "hooks"}

// startupFiles are relative to the person's home.
var startupFiles = []string{
	".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
	".kshrc", ".cshrc", ".tcshrc", ".gitconfig", ".ssh", ".config/fish/config.fish", ".config/git/config", ".config/opencode", ".config/goose",
}

// workflows and hosted run commands: those of GitHub, and the hooks of Copilot's.
const (
	workflows = ".github/workflows"
	hosted    = ".github/hooks"
)

// ProtectedEntries are the folders and files of any workspace that no broad
// approval reaches, sorted, as paths relative to it; what makes a git
// directory, and what lies in the person's home, is protected beside them.
func ProtectedEntries() []string {
	entries := slices.AppendSeq([]string{workflows, hosted}, maps.Keys(protectedFolders))
	entries = slices.AppendSeq(entries, maps.Keys(protectedFiles))
	slices.Sort(entries)
	return entries
}

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
	written := inside
	if rel, ok := p.workspace.within(file); ok {
		inside, written = rel, rel
	}
	// Volumes that fold case reach the same folder by another spelling.
	inside = strings.ToLower(inside)
	for part := range strings.SplitSeq(inside, "/") {
		if protectedFolders[part] {
			return true
		}
	}
	if p.partOfGit(file[:len(file)-len(written)], written) || protectedFiles[path.Base(inside)] || holdsFolder(inside, workflows) || holdsFolder(inside, hosted) {
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

// holdsFolder reports whether file is folder, or is in it, wherever that lies.
func holdsFolder(file, folder string) bool { return strings.Contains("/"+file+"/", "/"+folder+"/") }

// partOfGit reports whether the file rel below root, which ends in a slash or
// is empty, makes a folder a git directory, or is part of one that has another
// name than .git: of a bare one, or of one that is made to look so.
func (p place) partOfGit(root, rel string) bool {
	named := func(part string, names []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return p.fold(part) == p.fold(name) })
	}
	if named(path.Base(rel), gitFiles) {
		return true
	}
	for at := 0; at < len(rel); {
		part, _, more := strings.Cut(rel[at:], "/")
		folder := root + rel[:at]
		if !p.dark && named(part, gitMembers) && (!more || p.fold(part) != "config") && (onDisk(folder+"HEAD") || onDisk(folder+"commondir")) {
			return true
		}
		at += len(part) + 1
	}
	return false
}

func onDisk(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
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
