package gate

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// maxWalked is how many entries of folders are looked at for one command that
// reads folders as a whole.
const maxWalked = 50_000

// maxWalkTime is for how long they are looked at: some three times what so many
// need. What doesn't answer at all, such as a network's folder that has gone, is
// given up after maxWalkSilence.
const (
	maxWalkTime    = 200 * time.Millisecond
	maxWalkSilence = time.Second
)

// walks are the searches that go on. One that a folder doesn't answer goes on
// until it does, so that there must not be ever more of them.
var walks = make(chan struct{}, 16)

// A walked is what a command may read without naming it.
type walked struct {
	what   string // a blocked file, or empty
	rule   *Rule
	way    string // the words that leave it out, or empty
	unseen string // why not all could be looked through, or empty
}

func (w *walked) why() string {
	switch {
	case w.unseen != "":
		return w.unseen
	case w.way != "":
		return "it may also read " + w.what + ", which a rule forbids; " + w.way + " leaves it out"
	}
	return "it may also read " + w.what + ", which a rule forbids"
}

func tooMuchIn(folder string) string {
	return "there is too much in " + folder + " to look through, or not all of it can be seen"
}

func tooSlow(folder string) string { return "it takes too long to look through " + folder }

// walkBlocked finds a file under a read rule that is there now, below a folder
// which a command reads as a whole, or tracked where git shows what is (APR-13,
// APR-15). It also comes back with what can't be looked through, where a rule
// could hold in it. Nothing is looked at without such rules.
func (e *evaluation) walkBlocked(l *shell.Line, c *shell.Command) *walked {
	x := &e.index.read
	if x.empty() {
		return nil
	}
	w, ok := l.Walk(c)
	switch {
	case !ok:
		return nil
	case e.place.dark:
		return &walked{unseen: tooSlow(cmp.Or(c.Dir, "."))}
	}
	return e.searchOf(&w, c.Dir).within(maxWalkSilence)
}

func (e *evaluation) searchOf(w *shell.Walk, dir string) *search {
	return &search{
		ctx: e.ctx, slots: walks, walk: w, rules: &e.index.read, place: e.place, base: e.verdict.Request.Dir, dir: dir,
		left: maxWalked, until: time.Now().Add(maxWalkTime),
	}
}

// within runs the search, for no longer than that.
func (s *search) within(limit time.Duration) *walked {
	silence := time.NewTimer(limit)
	defer silence.Stop()
	given := &walked{unseen: tooSlow(cmp.Or(s.dir, "."))}
	select {
	case s.slots <- struct{}{}:
	case <-silence.C:
		return given
	case <-s.ctx.Done():
		return given
	}
	done := make(chan *walked, 1)
	go func() {
		defer func() { <-s.slots }()
		done <- s.run()
	}()
	select {
	case found := <-done:
		return found
	case <-silence.C:
		return given
	case <-s.ctx.Done():
		return given
	}
}

// A search looks for blocked files in what a command walks. It may go on when
// nobody waits for it any more, and so has its own of everything.
type search struct {
	ctx   context.Context
	slots chan struct{}
	walk  *shell.Walk
	rules *pathIndex
	place place
	base  string // what dir, the folder that the command runs in, is relative to
	dir   string

	left    int // entries that may still be looked at; below 0 there were more
	until   time.Time
	steps   int
	late    bool
	sieve   sieve
	ignored map[string]bool
	found   *walked
}

// run is nil where nothing is found.
func (s *search) run() *walked {
	if s.walk.Git != nil {
		if found := s.tracked(); found != nil {
			return found
		}
	}
	roots := s.walk.Roots
	for _, pattern := range s.walk.Patterns {
		matches, whole := expanded(s.file(pattern).written())
		if !whole {
			return &walked{unseen: tooMuchIn(pattern)}
		}
		roots = append(roots[:len(roots):len(roots)], matches...)
	}
	for _, root := range roots {
		f := s.file(root)
		folder := f.forms[len(f.forms)-1]
		if info, err := os.Stat(filepath.FromSlash(folder)); err != nil || !info.IsDir() {
			continue // rules are held against what is named, too
		}
		s.below(s.place.fold(folder))
		switch {
		case s.late:
			return &walked{unseen: tooSlow(root)}
		case s.left < 0:
			return &walked{unseen: tooMuchIn(root)}
		case s.found != nil:
			return s.found
		}
	}
	return nil
}

// file is an operand as the command would open it.
func (s *search) file(operand string) filePath {
	dir := s.base
	if s.dir != "" {
		dir = s.place.file(s.dir, dir).written()
	}
	return s.place.file(operand, dir)
}

// tracked is what git may show of the files that it tracks.
func (s *search) tracked() *walked {
	ctx, cancel := context.WithDeadline(s.ctx, s.until)
	defer cancel()
	dir := s.file(".").written()
	file, err := s.walk.Git.Find(ctx, filepath.FromSlash(dir), func(file string) bool {
		file = filepath.ToSlash(file)
		if folder, ok := strings.CutSuffix(file, "/"); ok {
			return s.mayHoldBelow(s.place.fold(folder))
		}
		return s.rule(s.place.fold(file)) != nil
	})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &walked{unseen: tooSlow(cmp.Or(s.dir, "."))}
	case err != nil:
		return &walked{unseen: tooMuchIn(cmp.Or(s.dir, "."))}
	case file == "":
		return nil
	}
	file = strings.TrimSuffix(filepath.ToSlash(file), "/")
	at, rule := s.blocked("", file)
	if rule == nil { // a folder that isn't checked out
		return &walked{unseen: tooMuchIn(s.named(file))}
	}
	if base, ok := strings.CutPrefix(rule.matcher.(*pathMatcher).pattern, "**/"); ok && at == file && globbed(base, path.Base(at)) {
		at = join(s.place.workspace.real, base) // in git's patterns * is any folder, too
	}
	return &walked{what: s.named(file), rule: rule, way: s.walk.Git.LeavingOut(filepath.FromSlash(at), filepath.FromSlash(dir))}
}

// mayHoldBelow reports whether a rule could hold for something below a folder
// that isn't there to be looked at.
func (s *search) mayHoldBelow(folder string) bool {
	return s.rule(folder) != nil || slices.ContainsFunc(s.rules.patterns, func(p *filePattern) bool {
		return p.root == folder || isBelow(p.root, folder) || p.glob && isBelow(folder, p.root)
	})
}

func (s *search) rule(file string) *Rule {
	if s.sieve.meshes == nil {
		s.sieve = s.rules.sieve()
	}
	if !s.sieve.lets(file) {
		return nil
	}
	return s.rules.restricting(filePath{forms: []string{file}}, false)
}

// blocked is the rule for a file and what it is for: the file, or the topmost
// folder above it, below folder.
func (s *search) blocked(folder, file string) (at string, rule *Rule) {
	at = folder
	for _, name := range parts(strings.TrimPrefix(file, folder)) {
		at = join(at, name)
		if rule = s.rule(s.place.fold(at)); rule != nil {
			break
		}
	}
	return at, rule
}

// named is a file as a person knows it.
func (s *search) named(file string) string {
	if rel, ok := s.place.workspace.within(file); ok && rel != "" {
		return rel
	}
	return file
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
		if s.found != nil || s.left < 0 || s.late || slices.ContainsFunc(starts[:i], within) {
			continue
		}
		s.from(folder, start)
	}
}

// from looks at start, a file or folder in the walk of folder, and below it. It
// goes through no link, as a walk does.
func (s *search) from(folder, start string) {
	at := folder
	above := parts(strings.TrimPrefix(start, folder))
	for i, name := range above {
		info, err := os.Lstat(filepath.FromSlash(join(at, name)))
		if err != nil || s.passes(folder, at, name, info.IsDir()) {
			return
		}
		at = join(at, name)
		if !info.IsDir() {
			if i == len(above)-1 {
				s.look(folder, at, info.Mode().Type())
			}
			return
		}
	}
	s.walkFrom(folder, start)
}

func (s *search) walkFrom(folder, start string) {
	for folders := []string{start}; len(folders) > 0 && s.found == nil && s.left >= 0 && !s.late; {
		at := folders[len(folders)-1]
		folders = folders[:len(folders)-1]
		entries, err := listSome(at, s.left)
		// What is out of reach can't be read by the command either.
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			s.left = -1
			return
		}
		s.left -= len(entries)
		s.spend(folderSteps)
		for _, entry := range entries {
			s.spend(1)
			switch name := entry.Name(); {
			case s.passes(folder, at, name, entry.IsDir()):
			case entry.IsDir():
				folders = append(folders, join(at, name))
			default:
				s.look(folder, join(at, name), entry.Type())
			}
		}
	}
}

// The clock is looked at after so many steps, so that a small tree is looked
// through on a busy machine too; to list a folder is some of them.
const (
	stepsToClock = 1000
	folderSteps  = 10
)

func (s *search) spend(steps int) {
	if s.steps += steps; s.steps >= stepsToClock {
		s.steps = 0
		s.late = s.late || s.ctx.Err() != nil || time.Now().After(s.until)
	}
}

func (s *search) passes(folder, at, name string, isFolder bool) bool {
	return s.walk.Skips(name, isFolder) || isFolder && (s.ignored[name] || at == folder && s.ignored["/"+name])
}

// look holds the rules against a file, and against the one that a link leads to:
// many programs follow it.
func (s *search) look(folder, file string, kind fs.FileMode) {
	if s.found != nil {
		return
	}
	if s.rule(file) == nil {
		if kind&fs.ModeSymlink == 0 {
			return
		}
		real, _ := resolve(file)
		if rule := s.rule(s.place.fold(real)); rule != nil {
			s.found = &walked{what: s.named(file), rule: rule, way: s.walk.LeavingOut(path.Base(file), false)}
		}
		return
	}
	at, rule := s.blocked(folder, file)
	name, above := path.Base(at), at != file
	if general := path.Base(rule.matcher.(*pathMatcher).pattern); !above && strings.Trim(general, "*") != "" && globbed(general, name) {
		name = general // all that the rule is for
	}
	s.found = &walked{what: s.named(file), rule: rule, way: s.walk.LeavingOut(name, above)}
}

// maxIgnore is how long a list of what git ignores may be that is read, in bytes.
const maxIgnore = 1 << 20

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
	// A pipe of that name must not hold the decision up.
	file, err := os.OpenFile(filepath.FromSlash(path.Join(folder, ".gitignore")), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxIgnore {
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
