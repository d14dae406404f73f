package rulebook

import (
	"errors"
	"sync"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// A Book fills the screen of rules and settings: from the files as they are,
// and from what the gate of the session holds besides.
type Book struct {
	Workspace     string
	Sources       settings.Sources
	Trust         *settings.TrustStore
	AuditPath     string
	ApprovalsPath string
	// Apply has the gate hold to the files as they are now.
	Apply func()

	// These may be missing until the screen is shown: they come with the gate
	// of the session, which needs the screen first.
	Gate      *gate.Gate
	Approvals *gate.Approvals
	Grants    *grants.Store

	mu      sync.Mutex
	history *gate.History // as it was read last
}

// Screen is what the screen calls. All of it may be called from any goroutine.
func (b *Book) Screen() tui.RuleBook {
	return tui.RuleBook{
		Load: b.pages, History: b.readHistory, Calls: b.calls, Read: readRule, Sample: b.sample,
		Places: []tui.RuleAdder{
			{Name: "your settings", Add: b.adder(settings.Global)},
			{Name: "yours for this workspace", Add: b.adder(settings.Workspace)},
			{Name: "this session", Add: func(effect gate.Effect, rule string) error { return b.Gate.AddRule(effect, rule) }},
		},
	}
}

// adder adds rules to one file; they hold from the next decision on, and for
// what waits (APR-15).
func (b *Book) adder(layer settings.Layer) func(gate.Effect, string) error {
	return func(effect gate.Effect, rule string) error {
		path, err := b.Sources.Path(layer)
		if err != nil {
			return err
		}
		return b.then(settings.AddRule(path.Name, effect, rule))
	}
}

// then applies the files unless what was done to them failed.
func (b *Book) then(err error) error {
	if err == nil {
		b.Apply()
	}
	return err
}

// shortFile is [output.ShortPath] for a place that may be no file.
func shortFile(name string) string {
	if name == "" {
		return ""
	}
	return output.ShortPath(name)
}

// pages are what the screen shows, all read anew.
func (b *Book) pages() []tui.RulePage {
	now, problems := settings.Load(b.Sources)
	paths, err := b.Sources.Paths()
	if err != nil {
		problems = append(problems, settings.Problem{Message: err.Error()})
	}
	f := &files{Book: b, now: now, problems: problems, paths: paths}
	return []tui.RulePage{f.rulesPage(), b.rememberedPage(), f.settingsPage(), b.trustPage(now)}
}

// files are the settings files as they were read for one look at them.
type files struct {
	*Book
	now      *settings.Settings
	problems []settings.Problem
	paths    []settings.Path
}

// errGone says that what should be taken back isn't there any more.
var errGone = errors.New("it isn't there any more")

func stillThere(there bool, err error) error {
	if err == nil && !there {
		return errGone
	}
	return err
}
