package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/blitz-approve/blitz-approve/gate"
)

// MaxFileSize is how large a settings file may be, in bytes. A larger one
// counts as unreadable.
const MaxFileSize = 8 << 20

// Sources say where settings come from.
type Sources struct {
	// Home is the user's folder; empty means [DefaultHome].
	Home string
	// Workspace is the workspace's directory; empty means that there is none.
	Workspace string
	// Overlays are the files given with --config, the strongest last.
	Overlays []string
	Flags    Flags
	// Trusted reports whether the user trusts this content of a project's
	// file. It is asked only about files that would loosen something; nil
	// trusts none.
	Trusted func(file string, content []byte) bool
}

// Flags are the settings of the command line.
type Flags struct {
	// Mode is --approval-mode or --permission-mode, as typed.
	Mode string
	// Yolo is --yolo or --auto-approve; it wins over Mode (TAM-06).
	Yolo bool
	// Rules for this run.
	Allow, Ask, Deny []string
}

// A Path is a file in which settings are looked for.
type Path struct {
	Name  string
	Layer Layer
}

// Paths lists the files of s, existing or not, the weakest first. Its order
// is the precedence of values; flags are above all of them.
func (s Sources) Paths() ([]Path, error) {
	home, err := s.Home, error(nil)
	if home == "" {
		if home, err = DefaultHome(); err != nil {
			return nil, err
		}
	}
	paths := []Path{{filepath.Join(home, "settings.toml"), Global}}
	if s.Workspace != "" {
		project := filepath.Join(s.Workspace, ".blitz")
		paths = append(paths,
			Path{filepath.Join(home, "workspaces", WorkspaceID(s.Workspace), "settings.toml"), Workspace},
			Path{filepath.Join(project, "settings.toml"), Project},
			Path{filepath.Join(project, "settings.local.toml"), Local})
		// Whoever works in their own home directory has one file in both
		// places: it is theirs.
		paths = slices.DeleteFunc(paths, func(p Path) bool {
			return !p.Layer.users() && sameFile(p.Name, paths[0].Name)
		})
	}
	for _, overlay := range s.Overlays {
		paths = append(paths, Path{overlay, Overlay})
	}
	return paths, nil
}

// Path is the file of one layer; where s has none it is an error.
func (s Sources) Path(layer Layer) (Path, error) {
	paths, err := s.Paths()
	if err != nil {
		return Path{}, err
	}
	i := slices.IndexFunc(paths, func(p Path) bool { return p.Layer == layer })
	if i < 0 {
		return Path{}, fmt.Errorf("there are no %s settings for this workspace", layer)
	}
	return paths[i], nil
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// Settings are the values of all files and flags together.
type Settings struct {
	Values
	// Untrusted are the projects' files whose loosening values wait for
	// trust; their Values are only those.
	Untrusted []*File
	// Broken are the files that could not be read, or not to their end. While
	// there are any, Rules holds one with Err for each, which keeps
	// everything at ask.
	Broken []Path
}

// Load reads all files. A missing one is fine, unless it is an overlay, which
// someone asked for. Problems are in the order of the files; what they don't
// concern applies.
func Load(s Sources) (*Settings, []Problem) {
	paths, err := s.Paths()
	if err != nil {
		return unreadable(err)
	}
	return s.load(paths, read)
}

// A reading is what was read for a path: a nil file when there is none.
type reading struct {
	*File
	content  []byte
	problems []Problem
}

func (s Sources) load(paths []Path, read func(Path) reading) (*Settings, []Problem) {
	all := &Settings{}
	var files []*File
	var problems []Problem
	for _, path := range paths {
		r := read(path)
		problems = append(problems, r.problems...)
		if r.File == nil {
			continue
		}
		if r.Broken {
			all.Broken = append(all.Broken, path)
		}
		files = append(files, s.trusted(r.File, r.content, all))
	}
	merged, found := merge(append(files, s.Flags.file()))
	all.Values = merged
	return all, append(problems, found...)
}

// trusted returns the file, or its restrictions only when its loosening
// values wait for trust.
func (s Sources) trusted(f *File, content []byte, all *Settings) *File {
	if f.Layer.users() {
		return f
	}
	tight, loose := f.split()
	if loose.empty() || s.Trusted != nil && s.Trusted(f.Name, content) {
		return f
	}
	all.Untrusted = append(all.Untrusted, &File{Name: f.Name, Layer: f.Layer, Values: loose, Content: content})
	return &File{Name: f.Name, Layer: f.Layer, Values: tight, Broken: f.Broken}
}

// read parses one file.
func read(p Path) reading {
	content, err := readFile(p)
	return parsed(p, content, err)
}

// parsed is what a file says with this content, or when reading it failed. A
// file that exists and can't be read may hold restrictions, so it is broken.
func parsed(p Path, content []byte, err error) reading {
	missing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	if missing && p.Layer != Overlay {
		return reading{}
	}
	if err != nil {
		f, problem := brokenFile(p, err)
		return reading{f, nil, []Problem{problem}}
	}
	f, problems := Parse(p.Name, content, p.Layer)
	return reading{f, content, problems}
}

func brokenFile(p Path, err error) (*File, Problem) {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err // the problem names the file already
	}
	problem := Problem{File: p.Name, Message: fmt.Sprintf("these settings can't be read: %v", err), Hint: "everything asks until they can"}
	if errors.Is(err, fs.ErrNotExist) {
		problem.Message, problem.Hint = "there is no such settings file", "everything asks until there is"
	}
	hold := Rule{Effect: gate.Deny, Err: problem}
	hold.Source = gate.Source{Layer: p.Layer.String(), File: p.Name}
	return &File{Name: p.Name, Layer: p.Layer, Broken: true, Values: Values{Rules: []Rule{hold}}}, problem
}

func unreadable(err error) (*Settings, []Problem) {
	path := Path{Name: "settings.toml", Layer: Global}
	f, problem := brokenFile(path, err)
	return &Settings{Values: f.Values, Broken: []Path{path}}, []Problem{problem}
}

var errNotRegular = errors.New("not a regular file")

// readFile reads a regular file, or an overlay from a pipe, up to the limit.
// What lies in a workspace may be a link to a device that never ends, or a
// pipe that never begins.
func readFile(p Path) ([]byte, error) {
	info, err := os.Stat(p.Name)
	if err != nil {
		return nil, err
	}
	if p.Layer != Overlay && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: p.Name, Err: errNotRegular}
	}
	f, err := os.Open(p.Name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err == nil && len(content) > MaxFileSize {
		err = fmt.Errorf("larger than %d MB", MaxFileSize>>20)
	}
	return content, err
}

// file turns the flags into the strongest layer.
func (f Flags) file() *File {
	source := gate.Source{Layer: Flag.String()}
	file := &File{Layer: Flag}
	for _, list := range []struct {
		effect gate.Effect
		rules  []string
	}{{gate.Deny, f.Deny}, {gate.Ask, f.Ask}, {gate.Allow, f.Allow}} {
		for _, text := range list.rules {
			file.Rules = append(file.Rules, Rule{Effect: list.effect, Located: Located[string]{Value: text, Source: source}})
		}
	}
	switch {
	case f.Yolo:
		file.Mode = Located[string]{Value: gate.Yolo.String(), Source: source}
	case f.Mode != "":
		file.Mode = Located[string]{Value: f.Mode, Source: source}
	}
	return file
}
