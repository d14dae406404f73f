package shell

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// errElsewhere is for a command that names its repository itself.
var errElsewhere = errors.New("it isn't known which repository is read")

// Find looks for a file that the walk of a command shows, and that is wanted,
// among those that the repository around dir tracks now. Wanted gets absolute
// paths; one that ends in a slash stands for all below a folder that isn't
// checked out. An error means that not all could be looked at.
func (g *GitWalk) Find(ctx context.Context, dir string, wanted func(file string) bool) (file string, err error) {
	if g.elsewhere {
		return "", errElsewhere
	}
	dir, err = realDir(dir)
	if err != nil {
		return "", err
	}
	dirs, err := gitDirs(dir)
	if err != nil {
		return "", err
	}
	for _, d := range dirs {
		s := trackedSearch{GitWalk: g, ctx: ctx, wanted: wanted}
		if d.tree == "" {
			if !exists(d.dir + "/index") {
				continue // a bare repository: no file of it is one on disk
			}
			if filepath.Base(d.dir) != ".git" {
				return "", errElsewhere
			}
			d.tree, s.specs.all = filepath.Dir(d.dir), true
		}
		s.settle(d.tree, dir)
		if err := s.look(d, ""); err != nil || s.file != "" {
			return s.file, err
		}
	}
	return "", nil
}

// LeavingOut are the words that keep git from showing a file, for a command
// that runs in dir; they are empty where there is no way.
func (g *GitWalk) LeavingOut(file, dir string) string {
	real, err := realDir(dir)
	if err != nil || !g.Paths {
		return ""
	}
	for tree := real; ; tree = filepath.Dir(tree) {
		if rel, ok := strings.CutPrefix(file, strings.TrimSuffix(tree, "/")+"/"); ok && exists(tree+"/.git") {
			if tree != real {
				rel = "/" + rel
			}
			return quotedAfter("-- ", ":!", strings.TrimSuffix(rel, "/"))
		}
		if filepath.Dir(tree) == tree {
			return ""
		}
	}
}

// A trackedSearch looks through the index of one repository.
type trackedSearch struct {
	*GitWalk
	ctx     context.Context
	wanted  func(string) bool
	specs   gitPathspecs
	onDisk  bool // only what isn't as the index has it
	looked  int
	file    string
	modules int
}

// settle finds out which of the words narrow the search, from what is on disk.
func (s *trackedSearch) settle(tree, dir string) {
	s.onDisk = s.changed
	s.specs.all = s.specs.all || s.blind
	rel, err := filepath.Rel(tree, dir)
	if err != nil || strings.HasPrefix(rel, "..") {
		s.specs.all, s.onDisk = true, false
		return
	}
	rel = strings.TrimPrefix(filepath.ToSlash(rel), ".")
	for _, text := range s.certain {
		s.specs.add(text, rel)
	}
	for _, text := range s.possible {
		if isPathspec(text, tree, dir) {
			s.specs.add(text, rel)
		} else {
			s.onDisk = false
		}
	}
	s.specs.all = s.specs.all || slices.ContainsFunc(s.doubtful, func(text string) bool { return isPathspec(text, tree, dir) })
}

// isPathspec reports whether git takes a word for a pathspec where it could be a
// revision: for what is there it does, or else refuses to run.
func isPathspec(text, tree, dir string) bool {
	switch rest, top := strings.CutPrefix(text, ":/"); {
	case top:
		return exists(tree + "/" + rest)
	case strings.HasPrefix(text, ":"):
		return strings.ContainsAny(text[:min(2, len(text))], "!^(")
	case strings.ContainsAny(text, "*?[") && !strings.ContainsAny(text, "@^~{:"):
		return true
	case filepath.IsAbs(text):
		return exists(text)
	}
	return exists(dir + "/" + text)
}

// maxModules is how many repositories inside another one are looked into.
const maxModules = 100

// look goes through the entries of a repository that lies at base below the top.
func (s *trackedSearch) look(g gitDir, base string) (err error) {
	hash, err := g.hash()
	if err != nil {
		return err
	}
	written := time.Time{}
	if info, err := os.Stat(g.dir + "/index"); err == nil {
		written = info.ModTime()
	}
	var links []string
	var failed error
	err = eachTracked(g.dir, hash, func(t *tracked) bool {
		if s.looked++; s.looked&1023 == 0 {
			if failed = s.ctx.Err(); failed != nil {
				return false
			}
		}
		name := string(t.name)
		switch {
		case t.isLink():
			links = append(links, name)
		case s.shows(g, base, name, t, written):
			s.file = g.tree + "/" + name
		}
		return s.file == ""
	})
	if err = errors.Join(err, failed); err != nil || s.file != "" || !s.GitWalk.modules {
		return err
	}
	for _, link := range links {
		if s.modules++; s.modules > maxModules {
			return errors.New("too many repositories in each other")
		}
		sub, _, err := dotGit(g.tree + "/" + link)
		if err != nil {
			return err
		}
		if sub == "" {
			continue
		}
		if err := s.look(gitDir{sub, g.tree + "/" + link}, base+link+"/"); err != nil || s.file != "" {
			return err
		}
	}
	return nil
}

func (s *trackedSearch) shows(g gitDir, base, name string, t *tracked, written time.Time) bool {
	if !s.wanted(g.tree+"/"+name) || !s.specs.shows(base+name) {
		return false
	}
	if s.objects != nil {
		id := hex.EncodeToString(t.id)
		return slices.ContainsFunc(s.objects, func(o string) bool { return strings.HasPrefix(id, o) })
	}
	return !s.onDisk || !t.unchanged(g.tree+"/"+name, written)
}

// unchanged reports whether a file is surely as it was when the index, written
// at that time, took note of it.
func (t *tracked) unchanged(file string, written time.Time) bool {
	if t.isFolder() {
		return true // it isn't there
	}
	info, err := os.Lstat(file)
	if err != nil || t.stat == nil || !info.Mode().IsRegular() || t.mode&kindOfEntry != 0o100000 {
		return false
	}
	at := info.ModTime()
	number := func(i int) uint32 { return binary.BigEndian.Uint32(t.stat[i:]) }
	return number(8) == uint32(at.Unix()) && number(12) == uint32(at.Nanosecond()) && number(36) == uint32(info.Size()) && at.Before(written)
}

// hash is the size of the names of a repository's objects. It is an error where
// its files lie elsewhere.
func (g gitDir) hash() (int, error) {
	common, err := commonDir(g.dir)
	if err != nil {
		return 0, err
	}
	hash := sha1Size
	for _, file := range []string{common + "/config", g.dir + "/config.worktree"} {
		settings, err := readGitConfig(file)
		if err != nil {
			return 0, err
		}
		for _, s := range settings {
			switch {
			case s.name == "extensions.objectformat" && strings.EqualFold(s.value, "sha256"):
				hash = sha256Size
			case s.name == "core.worktree" && !g.isTree(s.value):
				return 0, errElsewhere
			}
		}
	}
	return hash, nil
}
