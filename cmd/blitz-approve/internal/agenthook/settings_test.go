package agenthook

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestInstall: what else is in the file stays to the byte, what was written is
// JSON, twice is once, and taking it out leaves the file as it was.
func TestInstall(t *testing.T) {
	for name, text := range map[string]string{
		"empty object": "{}\n",
		"others": `{
  "model": "x",
	"permissions": { "allow": ["Bash(ls)"] }, "a\"b" : [1 ,2]
}
`,
		"one line":     `{"env":{"A":"}]"},"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}`,
		"other groups": "{\"hooks\": {\n  \"PreToolUse\": [\n    {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"./lint && true\"}]}\n  ]\n}}",
		"no end of line": `{
  "z": null}`,
	} {
		installed, err := Claude.Install([]byte(text), "/opt/it's/blitz-approve")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var o struct {
			Hooks map[string][]struct {
				Matcher string
				Hooks   []struct {
					Type, Command string
					Timeout       int
				}
			}
		}
		if err := json.Unmarshal(installed, &o); err != nil {
			t.Errorf("%s: %v\n%s", name, err, installed)
			continue
		}
		groups := o.Hooks[PreToolUse]
		last := groups[len(groups)-1]
		if h := last.Hooks[0]; last.Matcher != "*" || h.Command != `'/opt/it'\''s/blitz-approve' hook claude --limit 1h || exit 2` || h.Timeout != 3600 {
			t.Errorf("%s: %+v", name, last)
		}
		again, err := Claude.Install(installed, "/opt/it's/blitz-approve")
		if err != nil || string(again) != string(installed) {
			t.Errorf("%s: twice is\n%s\n%v", name, again, err)
		}
		moved, err := Claude.Install(installed, "/usr/bin/blitz-approve")
		if err != nil || strings.Count(string(moved), "hook claude") != 1 || !strings.Contains(string(moved), "/usr/bin") {
			t.Errorf("%s: moved is\n%s\n%v", name, moved, err)
		}
		want := text
		if text == "{}\n" {
			want = "" // as if install had made it
		}
		if out, err := Claude.Uninstall(installed); err != nil || string(out) != want {
			t.Errorf("%s: taken out is\n%s\n%v", name, out, err)
		}
		if out, err := Claude.Uninstall([]byte(text)); err != nil || string(out) != text {
			t.Errorf("%s: with none it is\n%s\n%v", name, out, err)
		}
	}
}

// TestInstallBesideOthers takes only our own command out of a group.
func TestInstallBesideOthers(t *testing.T) {
	const text = `{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"command": "a"}, {"command": "/x/blitz-approve hook claude || exit 2"}, {"command": "b hook claude"}]}]}}`
	out, err := Claude.Uninstall([]byte(text))
	if want := strings.Replace(text, `, {"command": "/x/blitz-approve hook claude || exit 2"}`, "", 1); err != nil || string(out) != want {
		t.Errorf("%s\n%v", out, err)
	}
}

// TestInstallRefuses what it doesn't understand.
func TestInstallRefuses(t *testing.T) {
	for _, text := range []string{"[]", "{", `{"hooks": []}`, `{"hooks": {"PreToolUse": {}}}`, `{"hooks":{},"hooks":{}}`, "{} {}", `{"a": 1, // no
	}`, `{"hooks": {"PreToolUse": [7]}}`} {
		if out, err := Claude.Install([]byte(text), "/x"); err == nil {
			t.Errorf("%s became %s", text, out)
		}
	}
}

// A program of another name finds its own hooks again: twice is once, and all
// of them are taken out.
func TestInstallRenamed(t *testing.T) {
	for _, a := range agents {
		once, err := a.Install(nil, "/opt/ba")
		if err != nil || !a.Installed(once) {
			t.Fatalf("%s: %v\n%s", a.Name, err, once)
		}
		if twice, err := a.Install(once, "/opt/ba"); err != nil || string(twice) != string(once) {
			t.Errorf("%s: %v\n%s", a.Name, err, twice)
		}
		if out, err := a.Uninstall(once); err != nil || strings.Contains(string(out), "hook") {
			t.Errorf("%s: %v\n%s", a.Name, err, out)
		}
	}
}
