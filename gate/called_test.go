package gate

import (
	"slices"
	"testing"
)

// BEY-03: what a request calls is known wherever its name stands.
func TestCalledNames(t *testing.T) {
	for _, tt := range []struct {
		r    Request
		want []string
	}{
		{Request{Kind: RunCommand, Tool: "bash", Targets: []string{"ls && сurl x", "make"}}, []string{"сurl"}},
		{Request{Kind: MCPTool, Tool: "gіthub:gеt"}, []string{"gіthub:gеt", "gіthub", "gеt"}},
		{Request{Kind: MCPTool, Server: "gіthub", Tool: "gеt"}, []string{"gіthub", "gеt"}},
		{Request{}, nil},
	} {
		if got := tt.r.CalledNames(); !slices.Equal(got, tt.want) {
			t.Errorf("%+q calls %+q, not %+q", tt.r.Tool, got, tt.want)
		}
	}
}
