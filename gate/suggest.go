package gate

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// A Suggestion is an allow rule that a person's own answers speak for.
type Suggestion struct {
	Rule Rule
	// Calls is how many past calls it would have let pass that were asked
	// about, and Approved those of them that a person approved. None of them
	// was refused.
	Calls, Approved int
	Last            time.Time
}

// suggesting looks for rules in what one workspace was asked.
type suggesting struct {
	h         *History
	workspace string
	policy    Policy
	place     place
	asked     []*Past // by today's rules, and not forced
	found     map[string]candidate
}

// A candidate is the text of a rule with what speaks for it.
type candidate struct {
	text     string
	exact    int // 1 for one that covers no more than was seen
	requests int // distinct ones that it needs
	approved int
}

// Suggest returns rules that would have settled requests of a workspace that
// a person approved at least so many times, and that today's policy still
// asks about. What was ever refused or denied, what is forced to be asked, and
// what could destroy or hand over something, is never suggested (BEY-14).
// The most useful rule comes first.
func (h *History) Suggest(workspace string, policy Policy, atLeast int) ([]Suggestion, error) {
	s := &suggesting{h: h, workspace: workspace, policy: policy, found: map[string]candidate{}}
	g, err := s.gate(policy)
	if err != nil {
		return nil, err
	}
	s.place = g.state.Load().place
	for i := range h.Past {
		p := &h.Past[i]
		if p.Request.Origin.Workspace != workspace {
			continue
		}
		if v := g.Check(context.Background(), p.Request); v.Effect == Ask && !v.Forced {
			s.asked = append(s.asked, p)
			if p.Approved > 0 {
				s.propose(p, &v)
			}
		}
	}
	return s.choose(atLeast), nil
}

// gate is one that nothing passes but by its rules: the mode is one that a
// person may leave.
func (s *suggesting) gate(policy Policy) (*Gate, error) {
	return New(Options{Workspace: s.workspace, Policy: policy, Mode: Default, Approver: ApproverFunc(nil)})
}

// propose counts a request for every rule that may be made from it.
func (s *suggesting) propose(p *Past, v *Verdict) {
	req := &p.Request
	if req.Unrevealed || len(req.Targets) == 0 {
		return
	}
	switch req.Kind {
	case RunCommand:
		s.proposeCommand(p, v)
	case WriteFile:
		if len(req.Diff) == 0 { // it deletes and renames nothing
			s.proposeFiles(p)
		}
	case Network:
		if host, sure := readHost(req.Targets[0]); sure && len(req.Targets) == 1 && isPlainHost(host) && !privateHost(host) {
			s.add(p, candidate{text: "web(" + host + ")", exact: 1})
		}
	case MCPTool:
		if server, tool, _ := req.member(); !losing(tool) && !strings.ContainsAny(server+tool, "*?()") {
			s.add(p, candidate{text: "mcp(" + server + ":" + tool + ")", exact: 1})
		}
	}
}

func (s *suggesting) add(p *Past, c candidate) {
	c.approved = s.found[c.text].approved + p.Approved
	s.found[c.text] = c
}

// proposeCommand takes a line of which one command is not allowed yet, and all
// are harmless.
func (s *suggesting) proposeCommand(p *Past, v *Verdict) {
	if len(p.Request.Targets) != 1 {
		return
	}
	line := shell.Read(p.Request.Targets[0])
	if len(line.Commands) != len(v.Parts) || !line.Clear() {
		return
	}
	var left *shell.Command
	words := 0
	for i := range line.Commands {
		if v.Parts[i].Effect == Allow {
			continue
		}
		n, ok := line.Commands[i].Routine()
		if !ok || left != nil {
			return
		}
		left, words = &line.Commands[i], n
	}
	if left == nil {
		return
	}
	args := left.Args()
	s.add(p, candidate{text: "shell(/" + regexp.QuoteMeta(spelled(left)) + "/)", exact: 1})
	if words > 0 && !strings.ContainsAny(strings.Join(args[:words], ""), "*?'\"\\()") {
		s.add(p, candidate{text: "shell(" + strings.Join(args[:words], " ") + ")"})
	}
}

// proposeFiles proposes the file that is written, and the folders of the
// workspace that it lies in, for when more than one of their files was.
func (s *suggesting) proposeFiles(p *Past) {
	if len(p.Request.Targets) != 1 {
		return
	}
	f := s.place.file(p.Request.Targets[0], p.Request.Dir)
	rel, ok := s.place.workspace.within(f.written())
	if !ok || !s.place.inWorkspace(f) || s.place.protected(f, false) || strings.ContainsAny(rel, "*?()") {
		return
	}
	s.add(p, candidate{text: "write(" + rel + ")", exact: 1})
	for folder := path.Dir(rel); folder != "."; folder = path.Dir(folder) {
		s.add(p, candidate{text: "write(" + folder + "/**)", requests: 2})
	}
}

// losing reports whether the name of a tool says that something is lost, sent
// or run.
func losing(tool string) bool {
	var word strings.Builder
	var words []string
	for _, r := range tool + "_" {
		upper := r >= 'A' && r <= 'Z'
		if letter := upper || r >= 'a' && r <= 'z'; (upper || !letter) && word.Len() > 0 {
			words = append(words, strings.ToLower(word.String()))
			word.Reset()
		}
		if upper || r >= 'a' && r <= 'z' {
			word.WriteRune(r)
		}
	}
	return slices.ContainsFunc(words, func(w string) bool { return losingWords[w] })
}

var losingWords = func() map[string]bool {
	known := map[string]bool{}
	for w := range strings.FieldsSeq("delete remove drop destroy purge clear wipe reset revert force kill stop exec execute run eval shell command " +
		"push merge publish deploy release send pay transfer revoke grant close archive write overwrite update") {
		known[w] = true
	}
	return known
}()

// choose holds each rule against what was asked, keeps those that nothing
// speaks against, and of two that settle the same the first.
func (s *suggesting) choose(atLeast int) []Suggestion {
	order := make([]candidate, 0, len(s.found))
	for _, c := range s.found {
		if c.approved >= max(atLeast, 1) {
			order = append(order, c)
		}
	}
	// Of two that settle as much the wider one, and of folders the deepest.
	slices.SortFunc(order, func(a, b candidate) int {
		return cmp.Or(b.approved-a.approved, a.exact-b.exact, len(b.text)-len(a.text), strings.Compare(a.text, b.text))
	})
	var kept []Suggestion
	settled := map[*Past]bool{}
	for _, c := range order {
		if one, pasts, ok := s.weigh(c); ok && slices.ContainsFunc(pasts, func(p *Past) bool { return !settled[p] && p.Approved > 0 }) {
			for _, p := range pasts {
				settled[p] = true
			}
			kept = append(kept, one)
		}
	}
	return kept
}

// weigh counts what a rule would have settled. It is not ok when any of that
// was refused.
func (s *suggesting) weigh(c candidate) (one Suggestion, pasts []*Past, ok bool) {
	rule, err := ParseRule(Allow, c.text, Source{Layer: "suggestion"})
	if err != nil {
		return one, nil, false
	}
	policy := s.policy
	policy.Rules = append(slices.Clip(policy.Rules), rule)
	g, err := s.gate(policy)
	if err != nil {
		return one, nil, false
	}
	one.Rule = rule
	for _, p := range s.asked {
		if v := g.Check(context.Background(), p.Request); v.Effect != Allow {
			continue
		}
		if p.Refused+p.Denied > 0 {
			return one, nil, false
		}
		pasts = append(pasts, p)
		one.Calls += p.Calls
		one.Approved += p.Approved
		if p.Last.After(one.Last) {
			one.Last = p.Last
		}
	}
	return one, pasts, len(pasts) >= c.requests
}
