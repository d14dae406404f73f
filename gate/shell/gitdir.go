package shell

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A gitDir is a git directory and the folder with the files that belong to
// it, if it has one. Neither path is cleaned: as for git, .. behind a link is
// the folder above the link's goal.
type gitDir struct{ dir, tree string }

// gitDirs are the git directories that a git command in dir may use: the one
// that git finds, and before it what git might take for one.
func gitDirs(dir string) (dirs []gitDir, err error) {
	if dir, err = realDir(dir); err != nil {
		return nil, err
	}
	for {
		// Git looks for .git before it takes the folder itself for one.
		found, valid, err := dotGit(dir)
		if err != nil {
			return nil, err
		}
		if found != "" {
			dirs = append(dirs, gitDir{found, dir})
		}
		if !valid && exists(dir+"/HEAD") {
			dirs = append(dirs, gitDir{dir: dir})
			if valid, err = validGitDir(dir); err != nil {
				return nil, err
			}
		}
		if valid || filepath.Dir(dir) == dir {
			return dirs, nil
		}
		dir = filepath.Dir(dir)
	}
}

// realDir is dir, or the deepest folder above it that is there, without links:
// from that git looks upwards.
func realDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir {
			return real, err
		}
		dir = filepath.Dir(dir)
	}
}

// dotGit returns the git directory that .git in dir is or names, or empty,
// and whether git takes it for one. Git goes on above a folder that isn't.
func dotGit(dir string) (found string, valid bool, err error) {
	path := dir + "/.git"
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err != nil:
		return "", false, err
	case info.IsDir():
		valid, err = validGitDir(path)
		return path, valid, err
	case !info.Mode().IsRegular():
		return "", false, fmt.Errorf("%s: neither a folder nor a file", path)
	}
	text, err := readBounded(path, maxGitConfig)
	if err != nil {
		return "", false, err
	}
	target, ok := bytes.CutPrefix(text, []byte("gitdir: "))
	if !ok {
		return "", false, fmt.Errorf("%s: not a link to a git directory", path)
	}
	if found, err = pathIn(dir, path, target); err != nil {
		return "", false, err
	}
	valid, err = validGitDir(found)
	return found, valid, err
}

// pathIn reads a path that a file of git's holds, relative to dir. Other than
// at the end of its line, blanks are part of the name; a name that is likely
// to be read in two ways is an error.
func pathIn(dir, file string, text []byte) (string, error) {
	target := strings.TrimRight(string(text), "\r\n")
	if target == "" || target != strings.TrimSpace(target) || strings.ContainsAny(target, "\x00\r\n") {
		return "", fmt.Errorf("%s: a path that can't be read for sure", file)
	}
	if filepath.IsAbs(target) {
		return target, nil
	}
	return dir + "/" + target, nil
}

// commonDir is where the settings, objects and refs of a git directory are.
func commonDir(dir string) (string, error) {
	file := dir + "/commondir"
	text, err := readBounded(file, maxGitConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return dir, nil
	} else if err != nil {
		return "", err
	}
	return pathIn(dir, file, text)
}

// validGitDir reports whether git surely takes dir for a git directory.
func validGitDir(dir string) (bool, error) {
	if !validHead(dir + "/HEAD") {
		return false, nil
	}
	common, err := commonDir(dir)
	if err != nil {
		return false, err
	}
	for _, name := range []string{"/objects", "/refs"} {
		if info, err := os.Stat(common + name); err != nil || !info.IsDir() || info.Mode()&0o100 == 0 {
			return false, nil
		}
	}
	return true, nil
}

func validHead(file string) bool {
	if target, err := os.Readlink(file); err == nil {
		return strings.HasPrefix(target, "refs/")
	}
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<16 {
		return false
	}
	text, err := readBounded(file, maxGitConfig)
	if err != nil {
		return false
	}
	if ref, ok := bytes.CutPrefix(text, []byte("ref:")); ok {
		return bytes.HasPrefix(bytes.TrimLeft(ref, " \t\r\n"), []byte("refs/")) && len(text) < 256
	}
	id := strings.TrimRight(string(text), "\r\n")
	return (len(id) == 2*sha1Size || len(id) == 2*sha256Size) && strings.Trim(id, "0123456789abcdefABCDEF") == ""
}
