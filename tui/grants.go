package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// dockEntries is how many entries of a folder are named before everything is
// asked for (TAM-07).
const dockEntries = 6

// terse is the width below which grant answers are one word each.
const terse = 60

// granting reports whether what is shown may be answered with a grant.
func (m *Model) granting() bool {
	w := m.queue.current()
	return w != nil && w.grants() != nil
}

func (w *waiting) grants() []gate.GrantOffer {
	if w.approval == nil {
		return nil
	}
	return w.approval.Prompt.Grants
}

// firstChoice is the answer that is highlighted at first: this call only,
// behind what grants more (TAM-20).
func firstChoice(p *gate.Prompt) int {
	n := len(p.Grants)
	if n > 0 && p.CanSave {
		n++
	}
	return n
}

// withGrants puts the grants before the other answers, and before them what
// says how long they last (TAM-07).
func (m *Model) withGrants(w *waiting, once, deny offer) []offer {
	p := &w.approval.Prompt
	if once.long == "Approve" {
		once.long = "Approve Once"
	}
	var offers []offer
	if p.CanSave {
		offers = append(offers, m.rememberOffer(w))
	}
	for _, g := range p.Grants {
		o := grantOffer(g, w.remember, m.width < terse)
		if !w.ready || w.unseen() > 0 {
			o.off = "read to the end first"
		}
		offers = append(offers, o)
	}
	return append(offers, once, deny)
}

func (m *Model) rememberOffer(w *waiting) offer {
	box := "[ ] "
	if w.remember {
		box = "[x] "
	}
	o := offer{name: "remember", key: "r", label: box + "remember across sessions", long: box + "Remember across sessions", run: (*Model).toggleRemember}
	if m.width < terse {
		o.label, o.long = box+"save", box+"Remember"
	}
	return o
}

// grantOffer names a grant in short; what it covers is among the facts.
func grantOffer(g gate.GrantOffer, always, terse bool) offer {
	o := offer{decision: gate.Once, scope: g.Scope}
	what := ""
	if g.Scope == gate.GrantAround {
		o.name, o.key, o.run = "folder", "f", (*Model).grantFolder
		o.label, o.long = "directory", "Approve Directory"
		if terse {
			o.label = "folder"
		} else {
			what = ": " + line(g.Folder())
		}
	} else {
		o.name, o.key, o.run = "session", "s", (*Model).approveSession
		o.label, o.long = exactLabels(g.Targets)
	}
	if terse {
		o.long = strings.ToUpper(o.label[:1]) + o.label[1:]
	}
	if always {
		o.label, o.long = "always "+o.label, "Always "+o.long
	}
	o.label, o.long = o.label+what, o.long+what
	return o
}

// exactLabels name what exactly is granted. A search is recorded with the
// folder that it begins in.
func exactLabels(targets []gate.GrantTarget) (letters, list string) {
	kinds := map[gate.GrantKind]int{}
	for _, t := range targets {
		kinds[t.Kind]++
	}
	if kinds[gate.GrantTree] > 0 {
		delete(kinds, gate.GrantFolder)
	}
	if len(kinds) > 1 {
		return "all of these", "Approve"
	}
	many := kinds[targets[0].Kind] > 1
	switch targets[0].Kind {
	case gate.GrantFile:
		if many {
			return "files", "Approve Files"
		}
		return "file", "Approve File"
	case gate.GrantURL:
		return "this address", "Approve"
	case gate.GrantTree:
		return "this search", "Approve"
	}
	return "this directory", "Approve"
}

func (m *Model) toggleRemember() tea.Cmd {
	w := m.queue.current()
	w.remember = !w.remember
	return nil
}

func (m *Model) grantFolder() tea.Cmd { return m.grant(gate.GrantAround) }

// grant allows the request once and grants what was shown for that scope.
func (m *Model) grant(scope gate.GrantScope) tea.Cmd {
	w := m.queue.current()
	offers := m.offers(w)
	i := slices.IndexFunc(offers, func(o offer) bool { return o.scope == scope })
	switch {
	case i < 0:
		m.say("no one directory holds all that this touches")
		return nil
	case offers[i].off != "":
		m.say(m.offerName(offers[i]) + ": " + offers[i].off)
		return nil
	}
	p := &w.approval.Prompt
	return m.settle(w, gate.Answer{Decision: gate.Once, Grant: scope, Remember: w.remember && p.CanSave})
}

// grantFacts say in full what each grant covers, and name the entries of the
// folder: a few, or all that are known (TAM-07).
func grantFacts(offers []gate.GrantOffer, full bool, th *theme, width int) []string {
	var rows []string
	label := "may grant"
	for _, g := range offers {
		rows = append(rows, beside(th.label.Render(label), labels, wrap(g.Label, width-labels), th.text)...)
		label = ""
		if text := entries(g, full); text != "" {
			rows = append(rows, beside("", labels, words(text, width-labels), th.muted)...)
		}
	}
	return rows
}

func entries(g gate.GrantOffer, full bool) string {
	if len(g.Entries) == 0 {
		return ""
	}
	shown, more := g.Entries, g.More
	if !full && len(shown) > dockEntries {
		shown, more = shown[:dockEntries], more+len(shown)-dockEntries
	}
	text := "in it: " + strings.Join(shown, "  ")
	if more > 0 {
		text += fmt.Sprintf("  and %d more", more)
	}
	return text
}
