package gate

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview/unseen"
)

// A Width is one allow rule that would have let a request pass.
type Width struct {
	Rule string // as it is saved, such as shell(go test *)
	// Label says in words what it covers.
	Label string
}

// Widths are the rules that a person may save to let such a request pass from
// now on, the narrowest first; each covers all that the one before it does
// (BEY-08). There are none for what is asked each time, for what a single rule
// can't allow, and none that hold what looks like a credential (BEY-12).
func (g *Gate) Widths(req Request) []Width {
	if g == nil {
		return nil
	}
	e := g.evaluation(context.Background(), g.state.Load(), req, run{})
	v := &e.verdict
	if v.Effect != Ask || v.Forced || v.Request.Unrevealed || len(v.grants) > 0 {
		return nil
	}
	return slices.DeleteFunc(e.widths(g.opts.Site), func(w Width) bool {
		if LooksSecret(w.Rule) || strings.ContainsFunc(w.Rule, unseen.Rune) {
			return true
		}
		// Alone is quicker. It is enough but for a line of several commands:
		// nothing denies the request or forces the ask.
		trial, err := g.tryBeside(nil, w.Rule)
		if err != nil || trial.Passes(req) {
			return err != nil
		}
		trial, err = g.Try(w.Rule)
		return err != nil || !trial.Passes(req)
	})
}

func (e *evaluation) widths(site func(string) (string, error)) []Width {
	req := &e.verdict.Request
	switch req.Kind {
	case RunCommand:
		return e.commandWidths()
	case WriteFile, DeleteFile:
		return e.fileWidths()
	case Network:
		if len(req.Targets) == 1 {
			return hostWidths(req.Targets[0], site)
		}
	case MCPTool:
		if server, tool, ok := req.member(); ok && len(req.Targets) <= 1 && !wild(server+tool) {
			return []Width{
				{"mcp(" + server + ":" + tool + ")", "this tool of " + server + ", whatever it is called with"},
				{"mcp(" + server + ":*)", "every tool of " + server + ", also one that deletes, and those that it gets later"},
			}
		}
	case NoKind:
		if req.Declared.Tier != Exec && bareName(req.Tool) && !wild(req.Tool) {
			return []Width{{req.Tool, "every call of " + req.Tool + ", whatever it is called with"}}
		}
	}
	return nil
}

func wild(s string) bool { return strings.ContainsAny(s, "*?") }

// fileWidths are the file, the files beside it, and the folders around it, up
// to but without the workspace. Outside of it, and for what is deleted, they
// end with the files beside it; for what is protected, or the system's, with
// the file.
func (e *evaluation) fileWidths() []Width {
	files := e.ownFiles()
	if len(files) == 0 {
		return nil
	}
	kind := "write"
	if files[0].removed {
		kind = "delete"
	}
	var names []string
	inside := true
	for i := range files {
		if files[i].removed != files[0].removed {
			return nil // it would take two rules
		}
		name, ok := e.place.workspace.within(files[i].written())
		if !ok {
			name, inside = files[i].written(), false
		}
		if name == "" || wild(name) {
			return nil
		}
		names = append(names, name)
	}
	guarded := slices.ContainsFunc(files, func(f file) bool { return f.guarded })
	var widths []Width
	add := func(pattern, label string) { widths = append(widths, Width{kind + "(" + pattern + ")", label}) }
	dir := path.Dir(names[0])
	if len(names) == 1 {
		add(names[0], "this file")
	}
	together := !slices.ContainsFunc(names, func(n string) bool { return path.Dir(n) != dir })
	if guarded {
		return widths // the files beside it are protected as well
	}
	if together && (inside || e.place.ordinary(dir)) {
		add(path.Join(dir, "*"), "the files directly in "+folderName(dir))
	}
	if !inside || kind == "delete" {
		return widths
	}
	for ; dir != "."; dir = path.Dir(dir) {
		if !slices.ContainsFunc(names, func(n string) bool { return !isBelow(n, dir) }) {
			add(dir+"/", "everything below "+dir)
		}
	}
	return widths
}

// ordinary reports a folder outside the workspace in which a person keeps files
// of their own, rather than one of the system, a program's settings, or one
// that holds everything.
func (p place) ordinary(dir string) bool {
	if rel, ok := p.home.within(dir); ok {
		return rel != "" && !strings.HasPrefix(rel, ".")
	}
	top, below, deep := strings.Cut(strings.TrimPrefix(dir, "/"), "/")
	return deep && below != "" && !p.home.below(dir) && !slices.Contains(systemFolders, top)
}

var systemFolders = strings.Fields("etc usr bin sbin lib lib32 lib64 boot dev proc sys run var opt root snap System Library Applications private cores")

func folderName(dir string) string {
	if dir == "." {
		return "the workspace"
	}
	return dir
}

// speakingSites answer every name below them with the address that it spells.
var speakingSites = []string{"nip.io", "sslip.io", "xip.io"}

// hostWidths are the host, and the domains that it is in, up to the one that
// somebody registered: never one under which strangers have theirs.
func hostWidths(target string, siteOf func(string) (string, error)) []Width {
	host, sure := readHost(target)
	if !sure {
		return nil
	}
	widths := []Width{{"web(" + host + ")", "this host"}}
	if _, numeric := looseIP(host); numeric || siteOf == nil {
		return widths
	}
	site, err := siteOf(host)
	if err != nil || slices.Contains(speakingSites, site) || host != site && !strings.HasSuffix(host, "."+site) || !strings.Contains(site, ".") {
		return widths
	}
	for domain := host; ; _, domain, _ = strings.Cut(domain, ".") {
		widths = append(widths, Width{"web(*." + domain + ")", domain + " and all its subdomains"})
		if domain == site {
			return widths
		}
	}
}
