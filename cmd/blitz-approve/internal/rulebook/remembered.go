package rulebook

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
	"github.com/blitz-approve/blitz-approve/tui"
)

// rememberedPage lists what was approved and still holds, each with what takes
// it back (APR-21, TAM-12).
func (b *Book) rememberedPage() tui.RulePage {
	page := tui.RulePage{Name: "Remembered", Empty: "nothing is remembered: every answer so far was for once"}
	for _, g := range []tui.RuleGroup{b.timedGroup(), b.sessionGroup(), b.approvalsGroup(), b.grantsGroup()} {
		if len(g.Items) > 0 || g.Problem != "" {
			page.Groups = append(page.Groups, g)
		}
	}
	return page
}

func (b *Book) timedGroup() tui.RuleGroup {
	g := tui.RuleGroup{Title: "for a while", Clearing: "end all of it", Clear: func() error { b.Gate.RevokeApproved(); return nil }}
	for _, a := range b.Gate.Approved() {
		until := "until the turn ends"
		if !a.Until.IsZero() {
			until = "until " + a.Until.Local().Format(time.TimeOnly)
		}
		g.Items = append(g.Items, tui.RuleItem{
			Mark: "while", Text: a.Label, Aside: until, Details: []gate.Field{{Label: "holds", Value: until}},
			Remove: func() error { return stillThere(b.Gate.RevokeOne(a), nil) }, Removing: "ask again from now on",
		})
	}
	return g
}

func (b *Book) sessionGroup() tui.RuleGroup {
	g := tui.RuleGroup{Title: "this session", Clearing: "ask again from now on", Clear: func() error {
		for _, r := range b.Gate.Remembered() {
			b.Gate.ForgetOne(r)
		}
		return nil
	}}
	saved := b.Approvals.List()
	for _, r := range b.Gate.Remembered() {
		if r.Key != "" && slices.ContainsFunc(saved, func(k gate.SavedKey) bool { return k.Key == r.Key }) {
			continue // it stands among those
		}
		it := tui.RuleItem{
			Mark: "session", Aside: "until the program ends", Removing: "ask again from now on",
			Remove: func() error { return stillThere(b.Gate.ForgetOne(r), nil) },
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
		return kind + ": " + what + " · in " + output.ShortPath(where)
	case filepath.IsAbs(rest):
		return kind + " in " + output.ShortPath(rest)
	}
	return kind + ": " + rest
}

func grantText(t gate.GrantTarget) string {
	return fmt.Sprintf("%s %s to %s", t.Kind, output.ShortPath(t.Path), t.Tier)
}

func (b *Book) approvalsGroup() tui.RuleGroup {
	g := tui.RuleGroup{Title: output.ShortPath(b.ApprovalsPath), Clearing: "take all of it back", Clear: func() error {
		saved := b.Approvals.List()
		_, err := b.Approvals.Clear()
		for _, k := range saved {
			b.Gate.ForgetOne(gate.Remembered{Key: k.Key})
		}
		return err
	}}
	if err := b.Approvals.Reload(); err != nil {
		g.Problem, g.Clear = err.Error(), nil
	}
	for _, k := range b.Approvals.List() {
		it := tui.RuleItem{
			Mark: "always", Text: keyText(k.Key), Aside: "since " + k.Added.Local().Format(time.DateOnly),
			Details:  []gate.Field{{Label: "covers", Value: k.Label}, {Label: "since", Value: k.Added.Local().Format(time.DateTime)}},
			Removing: "ask again from now on",
		}
		if g.Problem == "" {
			it.Remove = func() error {
				err := stillThere(b.Approvals.Revoke(k.Key))
				if err == nil {
					b.Gate.ForgetOne(gate.Remembered{Key: k.Key}) // the answer that saved it also holds for the session
				}
				b.Gate.Refresh()
				return err
			}
		}
		g.Items = append(g.Items, it)
	}
	return g
}

func (b *Book) grantsGroup() tui.RuleGroup {
	g := tui.RuleGroup{Title: output.ShortPath(b.Grants.Path()), Clearing: "forget all grants, those of running sessions too", Clear: func() error {
		_, err := b.Grants.Forget()
		b.Gate.Refresh()
		return err
	}}
	list, err := b.Grants.List()
	if err != nil {
		g.Problem = err.Error()
	}
	for _, e := range list {
		it := tui.RuleItem{Mark: "granted", Text: grantText(e.GrantTarget), Removing: "ask again from now on", Remove: b.grantRevoker(e)}
		if !e.Added.IsZero() {
			it.Aside = "since " + e.Added.Local().Format(time.DateOnly)
		}
		g.Items = append(g.Items, it)
	}
	return g
}

func (b *Book) grantRevoker(e grants.Entry) func() error {
	return func() error {
		err := stillThere(b.Grants.Revoke(e.Kind, e.Path))
		b.Gate.Refresh()
		return err
	}
}
