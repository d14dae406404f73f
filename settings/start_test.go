package settings_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

func TestStartingMode(t *testing.T) { // APR-14, TAM-04, TAM-05, TAM-06
	for _, tt := range []struct {
		name      string
		global    string
		workspace string
		project   string
		overlay   string
		flags     settings.Flags
		mode      gate.Mode
		from      string // the source's layer
		err       string
	}{
		{name: "nothing set", mode: gate.Auto, from: "built-in"},
		{name: "global", global: `blitz.permission_mode = "plan"`, mode: gate.Plan, from: "global"},
		{name: "the other name", global: `tools.approval_mode = "always-ask-cached"`, mode: gate.AlwaysAskCached, from: "global"},
		{name: "camel case", global: `tools.approvalMode = "write"`, mode: gate.WriteMode, from: "global"},
		{name: "another agent's word", global: `blitz.permission_mode = "acceptEdits"`, mode: gate.AcceptEdits, from: "global"},
		{name: "workspace over global", global: `blitz.permission_mode = "plan"`, workspace: `blitz.permission_mode = "default"`, mode: gate.Default, from: "workspace"},
		{name: "overlay over workspace", workspace: `blitz.permission_mode = "plan"`, overlay: `tools.approval_mode = "yolo"`, mode: gate.Yolo, from: "overlay"},
		{name: "a project can't", project: `blitz.permission_mode = "yolo"`, mode: gate.Auto, from: "built-in"},
		{name: "nor auto-approve", project: `blitz.auto_approve = true`, mode: gate.Auto, from: "built-in"},
		{name: "auto-approve", global: `blitz.auto_approve = true`, mode: gate.Bypass, from: "global"},
		{name: "a mode over auto-approve", global: `blitz = {auto_approve = true, permission_mode = "plan"}`, mode: gate.Plan, from: "global"},
		{name: "auto-approve taken back", global: `blitz.auto_approve = true`, workspace: `blitz.auto_approve = false`, mode: gate.Auto, from: "built-in"},
		{name: "flag", global: `blitz.permission_mode = "plan"`, flags: settings.Flags{Mode: "dont-ask"}, mode: gate.DontAsk, from: "flag"},
		{name: "yolo over the mode flag", flags: settings.Flags{Mode: "plan", Yolo: true}, mode: gate.Yolo, from: "flag"},
		{name: "no such mode in a flag", flags: settings.Flags{Mode: "pln"}, mode: gate.AlwaysAsk, from: "flag", err: `flag: unknown mode "pln": use one of default, accept-edits`},
		{name: "no such mode in a file", global: `blitz.permission_mode = "pln"`, mode: gate.AlwaysAsk, from: "global", err: `settings.toml:1: unknown mode "pln"`},
		{name: "not even a word", global: `blitz.permission_mode = 3`, mode: gate.AlwaysAsk, from: "global", err: `unknown mode "3"`},
		{name: "an unknown one below a known", global: `blitz.permission_mode = "pln"`, workspace: `blitz.permission_mode = "plan"`, mode: gate.Plan, from: "workspace"},
		{name: "a broken file", global: `blitz.permission_mode = "plan"` + "\n[", workspace: `blitz.permission_mode = "yolo"`, mode: gate.Default, from: "built-in"},
		{name: "a flag over a broken file", global: `[`, flags: settings.Flags{Yolo: true}, mode: gate.Yolo, from: "flag"},
		{name: "a project's broken file", global: `blitz.permission_mode = "plan"`, project: `[`, mode: gate.Plan, from: "global"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine(t)
			for name, text := range map[string]string{m.global: tt.global, m.workspace: tt.workspace, m.project: tt.project, m.overlay: tt.overlay} {
				write(t, name, text)
			}
			m.Overlays, m.Flags, m.Trusted = []string{m.overlay}, tt.flags, trustAll
			s, _ := settings.Load(m.Sources)
			start, err := settings.StartingMode(s, gate.AlwaysAsk)
			if start.Mode != tt.mode || start.Source.Layer != tt.from {
				t.Errorf("got %s of %s", start.Mode, start.Source)
			}
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
			if wantNote := tt.name == "a broken file"; (start.Note != "") != wantNote {
				t.Errorf("note %q", start.Note)
			}
		})
	}
}

func TestStartingModeWithoutSettings(t *testing.T) { // TAM-04
	start, err := settings.StartingMode(nil, gate.AlwaysAsk)
	if err != nil || start.Mode != gate.AlwaysAsk {
		t.Errorf("got %v, %v", start, err)
	}
}

func TestProjectsModeIsAWarning(t *testing.T) { // APR-14
	m := newMachine(t)
	write(t, m.project, "[blitz]\npermission_mode = \"yolo\"\n")
	_, problems := settings.Load(m.Sources)
	if len(problems) != 1 || problems[0].Severity != settings.Warning || filepath.Base(problems[0].File) != "settings.toml" || problems[0].Line != 2 {
		t.Errorf("got %v", problems)
	}
}
