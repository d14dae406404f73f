package rulebook

import (
	"slices"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// rulesPage lists the rules by where they come from, what is strongest first.
func (f *files) rulesPage() tui.RulePage {
	page := tui.RulePage{Name: "Rules"}
	p, problems := policy.Of(&f.now.Values)
	f.problems = append(f.problems, problems...)
	of := map[string][]tui.RuleItem{}
	for _, r := range p.Rules {
		of[sourceName(r.Source)] = append(of[sourceName(r.Source)], f.ruleItem(r.Effect, r.Text, r.Source, ""))
	}
	for _, b := range p.Broken {
		of[sourceName(b.Source)] = append(of[sourceName(b.Source)], f.ruleItem(b.Effect, b.Text, b.Source, b.Err.Error()))
	}
	for _, r := range f.Gate.Policy().Rules {
		if r.Source.Layer == gate.SessionLayer {
			it := f.ruleItem(r.Effect, r.Text, r.Source, "")
			it.Remove = func() error { return stillThere(f.Gate.RemoveRule(r.Effect, r.Text), nil) }
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
	for _, path := range slices.Backward(f.paths) {
		if g, ok := f.fileGroup(path, of[path.Name]); ok {
			page.Groups = append(page.Groups, g)
		}
	}
	if !p.NoReadOnlyDefaults {
		page.Groups = append(page.Groups, builtIn())
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

func (f *files) ruleItem(effect gate.Effect, text string, source gate.Source, problem string) tui.RuleItem {
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
	it.Removing = "take it out of " + output.ShortPath(source.File)
	return it
}
