package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// ruleRow is one row of the list.
type ruleRow struct {
	group, item int    // item is -1 for a heading
	text        string // of an offer, whose group is -1
	sign        byte   // what its line begins with
}

// ruleArranged is what the rows of the list depend on.
type ruleArranged struct {
	load, page, width int
	filter            string
}

func (v *rulesView) current() *RulePage {
	if v.page >= len(v.pages) {
		return nil
	}
	return &v.pages[v.page]
}

// at is the item in a row, or nil.
func (v *rulesView) at(row int) *RuleItem {
	p := v.current()
	if p == nil || row < 0 || row >= len(v.rows) {
		return nil
	}
	if r := v.rows[row]; r.group >= 0 && r.group < len(p.Groups) && r.item >= 0 && r.item < len(p.Groups[r.group].Items) {
		return &p.Groups[r.group].Items[r.item]
	}
	return nil
}

// item is a copy of what is marked.
func (v *rulesView) item() (RuleItem, bool) {
	if it := v.at(v.cursor); it != nil {
		return *it, true
	}
	return RuleItem{}, false
}

// group is what the marked row stands in, or nil.
func (v *rulesView) group() *RuleGroup {
	p := v.current()
	if p == nil || v.cursor >= len(v.rows) || v.rows[v.cursor].group < 0 {
		return nil
	}
	return &p.Groups[v.rows[v.cursor].group]
}

// arrange makes the rows of the list anew if what they depend on has changed.
func (v *rulesView) arrange(width int) {
	want := ruleArranged{v.taken, v.page, width, v.filter.value()}
	if v.rows != nil && want == v.arranged {
		return
	}
	broken := want.page != v.arranged.page || want.width != v.arranged.width || want.load != v.arranged.load
	v.arranged = want
	v.rows, v.offered = []ruleRow{}, 0
	p := v.current()
	if p == nil {
		return
	}
	v.marks = markWidth(p)
	if p.Offer != nil {
		v.rows = offerRows(p.Offer, max(1, width-4))
		v.offered = len(v.rows)
	}
	words := strings.Fields(strings.ToLower(want.filter))
	for g := range p.Groups {
		group := &p.Groups[g]
		head := len(v.rows)
		v.rows = append(v.rows, ruleRow{group: g, item: -1})
		title := strings.ToLower(group.Title)
		for i := range group.Items {
			if group.Items[i].holds(title, words) {
				v.rows = append(v.rows, ruleRow{group: g, item: i})
			}
		}
		if len(words) > 0 && len(v.rows) == head+1 {
			v.rows = v.rows[:head]
		}
	}
	if broken {
		v.window.seen = 0
	}
	v.move(0)
}

// offerRows is an offer of trust, whole: nothing of it may be cut off.
func offerRows(o *RuleOffer, width int) (rows []ruleRow) {
	for _, l := range o.Lines {
		sign, broken := (l + " ")[0], prose
		if strings.IndexByte("+- ", sign) >= 0 {
			broken = wrap // a value, to the blank
		}
		for _, r := range broken(l, width) {
			rows = append(rows, ruleRow{group: -1, item: -1, text: r, sign: sign})
		}
	}
	return rows
}

// holds reports whether all words are in what is shown of it.
func (it *RuleItem) holds(title string, words []string) bool {
	if len(words) == 0 {
		return true
	}
	text := strings.ToLower(it.Mark + " " + it.Text + " " + it.Aside + " " + it.Problem)
	for _, w := range words {
		if !strings.Contains(text, w) && !strings.Contains(title, w) {
			return false
		}
	}
	return true
}

// move marks another row; headings are passed over.
func (v *rulesView) move(by int) {
	n := len(v.rows)
	if n == 0 {
		v.cursor = 0
		return
	}
	v.cursor = max(0, min(v.cursor+by, n-1))
	step := 1
	if by < 0 {
		step = -1
	}
	for range 2 {
		for v.cursor >= 0 && v.cursor < n && v.heading(v.cursor) {
			v.cursor += step
		}
		if v.cursor >= 0 && v.cursor < n {
			break
		}
		step = -step
		v.cursor = max(0, min(v.cursor, n-1))
	}
	v.cursor = max(0, min(v.cursor, n-1))
	v.follow()
}

// first marks the first item, or what may be trusted.
func (v *rulesView) first() {
	v.cursor = 0
	if i := slices.IndexFunc(v.rows, func(r ruleRow) bool { return r.group < 0 || r.item >= 0 }); i >= 0 {
		v.cursor = i
	}
	v.move(0)
}

// heading reports a row that nothing can be done to. That of a group without
// items can be marked: its file may be edited.
func (v *rulesView) heading(row int) bool {
	r := v.rows[row]
	return r.group >= 0 && r.item < 0 && row+1 < len(v.rows) && v.rows[row+1].group == r.group
}

// follow scrolls so that the marked row is in the window, and above it the
// heading.
func (v *rulesView) follow() {
	w := &v.window
	if w.height <= 0 {
		return
	}
	top := v.cursor
	if top > 0 && v.rows[top-1].item < 0 && v.rows[top-1].group >= 0 && w.height > 1 {
		top--
	}
	switch {
	case top < w.offset:
		w.scroll(top - w.offset)
	case v.cursor >= w.offset+w.height:
		w.scroll(v.cursor - w.height + 1 - w.offset)
	}
}

// turn shows another page, from its top.
func (v *rulesView) turn(by int) {
	if n := len(v.pages); n > 0 {
		v.page = (v.page + by + n) % n
		v.window = reader{height: v.window.height}
		v.arrange(v.arranged.width)
		v.first()
	}
}

func (m *Model) searchRules() tea.Cmd {
	m.rules.part = rulesSearch
	return nil
}

func (m *Model) keepSearch() tea.Cmd {
	m.rules.part = rulesList
	return nil
}

func (m *Model) dropSearch() tea.Cmd {
	m.rules.filter.clear()
	m.rules.part = rulesList
	return nil
}
