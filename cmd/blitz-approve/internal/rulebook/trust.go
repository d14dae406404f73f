package rulebook

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"time"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/trust"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// trustPage is what of the project waits for trust, and what is trusted
// (APR-15a).
func (b *Book) trustPage(now *settings.Settings) tui.RulePage {
	page := tui.RulePage{Name: "Trust", Empty: "nothing of this project waits for trust"}
	if offer := (trust.Offer{Files: now.Untrusted, Store: b.Trust}); offer.Count() > 0 {
		o := &tui.RuleOffer{Accept: func() error {
			err := offer.Accept()
			b.Apply()
			return err
		}}
		content := sha256.New()
		for _, f := range offer.Files {
			content.Write(f.Content)
			w := trust.WaitingOf(b.Trust, f)
			said := " would loosen:"
			if w.Known {
				said = " has changed since you trusted it, and would loosen:"
			}
			o.Lines = append(append(o.Lines, output.ShortPath(w.File)+said), w.Lines()...)
		}
		o.Digest = hex.EncodeToString(content.Sum(nil))
		page.Offer = o
	}
	list, err := b.Trust.List()
	g := tui.RuleGroup{Title: "trusted files"}
	if err != nil {
		g.Problem = err.Error()
	}
	here := map[bool]string{true: "it belongs to this workspace", false: "it belongs to another workspace"}
	for _, t := range list {
		g.Items = append(g.Items, tui.RuleItem{
			Mark: "trusted", Text: output.ShortPath(t.File), Aside: "since " + t.Added.Local().Format(time.DateOnly),
			Details:  []gate.Field{{Label: "content", Value: t.SHA256}, {Label: "here", Value: here[strings.HasPrefix(t.File, b.Workspace+string(filepath.Separator))]}},
			Removing: "what it loosens waits again",
			Remove:   func() error { return b.then(stillThere(b.Trust.Revoke(t.File))) },
		})
	}
	if len(g.Items) > 0 || g.Problem != "" {
		page.Groups = append(page.Groups, g)
	}
	return page
}
