package settings

import (
	"fmt"

	"github.com/blitz-approve/blitz-approve/gate"
)

// file reads every section. This is the list of settings.
func (r *reader) file() {
	root := r.section("", r.doc.root)
	if root.shape = r.shapes; r.shapes != nil {
		r.shapes.Type, r.shapes.Others = "object", false
	}
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
	v.ReadOnlyDefaults = s.boolean("read_only_defaults")
	if s.allowed("auto") {
		auto := s.table("auto")
		v.Auto = Auto{
			Model: auto.text("model"), BaseURL: auto.text("base_url"), Environment: auto.text("environment"),
			Protocol: auto.choice("protocol", Protocols...), KeyVariable: auto.spelled("key_variable", variableName),
		}
		auto.done()
	}
	s.done()
}

// rules reads one list. What isn't a text is reported; in deny and ask it
// also holds everything at ask.
func (s section) rules(name string, effect gate.Effect) {
	s.is(ruleShape, name)
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
	v.AutoApproveCommands = s.boolean("auto_approve_commands")
	if s.allowed("approvals_file") {
		v.ApprovalsFile = s.text("approvals_file")
	}
	approval := s.table("approval")
	if approval.shape != nil {
		approval.shape.Others = policyShape
	}
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
	r.values.CompoundCommands = s.boolean("allow_compound_commands", "allowCompoundCommands")
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
	s.is(policyShape, "approval")
	approval := s.entry("approval")
	s.required("match", "approval")
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
		r.values.AutoApprove = s.boolean("auto_approve")
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
	s.is(modeShape(), names...)
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
		Language:   s.choice("language", Languages...),
		Notify:     s.choice("notify", "off", "bell", "osc"),
		Plain:      s.boolean("plain"),
		Theme:      s.choice("theme", Themes...),
		Mouse:      s.boolean("mouse"),
	}
	colors := s.table("colors")
	for _, role := range ColorRoles {
		if c := colors.spelled(role, colorName); c.Set() {
			r.values.Colors = joined(r.values.Colors, map[string]Located[string]{role: c})
		}
	}
	colors.done()
	s.done()
}

func (r *reader) keys(s section) {
	if s.shape != nil {
		s.shape.Others = textShape
	}
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
			item.required("command")
			item.done()
			if h.Command != "" {
				r.values.Hooks = append(r.values.Hooks, h)
			}
		}
	}
	s.done()
}
