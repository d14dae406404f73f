package rulebook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// settingsPage lists the settings in force by where they come from, then the
// built-in ones.
func (f *files) settingsPage() tui.RulePage {
	page := tui.RulePage{Name: "Settings"}
	of := map[string][]tui.RuleItem{}
	for _, e := range f.now.Entries() {
		if !settings.IsRule(e.Key) {
			of[sourceName(e.Source)] = append(of[sourceName(e.Source)], f.settingItem(e))
		}
	}
	if items := of[settings.Flag.String()]; len(items) > 0 {
		page.Groups = append(page.Groups, tui.RuleGroup{Title: "command line", Items: items})
	}
	for _, p := range slices.Backward(f.paths) {
		if g, ok := f.fileGroup(p, of[p.Name]); ok {
			page.Groups = append(page.Groups, g)
		}
	}
	builtIn := tui.RuleGroup{Title: "built-in"}
	for _, e := range f.now.Defaults() {
		builtIn.Items = append(builtIn.Items, f.settingItem(e))
	}
	page.Groups = append(page.Groups, builtIn)
	return page
}

// singleValue reports a setting that is one value, and not a part of a list or a
// table.
func singleValue(key string) bool {
	return !strings.HasPrefix(key, "bash.patterns") && !strings.HasPrefix(key, "hooks.")
}

func (f *files) settingItem(e settings.Entry) tui.RuleItem {
	it := tui.RuleItem{Text: e.String(), Value: e.Value, Aside: settings.Meaning(e.Key), Source: e.Source, Choices: settings.Choices(e.Key)}
	it.Source.File = shortFile(e.Source.File)
	if text := settings.Meaning(e.Key); text != "" {
		it.Details = append(it.Details, gate.Field{Label: "what it is", Value: text})
	}
	if len(it.Choices) > 0 {
		it.Details = append(it.Details, gate.Field{Label: "one of", Value: strings.Join(it.Choices, ", ")})
	}
	if e.Err != nil {
		it.Problem = e.Err.Error()
	}
	path, ok := f.settingFile(e)
	if !ok || !singleValue(e.Key) {
		return it
	}
	it.Check = func(value string) (string, error) { return checkValue(path, e.Key, value) }
	it.Change = func(value string) error {
		if _, err := checkValue(path, e.Key, value); err != nil {
			return err
		}
		return f.then(settings.SetValue(path.Name, e.Key, value))
	}
	if e.Source.File != "" {
		it.Remove = func() error { return f.then(stillThere(settings.UnsetValue(path.Name, e.Key))) }
		it.Removing = "take it out of " + output.ShortPath(path.Name) + ", so that the next file or the built-in value holds"
	}
	return it
}

// settingFile is where a setting is changed: in its own file when that is the
// person's, and one that no file gives in the global one.
func (f *files) settingFile(e settings.Entry) (settings.Path, bool) {
	name := e.Source.File
	for _, p := range f.paths {
		if name == "" && e.Source.Layer == "built-in" && p.Layer == settings.Global || name == p.Name && policy.UsersOwn(e.Source) {
			return p, true
		}
	}
	return settings.Path{}, false
}

// checkValue says what validate would say of a file with another value in it,
// as far as that value is concerned.
func checkValue(path settings.Path, key, value string) (note string, err error) {
	content, err := settings.Content(path.Name)
	if err != nil {
		return "", err
	}
	after, err := settings.WithValue(path.Name, content, key, value)
	if err != nil {
		return "", err
	}
	var before []string
	for _, p := range settingsfile.Problems(path, content) {
		before = append(before, p.Message)
	}
	for _, p := range settingsfile.Problems(path, after) {
		if slices.Contains(before, p.Message) {
			continue
		}
		text := p.Message
		if p.Hint != "" {
			text += ": " + p.Hint
		}
		if p.Severity == settings.Error {
			return "", fmt.Errorf("line %d: %s", p.Line, text)
		}
		note = text
	}
	if note == "" {
		note = "goes into " + output.ShortPath(path.Name) + startNote(key)
	}
	return note, nil
}

// startNote says of settings that only count when a session starts that they
// do.
func startNote(key string) string {
	for _, at := range []string{"permissions.read_only_defaults", "tools.auto_approve_commands", "tools.approval.", "bash."} {
		if strings.HasPrefix(key, at) {
			return ", and holds at once"
		}
	}
	return ", and holds from the next start"
}
