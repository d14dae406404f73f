package tui

import (
	"slices"
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

// hasRules reports whether there are rules to show.
func (m *Model) hasRules() bool { return m.opts.Rules.Load != nil }

// openRules opens the screen on a page.
func (m *Model) openRules(page int) tea.Cmd {
	if !m.hasRules() {
		m.say(m.tr("there are no rules to show here"))
		return nil
	}
	m.serial++
	if m.keptFiles == nil {
		m.keptFiles = map[string]writtenFile{}
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
	if i < 0 || !m.hasRules() {
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

// closeRulePart goes back to the list.
func (m *Model) closeRulePart() tea.Cmd {
	v := m.rules
	v.part, v.form, v.ask = rulesList, ruleForm{}, ruleAsk{}
	v.line.clear()
	return nil
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
