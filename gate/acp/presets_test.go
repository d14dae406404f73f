package acp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate/acp"
)

func TestRecognize(t *testing.T) {
	for argv, want := range map[string]string{
		"gemini --acp":                              "gemini",
		"/usr/local/bin/gemini --acp -m x":          "gemini",
		`C:\bin\copilot.exe --acp`:                  "copilot",
		"npx -y @google/gemini-cli@0.61.0 --acp":    "gemini",
		"node /opt/opencode.js acp":                 "opencode",
		"env A=b codex-acp":                         "codex",
		"npx @agentclientprotocol/claude-agent-acp": "claude",
		"claude-code-acp":                           "claude",
		"npx @zed-industries/claude-agent-acp":      "claude",
		"npx -y @qwen-code/qwen-code@0.24.4 --acp":  "qwen",
		"cursor-agent acp":                          "cursor",
		"uvx --from mistral-vibe vibe-acp":          "vibe",
		"my-agent gemini":                           "",
		"my-agent --name gemini":                    "",
		"":                                          "",
	} {
		p, ok := acp.Recognize(strings.Fields(argv))
		if p.Name != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", argv, p.Name, ok)
		}
	}
	for _, p := range acp.Presets() {
		got, ok := acp.Recognize(p.Argv())
		if !ok || got.Name != p.Name {
			t.Errorf("%s does not know its own command", p.Name)
		}
	}
	if _, ok := acp.PresetFor("nobody"); ok {
		t.Error("a preset for nobody")
	}
}

// Agents that by themselves ask for nothing are started so that they ask, and
// modes in which they don't are told from those in which they do.
func TestLooseModes(t *testing.T) {
	goose, _ := acp.PresetFor("goose")
	if env := goose.Env(func(string) string { return "auto" }); strings.Join(env, " ") != "GOOSE_MODE=approve" {
		t.Error(env)
	}
	for name, modes := range map[string][]string{
		"qwen": {"default", "plan", "!auto-edit", "!yolo"}, "kimi": {"default", "plan", "!auto", "!yolo"},
		"vibe": {"default", "chat", "plan", "!accept-edits", "!auto-approve"}, "goose": {"approve", "chat", "!smart_approve", "!auto"},
		"cursor": {"agent", "plan", "ask"},
	} {
		for _, mode := range modes {
			id, loose := strings.CutPrefix(mode, "!")
			if got := loosensIn(t, name, id); got != loose {
				t.Errorf("%s in its mode %s: %v", name, id, got)
			}
		}
	}
}

// loosensIn reports whether the host warns of an agent's mode.
func loosensIn(t *testing.T, preset, mode string) (loose bool) {
	p := newPeer(t)
	known, ok := acp.PresetFor(preset)
	if !ok {
		t.Fatalf("no preset %s", preset)
	}
	known.Mode = ""
	h := acp.NewHost(p.r, p.w, acp.Options{Workspace: "/", Preset: known, Events: func(e acp.Event) {
		if m, ok := e.(acp.ModeChanged); ok {
			loose = m.Loosens
		}
	}})
	defer h.Close()
	go func() {
		_, _ = p.in.ReadString('\n')
		p.send(hello)
		_, _ = p.in.ReadString('\n')
		p.send(`{"id":2,"result":{"sessionId":"s1","modes":{"currentModeId":"` + mode + `","availableModes":[]}}}`)
	}()
	if _, err := h.Initialize(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	return loose
}

// TestOpencodeAsks: opencode is made to ask, whatever else is configured.
func TestOpencodeAsks(t *testing.T) {
	p, _ := acp.PresetFor("opencode")
	for _, before := range []string{"", `{"model":"m","permission":{"bash":"allow"}}`, "nonsense"} {
		env := p.Env(func(string) string { return before })
		var config struct {
			Model      string
			Permission map[string]string
		}
		raw, _ := strings.CutPrefix(env[0], "OPENCODE_CONFIG_CONTENT=")
		if err := json.Unmarshal([]byte(raw), &config); err != nil {
			t.Fatal(err)
		}
		for _, tool := range []string{"*", "edit", "bash", "webfetch", "external_directory"} {
			if config.Permission[tool] != "ask" {
				t.Errorf("%q: %s is %q", before, tool, config.Permission[tool])
			}
		}
		if config.Permission["question"] != "deny" || strings.Contains(before, `"m"`) && config.Model != "m" {
			t.Errorf("%q: %s", before, raw)
		}
	}
}
