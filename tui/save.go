package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// saving is what the panel that a opens has chosen so far.
type saving struct {
	place int // an index into [waiting.places]
	width int // an index into the widths there
}

// A keeping is where an approval is kept, or for how long, with all that may be
// kept there: the narrowest first, and at least one.
type keeping struct {
	name   string
	widths []keepable
}

// A keepable is one thing that may be kept. It is a rule or a saved key, or it
// ends by itself: a person chooses among what each covers.
type keepable struct {
	covers string
	rule   *gate.Width // nil for the others
	key    string      // as it is shown
	where  string      // it is saved in, or how long it lasts
	counts string      // the rule by which past calls are counted, if there is one
	answer gate.Answer
}

// places are the ways to keep an approval of w, those that are saved first.
func (w *waiting) places(t *wording) (list []keeping) {
	p := &w.approval.Prompt
	here, everywhere := w.ruled(gate.WorkspaceRules, t), w.ruled(gate.GlobalRules, t)
	if key := w.keyed(t); key != nil {
		switch p.Request.Kind {
		case gate.RunCommand:
			// It is the exact rule in plain words.
			if len(here) > 0 && here[0].rule.Exact {
				key.counts, here = here[0].counts, here[1:]
			}
			here = slices.Insert(here, 0, *key)
		case gate.WriteFile, gate.DeleteFile:
			here = append(here, *key) // all in the workspace
		default:
			if len(everywhere) == 0 { // the narrowest rule is as wide
				everywhere = append(everywhere, *key)
			}
		}
	}
	add := func(name string, widths []keepable) {
		if len(widths) > 0 {
			list = append(list, keeping{name, widths})
		}
	}
	add(t.tr("this workspace"), here)
	add(t.tr("every workspace"), everywhere)
	if p.Offers(gate.Session) {
		covers := sessionCovers(p, t)
		add(t.tr("15 minutes"), []keepable{{covers: covers, where: t.tr("not saved; the header counts down, and ctrl+r ends it"), answer: minutes}})
		if p.Offers(gate.Turn) {
			add(t.tr("this turn"), []keepable{{covers: covers, where: t.tr("not saved; it ends with the agent's turn"), answer: gate.Answer{Decision: gate.Turn}}})
		}
	}
	return list
}

// ruled are the rules that may be saved in a place.
func (w *waiting) ruled(place gate.RulePlace, t *wording) (list []keepable) {
	p := &w.approval.Prompt
	where := t.tr("your own settings for this workspace")
	if place == gate.GlobalRules {
		where = t.tr("your settings for every workspace")
	}
	for i := range p.Widths {
		rule := &p.Widths[i]
		var labels []string
		for _, r := range rule.Each() {
			labels = append(labels, t.known(r.Label))
		}
		list = append(list, keepable{
			covers: t.list(labels), rule: rule, where: savedIn(p, where, place), counts: rule.Rule,
			answer: gate.Answer{Decision: gate.Always, Rule: rule.Rule, Place: place},
		})
	}
	return list
}

// keyed is the key that may be saved, or nil.
func (w *waiting) keyed(t *wording) *keepable {
	p := &w.approval.Prompt
	if !slices.Contains(p.Verdict.Offers, gate.Always) {
		return nil
	}
	k := &keepable{covers: remembered(p.Request, t), key: savedKey(p, t), answer: gate.Answer{Decision: gate.Always}}
	where := t.tr("your saved approvals")
	switch p.Request.Kind {
	case gate.RunCommand:
		k.covers = t.tr("exactly this command")
		if workspace, command, ok := strings.Cut(strings.TrimPrefix(p.Saves, "cmd:"), "\x00"); ok {
			where, k.key = t.tr("your saved approvals for %s", workspace), command
		}
	case gate.WriteFile:
		k.covers = t.tr("all file edits in this workspace")
	case gate.DeleteFile:
		k.covers = t.tr("all file deletions in this workspace")
	}
	k.where = savedIn(p, where, "")
	return k
}

// savedIn adds the file to where something is saved.
func savedIn(p *gate.Prompt, where string, place gate.RulePlace) string {
	if file := p.SavedIn[place]; file != "" {
		return where + " · " + file
	}
	return where
}

func (m *Model) keptIn(w *waiting) keeping {
	list := w.places(&m.wording)
	return list[min(m.saving.place, len(list)-1)]
}

// kept is what is chosen.
func (m *Model) kept(w *waiting) keepable {
	widths := m.keptIn(w).widths
	return widths[min(m.saving.width, len(widths)-1)]
}

// askAlways shows what would be saved; [Model.saveAlways] saves it. One key
// alone writes nothing.
func (m *Model) askAlways() tea.Cmd {
	if !m.offered(m.queue.current(), gate.Always, m.keyOf(requestScreen, "always")) {
		return nil
	}
	m.over, m.saving = saveSheet, saving{}
	return m.lookUp()
}

func (m *Model) saveAlways() tea.Cmd {
	w := m.queue.current()
	m.over = noSheet
	if !m.offered(w, gate.Always, m.keyOf(requestScreen, "always")) {
		return nil
	}
	return m.settle(w, m.kept(w).answer)
}

// nextPlace goes through the ways to keep an approval, round and round. What
// covers the same there stays chosen.
func (m *Model) nextPlace(by int) tea.Cmd {
	w := m.queue.current()
	covers := m.kept(w).counts
	n := len(w.places(&m.wording))
	m.saving.place = (m.saving.place + by + n) % n
	m.saving.width = max(0, slices.IndexFunc(m.keptIn(w).widths, func(k keepable) bool { return covers != "" && k.counts == covers }))
	return m.lookUp()
}

// keepsSaved reports whether the way that is chosen saves anything.
func (m *Model) keepsSaved() bool { return m.kept(m.queue.current()).answer.Decision == gate.Always }

// keepsUnsaved is the opposite.
func (m *Model) keepsUnsaved() bool { return !m.keepsSaved() }

// severalPlaces reports whether there is another way to keep what is shown.
func (m *Model) severalPlaces() bool { return len(m.queue.current().places(&m.wording)) > 1 }

// mayWiden says where there is something that much wider, or narrower.
func mayWiden(by int) func(*Model) bool {
	return func(m *Model) bool {
		to := m.saving.width + by
		return to >= 0 && to < len(m.keptIn(m.queue.current()).widths)
	}
}

// widen takes what is wider, or narrower.
func (m *Model) widen(by int) tea.Cmd {
	w := m.queue.current()
	switch {
	case mayWiden(by)(m):
		m.saving.width += by
		return m.lookUp()
	case by < 0:
		m.say(m.tr("nothing narrower is offered"))
	default:
		m.sayWhy(m.tr("nothing wider is offered"), w.widest(m.kept(w)))
	}
	return nil
}

// widest is the gate's reason why there is nothing wider than k, where it is known.
func (w *waiting) widest(k keepable) string {
	switch {
	case k.rule != nil:
		return k.rule.Widest
	case len(w.approval.Prompt.Widths) == 0:
		return w.approval.Prompt.Unruled
	}
	return ""
}

// lookUp has the past calls counted that each of the widths would have let pass,
// once and one after the other: what is chosen first.
func (m *Model) lookUp() tea.Cmd {
	w := m.queue.current()
	if w == nil || m.over != saveSheet || m.opts.Past == nil || w.counting {
		return nil
	}
	for _, k := range append([]keepable{m.kept(w)}, m.keptIn(w).widths...) {
		if _, known := w.past[k.counts]; k.counts != "" && !known {
			w.counting = true
			return lookingUp(m.opts, w.id, k.counts)
		}
	}
	return nil
}

func (m *Model) lookedUp(msg pastMsg) tea.Cmd {
	w := m.queue.find(msg.id)
	if w == nil {
		return nil
	}
	if w.past == nil {
		w.past = map[string]PastMatches{}
	}
	w.past[msg.rule], w.counting = msg.past, false
	return m.lookUp()
}

// sayWhy says something with the gate's reason for it, if there is one.
func (m *Model) sayWhy(said, reason string) {
	if reason != "" {
		said = m.fact(said, line(m.known(reason)))
	}
	m.say(said)
}

// savedKey is the key of an approval as it is saved.
func savedKey(p *gate.Prompt, t *wording) string {
	for _, s := range []string{p.Saves, p.Request.Key} {
		if s != "" {
			return shownKey(s)
		}
	}
	return remembered(p.Request, t)
}

// shownKey is a key for a person: that of a command keeps its workspace apart
// by a NUL.
func shownKey(key string) string { return strings.ReplaceAll(key, "\x00", " → ") }
