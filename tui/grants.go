package tui

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	if n > 0 && savesOrNot(p) {
		n++
	}
	return n
}

// savesOrNot reports whether a person chooses if what they grant is saved.
func savesOrNot(p *gate.Prompt) bool { return p.CanSave && !p.Brief }

// saves reports whether what is granted is saved.
func (w *waiting) saves() bool {
	p := &w.approval.Prompt
	return p.CanSave && (w.remember || p.Brief)
}

// withGrants puts the grants before the other answers, and before them what
// says how long they last (TAM-07).
func (m *Model) withGrants(w *waiting, once, deny offer) []offer {
	p := &w.approval.Prompt
	if once.long == m.tr("Approve") {
		once.long = m.tr("Approve Once")
	}
	var offers []offer
	if savesOrNot(p) {
		offers = append(offers, m.rememberOffer(w))
	}
	for _, g := range p.Grants {
		o := grantOffer(g, w.saves(), m.width < terse, &m.wording)
		if w.opaque() {
			o.off = m.tr("binary content isn't shown")
		}
		m.afterAll(w, &o)
		offers = append(offers, o)
	}
	return m.keyed(w, append(offers, once, deny))
}

func (m *Model) rememberOffer(w *waiting) offer {
	box := "[ ] "
	if w.remember {
		box = "[x] "
	}
	o := offer{
		name: "remember", label: box + m.tr("remember across sessions"), long: box + m.tr("Remember across sessions"),
		run: (*Model).toggleRemember,
	}
	if m.width < terse {
		o.label, o.long = box+m.tr("save"), box+m.tr("Remember")
	}
	return o
}

// grantOffer names a grant in short; what it covers is among the facts.
func grantOffer(g gate.GrantOffer, always, terse bool, t *wording) offer {
	o := offer{decision: gate.Once, scope: g.Scope}
	what := ""
	if g.Scope == gate.GrantAround {
		o.name, o.run = "folder", (*Model).grantFolder
		o.label, o.long = t.tr("directory"), t.tr("Approve Directory")
		if terse {
			o.label = t.tr("folder")
		} else {
			what = line(g.Folder())
		}
	} else {
		o.name, o.run = "session", (*Model).approveSession
		o.label, o.long = exactLabels(g.Targets, t)
	}
	if terse {
		first, size := utf8.DecodeRuneInString(o.label)
		o.long = string(unicode.ToUpper(first)) + o.label[size:]
	}
	if always {
		o.label, o.long = t.tr("always %s", o.label), t.tr("Always %s", o.long)
	}
	o.brief = o.label
	if what != "" {
		o.label, o.long = t.fact(o.label, what), t.fact(o.long, what)
	}
	return o
}

// exactLabels name what exactly is granted. A search is recorded with the
// folder that it begins in.
func exactLabels(targets []gate.GrantTarget, t *wording) (letters, list string) {
	kinds := map[gate.GrantKind]int{}
	for _, target := range targets {
		kinds[target.Kind]++
	}
	if kinds[gate.GrantTree] > 0 {
		delete(kinds, gate.GrantFolder)
	}
	if len(kinds) != 1 {
		return t.tr("all of these"), t.tr("Approve")
	}
	many := kinds[targets[0].Kind] > 1
	switch targets[0].Kind {
	case gate.GrantFile:
		if many {
			return t.tr("files"), t.tr("Approve Files")
		}
		return t.tr("file"), t.tr("Approve File")
	case gate.GrantURL:
		return t.tr("this address"), t.tr("Approve")
	case gate.GrantTree:
		return t.tr("this search"), t.tr("Approve")
	}
	return t.tr("this directory"), t.tr("Approve")
}

func (m *Model) toggleRemember() tea.Cmd {
	w := m.queue.current()
	if p := &w.approval.Prompt; !savesOrNot(p) {
		m.say(whyBrief(p, &m.wording))
		return nil
	}
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
		m.say(m.tr("no one directory holds all that this touches"))
		return nil
	case offers[i].off != "":
		m.say(m.fact(m.offerName(offers[i]), offers[i].off))
		return nil
	}
	return m.settle(w, gate.Answer{Decision: gate.Once, Grant: scope, Remember: w.saves()})
}

// grantFacts say in full what each grant covers, and name the entries of the
// folder: a few, or all that are known (TAM-07).
func grantFacts(p *gate.Prompt, full bool, th *theme, width int) []string {
	var rows []string
	label := th.tr("may grant")
	for _, g := range p.Grants {
		rows = append(rows, beside(th.label.Render(label), labels, wrap(coverage(g.Targets, &th.wording), width-labels), th.text)...)
		label = ""
		if text := entries(g, full, &th.wording); text != "" {
			rows = append(rows, beside("", labels, words(text, width-labels), th.muted)...)
		}
	}
	if said := whyBrief(p, &th.wording); said != "" {
		rows = append(rows, beside("", labels, words(said, width-labels), th.muted)...)
	}
	return rows
}

// whyBrief says why nothing holds for the session, or is empty.
func whyBrief(p *gate.Prompt, t *wording) string {
	if !p.Brief {
		return ""
	}
	return t.tr("the hook ends with this request; only what is saved lasts")
}

func entries(g gate.GrantOffer, full bool, t *wording) string {
	if len(g.Entries) == 0 {
		return ""
	}
	shown, more := g.Entries, g.More
	if !full && len(shown) > dockEntries {
		shown, more = shown[:dockEntries], more+len(shown)-dockEntries
	}
	text := t.tr("in it: %s", strings.Join(shown, "  "))
	if more > 0 {
		text += "  " + t.n(more, "and %s more", "and %s more")
	}
	return text
}

// coverage says what targets cover, as [gate.GrantOffer].Label does in English.
// A search speaks for the folder that it begins in.
func coverage(targets []gate.GrantTarget, t *wording) string {
	var what []string
	for _, target := range targets {
		tree := target
		tree.Kind = gate.GrantTree
		place := target.Path
		switch {
		case target.Kind == gate.GrantTree:
			place = t.tr("searches of %s and files directly in it", target.Path)
		case target.Kind != gate.GrantFolder:
		case slices.Contains(targets, tree):
			continue
		default:
			place = t.tr("files directly in %s", target.Path)
		}
		switch target.Tier {
		case gate.Read:
			place = t.tr("%s to read", place)
		case gate.Write:
			place = t.tr("%s to read and change", place)
		default:
			place = t.tr("%s for anything", place)
		}
		what = append(what, place)
	}
	return t.list(what)
}
