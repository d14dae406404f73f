package sandbox

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// ForWorkspace is the usual policy for an agent, by its preset's name or "",
// in a workspace. gateHome is the gate's own folder, which the agent never
// writes (APR-13).
func ForWorkspace(workspace, agent, gateHome string) Policy {
	p := Policy{Workspace: workspace, Write: DefaultWrite(agent), Protect: append(DefaultProtect(agent), gateHome)}
	write, protect := gitPaths(workspace)
	p.Write, p.Protect = append(p.Write, write...), append(p.Protect, protect...)
	if Available().Namespaces {
		p.ReadDeny = ControlSockets()
	}
	return p
}

// DefaultProtect are the entries of any workspace that the gate protects, as
// paths relative to it, and settings of the agent that do the same when it
// next runs without a sandbox.
func DefaultProtect(agent string) []string {
	// Git itself has to write to the rest of its folder.
	protect := []string{".git/config", ".git/hooks"}
	for _, entry := range gate.ProtectedEntries() {
		if entry != ".git" {
			protect = append(protect, entry)
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return protect
	}
	for _, path := range agentState[agent].protect {
		if path = filepath.Join(home, path); exists(path) {
			protect = append(protect, path)
		}
	}
	return protect
}

// gitPaths are what git writes and must not lose for a workspace whose
// repository lies elsewhere or that has modules. A worktree is only believed
// if its repository points back to it: the file .git may come from anybody.
func gitPaths(workspace string) (write, protect []string) {
	git := filepath.Join(workspace, ".git")
	info, err := os.Lstat(git)
	if err != nil {
		return nil, nil
	}
	if info.IsDir() {
		for _, pattern := range []string{"config.worktree", "worktrees/*/config.worktree", "worktrees/*/commondir"} {
			protect = append(protect, glob(git, pattern)...)
		}
		return nil, append(protect, modules(filepath.Join(git, "modules"))...)
	}
	own := pointer(git, "gitdir: ")
	if own == "" || pointer(filepath.Join(own, "gitdir"), "") != git {
		return nil, nil
	}
	common := pointer(filepath.Join(own, "commondir"), "")
	if common == "" {
		return nil, nil
	}
	write = []string{own, filepath.Join(common, "objects"), filepath.Join(common, "refs"), filepath.Join(common, "logs")}
	protect = []string{git, filepath.Join(own, "commondir"), filepath.Join(own, "gitdir")}
	return write, append(protect, glob(own, "config.worktree")...)
}

// modules are the configurations and hooks of a repository's submodules.
func modules(dir string) []string {
	var protect []string
	for _, module := range glob(dir, "*") {
		if exists(filepath.Join(module, "HEAD")) {
			protect = append(protect, filepath.Join(module, "config"), filepath.Join(module, "hooks"))
			module = filepath.Join(module, "modules")
		}
		protect = append(protect, modules(module)...)
	}
	return protect
}

func glob(dir, pattern string) []string {
	names, err := filepath.Glob(filepath.Join(escapeGlob(dir), filepath.FromSlash(pattern)))
	if err != nil {
		return nil
	}
	return names
}

var globEscaper = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

func escapeGlob(dir string) string { return globEscaper.Replace(dir) }

// pointer reads a file of git's that holds a path.
func pointer(file, prefix string) string {
	text, err := os.ReadFile(file)
	path, ok := strings.CutPrefix(strings.TrimSpace(string(text)), prefix)
	if err != nil || !ok || path == "" {
		return ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), path)
	}
	return filepath.Clean(path)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
