package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/cases"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// A ruleBook fills the screen of rules and settings: from the files as they are,
// and from what the gate of the session holds besides.
type ruleBook struct {
	workspace     string
	sources       settings.Sources
	trust         *settings.TrustStore
	auditPath     string
	approvalsPath string
	// apply has the gate hold to the files as they are now.
	apply func()

	// These are there once the session is open, before anything is shown.
	gate      *gate.Gate
	approvals *gate.Approvals
	grants    *grants.Store

	mu      sync.Mutex
	history *gate.History // as it was read last
}

func (d *ruleBook) screen() tui.RuleBook {
	return tui.RuleBook{
		Load: d.pages, History: d.readHistory, Calls: d.calls, Read: readRule, Sample: d.sample,
		Places: []tui.RuleAdder{
			{Name: "your settings", Add: d.adder(settings.Global)},
			{Name: "yours for this workspace", Add: d.adder(settings.Workspace)},
			{Name: "this session", Add: func(effect gate.Effect, rule string) error { return d.gate.AddRule(effect, rule) }},
		},
	}
}

// adder adds rules to one file; they hold from the next decision on, and for
// what waits (APR-15).
func (d *ruleBook) adder(layer settings.Layer) func(gate.Effect, string) error {
	return func(effect gate.Effect, rule string) error {
		path, err := d.sources.Path(layer)
		if err != nil {
			return err
		}
		return d.then(settings.AddRule(path.Name, effect, rule))
	}
}

// then applies the files unless what was done to them failed.
func (d *ruleBook) then(err error) error {
	if err == nil {
		d.apply()
	}
	return err
}

// kindOfTarget is a request written as a rule would be.
var kindOfTarget = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_]+\(.*\)$`) })

// sample says what would happen to a request that is written as kind(target),
// or else is a command line (BEY-09).
func (d *ruleBook) sample(text string) (gate.Verdict, error) {
	text = strings.TrimSpace(text)
	req := gate.CommandRequest(d.workspace, "bash", text)
	if kindOfTarget().MatchString(text) {
		named, err := cases.ParseRequest(text, d.workspace)
		if err != nil {
			return gate.Verdict{}, err
		}
		req = named
	}
	return inHome(d.gate.Check(context.Background(), req)), nil
}

// inHome writes the home folder as ~ in the places that a verdict names.
func inHome(v gate.Verdict) gate.Verdict {
	rule := func(r *gate.Rule) *gate.Rule {
		if r == nil {
			return nil
		}
		short := *r
		short.Source.File = shortFile(r.Source.File)
		return &short
	}
	v.Rule = rule(v.Rule)
	v.Parts = slices.Clone(v.Parts)
	for i := range v.Parts {
		v.Parts[i].Rule = rule(v.Parts[i].Rule)
	}
	home, err := os.UserHomeDir()
	v.Trail = slices.Clone(v.Trail)
	for i := range v.Trail {
		if err == nil {
			v.Trail[i].Text = strings.ReplaceAll(v.Trail[i].Text, home+string(filepath.Separator), "~"+string(filepath.Separator))
		}
	}
	return v
}

// shortFile is [shortPath] for a place that may be no file.
func shortFile(name string) string {
	if name == "" {
		return ""
	}
	return shortPath(name)
}

// pages are what the screen shows, all read anew.
func (d *ruleBook) pages() []tui.RulePage {
	now, problems := settings.Load(d.sources)
	paths, err := d.sources.Paths()
	if err != nil {
		problems = append(problems, settings.Problem{Message: err.Error()})
	}
	f := &ruleFiles{ruleBook: d, now: now, problems: problems, paths: paths}
	return []tui.RulePage{f.rulesPage(), d.rememberedPage(), f.settingsPage(), d.trustPage(now)}
}

// ruleFiles are the settings files as they were read for one look at them.
type ruleFiles struct {
	*ruleBook
	now      *settings.Settings
	problems []settings.Problem
	paths    []settings.Path
}

// rulesPage lists the rules by where they come from, what is strongest first.
func (f *ruleFiles) rulesPage() tui.RulePage {
	page := tui.RulePage{Name: "Rules"}
	policy, problems := policy.Of(&f.now.Values)
	f.problems = append(f.problems, problems...)
	of := map[string][]tui.RuleItem{}
	for _, r := range policy.Rules {
		of[sourceName(r.Source)] = append(of[sourceName(r.Source)], f.ruleItem(r.Effect, r.Text, r.Source, ""))
	}
	for _, b := range policy.Broken {
		of[sourceName(b.Source)] = append(of[sourceName(b.Source)], f.ruleItem(b.Effect, b.Text, b.Source, b.Err.Error()))
	}
	for _, r := range f.gate.Policy().Rules {
		if r.Source.Layer == gate.SessionLayer {
			it := f.ruleItem(r.Effect, r.Text, r.Source, "")
			it.Remove = func() error { return stillThere(f.gate.RemoveRule(r.Effect, r.Text), nil) }
			it.Removing = "end it in this session"
			of[gate.SessionLayer] = append(of[gate.SessionLayer], it)
		}
	}
	group := func(title, name string) {
		if len(of[name]) > 0 {
			page.Groups = append(page.Groups, tui.RuleGroup{Title: title, Items: of[name]})
		}
	}
	group("this session", gate.SessionLayer)
	group("command line", settings.Flag.String())
	for _, p := range slices.Backward(f.paths) {
		if g, ok := f.fileGroup(p, of[p.Name]); ok {
			page.Groups = append(page.Groups, g)
		}
	}
	if !policy.NoReadOnlyDefaults {
		page.Groups = append(page.Groups, tui.RuleGroup{Title: "built-in", Items: []tui.RuleItem{{
			Rule: true, Effect: gate.Allow, Mark: "allow", Text: "commands that only read, such as ls, rg and git log", Aside: "read-only defaults",
			Source:  gate.Source{Layer: "built-in"},
			Problem: "",
			Details: []gate.Field{{Label: "switch", Value: "permissions.read_only_defaults = false switches them off; see the page Settings"}},
		}}})
	}
	return page
}

// sourceName tells sources apart: the file, or the layer where there is none.
func sourceName(s gate.Source) string {
	if s.File != "" {
		return s.File
	}
	return s.Layer
}

// fileGroup is the group of a settings file. A file of the person's own is
// there also when it is empty or missing, since it may be edited.
func (f *ruleFiles) fileGroup(p settings.Path, items []tui.RuleItem) (tui.RuleGroup, bool) {
	g := tui.RuleGroup{Title: p.Layer.String() + " · " + shortPath(p.Name), Items: items, File: f.ruleFile(p)}
	if p.Layer == settings.Workspace {
		g.Title = "workspace · yours, for this one only" // its path says nothing to a person
	}
	if slices.ContainsFunc(f.now.Broken, func(b settings.Path) bool { return b.Name == p.Name }) {
		g.Problem = "it can't be read"
		for _, problem := range f.problems {
			if problem.File == p.Name && problem.Severity == settings.Error {
				problem.File = shortPath(problem.File)
				g.Problem = problem.Error()
				break
			}
		}
		// What still holds of it is shown, and is changed in an editor only.
		for i := range g.Items {
			g.Items[i].Change, g.Items[i].Remove = nil, nil
		}
		return g, true
	}
	own := p.Layer == settings.Global || p.Layer == settings.Workspace
	return g, own || len(items) > 0
}

func (f *ruleFiles) ruleItem(effect gate.Effect, text string, source gate.Source, problem string) tui.RuleItem {
	it := tui.RuleItem{Rule: true, Effect: effect, Mark: effect.String(), Text: text, Value: text, Source: source, Problem: problem}
	it.Source.File = shortFile(source.File)
	if problem == "" {
		it.Aside, it.Details = ruleAside(effect, text)
	} else {
		it.Details = []gate.Field{{Label: "so", Value: "what it may cover is held at ask until it is mended"}}
	}
	if source.File == "" || !policy.UsersOwn(source) || text == "" {
		return it
	}
	it.Change = func(rule string) error { return f.then(settings.ReplaceRule(source.File, effect, text, rule)) }
	it.Remove = func() error {
		return f.then(stillThere(settings.RemoveRule(source.File, effect, text)))
	}
	it.Removing = "take it out of " + shortPath(source.File)
	return it
}

// errGone says that what should be taken back isn't there any more.
var errGone = errors.New("it isn't there any more")

func stillThere(there bool, err error) error {
	if err == nil && !there {
		return errGone
	}
	return err
}

// ruleFile lets a file be changed in the person's editor; with a mistake in it
// it isn't saved.
func (f *ruleFiles) ruleFile(p settings.Path) *tui.RuleFile {
	return &tui.RuleFile{
		Name: shortPath(p.Name),
		Content: func() (string, error) {
			content, err := settings.Content(p.Name)
			if content == nil && err == nil {
				return settingsfile.New, nil
			}
			return string(content), err
		},
		Save: func(before, after string) error { return f.then(saveWritten(p, before, after)) },
	}
}

// saveWritten checks and saves what a person wrote in their editor. When the
// file has changed meanwhile, what they wrote is kept beside.
func saveWritten(p settings.Path, before, after string) error {
	problems := settingsfile.Problems(p, []byte(after))
	if n := settingsfile.Mistakes(problems); n > 0 {
		i := slices.IndexFunc(problems, func(p settings.Problem) bool { return p.Severity == settings.Error })
		if n > 1 {
			return fmt.Errorf("%w (and %d more to mend)", problems[i], n-1)
		}
		return problems[i]
	}
	old := []byte(before)
	if now, err := settings.Content(p.Name); err == nil && now == nil && before == settingsfile.New {
		old = nil
	}
	err := settings.Save(p.Name, old, []byte(after))
	if !errors.Is(err, settings.ErrChanged) {
		return err
	}
	dir, kept := os.MkdirTemp("", "blitz-approve-edit-")
	name := filepath.Join(dir, filepath.Base(p.Name))
	if kept == nil {
		kept = os.WriteFile(name, []byte(after), 0o600)
	}
	if kept != nil {
		return err
	}
	return fmt.Errorf("%w; what you wrote is in %s", err, name)
}
