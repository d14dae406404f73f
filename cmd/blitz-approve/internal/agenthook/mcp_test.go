package agenthook

import (
	"fmt"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// BEY-01: the tool of an MCP server is one, whatever name the server gave it,
// and a call that half says that it is one is none that can be decided on.
func TestGeminiServerTools(t *testing.T) {
	for _, name := range []string{"write_todos", "google_web_search", "get_internal_docs", "read_file", "query_all"} {
		e := event(t, Gemini, fmt.Sprintf(geminiMCP, name, `{"path":"x"}`))
		if e.Own() {
			t.Errorf("%s is left to the agent", name)
		}
		for _, r := range e.Requests("/w") {
			if r.Kind != "mcp_tool" || r.Server != "my_db" {
				t.Errorf("%s is %q of %q", name, r.Kind, r.Server)
			}
		}
	}
	for _, server := range []string{`{}`, `{"server_name":""}`, `{"server_name":"s"}`, `{"server_name":"a__b","tool_name":"x"}`, `{"server_name":"a_","tool_name":"x"}`, `"db"`, `[]`} {
		text := strings.Replace(fmt.Sprintf(geminiMCP, "write_todos", "{}"), `{"server_name":"my_db","tool_name":"query_all","command":"db"}`, server, 1)
		e, err := Gemini.ReadEvent(strings.NewReader(text))
		if err == nil && (e.Own() || e.Requests("/w")[0].Declared.Tier != gate.Exec) {
			t.Errorf("%s is taken for %+v", server, e.Requests("/w")[0])
		}
	}
}
