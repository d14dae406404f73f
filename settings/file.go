package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A File is what one settings file says.
type File struct {
	Name  string
	Layer Layer
	Values
	// Broken says that the file couldn't be read to its end. It holds only
	// restrictions then, and a rule with Err that holds everything at ask.
	Broken bool
}

// Parse reads one settings file. name is used in messages and sources. All
// problems are returned at once, in the order of the file; a syntax error is
// one problem. What is wrong isn't applied, and where it may have been a
// restriction everything is held at ask. Keys that the layer may not set are
// warnings.
func Parse(name string, data []byte, layer Layer) (*File, []Problem) {
	r := &reader{doc: parseDocument(data), name: name, layer: layer, asked: map[string][]string{}}
	r.file()
	r.reportUnknown()
	for _, m := range r.doc.twice {
		first, _ := r.doc.position(m.first)
		key := joinKey("", m.key...)
		r.hold(r.problem(Error, m.at, key, fmt.Sprintf("%s is defined in line %d already", key, first), "keep one of them"))
	}
	f := &File{Name: name, Layer: layer, Values: r.values}
	if m := r.doc.broken; m != nil {
		// Half a file may lack the rest of a list: only its restrictions count.
		r.problems = nil
		r.values, _ = f.split()
		r.hold(r.problem(Error, m.at, "", "this is not valid TOML: "+m.message, ""))
		f.Values, f.Broken = r.values, true
	}
	sortProblems(r.problems)
	return f, r.problems
}

// file reads every section. This is the list of settings.
func (r *reader) file() {
	root := r.section("", r.doc.root)
	r.permissions(root.table("permissions"))
	r.tools(root.table("tools"))
	r.bash(root.table("bash"))
	r.blitz(root.table("blitz"))
	r.ui(root.table("ui"))
	r.keys(root.table("keys"))
	r.hooks(root.table("hooks"))
	root.done()
}

func (r *reader) permissions(s section) {
	v := &r.values
	s.rules("deny", gate.Deny)
	s.rules("ask", gate.Ask)
	s.rules("allow", gate.Allow)
	v.ReadOnlyDefaults = s.boolean(false, "read_only_defaults")
	if s.allowed("auto") {
		auto := s.table("auto")
		v.Auto = Auto{Model: auto.text("model"), BaseURL: auto.text("base_url"), Environment: auto.text("environment")}
		auto.done()
	}
	s.done()
}

// rules reads one list. What isn't a text is reported; in deny and ask it
// also holds everything at ask.
func (s section) rules(name string, effect gate.Effect) {
	e := s.entry(name)
	if e == nil {
		return
	}
	if e.kind != arrayKind {
		s.notRule(name, effect, e.node, s.key(name), "a list of texts in quotes")
		return
	}
	for _, item := range e.items {
		if item.kind != stringKind {
			s.notRule(name, effect, item, "an entry of "+s.key(name), "a text in quotes")
			continue
		}
		s.r.values.Rules = append(s.r.values.Rules, Rule{Effect: effect, Located: located(s.r, item.at, item.text)})
	}
}

func (s section) notRule(name string, effect gate.Effect, n *node, what, want string) {
	p := s.r.problem(Error, n.at, s.key(name), what+" is "+n.describe(), "it must be "+want)
	if effect != gate.Allow {
		s.r.hold(p)
	}
}

func (r *reader) tools(s section) {
	v := &r.values
	r.mode(s, "approval_mode", "approvalMode")
	v.AutoApproveCommands = s.boolean(false, "auto_approve_commands")
	if s.allowed("approvals_file") {
		v.ApprovalsFile = s.text("approvals_file")
	}
	approval := s.table("approval")
	if approval.node != nil {
		for _, e := range approval.node.entries {
			policy, err := e.policy()
			if err != nil {
				key := approval.key(e.name)
				r.problem(Error, e.node.at, key, fmt.Sprintf("%s %v", key, err), "use allow, deny or prompt")
				continue
			}
			if v.Tools == nil {
				v.Tools = map[string]Located[gate.ToolPolicy]{}
			}
			v.Tools[e.name] = located(r, e.node.at, policy)
		}
	}
	s.done()
}

func (r *reader) bash(s section) {
	r.values.Shell = s.text("shell")
	r.values.CompoundCommands = s.boolean(false, "allow_compound_commands", "allowCompoundCommands")
	for _, item := range s.list("patterns") {
		r.values.Patterns = append(r.values.Patterns, r.pattern(item))
	}
	s.done()
}

// pattern reads one entry of bash.patterns. One that can't be read asks, in
// its place in the list, since it may have been a restriction.
func (r *reader) pattern(s section) Pattern {
	source, col := r.source(s.node.at)
	p := Pattern{Match: "*", Approval: gate.PolicyPrompt, Source: source, Col: col}
	before := len(r.problems)
	match := s.text("match")
	approval := s.entry("approval")
	for _, name := range []string{"match", "approval"} {
		if s.node.byName[name] == nil {
			r.problem(Error, s.node.at, s.key(name), "this entry of "+s.path+" has no "+name, "")
		}
	}
	if match.Set() {
		p.Match = match.Value
	}
	if approval != nil {
		policy, err := approval.policy()
		if err != nil {
			r.problem(Error, approval.node.at, s.key("approval"), fmt.Sprintf("%s %v", s.key("approval"), err), "use allow, deny or prompt")
		} else if match.Set() {
			p.Approval = policy
		}
	}
	s.done()
	if len(r.problems) > before {
		p.Err = r.problems[before]
	}
	return p
}

func (r *reader) blitz(s section) {
	r.mode(s, "permission_mode")
	if s.allowed("auto_approve") {
		r.values.AutoApprove = s.boolean(false, "auto_approve")
	}
	r.values.PlanReview = s.choice("plan_review", "user-decides", "agent-decides")
	s.done()
}

// mode reads the starting mode under one of its names. A word that names no
// mode is kept, so that [StartingMode] refuses it instead of passing over it.
func (r *reader) mode(s section, names ...string) {
	if !r.layer.users() {
		for _, name := range names {
			s.allowed(name)
		}
		return
	}
	e := s.entry(names...)
	if e == nil {
		return
	}
	if e.kind != stringKind {
		s.wrong(e.name, e.node, "a mode in quotes")
	} else if _, err := gate.ParseMode(e.text); err != nil {
		r.problem(Error, e.node.at, s.key(e.name), fmt.Sprintf("%s: %v", s.key(e.name), err), "")
	}
	mode := located(r, e.node.at, e.text)
	if old := r.values.Mode; old.Set() && old.Value != mode.Value {
		r.problem(Warning, e.node.at, s.key(e.name), fmt.Sprintf("%s is %q, but tools.approval_mode in line %d is %q",
			s.key(e.name), mode.Value, old.Source.Line, old.Value), "the first one holds; delete the other")
	}
	r.values.Mode = mode
}

func (r *reader) ui(s section) {
	r.values.UI = UI{
		DiffLines:  s.count("diff_lines"),
		AnswerKeys: s.choice("answer_keys", "letters", "list"),
		Language:   s.text("language"),
		Notify:     s.choice("notify", "off", "bell", "osc"),
		Plain:      s.boolean(false, "plain"),
		Theme:      s.text("theme"),
		Mouse:      s.boolean(false, "mouse"),
	}
	s.done()
}

func (r *reader) keys(s section) {
	if s.node == nil {
		return
	}
	for _, e := range s.node.entries {
		if key := s.text(e.name); key.Set() {
			r.values.Keys = joined(r.values.Keys, map[string]Located[string]{e.name: key})
		}
	}
}

func (r *reader) hooks(s section) {
	if s.allowed("permission_request") {
		for _, item := range s.list("permission_request") {
			source, col := r.source(item.node.at)
			h := Hook{Command: item.text("command").Value, Timeout: item.seconds("timeout"), Source: source, Col: col}
			if item.node.byName["command"] == nil {
				r.problem(Error, item.node.at, item.key("command"), "this entry of "+item.path+" has no command", "")
			}
			item.done()
			if h.Command != "" {
				r.values.Hooks = append(r.values.Hooks, h)
			}
		}
	}
	s.done()
}

// list reads the tables of a [[name]].
func (s section) list(name string) (items []section) {
	e := s.entry(name)
	if e == nil {
		return nil
	}
	wrong := func(n *node) {
		if p := s.wrong(name, n, "written as [["+s.key(name)+"]]"); restricts(name) {
			s.r.hold(p)
		}
	}
	if e.kind != arrayKind {
		wrong(e.node)
		return nil
	}
	for _, item := range e.items {
		if item.kind != tableKind {
			wrong(item)
			continue
		}
		items = append(items, s.r.section(s.key(name), item))
	}
	return items
}

// allowed reports whether the layer may set a key. If not, the key is passed
// over with a warning.
func (s section) allowed(name string) bool {
	if s.r.layer.users() {
		return true
	}
	if e := s.entry(name); e != nil {
		s.r.problem(Warning, e.at, s.key(name), fmt.Sprintf("%s is ignored in a %s file", s.key(name), s.r.layer), "only your own settings can set it")
	}
	return false
}

// restricts reports whether what stands under a name may keep something from
// happening, so that misspelling it must not go by.
func restricts(name string) bool {
	switch name {
	case "permissions", "deny", "ask", "tools", "approval", "bash", "patterns":
		return true
	}
	return false
}

// reportUnknown reports the keys that nobody asked for, with the nearest name
// of their section, or the section to which a name belongs.
func (r *reader) reportUnknown() {
	for _, u := range r.unknown {
		key := joinKey(u.section, u.name)
		name, hint := nearest(u.name, r.asked[u.section]), ""
		if name != "" {
			hint = "did you mean " + name + "?"
		} else {
			name, hint = r.elsewhere(u.name)
		}
		p := r.problem(Error, u.at, key, "unknown key "+key, hint)
		if restricts(name) {
			r.hold(p)
		}
	}
}

// elsewhere looks for a name in the other sections.
func (r *reader) elsewhere(name string) (found, hint string) {
	var sections, near []string
	for path, names := range r.asked {
		switch {
		case path == "":
		case slices.Contains(names, name):
			sections = append(sections, "["+path+"]")
		default:
			if n := nearest(name, names); n != "" && len(name) > 4 {
				near = append(near, joinKey(path, n))
			}
		}
	}
	slices.Sort(sections)
	slices.Sort(near)
	switch {
	case sections != nil:
		return name, "it belongs in " + orList(sections)
	case near != nil:
		return near[0][strings.LastIndexByte(near[0], '.')+1:], "did you mean " + orList(near) + "?"
	}
	return "", ""
}
