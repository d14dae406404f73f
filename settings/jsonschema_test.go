package settings_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/pelletier/go-toml/v2"

	"github.com/blitz-approve/blitz-approve/settings"
)

func schema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(settings.JSONSchema(), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// accepts reports whether the schema accepts a file; false too when it isn't
// TOML.
func accepts(t *testing.T, schema *jsonschema.Resolved, text string) error {
	t.Helper()
	var content map[string]any
	if err := toml.Unmarshal([]byte(text), &content); err != nil {
		return err
	}
	data, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	var instance map[string]any
	if err := json.Unmarshal(data, &instance); err != nil {
		t.Fatal(err)
	}
	return schema.Validate(instance)
}

// The schema accepts the files that are read without a mistake, and refuses
// the others.
func TestJSONSchemaIsWhatIsRead(t *testing.T) {
	schema := schema(t)
	texts := []string{
		"", loosening, "[permissions]\ndeny = []\nask = ['a']\nallow = [ 'shell(x)', \"write(/y)\" ]",
		"permissions.deny = 'x'", "permissions.deny = [1]", "permissions.read_only_defaults = 'yes'", "permissions = []",
		"permissions.auto = {model = 'm', base_url = 'https://x', environment = 'e'}", "permissions.auto.model = ' '",
		"tools.approval_mode = ' plan '", "tools.approvalMode = 'yolo'", "tools.approval_mode = 'plan'\ntools.approvalMode = 'plan'",
		"blitz.permission_mode = 'acceptEdits'", "blitz.permission_mode = 'manual'", "blitz.permission_mode = 'careful'", "blitz.permission_mode = 1",
		"tools.approval = {bash = ' Deny ', 'a.b' = 'PROMPT', c = 'allow'}", "tools.approval.bash = 'no'", "tools.approval.bash = true", "tools.approval = 'deny'",
		"bash.allowCompoundCommands = true", "[[bash.patterns]]\nmatch = 'x'", "[[bash.patterns]]\nmatch = 'x'\napproval = 'Allow'", "[[bash.patterns]]\nmatch = 'x'\napproval = 'deny'\nwhy = 'x'",
		"bash.patterns = [{match = 'a', approval = 'deny'}]", "bash.patterns = 'x'", "bash.patterns = ['x']",
		"ui.diff_lines = 1", "ui.diff_lines = 0", "ui.diff_lines = 1.5", "ui.diff_lines = '9'", "ui.answer_keys = 'list'", "ui.answer_keys = 'List'",
		"ui.theme = 'none'", "ui.theme = 'neon'", "ui.colors = {added = '#abc'}", "ui.colors = {added = '#ab'}", "ui.colors.adedd = '1'", "ui.language = 'de'", "ui.language = 'auto'", "ui.language = 'tlh'", "ui.language = ''",
		"[keys]\napprove = 'ctrl+y'\n'odd name' = 'x'", "keys.approve = 1", "keys = 'x'",
		"[[hooks.permission_request]]\ncommand = 'c'\ntimeout = 30", "[[hooks.permission_request]]\ncommand = 'c'\ntimeout = '1m30s'", "[[hooks.permission_request]]\ncommand = 'c'\ntimeout = 0",
		"[[hooks.permission_request]]\ncommand = 'c'\ntimeout = 'soon'", "[[hooks.permission_request]]\ntimeout = 1", "[[hooks.permission_request]]\ncommand = 'c'\ntimeout = 86401",
		"top = 1", "[permision]", "a = [",
	}
	files, _ := filepath.Glob("testdata/problems/*.toml")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(data))
	}
	for _, text := range texts {
		_, problems := settings.Parse("s", []byte(text), settings.Global)
		wrong := slices.ContainsFunc(problems, func(p settings.Problem) bool { return p.Severity == settings.Error })
		if err := accepts(t, schema, text); (err != nil) != wrong {
			t.Errorf("%s\nthe reader says %v\nthe schema says %v", text, problems, err)
		}
	}
}

// Each setting says what it is for, and no setting is explained that isn't
// there; its built-in value may stand in a file.
func TestEverySettingIsExplained(t *testing.T) {
	var root struct{ Properties map[string]any }
	if err := json.Unmarshal(settings.JSONSchema(), &root); err != nil {
		t.Fatal(err)
	}
	// What has other names is explained under the first of them, and colours
	// all together.
	other := []string{"tools.approvalMode", "bash.allowCompoundCommands"}
	var keys []string
	var walk func(path string, properties map[string]any)
	walk = func(path string, properties map[string]any) {
		for name, p := range properties {
			p, key := p.(map[string]any), path+name
			if p["properties"] == nil && p["description"] == nil && !slices.Contains(other, key) && !strings.HasPrefix(key, "ui.colors.") {
				t.Errorf("%s isn't explained", key)
			}
			keys = append(keys, key)
			for _, inner := range []any{p, p["items"]} {
				if m, ok := inner.(map[string]any); ok && m["properties"] != nil {
					walk(key+".", m["properties"].(map[string]any))
				}
			}
		}
	}
	walk("", root.Properties)
	for _, key := range settings.ExplainedKeys() {
		if !slices.Contains(keys, key) {
			t.Errorf("%s is explained and can't be set", key)
		}
	}
	resolved := schema(t)
	for _, e := range (&settings.Values{}).Defaults() {
		text := e.String()
		if accepts(t, resolved, text) != nil {
			text = e.Key + " = '" + e.Value + "'"
		}
		if err := accepts(t, resolved, text); err != nil || strings.TrimSpace(e.Value) == "" {
			t.Errorf("%s: %v", e, err)
		}
	}
}
