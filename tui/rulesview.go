package tui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// rulesPart is what of the screen of rules the keys are for.
type rulesPart uint8

const (
	rulesList    rulesPart = iota
	rulesSearch            // the words that are searched for are written
	rulesLook              // everything about one item
	rulesForm              // a rule or a value is written
	rulesConfirm           // one more key does it
	rulesSample            // a request is written, to see what would happen
)

// rulesView is the open screen of rules and settings. What waits goes on
// waiting behind it: nothing here answers.
type rulesView struct {
	book   *RuleBook
	words  *wording
	opened int // names this opening: what comes for an earlier one is stale
	part   rulesPart
	loads  int       // counts those that were asked for
	taken  int       // counts those that brought something else; 0 is none yet
	now    time.Time // of that

	pages   []RulePage
	page    int
	history *gate.History

	filter   composer
	rows     []ruleRow
	arranged ruleArranged
	offered  int // the rows of what may be trusted, at the top
	marks    int // the width of the marks
	cursor   int
	window   reader

	line   composer // of the form and of the sample
	form   ruleForm
	ask    ruleAsk
	look   reader
	calls  map[ruleName]PastMatches
	sample ruleSampled
	asking bool // about what is written
	idle   composer
}

type ruleName struct {
	effect gate.Effect
	rule   string
}

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

// ruleAsk is what one more key does.
type ruleAsk struct {
	question, said string
	do             func() error
}

// openRules opens the screen on a page.
func (m *Model) openRules(page int) tea.Cmd {
	if m.opts.Rules.Load == nil {
		m.say(m.tr("there are no rules to show here"))
		return nil
	}
	m.serial++
	if m.keptFiles == nil {
		m.keptFiles = map[string]string{}
	}
	v := &rulesView{book: &m.opts.Rules, words: &m.wording, opened: m.serial, page: page, calls: map[ruleName]PastMatches{}}
	m.rules = v
	return tea.Batch(v.reload(), readingHistory(v.book, v.opened))
}

// lookAtTrust opens it where a project's loosening waits (APR-15a).
func (m *Model) lookAtTrust() tea.Cmd {
	if m.untrusted == 0 {
		m.say(m.tr("nothing of this project waits for trust"))
		return nil
	}
	return m.openRules(lastPage)
}

// lastPage stands for the last page there is, that of trust.
const lastPage = 1 << 10

// rulesCommand opens the screen for a command word, in place of a prompt.
func (m *Model) rulesCommand(word string) (tea.Cmd, bool) {
	i := slices.Index([]string{":rules", ":remembered", ":settings", ":trust"}, word)
	if i < 0 || m.opts.Rules.Load == nil {
		return nil, false
	}
	m.composer.clear()
	return m.openRules(i), true
}

// leaveRules first ends a search, then the screen.
func (m *Model) leaveRules() tea.Cmd {
	if !m.rules.filter.empty() {
		return m.dropSearch()
	}
	m.rules = nil
	return nil
}

func (v *rulesView) reload() tea.Cmd {
	v.loads++
	return loadingRules(v.book, v.opened, v.loads, v.words)
}

// rulesMessage takes what comes back; what belongs to an earlier opening is
// dropped here.
func (m *Model) rulesMessage(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case RulesChanged:
		m.untrusted = msg.Waiting
		if m.rules != nil {
			return m.rules.reload()
		}
		return nil
	case rulesDoneMsg:
		return m.ruleDone(msg)
	case rulesFileMsg:
		return m.ruleFile(msg)
	case rulesWrittenMsg:
		return m.ruleWritten(msg)
	}
	v := m.rules
	if v == nil {
		return nil
	}
	switch msg := msg.(type) {
	case rulesLoadedMsg:
		if msg.opened == v.opened && msg.load == v.loads {
			v.take(msg)
		}
	case rulesHistoryMsg:
		if msg.opened == v.opened {
			v.history = msg.history
			if msg.err != nil {
				m.say(m.tr("the log can't be read: %s", msg.err.Error()))
			}
		}
	case rulesCallsMsg:
		if msg.opened == v.opened {
			v.calls[ruleName{msg.effect, msg.rule}] = msg.past
		}
	case rulesCheckedMsg:
		if msg.opened == v.opened {
			v.asking = false
			v.form.checked, v.form.note, v.form.err = msg.asked, msg.note, msg.err
		}
	case rulesSampledMsg:
		if msg.opened == v.opened {
			v.asking = false
			v.sample = ruleSampled{msg.asked, msg.verdict, msg.err, true}
			v.look = reader{}
		}
	}
	return nil
}

// take shows pages that were read anew, at the same item if it is still there.
func (v *rulesView) take(msg rulesLoadedMsg) {
	was, marked := v.item()
	same := v.taken > 0 && slices.EqualFunc(v.pages, msg.pages, samePage)
	v.pages, v.now = msg.pages, clock()
	if same {
		return // nothing to look at anew
	}
	v.taken++
	v.page = max(0, min(v.page, len(v.pages)-1))
	v.arrange(v.arranged.width)
	if !marked {
		v.first()
		return
	}
	for i := range v.rows {
		if it := v.at(i); it != nil && it.Text == was.Text && it.Mark == was.Mark && it.Source.File == was.Source.File {
			v.cursor = i
			break
		}
	}
	v.move(0)
	if _, still := v.item(); v.part == rulesLook && !still {
		v.part = rulesList
	}
}

// samePage reports whether two pages look the same. What can be done on them may
// still be another.
func samePage(a, b RulePage) bool {
	offers := (a.Offer == nil) == (b.Offer == nil) && (a.Offer == nil || a.Offer.Digest == b.Offer.Digest && slices.Equal(a.Offer.Lines, b.Offer.Lines))
	return a.Name == b.Name && offers && slices.EqualFunc(a.Groups, b.Groups, func(a, b RuleGroup) bool {
		return a.Title == b.Title && a.Problem == b.Problem && slices.EqualFunc(a.Items, b.Items, func(a, b RuleItem) bool {
			return a.Mark == b.Mark && a.Text == b.Text && a.Aside == b.Aside && a.Problem == b.Problem && a.Source == b.Source
		})
	})
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
		for _, r := range wrap(l, width) {
			rows = append(rows, ruleRow{group: -1, item: -1, text: r, sign: (l + " ")[0]})
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

// closeRulePart goes back to the list.
func (m *Model) closeRulePart() tea.Cmd {
	v := m.rules
	v.part, v.form, v.ask = rulesList, ruleForm{}, ruleAsk{}
	v.line.clear()
	return nil
}

// lookAtRule shows everything about what is marked.
func (m *Model) lookAtRule() tea.Cmd {
	v := m.rules
	it, ok := v.item()
	if !ok {
		return nil
	}
	v.part, v.look = rulesLook, reader{}
	if _, known := v.calls[ruleName{it.Effect, it.Text}]; known {
		return nil
	}
	return findingCalls(v.book, v.opened, &it)
}

// screen says which keys hold.
func (v *rulesView) screen() screen {
	return [...]screen{
		rulesList: ruleListScreen, rulesSearch: ruleSearchScreen, rulesLook: ruleLookScreen,
		rulesForm: ruleFormScreen, rulesConfirm: ruleConfirmScreen, rulesSample: ruleSampleScreen,
	}[v.part]
}

// field is the line that typing goes to.
func (v *rulesView) field() *composer {
	switch v.part {
	case rulesSearch:
		return &v.filter
	case rulesForm, rulesSample:
		return &v.line
	}
	return &v.idle
}

// rulesFace is what of the screen makes it look different to the person who
// answers: one who adds a rule is not asked while a list changes unseen.
type rulesFace struct {
	opened, taken, page int
	part                rulesPart
}

func (v *rulesView) face() rulesFace { return rulesFace{v.opened, v.taken, v.page, v.part} }

// painted notes which rows of the list were on the screen.
func (v *rulesView) painted(s screen) {
	if s == ruleListScreen && v.taken > 0 {
		v.window.mark()
	}
}

func (v *rulesView) wheel(by int) {
	if v.part == rulesLook || v.part == rulesSample {
		v.look.scroll(by)
		return
	}
	v.move(by)
}
