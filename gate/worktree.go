package gate

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// mainCheckout is the workspace whose approvals hold in workspace: for a git
// worktree that of its main checkout, else workspace itself. A worktree is only
// believed when its repository names it in turn: the file .git comes from
// whoever made the folder, and must not borrow another project's approvals.
func mainCheckout(workspace string) string {
	git := filepath.Join(workspace, ".git")
	if info, err := os.Lstat(git); err != nil || !info.Mode().IsRegular() {
		return workspace
	}
	own, ok := gitPath(git, "gitdir: ")
	if !ok {
		return workspace
	}
	back, ok := gitPath(filepath.Join(own, "gitdir"), "")
	if !ok || !sameFile(back, git) {
		return workspace
	}
	common, ok := gitPath(filepath.Join(own, "commondir"), "")
	if !ok || filepath.Base(common) != ".git" {
		return workspace // of a bare repository there is no main checkout
	}
	// The worktree's own folder must lie where the repository keeps those that
	// it knows of; anybody can write one that points there from elsewhere.
	if !sameFile(filepath.Dir(own), filepath.Join(common, "worktrees")) {
		return workspace
	}
	if info, err := os.Lstat(common); err != nil || !info.IsDir() {
		return workspace
	}
	return filepath.Dir(common)
}

// maxGitPath is how long a file that holds a path may be, in bytes.
const maxGitPath = 64 << 10

// gitPath reads a path that a file of git's holds; a relative one counts from
// that file. All links in it are followed.
func gitPath(file, prefix string) (string, bool) {
	if regular(file) != nil {
		return "", false
	}
	f, err := os.Open(file)
	if err != nil {
		return "", false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxGitPath))
	path, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), prefix)
	if err != nil || !ok || path == "" || strings.ContainsAny(path, "\x00\r\n") {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Dir(file) + string(filepath.Separator) + path
	}
	path, err = filepath.EvalSymlinks(path)
	return path, err == nil
}

func sameFile(a, b string) bool {
	one, err := os.Lstat(a)
	if err != nil {
		return false
	}
	other, err := os.Lstat(b)
	return err == nil && os.SameFile(one, other)
}
