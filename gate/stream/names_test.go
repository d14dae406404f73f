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
