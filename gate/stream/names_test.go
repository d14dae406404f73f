package stream

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// BEY-02: what is decided on is what the program runs. A message in which
// package json would find another command than the program does is refused.
func TestOneCommandOnly(t *testing.T) {
	for _, request := range []string{
		`{"kind":"run_command","command":"rm x","Command":"ls"}`,
		`{"kind":"run_command","command":"rm x","targets":["ls"]}`,
		`{"kind":"run_command","command":"rm x","targets":["rm x","ls"]}`,
		`{"kind":"write_file","diff":[{"path":"a","after_b64":"YQ==","Path":"b"}]}`,
		`{"kind":"write_file","diff":[{"path":"a","after_b64":"YQ=="}],"Diff":[]}`,
		`{"kind":"run_command","command":"rm x"},"Request":{"kind":"run_command","command":"ls"}`,
	} {
		var out bytes.Buffer
		o := Options{Decide: func(_ context.Context, r gate.Request) gate.Verdict {
			t.Errorf("%s is decided as %q, %v", request, r.Targets, r.Diff)
			return gate.Verdict{}
		}}
		line := `{"type":"request","id":"1","request":` + request + "}\n"
		if err := New(&out, o).Serve(t.Context(), strings.NewReader(line)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), `"verdict":"deny","cause":"invalid"`) {
			t.Errorf("%s: %s", request, out.String())
		}
	}
}

// TAM-07, TAM-09, TAM-18, APR-13: a program says which files and addresses a call
// touches, and is asked about those as the hooks' calls are.
func TestWhatIsTouched(t *testing.T) {
	var p gate.Policy
	if err := p.AddRule(gate.Deny, "read(.env)", gate.Source{Layer: "global"}); err != nil {
		t.Fatal(err)
	}
	g, err := gate.New(gate.Options{Workspace: t.TempDir(), Home: "/nobody", Mode: gate.AlwaysAskCached, Policy: p})
	if err != nil {
		t.Fatal(err)
	}
	for request, want := range map[string]string{
		`{"tool":"read","declared":"read"}`:                                                                            "allow",
		`{"tool":"read","declared":"read","path":"src/a"}`:                                                             "deny",
		`{"tool":"look","declared":"read","url":"http://localhost/"}`:                                                  "deny",
		`{"tool":"look","declared":"read","url":"https://go.dev/"}`:                                                    "allow",
		`{"tool":"look","declared":"read","grant_targets":[{"kind":"tree","path":"src","tier":"read"}]}`:               "deny",
		`{"tool":"look","declared":"read","grant_targets":[{"kind":"root","path":"src","tier":"read"}]}`:               "unknown kind of grant target",
		`{"tool":"look","declared":"read","safety_checks":[{"code":"a","message":"b"}]}`:                               "pending provider safety checks",
		`{"tool":"look","declared":"read","grant_targets":[{"kind":"tree","path":"."}],"search":{"only":[".env"]}}`:    `"cause":"hard-policy"`,
		`{"tool":"look","declared":"read","grant_targets":[{"kind":"url","path":"https://go.dev"}],"url":"http://x/"}`: "allow",
	} {
		var out bytes.Buffer
		line := `{"type":"request","id":"1","request":` + request + "}\n"
		if err := New(&out, Options{Decide: g.Decide}).Serve(t.Context(), strings.NewReader(line)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: %s", request, out.String())
		}
	}
}
