package main

import (
	"os"
	"path/filepath"
	"testing"
)

// BEY-01: what opencode lets pass by the settings of a single agent isn't asked
// about at the session that hosts it, so that its hook has to ask.
func TestOpenCodeAllows_BEY01(t *testing.T) {
	for _, name := range []string{"OPENCODE_PERMISSION", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG_CONTENT", "XDG_CONFIG_HOME"} {
		t.Setenv(name, "")
	}
	const agents = `{"agent": {"build": {"permission": {"bash": "allow"}}}}`
	for _, c := range []struct {
		file, text string
		want       bool
	}{
		{"", "", false},
		{"shop/opencode.json", `{"model": "x", "permission": "ask", "agent": {"build": {"model": "y"}}}`, false},
		{"shop/opencode.json", agents, true},
		{"shop/opencode.jsonc", "// mine\n" + agents, true},
		{"opencode.json", agents, true},
		{"shop/.opencode/opencode.json", `{"mode": {"build": {"tools": {"bash": true}}}}`, true},
		{"shop/.opencode/agent/build.md", "---\npermission:\n  bash: allow\n---\n", true},
		{"shop/.opencode/agents/deep/build.md", "---\npermission:\n  bash: allow\n---\n", true},
		{"shop/.opencode/agent/other.md", "---\nmodel: x\n---\n", false},
		{"shop/agent/build.md", "permission", false},
		{".config/opencode/opencode.json", agents, true},
		{".config/opencode/mode/build.md", "---\npermission: allow\n---\n", true},
		{"shop/.opencode/opencode.json", `{"agent":`, true},
	} {
		home := t.TempDir()
		t.Setenv("HOME", home)
		if c.file != "" {
			path := filepath.Join(home, c.file)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := ownAllows("opencode", filepath.Join(home, "shop")); len(got) > 0 != c.want {
			t.Errorf("%s: %q", c.file, got)
		}
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("OPENCODE_CONFIG_CONTENT", agents)
	if got := ownAllows("opencode", t.TempDir()); len(got) != 1 {
		t.Errorf("by the environment: %q", got)
	}
}
