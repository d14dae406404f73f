package settings

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/blitz-approve/blitz-approve/gate"
)

func TestAddRuleKeepsTheFile(t *testing.T) { // APR-15
	for _, tt := range []struct{ name, before, after string }{
		{"nothing", "", "[permissions]\nallow = [\n  \"shell(x)\",\n]\n"},
		{"other tables", "# mine\n[ui]\nplain = true # yes\n", "# mine\n[ui]\nplain = true # yes\n\n[permissions]\nallow = [\n  \"shell(x)\",\n]\n"},
		{"no final newline", "a = 1", "a = 1\n\n[permissions]\nallow = [\n  \"shell(x)\",\n]"},
		{"one line", "[permissions]\nallow = [\"a\", \"b\"] # two\n", "[permissions]\nallow = [\"a\", \"b\", \"shell(x)\"] # two\n"},
		{"one line and a comma", "[permissions]\nallow = [ 'a', ]\n", "[permissions]\nallow = [ 'a', 'shell(x)', ]\n"},
		{"lines", "[permissions]\nallow = [\n    \"a\", # why\n    # group\n]\n", "[permissions]\nallow = [\n    \"a\", # why\n    \"shell(x)\",\n    # group\n]\n"},
		{"lines without the last comma", "[permissions]\nallow = [\n\t'a' # why\n]\n", "[permissions]\nallow = [\n\t'a', # why\n\t'shell(x)'\n]\n"},
		{"empty", "[permissions]\nallow = []\n", "[permissions]\nallow = [\"shell(x)\"]\n"},
		{"empty lines", "[permissions]\nallow = [\n]\n", "[permissions]\nallow = [\n  \"shell(x)\"\n]\n"},
		{"empty lines and CRLF", "[permissions]\r\nallow = [\r\n]\r\n", "[permissions]\r\nallow = [\r\n  \"shell(x)\"\r\n]\r\n"},
		{"no list", "[permissions]\ndeny = ['b'] # c\n# end\n\n[ui]\n", "[permissions]\ndeny = ['b'] # c\nallow = [\n  \"shell(x)\",\n]\n# end\n\n[ui]\n"},
		{"empty table", "[permissions] # c\n[ui]\n", "[permissions] # c\nallow = [ \"shell(x)\" ]\n[ui]\n"},
		{"sub-table only", "[permissions.auto]\nmodel = 'm'\n", "[permissions.auto]\nmodel = 'm'\n\n[permissions]\nallow = [\n  \"shell(x)\",\n]\n"},
		{"sub-table first", "[permissions.auto]\nmodel = 'm'\n[permissions]\nask = []\n", "[permissions.auto]\nmodel = 'm'\n[permissions]\nask = []\nallow = [\n  \"shell(x)\",\n]\n"},
		{"dots", "permissions.deny = ['b']\n[ui]\n", "permissions.deny = ['b']\npermissions.allow = [\n  \"shell(x)\",\n]\n[ui]\n"},
		{"braces", "permissions = { deny = ['b'] }\n", "permissions = { deny = ['b'], allow = [ \"shell(x)\" ] }\n"},
		{"empty braces", "permissions = {}\n", "permissions = {allow = [ \"shell(x)\" ]}\n"},
		{"list in braces", "permissions = {allow=['b']}", "permissions = {allow=['b', 'shell(x)']}"},
		{"mark and CRLF", "\xef\xbb\xbf[\"permissions\"]\r\n'allow' = [\r\n  \"a\",\r\n]\r\n", "\xef\xbb\xbf[\"permissions\"]\r\n'allow' = [\r\n  \"a\",\r\n  \"shell(x)\",\r\n]\r\n"},
		{"brackets in keys", "[ 'permissions' ] # ]\nask = [\"]\", '[', '''\n]''']\n", "[ 'permissions' ] # ]\nask = [\"]\", '[', '''\n]''']\nallow = [\n  \"shell(x)\",\n]\n"},
		{"there already", "[permissions]\nallow = [ ' shell(x) ' ]\n", "[permissions]\nallow = [ ' shell(x) ' ]\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "settings.toml")
			if err := os.WriteFile(name, []byte(tt.before), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := AddRule(name, gate.Allow, "shell(x)"); err != nil {
				t.Fatal(err)
			}
			if got := content(t, name); got != tt.after {
				t.Errorf("got\n%s\nwant\n%s", got, tt.after)
			}
		})
	}
}

func TestAddRuleSavesNoCredential(t *testing.T) { // BEY-12
	name := filepath.Join(t.TempDir(), "settings.toml")
	err := AddRule(name, gate.Allow, "shell(curl -H 'Authorization: Bearer abcdefghijklmnop')")
	if !errors.Is(err, ErrSecret) {
		t.Fatalf("got %v", err)
	}
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was made: %v", err)
	}
	if err := AddRule(name, gate.Allow, "shell(curl -H *)"); err != nil {
		t.Error(err)
	}
}

func content(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRemoveRuleKeepsTheFile(t *testing.T) { // APR-15
	for _, tt := range []struct{ name, before, after string }{
		{"first", "[permissions]\ndeny = [\"x\", \"b\"]\n", "[permissions]\ndeny = [\"b\"]\n"},
		{"middle", "[permissions]\ndeny = [\"a\", \"x\", \"b\"]\n", "[permissions]\ndeny = [\"a\", \"b\"]\n"},
		{"last", "[permissions]\ndeny = [ \"a\", \"x\" ]\n", "[permissions]\ndeny = [ \"a\" ]\n"},
		{"all copies", "[permissions]\ndeny = [\"x\", 'a', ' x ', '''x''']\n", "[permissions]\ndeny = ['a']\n"},
		{"its line", "[permissions]\ndeny = [\n  # one\n  \"x\",\n  # two\n  \"b\",\n]\n", "[permissions]\ndeny = [\n  # one\n  # two\n  \"b\",\n]\n"},
		{"not its comment", "[permissions]\ndeny = [\n  \"a\",\n  \"x\", # why\n]\n", "[permissions]\ndeny = [\n  \"a\",\n  # why\n]\n"},
		{"commas first", "[permissions]\ndeny = [\n    \"a\"\n  , \"x\" # why\n  , \"b\"\n]\n", "[permissions]\ndeny = [\n    \"a\"\n  , # why\n   \"b\"\n]\n"},
		{"a comma behind a comment", "[permissions]\ndeny = [\"a\" # c\n,\"x\"]\n", "[permissions]\ndeny = [\"a\" # c\n]\n"},
		{"several on a line", "[permissions]\ndeny = [\n  \"x\", \"a\",\n  \"x\", \"b\"]\n", "[permissions]\ndeny = [\n  \"a\",\n  \"b\"]\n"},
		{"the last of the lines", "[permissions]\ndeny = [\n  \"a\",\n  \"x\"]\n", "[permissions]\ndeny = [\n  \"a\"]\n"},
		{"a list that this program made", "[ui]\n\n[permissions]\ndeny = [\n  \"x\",\n]\n", "[ui]\n"},
		{"a list that it did not make", "[permissions]\ndeny = [ # mine\n  \"x\",\n]\n[ui]\n", "[permissions]\ndeny = [ # mine\n]\n[ui]\n"},
		{"not there", "[permissions]\nallow = [\"x\"]\n", "[permissions]\nallow = [\"x\"]\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "settings.toml")
			if err := os.WriteFile(name, []byte(tt.before), 0o600); err != nil {
				t.Fatal(err)
			}
			removed, err := RemoveRule(name, gate.Deny, "x")
			if err != nil || removed != (tt.before != tt.after) {
				t.Fatalf("removed %t, %v", removed, err)
			}
			if got := content(t, name); got != tt.after {
				t.Errorf("got\n%s\nwant\n%s", got, tt.after)
			}
		})
	}
}

// Whatever the file looks like, adding a rule and removing it gives the same
// bytes (APR-15).
func TestAddAndRemoveIsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := anyFile(t)
		effect := rapid.SampledFrom([]gate.Effect{gate.Deny, gate.Ask, gate.Allow}).Draw(t, "effect")
		rule := rapid.SampledFrom([]string{"shell(x)", `shell(/x\.y/)`, `shell(echo "it's")`, "shell(grüße '*')", "web(#)", "tool"}).Draw(t, "rule")
		undone(t, data, effect, rule)
	})
}

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

func undone(t failer, data []byte, effect gate.Effect, rule string) {
	t.Helper()
	e, err := newEdit("s", data, effect)
	if err != nil || e.has(rule) {
		return
	}
	added, err := e.checked(e.add(rule), append(e.rules(), rule))
	if err != nil {
		t.Fatalf("adding to\n%q\ngave\n%q\n%v", data, e.add(rule), err)
	}
	if !subsequence(data, added) {
		t.Fatalf("adding to\n%q\nlost something:\n%q", data, added)
	}
	e, err = newEdit("s", added, effect)
	if err != nil {
		t.Fatalf("%v", err)
	}
	removed, err := e.checked(e.remove(rule), slices.DeleteFunc(e.rules(), isRule(rule)))
	if err != nil {
		t.Fatalf("removing from\n%q\ngave\n%q\n%v", added, e.remove(rule), err)
	}
	if !bytes.Equal(removed, data) {
		t.Fatalf("before\n%q\nadded\n%q\nremoved\n%q", data, added, removed)
	}
}

// subsequence reports whether all of a stands in b, in order.
func subsequence(a, b []byte) bool {
	for _, c := range b {
		if len(a) > 0 && a[0] == c {
			a = a[1:]
		}
	}
	return len(a) == 0
}

// anyFile puts together files of every form in which the lists may stand.
func anyFile(t *rapid.T) []byte {
	pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
	blank := func() string { return pick("blank", "", "", " ", "\t") }
	end := func() string { return pick("end", "\n", "\n", " # c ]\n", "\n\n", "\n# \"c\", [\n", "\n  \n") }
	text := func() string {
		return pick("text", `"a"`, `'b'`, `"\u0061\"]"`, `'#"'`, "'''\n]'''", `"""x"""""`, `"é"`)
	}
	list := func() string {
		lines := rapid.Bool().Draw(t, "lines")
		gap := func() string {
			if lines {
				return pick("gap", "\n  ", "\n\t", " # c\n    ", "\n\n# c, 'd'\n ", "", " ")
			}
			return blank()
		}
		n := rapid.IntRange(0, 3).Draw(t, "items")
		s := "[" + gap()
		for i := range n {
			s += text() + gap()
			if i < n-1 || rapid.Bool().Draw(t, "comma") {
				s += "," + gap()
			}
		}
		return s + "]"
	}
	key := func(name string) string { return pick("key", name, name, `"`+name+`"`, "'"+name+"'") }
	keys := func(prefix string) (s string) {
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"allow", "ask", "deny"}), 0, 3, rapid.ID[string]).Draw(t, "lists") {
			s += pick("indent", "", "", "  ") + prefix + key(name) + blank() + "=" + blank() + list() + end()
		}
		if rapid.Bool().Draw(t, "defaults") {
			s += prefix + "read_only_defaults = true" + end()
		}
		return s
	}
	other := func() string {
		return pick("other", "", "", "\n", "# c\n", "[ui]\nplain = true\n", "[[bash.patterns]]\nallow = ['a']\n", "[a.permissions]\nallow = [1]\n", "[x]\npermissions = {allow = ['a']}\npermissions2.y = 1979-05-27 07:32:00\nz = nan\n")
	}
	var s string
	switch rapid.IntRange(0, 4).Draw(t, "form") {
	case 0:
		s = other() + other()
	case 1:
		s = other() + "[" + blank() + key("permissions") + blank() + "]" + end() + keys("") + other()
	case 2:
		s = "top = 1" + end() + keys(key("permissions")+pick("dot", ".", " . ")) + other()
	case 3:
		s = other() + "[permissions.auto]\nmodel = 'm'" + end() + pick("table", "", "[permissions]"+end()+keys("")) + other()
	case 4:
		var parts []string
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"allow", "ask", "deny", "auto.model"}), 0, 3, rapid.ID[string]).Draw(t, "braces") {
			value := list()
			if name == "auto.model" {
				value = "'m'"
			}
			parts = append(parts, name+blank()+"="+blank()+value)
		}
		s = key("permissions") + " = {" + blank() + strings.Join(parts, blank()+","+blank()) + pick("comma", "", "", ",") + pick("inner", "", " ", "\n", " # c\n") + "}" + end() + other()
	}
	switch pick("final", "newline", "newline", "none", "CR", "mixed") {
	case "none":
		s = strings.TrimRight(s, "\n")
	case "CR":
		s = strings.ReplaceAll(s, "\n", "\r\n")
	case "mixed":
		s = strings.Replace(s, "\n", "\r\n", 2)
	}
	return []byte(pick("mark", "", "\xef\xbb\xbf") + s)
}

func FuzzEdit(f *testing.F) { // APR-15
	for _, s := range []string{"", "a", "[permissions]\nallow = ['a',\n]", "permissions={}", "permissions.x=1", "[permissions]", "[permissions]\ndeny=[#\n]\n", "\xef\xbb\xbf[permissions]\r\nallow = [\r\n]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { undone(t, data, gate.Allow, "shell(x)") })
}
