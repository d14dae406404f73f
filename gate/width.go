package gate

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview/unseen"
)

// A Width is what may be saved to let a request pass: an allow rule, or, for a
// line of several commands, one for each that no rule allows yet.
type Width struct {
	// Rule is as it is saved, such as shell(go test *). Rules that are saved
	// together stand on a line each; see [Width.Each].
	Rule string
	// Label says in words what it covers, on a line for each rule.
	Label string
	// Exact says that it covers this very command, and nothing else.
	Exact bool `json:",omitempty"`
	// Of names the commands of a longer line that the rules are for, where the
	// others are allowed already.
	Of string `json:",omitempty"`
	// Widest says of the last one why nothing wider is offered.
	Widest string `json:",omitempty"`
}

// Each are the rules of w, one by one.
func (w Width) Each() []Width {
	labels := strings.Split(w.Label, "\n")
	var each []Width
	for i, rule := range strings.Split(w.Rule, "\n") {
		each = append(each, Width{Rule: rule, Label: labels[min(i, len(labels)-1)]})
	}
	return each
}

// Widths are the rules that a person may save to let such a request pass from
// now on, the narrowest first; each covers all that the one before it does
// (BEY-08). There are none for what is asked each time, for what rules can't
// allow, and none that hold what looks like a credential (BEY-12).
func (g *Gate) Widths(req Request) []Width {
	widths, _ := g.widths(req)
	return widths
}

// widths says as well why there are none, where that is known.
func (g *Gate) widths(req Request) (widths []Width, why string) {
	if g == nil {
		return nil, ""
	}
	e := g.evaluation(context.Background(), g.state.Load(), req, run{})
	v := &e.verdict
	switch {
	case v.Effect != Ask || len(v.grants) > 0:
		return nil, ""
	case v.Forced:
		return nil, v.Reason
	case v.Request.Unrevealed:
		return nil, "it doesn't say all that it does"
	}
	all, why := e.widths(g.opts.Site)
	if len(all) == 0 {
		return nil, why
	}
	widest := all[len(all)-1].Rule
	widths = slices.DeleteFunc(all, func(w Width) bool {
		return slices.ContainsFunc(w.Each(), unfit) || !g.wouldPass(w.Rule, req)
	})
	if len(widths) == 0 {
		return nil, "no rule would let it pass"
	}
	if last := &widths[len(widths)-1]; last.Rule == widest {
		last.Widest = why
	}
	return widths, ""
}

// unfit reports a rule that isn't kept in a file: a secret's, or one that a
// person can't read.
func unfit(w Width) bool { return LooksSecret(w.Rule) || strings.ContainsFunc(w.Rule, unseen.Rune) }

// wouldPass tries rules. Alone is quicker, and enough but for a line of several
// commands: nothing denies the request or forces the ask.
func (g *Gate) wouldPass(rules string, req Request) bool {
	trial, err := g.tryBeside(nil, rules)
	if err != nil || trial.Passes(req) {
		return err == nil
	}
	trial, err = g.Try(rules)
	return err == nil && trial.Passes(req)
}

// widths are the candidates, with the reason why there is no wider one, or none
// at all.
func (e *evaluation) widths(site func(string) (string, error)) ([]Width, string) {
	req := &e.verdict.Request
	switch req.Kind {
	case RunCommand:
		return e.commandWidths()
	case WriteFile, DeleteFile:
		return e.fileWidths()
	case Network:
		if len(req.Targets) == 1 {
			return hostWidths(req.Targets[0], site), "what is wider may belong to others"
		}
	case MCPTool:
		if server, tool, ok := req.member(); ok && len(req.Targets) <= 1 && !wild(server+tool) {
			return []Width{
				{Rule: "mcp(" + server + ":" + tool + ")", Label: "this tool of " + server + ", whatever it is called with"},
				{Rule: "mcp(" + server + ":*)", Label: "every tool of " + server + ", also one that deletes, and those that it gets later"},
			}, "that is all of the server"
		}
	case NoKind:
		if req.Declared.Tier != Exec && bareName(req.Tool) && !wild(req.Tool) {
			return []Width{{Rule: req.Tool, Label: "every call of " + req.Tool + ", whatever it is called with"}}, "that is all of the tool"
		}
	}
	return nil, ""
}

func wild(s string) bool { return strings.ContainsAny(s, "*?") }

// fileWidths are the file, the files beside it, and the folders around it, up
// to but without the workspace. Outside of it, and for what is deleted, they
// end with the files beside it; for what is protected, or the system's, with
// the file.
func (e *evaluation) fileWidths() ([]Width, string) {
	files := e.ownFiles()
	if len(files) == 0 {
		return nil, ""
	}
	kind := "write"
	if files[0].removed {
		kind = "delete"
	}
	var names []string
	inside := true
	for i := range files {
		if files[i].removed != files[0].removed {
			return nil, "it takes several rules"
		}
		name, ok := e.place.workspace.within(files[i].written())
		if !ok {
			name, inside = files[i].written(), false
		}
		if name == "" || wild(name) {
			return nil, ""
		}
		names = append(names, name)
	}
	guarded := slices.ContainsFunc(files, func(f file) bool { return f.guarded })
	var widths []Width
	add := func(pattern, label string) {
		widths = append(widths, Width{Rule: kind + "(" + pattern + ")", Label: label})
	}
	dir := path.Dir(names[0])
	if len(names) == 1 {
		add(names[0], "this file")
	}
	together := !slices.ContainsFunc(names, func(n string) bool { return path.Dir(n) != dir })
	if guarded {
		return widths, "what is protected is allowed file by file"
	}
	if together && (inside || e.place.ordinary(dir)) {
		add(path.Join(dir, "*"), "the files directly in "+folderName(dir))
	}
	switch {
	case !inside:
		return widths, "it is outside of the workspace"
	case kind == "delete":
		return widths, "what is deleted is allowed folder by folder"
	}
	for ; dir != "."; dir = path.Dir(dir) {
		if !slices.ContainsFunc(names, func(n string) bool { return !isBelow(n, dir) }) {
			add(dir+"/", "everything below "+dir)
		}
	}
	return widths, "the next is the whole workspace"
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
	widths := []Width{{Rule: "web(" + host + ")", Label: "this host"}}
	if _, numeric := looseIP(host); numeric || siteOf == nil {
		return widths
	}
	site, err := siteOf(host)
	if err != nil || slices.Contains(speakingSites, site) || host != site && !strings.HasSuffix(host, "."+site) || !strings.Contains(site, ".") {
		return widths
	}
	for domain := host; ; _, domain, _ = strings.Cut(domain, ".") {
		widths = append(widths, Width{Rule: "web(*." + domain + ")", Label: domain + " and all its subdomains"})
		if domain == site {
			return widths
		}
	}
}
