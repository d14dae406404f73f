package main

import (
	"context"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// saveRules saves the rules that a person chose on the screen, all or none, and
// has the gate read them back as the file's (APR-15).
func (s *session) saveRules(place gate.RulePlace, rules ...string) error {
	layer := settings.Workspace
	if place == gate.GlobalRules {
		layer = settings.Global
	}
	path, err := s.machine.sources.Path(layer)
	if err != nil {
		return err
	}
	if err := settings.AddRules(path.Name, gate.Allow, rules...); err != nil {
		return err
	}
	s.applyFiles()
	return nil
}

// savedIn names the files in which answers are saved.
func (s *session) savedIn() map[gate.RulePlace]string {
	files := map[gate.RulePlace]string{"": shortPath(s.machine.approvalsPath())}
	for place, layer := range map[gate.RulePlace]settings.Layer{gate.WorkspaceRules: settings.Workspace, gate.GlobalRules: settings.Global} {
		if path, err := s.machine.sources.Path(layer); err == nil {
			files[place] = shortPath(path.Name)
		}
	}
	return files
}

// showApproved keeps the screen's list of what is approved for a while true,
// and its screen of rules, until ctx ends.
func (sc *screen) showApproved(ctx context.Context) {
	shown := 0
	for {
		changed := sc.gate.Changed()
		if list := sc.gate.Approved(); len(list) > 0 || shown > 0 {
			sc.console.Show(tui.TimedApprovals{List: list})
			shown = len(list)
		}
		sc.console.Show(tui.RulesChanged{Waiting: sc.waits.Offer().Count()})
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}
