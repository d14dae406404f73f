package settings

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// folders tells of events in the folders where files are or would be. A watch
// on a file itself would end with its first atomic save.
type folders struct {
	watcher *fsnotify.Watcher // nil when the system has none to give
	// wanted are the names of interest in each folder; the goroutine that
	// filters gets a copy with each change.
	wanted  map[string][]string
	updates chan map[string][]string
	out     chan struct{}
	done    chan struct{}
}

func newFolders() *folders {
	f := &folders{updates: make(chan map[string][]string), out: make(chan struct{}, 1), done: make(chan struct{})}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		close(f.done)
		return f
	}
	f.watcher = w
	go f.filter()
	return f
}

func (f *folders) close() {
	if f.watcher != nil {
		f.watcher.Close()
	}
	<-f.done
}

func (f *folders) events() <-chan struct{} { return f.out }

// filter passes on what happens to the names of interest, many events as one.
func (f *folders) filter() {
	defer close(f.done)
	var wanted map[string][]string
	for {
		select {
		case wanted = <-f.updates:
		case e, ok := <-f.watcher.Events:
			if !ok {
				return
			}
			dir, base := filepath.Split(e.Name)
			_, itself := wanted[filepath.Clean(e.Name)]
			if itself || slices.Contains(wanted[filepath.Clean(dir)], base) {
				f.tell()
			}
		case _, ok := <-f.watcher.Errors:
			if !ok {
				return
			}
			f.tell() // events may have been lost
		}
	}
}

func (f *folders) tell() {
	select {
	case f.out <- struct{}{}:
	default:
	}
}

// watch moves the watches to where the files are now.
func (f *folders) watch(names []string, afresh bool) (complete bool) {
	if f.watcher == nil {
		return false
	}
	if afresh {
		// A folder that was renamed away takes its watch with it.
		for _, dir := range f.watcher.WatchList() {
			_ = f.watcher.Remove(dir)
		}
	}
	// A folder may appear before the watch on its parent does: look again
	// until nothing is new.
	for range 10 {
		wanted := placesOf(names)
		added, failed := f.move(wanted)
		if !maps.EqualFunc(wanted, f.wanted, slices.Equal) {
			f.wanted = wanted
			select {
			case f.updates <- wanted:
			case <-f.done:
				return false
			}
		}
		if !added {
			return !failed
		}
		f.tell() // of what happened meanwhile
	}
	return false
}

// move adds and removes watches.
func (f *folders) move(wanted map[string][]string) (added, failed bool) {
	have := f.watcher.WatchList()
	for dir := range wanted {
		if slices.Contains(have, dir) {
			continue
		}
		if err := f.watcher.Add(dir); err != nil {
			failed = true
		} else {
			added = true
		}
	}
	for _, dir := range have {
		if _, ok := wanted[dir]; !ok {
			_ = f.watcher.Remove(dir)
		}
	}
	return added, failed
}

// placesOf finds the folders in which an event may concern one of the files,
// with the names in them: the folder of each link on the way, that of the
// file, or the last that exists.
func placesOf(names []string) map[string][]string {
	places := map[string][]string{}
	note := func(dir, name string) {
		if !slices.Contains(places[dir], name) {
			places[dir] = append(places[dir], name)
		}
	}
	for _, name := range names {
		abs, err := filepath.Abs(name)
		if err != nil {
			continue
		}
		walk(abs, note)
	}
	return places
}

// walk goes along a path and notes links, and its end.
func walk(path string, note func(dir, name string)) {
	for hops := 0; ; {
		dir, rest := split(path)
		for rest != "" {
			name, after, _ := strings.Cut(rest, string(filepath.Separator))
			next := filepath.Join(dir, name)
			info, err := os.Lstat(next)
			if err != nil || after == "" && info.Mode()&os.ModeSymlink == 0 {
				note(dir, name)
				return
			}
			if info.Mode()&os.ModeSymlink != 0 {
				note(dir, name)
				to, err := os.Readlink(next)
				if hops++; err != nil || hops > 40 {
					return
				}
				if !filepath.IsAbs(to) {
					to = filepath.Join(dir, to)
				}
				path = filepath.Join(to, after)
				break
			}
			dir, rest = next, after
		}
		if rest == "" {
			return
		}
	}
}

// split parts a clean absolute path into its root and the rest.
func split(path string) (root, rest string) {
	root = filepath.VolumeName(path) + string(filepath.Separator)
	return root, strings.TrimPrefix(path, root)
}
