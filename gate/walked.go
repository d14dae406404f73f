package gate

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// maxWalked is how many entries of folders are looked at for one command that
// reads folders as a whole.
const maxWalked = 50_000

// A walked is a blocked file that a command reads without naming it.
type walked struct {
	what string
	rule *Rule
}

func (w *walked) why() string { return "it may also read " + w.what + ", which a rule forbids" }

// walkBlocked finds a file under a read rule that is there now, below a folder
// which a command reads as a whole (APR-13, APR-15). Folders with too much in
// them come back as unseen, where a rule with a wildcard could hold in them.
// Nothing is looked at without such rules.
func (e *evaluation) walkBlocked(l *shell.Line, c *shell.Command) (found *walked, unseen string) {
	x := &e.index.read
	if x.empty() {
		return nil, ""
	}
	w, ok := l.Walk(c)
	if !ok {
		return nil, ""
	}
	roots := w.Roots
	for _, pattern := range w.Patterns {
		matches, whole := expanded(e.commandFile(c, pattern).written())
		if !whole {
			return nil, pattern
		}
		roots = append(roots[:len(roots):len(roots)], matches...)
	}
	s := search{walk: &w, rules: x, left: maxWalked}
	for _, root := range roots {
		f := e.commandFile(c, root)
		folder := f.forms[len(f.forms)-1]
		if info, err := os.Stat(filepath.FromSlash(folder)); err != nil || !info.IsDir() {
			continue // rules are held against what is named, too
		}
		if s.below(x.place.fold(folder)); s.left < 0 {
			return nil, root
		}
		if s.found != nil {
			if rel, ok := e.place.workspace.within(s.found.what); ok {
				s.found.what = rel
			}
			return s.found, ""
		}
	}
	return nil, ""
}

// A search looks for blocked files in what a command walks.
type search struct {
	walk    *shell.Walk
	rules   *pathIndex
	left    int // entries that may still be looked at; below 0 there were more
	ignored map[string]bool
	found   *walked
}

// below looks where rules could hold below a folder: at what they name, and
// below what stands before their first wildcard.
func (s *search) below(folder string) {
	s.ignored = nil
	if s.walk.Ignores {
		s.ignored = ignoredFolders(folder)
	}
	var starts []string
	for _, p := range s.rules.patterns {
		start := p.root
		if p.glob && isBelow(folder, start) {
			start = folder
		}
		if start == folder || isBelow(start, folder) {
			starts = append(starts, start)
		}
	}
	slices.Sort(starts)
	for i, start := range starts {
		within := func(other string) bool { return other == start || isBelow(start, other) }
		if s.found != nil || s.left < 0 || slices.ContainsFunc(starts[:i], within) {
			continue
		}
		s.from(folder, start)
	}
}

// from looks at start, a file or folder in the walk of folder, and below it.
func (s *search) from(folder, start string) {
	info, err := os.Lstat(filepath.FromSlash(start))
	if err != nil {
		return
	}
	at := folder
	above := parts(strings.TrimPrefix(start, folder))
	for i, name := range above {
		isFolder := i < len(above)-1 || info.IsDir()
		if s.passes(folder, at, name, isFolder) {
			return
		}
		at = join(at, name)
	}
	if !info.IsDir() {
		s.look(start, info.Mode().Type())
		return
	}
	s.walkFrom(folder, start)
}

func (s *search) walkFrom(folder, start string) {
	for folders := []string{start}; len(folders) > 0 && s.found == nil && s.left >= 0; {
		at := folders[len(folders)-1]
		folders = folders[:len(folders)-1]
		entries, err := listSome(at, s.left)
		// What is out of reach can't be read by the command either.
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			s.left = -1
			return
		}
		s.left -= len(entries)
		for _, entry := range entries {
			switch name := entry.Name(); {
			case s.passes(folder, at, name, entry.IsDir()):
			case entry.IsDir():
				folders = append(folders, join(at, name))
			default:
				s.look(join(at, name), entry.Type())
			}
		}
	}
}

func (s *search) passes(folder, at, name string, isFolder bool) bool {
	return s.walk.Skips(name, isFolder) || isFolder && (s.ignored[name] || at == folder && s.ignored["/"+name])
}

// look holds the rules against a file, and against the one that a link leads to:
// many programs follow it.
func (s *search) look(file string, kind fs.FileMode) {
	if s.found != nil {
		return
	}
	forms := []string{file}
	if kind&fs.ModeSymlink != 0 {
		real, _ := resolve(file)
		forms = append(forms, real)
	}
	if rule := s.rules.restricting(filePath{forms: forms}, false); rule != nil {
		s.found = &walked{file, rule}
	}
}

// ignoredFolders are the names of folders that git surely ignores below a
// folder, those of the folder alone with a slash before them. Lines with
// patterns aren't read, and nothing is sure where a line takes one back.
func ignoredFolders(folder string) map[string]bool {
	if !exists(path.Join(folder, ".git")) {
		return nil
	}
	for _, other := range []string{".ignore", ".rgignore"} {
		if exists(path.Join(folder, other)) {
			return nil
		}
	}
	file, err := os.Open(filepath.FromSlash(path.Join(folder, ".gitignore")))
	if err != nil {
		return nil
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Mode()&fs.ModeType != 0 {
		return nil
	}
	ignored := map[string]bool{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		name := strings.TrimSuffix(lines.Text(), "/")
		switch {
		case strings.HasPrefix(name, "!"):
			return nil
		case name != "" && !strings.ContainsAny(name, "*?[\\# \t\r") && !strings.Contains(name[1:], "/"):
			ignored[name] = true
		}
	}
	if lines.Err() != nil {
		return nil
	}
	return ignored
}
