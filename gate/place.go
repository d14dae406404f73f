package gate

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// A place is where relative paths and ~ are read from.
type place struct {
	workspace root
	home      root
	gateHome  root // the gate's own folder, protected
	folds     bool // the volume takes names in any case
	// programs are the folders of PATH that a session may write to.
	programs []string
	// dark says that no file is looked at, since none was answered for: a path
	// is what it says, and may lead anywhere.
	dark     bool
	readlink func(string) (string, error) // [os.Readlink] if nil
}

// resolve is [resolve] for what is seen from here.
func (p place) resolve(file string) (real string, end linkEnd) {
	switch {
	case p.dark:
		return filepath.Clean(file), linkLoop
	case p.readlink != nil:
		return resolveBy(p.readlink, file)
	}
	return resolve(file)
}

func newPlace(workspace, home, gateHome string) place {
	p := place{workspace: newRoot(workspace), home: newRoot(home), gateHome: newRoot(gateHome), folds: foldsCase(workspace)}
	p.programs = p.ownPrograms(os.Getenv("PATH"))
	return p
}

// A root is a folder by the name that was given and by the one that the file
// system gives it. Either may lead a path into it.
type root struct{ written, real string }

func newRoot(dir string) root {
	if dir == "" {
		return root{}
	}
	real, _ := resolve(dir)
	return root{filepath.ToSlash(filepath.Clean(dir)), filepath.ToSlash(real)}
}

// names are the root's names, each once.
func (r root) names() []string {
	switch {
	case r.written == "":
		return nil
	case r.written == r.real:
		return []string{r.written}
	}
	return []string{r.written, r.real}
}

// within returns file's path inside the root; ok is false when it lies
// elsewhere, and for the root itself the path is empty.
func (r root) within(file string) (rel string, ok bool) {
	for _, name := range [...]string{r.written, r.real} {
		if name == "" {
			continue
		}
		if file == name {
			return "", true
		}
		if isBelow(file, name) {
			return strings.TrimPrefix(file[len(name):], "/"), true
		}
	}
	return "", false
}

// below reports whether the root is folder or lies in it.
func (r root) below(folder string) bool {
	return r.written != "" && (r.written == folder || r.real == folder || isBelow(r.written, folder) || isBelow(r.real, folder))
}

func isBelow(file, folder string) bool {
	return folder == "/" || len(file) > len(folder) && file[len(folder)] == '/' && strings.HasPrefix(file, folder)
}

// A filePath is every path that a target may stand for, absolute and clean:
// as written, and as the file system resolves it. The two ways to read .. give
// two resolved forms when a link stands before it. A restriction needs one of
// the forms, an allow all of them.
type filePath struct {
	forms []string
	end   linkEnd
}

// file reads a target against a directory, itself read against the workspace.
func (p place) file(target, dir string) filePath {
	raw := p.expand(target)
	if dir = p.expand(dir); !filepath.IsAbs(dir) {
		dir = p.workspace.written + "/" + dir
	}
	if !filepath.IsAbs(raw) {
		raw = dir + "/" + raw
	}
	written := filepath.Clean(raw)
	resolved, end := p.resolve(written)
	f := filePath{forms: make([]string, 1, 2), end: end}
	f.forms[0] = filepath.ToSlash(written)
	f.add(filepath.ToSlash(resolved))
	if strings.Contains(raw, "..") {
		physical, end := p.resolve(raw)
		f.add(filepath.ToSlash(physical))
		f.end = max(f.end, end)
	}
	if other := p.spelled(target); other != "" {
		meant := p.file(other, dir)
		for _, form := range meant.forms {
			f.add(form)
		}
		f.end = max(f.end, meant.end, linkNowhere) // it may be either
	}
	if own, ok := ofProcess(f.forms[0], dir); ok {
		// Read here, the link leads where this process is, not the agent.
		through, _ := p.resolve(own)
		f.add(filepath.ToSlash(filepath.Clean(own)))
		f.add(filepath.ToSlash(through))
		f.end = max(f.end, linkNowhere)
	}
	return f
}

// spelled is the path that some tools take target for, where it is written as a
// file URL, or below the home by a variable or a name; else it is empty.
func (p place) spelled(target string) string {
	if target == "" || strings.IndexByte("fF$~", target[0]) < 0 {
		return ""
	}
	if len(target) > 5 && strings.EqualFold(target[:5], "file:") {
		if u, err := url.Parse(target); err == nil {
			return u.Path
		}
		return ""
	}
	if p.home.written == "" {
		return ""
	}
	for _, home := range []string{"$HOME", "${HOME}", "~" + path.Base(p.home.written)} {
		if rest, ok := strings.CutPrefix(target, home); ok && (rest == "" || rest[0] == '/') {
			return p.home.written + rest
		}
	}
	return ""
}

// ofProcess reads a path through /proc/self/cwd or /proc/self/root, or those of
// another process, as it is meant for one that works in dir.
func ofProcess(file, dir string) (meant string, ok bool) {
	for range maxLinks {
		below, proc := strings.CutPrefix(file, "/proc/")
		name, below, _ := strings.Cut(below, "/")
		if !proc || name != "self" && name != "thread-self" && strings.Trim(name, "0123456789") != "" {
			return file, ok
		}
		if task, inTask := strings.CutPrefix(below, "task/"); inTask {
			_, below, _ = strings.Cut(task, "/")
		}
		link, rest, _ := strings.Cut(below, "/")
		switch link {
		case "cwd":
			file = filepath.Clean(dir + "/" + rest)
		case "root":
			file = filepath.Clean("/" + rest)
		default:
			return file, ok
		}
		ok = true
	}
	return file, ok
}

func (f *filePath) add(form string) {
	for _, known := range f.forms {
		if form == known {
			return
		}
	}
	f.forms = append(f.forms, form)
}

func (f filePath) written() string { return f.forms[0] }

func (p place) expand(target string) string {
	if target == "~" {
		return p.home.written
	}
	if rest, ok := strings.CutPrefix(target, "~/"); ok {
		return p.home.written + "/" + rest
	}
	return target
}

// inWorkspace reports whether f lies inside the workspace in every form; the
// workspace itself does not.
func (p place) inWorkspace(f filePath) bool {
	for _, form := range f.forms {
		if rel, ok := p.workspace.within(form); !ok || rel == "" {
			return false
		}
	}
	return f.end != linkLoop
}

// runsInWorkspace reports whether a directory is the workspace or inside it.
func (p place) runsInWorkspace(dir string) bool {
	if dir == "" {
		return true
	}
	return p.holds(p.file(dir, ""))
}

// holds reports whether f is the workspace or lies in it, in every form.
func (p place) holds(f filePath) bool {
	for _, form := range f.forms {
		if _, ok := p.workspace.within(form); !ok {
			return false
		}
	}
	return true
}

// fold gives names that the volume takes for the same the same form.
func (p place) fold(path string) string {
	if !p.folds {
		return path
	}
	return foldName(path)
}

// foldsCase reports whether the volume with dir finds it in another case too.
func foldsCase(dir string) bool {
	swapped := strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, filepath.Base(dir))
	here, err := os.Stat(dir)
	if err != nil || swapped == filepath.Base(dir) {
		return false
	}
	there, err := os.Stat(filepath.Join(filepath.Dir(dir), swapped))
	return err == nil && os.SameFile(here, there)
}
