package tui

import (
	"errors"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A RuleBook is what the screen of rules and settings shows and does. All of
// its functions are called off the goroutine that draws and may take their
// time. A nil function is something that can't be done here, and without Load
// there is no such screen. Every text may hold text of a project: it is
// escaped here.
type RuleBook struct {
	// Load reads all pages anew; the first is that of the rules.
	Load func() []RulePage
	// History is what the log says of how rules were used.
	History func() (*gate.History, error)
	// Calls are past calls that a rule covers (BEY-08).
	Calls func(effect gate.Effect, rule string) PastMatches
	// Read says in words how a rule would be read, or why it can't be
	// (APR-15).
	Read func(effect gate.Effect, rule string) (string, error)
	// Places are where a rule may be added, the usual one first.
	Places []RuleAdder
	// Sample says what would happen to a request, written as a command line or
	// as kind(target); nothing is asked, recorded or remembered (BEY-09).
	Sample func(text string) (gate.Verdict, error)
}

// A RuleAdder is a place where a rule may be added.
type RuleAdder struct {
	Name string // such as "your settings"
	Add  func(effect gate.Effect, rule string) error
}

// A RulePage is one page of the screen.
type RulePage struct {
	Name   string
	Groups []RuleGroup
	// Offer is what may be trusted, at the top of the page; nil is nothing.
	Offer *RuleOffer
	// Empty is what stands on a page without anything.
	Empty string
}

// A RuleGroup is what belongs together, such as what comes from one file.
type RuleGroup struct {
	Title string
	// Problem is why nothing of it can be changed, with file and line.
	Problem string
	Items   []RuleItem
	// Clear takes all of it back, and Clearing says so: "take back …".
	Clear    func() error
	Clearing string
	File     *RuleFile // nil when it is no file, or one that can't be edited
}

// A RuleItem is one rule, one remembered approval or one setting. What can't
// be done to it is nil.
type RuleItem struct {
	// Rule says that Mark and Text are an effect and a rule.
	Rule   bool
	Effect gate.Effect
	Mark   string
	Text   string
	Aside  string // a few words beside it, such as how it is read
	Source gate.Source
	// Details are shown when it is looked at.
	Details []gate.Field
	// Problem says that it can't be read, and why.
	Problem string

	// Value is what Change starts from, Choices the words it may be.
	Value   string
	Choices []string
	// Check says what is wrong with another value, as it is typed; a warning is
	// no error. Change puts it in place.
	Check  func(value string) (note string, err error)
	Change func(value string) error
	// Remove takes it out, and Removing says so: "take it out of …".
	Remove   func() error
	Removing string
}

// A RuleFile is a file that may be changed in the person's editor.
type RuleFile struct {
	Name string
	// Content is what it holds; the name is for the editor's colours.
	Content func() (string, error)
	// Save checks what was written and puts it in the place of before. After
	// an error nothing was saved; one that is [ErrRuleFileChanged] says where
	// what was written is kept.
	Save func(before, after string) error
}

// ErrRuleFileChanged is for files that hold something else by now than what was
// written is to take the place of.
var ErrRuleFileChanged = errors.New("the file of rules has changed meanwhile")

// A RuleOffer is what a project's files would loosen, for a person to trust
// (APR-15a).
type RuleOffer struct {
	// Lines are the whole of it; they begin with "+ ", "- " or blanks, or name
	// a file.
	Lines []string
	// Digest names all that would be trusted, also what no line tells: another
	// one is another offer.
	Digest string
	// Accept trusts exactly these lines. When they have changed meanwhile it
	// is an error, and nothing of what changed is trusted.
	Accept func() error
}

// RulesChanged says that rules, settings or what is remembered are others now,
// whoever changed them. Waiting is how many of a project's settings wait for
// trust (APR-15a).
type RulesChanged struct{ Waiting int }

func (RulesChanged) event() {}
