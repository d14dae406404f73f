package gate

import (
	"path"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// A Search says what a request reads of the folders in its GrantTargets, those
// of kind [GrantTree]. The zero Search reads every file below them, so that read
// rules hold for each (APR-13, APR-15).
type Search struct {
	// NamesOnly says that names are told, and nothing of what files hold.
	NamesOnly bool
	// Only are patterns for the files that it reads, with / between folders;
	// empty is all.
	Only []string
	// Not are patterns for names of files that it passes over; what Only names
	// is read all the same.
	Not []string
	// NotBelow are patterns for names of folders that it doesn't enter.
	NotBelow []string
	// Ignores says that it passes over what git ignores.
	Ignores bool
	// LeaveOut is what stands before a name in the argument that has it passed
	// over, such as "glob !"; empty where there is no such argument.
	LeaveOut string
}

func (s *Search) zero() bool {
	return !s.NamesOnly && !s.Ignores && s.LeaveOut == "" && len(s.Only)+len(s.Not)+len(s.NotBelow) == 0
}

// searched are the folders whose files the request reads.
func (r *Request) searched() (roots []string) {
	if r.Search.NamesOnly {
		return nil
	}
	for _, t := range r.GrantTargets {
		switch below, ok := strings.CutSuffix(t.Path, "/**"); {
		case t.Kind == GrantTree:
			roots = append(roots, t.Path)
		case ok && t.Kind == GrantFile:
			roots = append(roots, below)
		}
	}
	return roots
}

// searchNamed finds a pattern of a search that can find nothing but what a read
// rule blocks: such a file's name, or a pattern that the rule has too.
func (e *evaluation) searchNamed() (pattern string, rule *Rule) {
	req := &e.verdict.Request
	if len(req.Search.Only) == 0 {
		return "", nil
	}
	for _, root := range req.searched() {
		for _, pattern := range req.Search.Only {
			file := root + "/" + strings.TrimPrefix(pattern, "**/")
			if rule := e.index.read.restricting(e.place.file(file, req.Dir), false); rule != nil {
				return pattern, rule
			}
		}
	}
	return "", nil
}

// searchMayReach finds a file under a read rule that is there now, below a folder
// which the request searches, as [evaluation.walkBlocked] does for a command.
func (e *evaluation) searchMayReach() *walked {
	req := &e.verdict.Request
	if e.index.read.empty() || req.Kind == RunCommand {
		return nil
	}
	roots := req.searched()
	switch {
	case len(roots) == 0:
		return nil
	case e.place.dark:
		return &walked{unseen: tooSlow(roots[0])}
	}
	w := req.Search.walk()
	w.Roots = roots
	return e.searchOf(&w, "").within(maxWalkSilence)
}

func (s *Search) walk() shell.Walk {
	leaves, leavesFolder := s.LeaveOut, ""
	if len(s.Only) > 0 {
		leaves = "" // the order decides
	}
	if strings.HasSuffix(leaves, "!") {
		leavesFolder = leaves
	}
	only := slices.Clone(s.Only)
	for i := range only {
		only[i] = path.Base(only[i])
	}
	w := shell.SearchWalk(only, s.Not, s.NotBelow, leaves, leavesFolder)
	w.Ignores = s.Ignores
	return w
}
