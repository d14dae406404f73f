package settings

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// A follower knows what the files said when they were last looked at, and
// for those that are broken now, what they said before.
type follower struct {
	sources Sources
	extra   []string
	now     map[string]state
	good    map[string]reading
}

// A state is a file at one moment. States are compared by their mark.
type state struct {
	content []byte
	err     error
	mark    string
}

func newFollower(s Sources, extra []string) *follower {
	return &follower{sources: s, extra: extra, good: map[string]reading{}}
}

// paths are the settings files; which ones may change with links.
func (f *follower) paths() []Path {
	paths, _ := f.sources.Paths() // [NewWatcher] has seen to the error
	return paths
}

// names are all files to look at.
func (f *follower) names() (names []string) {
	for _, p := range f.paths() {
		names = append(names, p.Name)
	}
	return append(names, f.extra...)
}

// read looks at all files.
func (f *follower) read() map[string]state {
	now := map[string]state{}
	for _, p := range f.paths() {
		now[p.Name] = stateOf(p)
	}
	for _, name := range f.extra {
		s := stateOf(Path{Name: name})
		s.content = nil
		now[name] = s
	}
	return now
}

func stateOf(p Path) state {
	content, err := readFile(p)
	s := state{content: content, err: err}
	switch {
	case err == nil:
		s.mark = fmt.Sprintf("%x", sha256.Sum256(content))
	case errors.Is(err, fs.ErrNotExist):
		s.mark = "missing"
	default:
		s.mark = err.Error()
		if info, err := os.Stat(p.Name); err == nil {
			s.mark += fmt.Sprint(info.Size(), info.ModTime())
		}
	}
	return s
}

// differing lists the files that are not as they were accepted.
func (f *follower) differing(now map[string]state) (names []string) {
	for name, s := range now {
		if f.now[name].mark != s.mark {
			names = append(names, name)
		}
	}
	for name := range f.now {
		if _, ok := now[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (f *follower) accept(now map[string]state) { f.now = now }

// change is what the accepted files say together.
func (f *follower) change(files []string) Change {
	s, problems := f.sources.load(f.paths(), f.reading)
	return Change{Settings: s, Problems: problems, Files: files}
}

// reading is what a file says, or said before it broke.
func (f *follower) reading(p Path) reading {
	s, ok := f.now[p.Name]
	if !ok {
		return reading{}
	}
	r := parsed(p, s.content, s.err)
	before, known := f.good[p.Name]
	switch {
	case r.File != nil && r.Broken && known:
		for i := range r.problems {
			r.problems[i].Hint = "what it said before holds until it is mended"
		}
		before.problems = r.problems
		return before
	case r.File == nil:
		delete(f.good, p.Name)
	case !r.Broken:
		f.good[p.Name] = reading{r.File, r.content, nil}
	}
	return r
}
