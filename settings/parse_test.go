package settings_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

var update = flag.Bool("update-golden", false, "write what is printed as the new golden files")

// Each testdata/problems/*.toml is printed with its problems and what is left
// of it: every mistake at once, with its place (APR-15, TAM-03).
func TestProblems(t *testing.T) {
	files, err := filepath.Glob("testdata/problems/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			layer := settings.Global
			if strings.HasPrefix(string(data), "# layer: project") {
				layer = settings.Project
			}
			f, problems := settings.Parse("settings.toml", data, layer)
			var b strings.Builder
			for _, p := range problems {
				fmt.Fprintf(&b, "%s %s\n", p.Severity, p.Error())
			}
			b.WriteString("\n" + describe(f.Values))
			golden := strings.TrimSuffix(name, ".toml") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || b.String() != string(want) {
				t.Errorf("%v\ngot:\n%s\nwant:\n%s", err, b.String(), want)
			}
		})
	}
}

// describe prints what v sets, one value a line with its place.
func describe(v settings.Values) string {
	var b strings.Builder
	line := func(name string, set bool, value any, source gate.Source, col int) {
		if set {
			fmt.Fprintf(&b, "%s = %v (%s:%d)\n", name, value, source, col)
		}
	}
	for _, r := range v.Rules {
		if r.Err != nil {
			fmt.Fprintf(&b, "hold: %v\n", r.Err)
			continue
		}
		line(r.Effect.String(), true, r.Value, r.Source, r.Col)
	}
	text := func(name string, l settings.Located[string]) { line(name, l.Set(), l.Value, l.Source, l.Col) }
	truth := func(name string, l settings.Located[bool]) { line(name, l.Set(), l.Value, l.Source, l.Col) }
	truth("read-only defaults", v.ReadOnlyDefaults)
	text("auto.model", v.Auto.Model)
	text("auto.base_url", v.Auto.BaseURL)
	text("auto.environment", v.Auto.Environment)
	text("auto.protocol", v.Auto.Protocol)
	text("auto.key_variable", v.Auto.KeyVariable)
	text("mode", v.Mode)
	truth("auto approve", v.AutoApprove)
	text("plan review", v.PlanReview)
	truth("auto-approve commands", v.AutoApproveCommands)
	text("approvals file", v.ApprovalsFile)
	for _, name := range sortedKeys(v.Tools) {
		line("tool "+name, true, v.Tools[name].Value, v.Tools[name].Source, v.Tools[name].Col)
	}
	text("shell", v.Shell)
	truth("compound commands", v.CompoundCommands)
	for _, p := range v.Patterns {
		line("pattern "+p.Match, true, p.Approval, p.Source, p.Col)
	}
	line("diff lines", v.UI.DiffLines.Set(), v.UI.DiffLines.Value, v.UI.DiffLines.Source, v.UI.DiffLines.Col)
	text("answer keys", v.UI.AnswerKeys)
	text("language", v.UI.Language)
	text("notify", v.UI.Notify)
	truth("plain", v.UI.Plain)
	text("theme", v.UI.Theme)
	truth("mouse", v.UI.Mouse)
	for _, role := range sortedKeys(v.Colors) {
		text("color "+role, v.Colors[role])
	}
	for _, name := range sortedKeys(v.Keys) {
		text("key "+name, v.Keys[name])
	}
	for _, h := range v.Hooks {
		line("hook", true, fmt.Sprint(h.Command, " ", h.Timeout), h.Source, h.Col)
	}
	return b.String()
}
