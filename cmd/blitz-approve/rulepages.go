package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/trust"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// rememberedPage lists what was approved and still holds, each with what takes
// it back (APR-21, TAM-12).
func (d *ruleBook) rememberedPage() tui.RulePage {
	page := tui.RulePage{Name: "Remembered", Empty: "nothing is remembered: every answer so far was for once"}
	for _, g := range []tui.RuleGroup{d.timedGroup(), d.sessionGroup(), d.approvalsGroup(), d.grantsGroup()} {
		if len(g.Items) > 0 || g.Problem != "" {
			page.Groups = append(page.Groups, g)
		}
	}
	return page
}

func (d *ruleBook) timedGroup() tui.RuleGroup {
	g := tui.RuleGroup{Title: "for a while", Clearing: "end all of it", Clear: func() error { d.gate.RevokeApproved(); return nil }}
	for _, a := range d.gate.Approved() {
		until := "until the turn ends"
		if !a.Until.IsZero() {
			until = "until " + a.Until.Local().Format(time.TimeOnly)
		}
		g.Items = append(g.Items, tui.RuleItem{
			Mark: "while", Text: a.Label, Aside: until, Details: []gate.Field{{Label: "holds", Value: until}},
			Remove: func() error { return stillThere(d.gate.RevokeOne(a), nil) }, Removing: "ask again from now on",
		})
	}
	return g
}

func (d *ruleBook) sessionGroup() tui.RuleGroup {
	g := tui.RuleGroup{Title: "this session", Clearing: "ask again from now on", Clear: func() error {
		for _, r := range d.gate.Remembered() {
			d.gate.ForgetOne(r)
		}
		return nil
	}}
	saved := d.approvals.List()
	for _, r := range d.gate.Remembered() {
		if r.Key != "" && slices.ContainsFunc(saved, func(k gate.SavedKey) bool { return k.Key == r.Key }) {
			continue // it stands among those
		}
		it := tui.RuleItem{
			Mark: "session", Aside: "until the program ends", Removing: "ask again from now on",
			Remove: func() error { return stillThere(d.gate.ForgetOne(r), nil) },
		}
		switch {
		case r.Key != "":
			it.Text = keyText(r.Key)
		case r.Tool != "":
			it.Text = strings.TrimPrefix(r.Server+":"+r.Tool, ":") + ", calls of tier " + r.Tier.String()
		default:
			it.Text = grantText(r.Grant)
		}
		g.Items = append(g.Items, it)
	}
	return g
}

// keyText is a key of an approval as a person reads it: what it is about, then
// where.
func keyText(key string) string {
	kind, rest, _ := strings.Cut(key, ":")
	where, what, ok := strings.Cut(rest, "\x00")
	switch {
	case ok:
		return kind + ": " + what + " · in " + shortPath(where)
	case filepath.IsAbs(rest):
		return kind + " in " + shortPath(rest)
	}
	return kind + ": " + rest
}

func grantText(t gate.GrantTarget) string {
	return fmt.Sprintf("%s %s to %s", t.Kind, shortPath(t.Path), t.Tier)
}

func (d *ruleBook) approvalsGroup() tui.RuleGroup {
	g := tui.RuleGroup{Title: shortPath(d.approvalsPath), Clearing: "take all of it back", Clear: func() error {
		saved := d.approvals.List()
		_, err := d.approvals.Clear()
		for _, k := range saved {
			d.gate.ForgetOne(gate.Remembered{Key: k.Key})
		}
		return err
	}}
	if err := d.approvals.Reload(); err != nil {
		g.Problem, g.Clear = err.Error(), nil
	}
	for _, k := range d.approvals.List() {
		it := tui.RuleItem{
			Mark: "always", Text: keyText(k.Key), Aside: "since " + k.Added.Local().Format(time.DateOnly),
			Details:  []gate.Field{{Label: "covers", Value: k.Label}, {Label: "since", Value: k.Added.Local().Format(time.DateTime)}},
			Removing: "ask again from now on",
		}
		if g.Problem == "" {
			it.Remove = func() error {
				err := stillThere(d.approvals.Revoke(k.Key))
				if err == nil {
					d.gate.ForgetOne(gate.Remembered{Key: k.Key}) // the answer that saved it also holds for the session
				}
				d.gate.Refresh()
				return err
			}
		}
		g.Items = append(g.Items, it)
	}
	return g
}

func (d *ruleBook) grantsGroup() tui.RuleGroup {
	g := tui.RuleGroup{Title: shortPath(d.grants.Path()), Clearing: "forget all grants, those of running sessions too", Clear: func() error {
		_, err := d.grants.Forget()
		d.gate.Refresh()
		return err
	}}
	list, err := d.grants.List()
	if err != nil {
		g.Problem = err.Error()
	}
	for _, e := range list {
		it := tui.RuleItem{Mark: "granted", Text: grantText(e.GrantTarget), Removing: "ask again from now on", Remove: d.grantRevoker(e)}
		if !e.Added.IsZero() {
			it.Aside = "since " + e.Added.Local().Format(time.DateOnly)
		}
		g.Items = append(g.Items, it)
	}
	return g
}

func (d *ruleBook) grantRevoker(e grants.Entry) func() error {
	return func() error {
		err := stillThere(d.grants.Revoke(e.Kind, e.Path))
		d.gate.Refresh()
		return err
	}
}

// settingsPage lists the settings in force by where they come from, then the
// built-in ones.
func (f *ruleFiles) settingsPage() tui.RulePage {
	page := tui.RulePage{Name: "Settings"}
	of := map[string][]tui.RuleItem{}
	for _, e := range f.now.Entries() {
		if !strings.HasPrefix(e.Key, "permissions.") || settings.Choices(e.Key) != nil || strings.HasPrefix(e.Key, "permissions.auto.") {
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

// singleValue are the settings that lists and tables make up.
func singleValue(key string) bool {
	return !strings.HasPrefix(key, "bash.patterns") && !strings.HasPrefix(key, "hooks.")
}

func (f *ruleFiles) settingItem(e settings.Entry) tui.RuleItem {
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
		it.Removing = "take it out of " + shortPath(path.Name) + ", so that the next file or the built-in value holds"
	}
	return it
}

// settingFile is where a setting is changed: in its own file when that is the
// person's, and one that no file gives in the global one.
func (f *ruleFiles) settingFile(e settings.Entry) (settings.Path, bool) {
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
		note = "goes into " + shortPath(path.Name) + startNote(key)
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

// trustPage is what of the project waits for trust, and what is trusted
// (APR-15a).
func (d *ruleBook) trustPage(now *settings.Settings) tui.RulePage {
	page := tui.RulePage{Name: "Trust", Empty: "nothing of this project waits for trust"}
	if offer := (trust.Offer{Files: now.Untrusted, Store: d.trust}); offer.Count() > 0 {
		o := &tui.RuleOffer{Accept: func() error {
			err := offer.Accept()
			d.apply()
			return err
		}}
		content := sha256.New()
		for _, f := range offer.Files {
			content.Write(f.Content)
			w := trust.WaitingOf(d.trust, f)
			said := " would loosen:"
			if w.Known {
				said = " has changed since you trusted it, and would loosen:"
			}
			o.Lines = append(append(o.Lines, shortPath(w.File)+said), w.Lines()...)
		}
		o.Digest = hex.EncodeToString(content.Sum(nil))
		page.Offer = o
	}
	list, err := d.trust.List()
	g := tui.RuleGroup{Title: "trusted files"}
	if err != nil {
		g.Problem = err.Error()
	}
	for _, t := range list {
		g.Items = append(g.Items, tui.RuleItem{
			Mark: "trusted", Text: shortPath(t.File), Aside: "since " + t.Added.Local().Format(time.DateOnly),
			Details:  []gate.Field{{Label: "content", Value: t.SHA256}, {Label: "here", Value: map[bool]string{true: "it belongs to this workspace", false: "it belongs to another workspace"}[strings.HasPrefix(t.File, d.workspace+string(filepath.Separator))]}},
			Removing: "what it loosens waits again",
			Remove:   func() error { return d.then(stillThere(d.trust.Revoke(t.File))) },
		})
	}
	if len(g.Items) > 0 || g.Problem != "" {
		page.Groups = append(page.Groups, g)
	}
	return page
}
