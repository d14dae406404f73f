package shell

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// GitConfigRuns says which setting or hook of the git repository around dir
// could make a command that only reads run a program, or read settings from
// another file (APR-15). Only settings that are known to be harmless pass. It
// reads the repository's own files, those of worktrees and submodules
// included, and neither the user's nor the system's. why is empty when there
// is none, or no repository. An error means that it could not tell.
func GitConfigRuns(dir string) (why string, err error) {
	dirs, err := gitDirs(dir)
	if err != nil {
		return "", err
	}
	seen := gitSeen{}
	for _, d := range dirs {
		if why, err = seen.repository(d); why != "" || err != nil {
			return why, err
		}
	}
	return "", nil
}

// maxGitDirs bounds how many repositories one question looks into.
const maxGitDirs = 1000

// gitSeen are the git directories that were looked at already.
type gitSeen map[string]bool

// repository looks at one repository and at those embedded in it.
func (seen gitSeen) repository(g gitDir) (why string, err error) {
	if seen[g.dir] {
		return "", nil
	}
	if seen[g.dir] = true; len(seen) > maxGitDirs {
		return "", errors.New("too many repositories in each other")
	}
	common, err := commonDir(g.dir)
	if err != nil {
		return "", err
	}
	hash, why, err := gitDirRuns(g, common)
	if why != "" || err != nil {
		return why, err
	}
	if why, err = modulesRun(common + "/modules"); why != "" || err != nil || g.tree == "" {
		return why, err
	}
	links, err := gitLinks(g.dir, hash)
	if err != nil {
		return "", err
	}
	for _, link := range links {
		sub, _, err := dotGit(g.tree + "/" + link)
		if err != nil {
			return "", err
		}
		if sub == "" {
			continue
		}
		if why, err = seen.repository(gitDir{sub, g.tree + "/" + link}); why != "" || err != nil {
			return why, err
		}
	}
	return "", nil
}

// gitDirRuns looks at the settings and the hooks of one git directory. hash is
// the size of its object names.
func gitDirRuns(g gitDir, common string) (hash int, why string, err error) {
	hash = sha1Size
	for _, file := range []string{common + "/config", g.dir + "/config", g.dir + "/config.worktree"} {
		settings, err := readGitConfig(file)
		if err != nil {
			return 0, "", err
		}
		for _, s := range settings {
			if s.name == "extensions.objectformat" && strings.EqualFold(s.value, "sha256") {
				hash = sha256Size
			}
			if !s.harmless() && !(s.name == "core.worktree" && g.isTree(s.value)) {
				return 0, s.general(), nil
			}
		}
	}
	return hash, hooksRun(common), nil
}

// isTree reports whether a setting of core.worktree says what is so anyway,
// as it does in submodules.
func (g gitDir) isTree(value string) bool {
	if !filepath.IsAbs(value) {
		value = g.dir + "/" + value
	}
	if g.tree == "" {
		return false
	}
	set, err := os.Stat(value)
	if err != nil {
		return false
	}
	tree, err := os.Stat(g.tree)
	return err == nil && os.SameFile(set, tree)
}

// hooksRun names the hook that reading commands run: they refresh the index.
func hooksRun(common string) string {
	const hook = "hooks/post-index-change"
	if info, err := os.Stat(common + "/" + hook); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
		return hook
	}
	return ""
}

// modulesRun looks at the git directories of submodules, which lie at any
// depth since their names may hold slashes.
func modulesRun(root string) (why string, err error) {
	count := 0
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case path == root && errors.Is(err, fs.ErrNotExist):
			return fs.SkipAll
		case err != nil:
			return err
		case !entry.IsDir():
			return nil
		}
		if count++; count > 20*maxGitDirs {
			return fmt.Errorf("%s: too many folders", root)
		}
		if stored[entry.Name()] && exists(filepath.Dir(path)+"/HEAD") {
			return fs.SkipDir
		}
		if !exists(path+"/config") && !exists(path+"/HEAD") {
			return nil
		}
		// Where its files are is checked when the way to it is known.
		for _, file := range []string{"/config", "/config.worktree"} {
			settings, err := readGitConfig(path + file)
			if err != nil {
				return err
			}
			for _, s := range settings {
				if !s.harmless() && s.name != "core.worktree" {
					why = s.general()
					return fs.SkipAll
				}
			}
		}
		if why = hooksRun(path); why != "" {
			return fs.SkipAll
		}
		return nil
	})
	return why, err
}

// stored are the large folders of a git directory.
var stored = map[string]bool{"objects": true, "refs": true, "logs": true}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
