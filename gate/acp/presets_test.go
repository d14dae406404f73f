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
