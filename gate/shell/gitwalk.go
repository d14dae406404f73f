package shell

import (
	"slices"
	"strings"
)

// A GitWalk is what a git command shows of the content that a repository holds:
// of tracked files as they are, or as they once were (APR-13). What was tracked
// once and is no longer can't be known without git.
type GitWalk struct {
	// Paths says that the command takes pathspecs, so that a file can be left
	// out by one.
	Paths bool

	elsewhere bool // it isn't known which repository it reads
	modules   bool // also what submodules hold
	changed   bool // only what on disk isn't as the index has it
	objects   []string
	certain   []string // words that are pathspecs
	possible  []string // that are where they name what is there, and revisions else
	doubtful  []string // that are one of these, or the value of an option
	blind     bool     // no word is known to narrow it
}

// gitShowing says which subcommands show content, and when: "always"; "diff",
// unless an option asks for something else; "log", where an option asks for it;
// "pick", where it asks what to take of it.
var gitShowing = map[string]string{
	"diff": "diff", "show": "diff", "diff-pairs": "diff",
	"log": "log", "whatchanged": "log", "reflog": "log", "diff-tree": "log", "diff-index": "log", "diff-files": "log",
	"stash": "stash", "status": "status", "commit": "status",
	"add": "pick", "stage": "pick", "checkout": "pick", "restore": "pick", "reset": "pick", "request-pull": "pick",
	"am": "patch", "rebase": "patch", "rerere": "rerere", "bundle": "bundle",
	"grep": "always", "archive": "always", "format-patch": "always", "send-email": "always", "difftool": "always", "range-diff": "always",
	"fast-export": "always", "merge-tree": "always", "checkout-index": "always",
	"cat-file": "objects", "unpack-file": "objects",
}

// The options by which content is shown, and those by which something else is.
const (
	gitPatch = "p u U c patch unified cc dd remerge-diff check patch-with-stat patch-with-raw binary"
	gitPick  = "p i e patch interactive edit"
	gitBrief = "s no-patch stat numstat shortstat dirstat dirstat-by-file cumulative summary compact-summary name-only name-status raw quiet"
)

// gitElsewhere are the variables by which git may read another repository.
const gitElsewhere = "GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES " +
	"GIT_NAMESPACE GIT_CEILING_DIRECTORIES GIT_DISCOVERY_ACROSS_FILESYSTEM"

// gitSearching are the options of git grep.
var gitSearching = options{
	values: "efmABC", attached: "O",
	longValues: "after-context before-context context max-count max-depth threads",
	abbreviate: true,
}

// gitWalk is what git shows without being given its name.
func (c *Command) gitWalk() (w Walk, ok bool) {
	sub, global, known := gitCommand(c.Words)
	if sub == 0 {
		return Walk{}, false
	}
	words := c.Words[sub:]
	name := words[0].Text
	opts, operands := gitReading.scan(words, false)
	has := func(list string) bool {
		return slices.ContainsFunc(opts, func(o found) bool { return meansOne(list, o) })
	}
	g := &GitWalk{Paths: true, blind: !known, modules: has("recurse-submodules")}
	if !g.shows(name, words, opts, has) {
		return Walk{}, false
	}
	if has("no-index") {
		for _, i := range operands {
			w.root(words[i])
		}
		if name == "grep" && len(operands) < 2 {
			w.Roots = append(w.Roots, ".")
		}
		return w, true
	}
	if name == "grep" && has("untracked") {
		g.Paths, w.Roots = false, []string{"."}
	}
	for _, o := range global {
		g.elsewhere = g.elsewhere || listed("git-dir work-tree bare namespace", o.name)
		g.blind = g.blind || strings.HasSuffix(o.name, "-pathspecs")
	}
	for _, a := range c.Assigns {
		g.elsewhere = g.elsewhere || listed(gitElsewhere, a.Name) || strings.HasPrefix(a.Name, "GIT_CONFIG") || strings.HasSuffix(a.Name, "_PATHSPECS")
	}
	g.pathspecs(name, words)
	g.changed = g.changed && listed("diff difftool diff-files", name) && !has("cached staged merge-base")
	w.Git = g
	return w, true
}

// shows reports whether the subcommand shows content with these words.
func (g *GitWalk) shows(name string, words []Word, opts []found, has func(list string) bool) bool {
	action := ""
	if len(words) > 1 {
		action = words[1].Text
	}
	switch gitShowing[name] {
	case "always":
		return !(name == "archive" && has("l list"))
	case "diff":
		brief := has(gitBrief) || name == "show" && has("q")
		return (has(gitPatch) || !brief) && !named(name, words) && !lines(opts)
	case "log":
		return (has(gitPatch) || merges(opts)) && !lines(opts)
	case "stash":
		g.Paths = false
		return listed("show list", action) && (has(strings.ReplaceAll(gitPatch, "u ", "")) || merges(opts)) || has("p patch")
	case "status":
		return has("v verbose p patch interactive")
	case "pick":
		return has(gitPick)
	case "patch":
		g.Paths = false
		return has("show-current-patch")
	case "rerere":
		return action == "diff"
	case "bundle":
		g.Paths = false
		return action == "create"
	case "objects":
		return g.readsObjects(words)
	}
	return false
}

// meansOne reports whether o is one of the options in list, which git lets be
// shortened.
func meansOne(list string, o found) bool {
	if o.short || listed(list, o.name) {
		return listed(list, o.name)
	}
	for full := range strings.FieldsSeq(list) {
		if len(full) > 1 && !o.known && o.name != "" && strings.HasPrefix(full, o.name) {
			return true
		}
	}
	return false
}

// lines reports -L, by which log shows the history of lines of the files that
// are named in it, and nothing else.
func lines(opts []found) bool {
	return slices.ContainsFunc(opts, func(o found) bool { return o.short && o.name == "L" })
}

// merges reports --diff-merges, by which the changes of merges are shown, unless
// it says that they aren't.
func merges(opts []found) bool {
	return slices.ContainsFunc(opts, func(o found) bool { return o.name == "diff-merges" && !listed("off none", o.value) })
}

// named reports a show of nothing but REVISION:PATH, which is held against
// rules as any operand is.
func named(name string, words []Word) bool {
	if name != "show" {
		return false
	}
	any := false
	for _, w := range words[1:] {
		_, _, ok := strings.Cut(w.Text, ":")
		switch {
		case w.Literal && startsOption(w.Text) && w.Text != "--":
		case !w.Literal || !ok || strings.HasPrefix(w.Text, ":"):
			return false
		default:
			any = true
		}
	}
	return any
}

// readsObjects is for cat-file, which shows what it is told by name or by its
// input.
func (g *GitWalk) readsObjects(words []Word) bool {
	g.Paths = false
	for _, w := range words[1:] {
		switch text := w.Text; {
		case !w.Literal, text == "--batch" || strings.HasPrefix(text, "--batch=") || strings.HasPrefix(text, "--batch-command"):
			g.objects = nil
			return true
		case isHex(text):
			g.objects = append(g.objects, strings.ToLower(text))
		}
	}
	return g.objects != nil
}

// isHex reports whether s may be the name of an object, or its beginning.
func isHex(s string) bool {
	return len(s) >= 4 && len(s) <= 2*sha256Size && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

// pathspecs finds the words that narrow what is shown. Without -- before them
// only those are, at most, that surely aren't the value of an option.
func (g *GitWalk) pathspecs(name string, words []Word) {
	if g.blind = g.blind || !g.Paths || slices.ContainsFunc(words, func(w Word) bool { return !w.Literal && (!w.Glob || strings.HasPrefix(w.Text, ":")) }); g.blind {
		return
	}
	leading, takes := 0, func(option string) bool { return !gitValueless(option) }
	switch name {
	case "archive":
		leading = 1 // what it packs
	case "grep":
		opts, _ := gitSearching.scan(words, false)
		if !slices.ContainsFunc(opts, func(o found) bool { return o.name == "e" || o.name == "f" }) {
			leading = 1 // what it looks for
		}
		takes = searchTakes
	}
	for i := 1; i < len(words); i++ {
		text, value := words[i].Text, i > 1 && startsOption(words[i-1].Text) && takes(words[i-1].Text)
		switch {
		case text == "--" && !value:
			// What stands before are revisions, then.
			g.changed = len(g.possible)+len(g.doubtful) == 0
			g.possible, g.doubtful, g.certain, g.blind = nil, nil, texts(words[i+1:]), leading > 0
			return
		case startsOption(text), value && name == "grep":
		case value || words[i].Glob:
			g.doubtful = append(g.doubtful, text)
		case leading > 0:
			leading--
		default:
			g.possible = append(g.possible, text)
		}
	}
	g.changed = len(g.doubtful) == 0
}

// searchTakes reports whether an option of git grep has the next word as its
// value.
func searchTakes(option string) bool {
	if name, long := strings.CutPrefix(option, "--"); long {
		return !strings.Contains(name, "=") && listed(gitSearching.longValues, gitSearching.complete(name))
	}
	return strings.IndexAny(option, gitSearching.values) == len(option)-1
}
