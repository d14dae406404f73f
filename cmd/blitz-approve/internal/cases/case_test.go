package cases

import (
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// What is wrong with a line is said in the words of the line.
func TestReadFaults(t *testing.T) {
	for line, want := range map[string]string{
		`{"headless":"x"}`:                    "headless can't be a JSON string",
		`{"request":{"command":1}}`:           "request.command can't be a JSON number",
		`{"request":{"targets":["a",false]}}`: "request.targets can't be a JSON bool",
		`[]`:                                  "a case is a JSON object, and this is a JSON array",
		`{"mod":"plan"}`:                      `json: unknown field "mod"`,
		`{"id":"1"`:                           "the JSON on it has no end: a case is one line",
		`{} {}`:                               "there is more than one JSON value on the line",
	} {
		if _, err := Read[Case]([]byte(line)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	type more struct {
		Case
		Plan string `json:"plan"`
	}
	if _, err := Read[more]([]byte(`{"headless":"x"}`)); err == nil || err.Error() != "headless can't be a JSON string" {
		t.Errorf("%v", err)
	}
}

// A grant whose tier is misspelt is no grant of everything: it is said, and the
// case fails.
func TestUnknownTiers(t *testing.T) {
	for line, want := range map[string]string{
		`{"grants":[{"kind":"file","path":"/w/a","tier":"read"},{"kind":"file","path":"/w/a","tier":"reed"}]}`: `grants[1]: "reed" is no tier: write read, write or exec`,
		`{"grants":[{"kind":"file","path":"/w/a"}]}`:                                                           `grants[0] has no tier: write read, write or exec`,
		`{"grants":[{"kind":"file","path":"/w/a","tier":"read","lifetime":"forever"}]}`:                        `grants[0]: "forever" is no lifetime: write session or saved`,
		`{"expect":"maybe"}`: `expect: "maybe" is no verdict: write allow, ask or deny`,
		`{"session_tools":[{"tool":"look","tier":"Read"}]}`:                          `session_tools[0]: "Read" is no tier: write read, write or exec`,
		`{"request":{"grant_targets":[{"kind":"file","path":"/w/a","tier":"all"}]}}`: `request.grant_targets[0]: "all" is no tier: write read, write or exec`,
	} {
		k := Checker{Workspace: t.TempDir(), Mode: gate.AlwaysAskCached}
		if a := k.Line(t.Context(), []byte(line)); a.OK || a.Cause != gate.CauseInvalid || a.Reason != want {
			t.Errorf("%s: %s · %s, want %s", line, a.Cause, a.Reason, want)
		}
	}
}

// TAM-09, BEY-01: a case is decided as what hooks and programs send is: by what it
// touches, whether or not it names a kind, and with its home for the gate's.
func TestCasesAreDecidedAsRequests(t *testing.T) {
	const cached = `"mode":"always-ask-cached","home":"/home/u"`
	for line, want := range map[string]string{
		`{"request":{"tool":"fetch","kind":"network","tier":"read","url":"http://169.254.169.254/"},` + cached + `}`:                                                                                             "ask",
		`{"request":{"tool":"fetch","kind":"network","tier":"read","url":"https://go.dev/"},` + cached + `}`:                                                                                                     "allow",
		`{"request":{"tool":"look","tier":"read","url":"http://localhost/"},` + cached + `}`:                                                                                                                     "ask",
		`{"request":{"tool":"look","tier":"read","path":"src/a"},` + cached + `}`:                                                                                                                                "ask",
		`{"request":{"tool":"look","tier":"read","grant_targets":[{"kind":"url","path":"xd://lsp","tier":"read"}]},"grants":[{"kind":"url","path":"xd://lsp","tier":"read","lifetime":"saved"}],` + cached + `}`: "allow",
		`{"request":{"tool":"bash","kind":"run_command","command":"echo x >> /home/u/.blitz/settings.toml"},"mode":"bypass","sandbox":true,"home":"/home/u"}`:                                                    "ask",
		`{"request":{"tool":"bash","kind":"run_command","command":"echo x >> /home/u/settings.toml"},"mode":"bypass","sandbox":true,"home":"/home/u"}`:                                                           "allow",
	} {
		k := Checker{Workspace: t.TempDir()}
		if a := k.Line(t.Context(), []byte(line)); a.Verdict != want {
			t.Errorf("%s: %s · %s, want %s", line, a.Verdict, a.Reason, want)
		}
	}
}
