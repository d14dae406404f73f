package acp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// BenchmarkEdit is one edit of a file of 340 kB, as Claude Code tells of it and
// then asks for it.
func BenchmarkEdit(b *testing.B) {
	ws := b.TempDir()
	file := filepath.Join(ws, "big.go")
	var old strings.Builder
	for i := range 8500 {
		fmt.Fprintf(&old, "\tvalue[%d] = \"text of line %d\"\n", i, i)
	}
	writeFile(b, file, old.String())
	quoted := func(s string) string { raw, _ := json.Marshal(s); return string(raw) }
	call := fmt.Sprintf(`"toolCallId":"c","title":"Edit big.go","kind":"edit","status":"pending","rawInput":{"file_path":%q,"content":%s},`+
		`"content":[{"type":"diff","path":%[1]q,"oldText":%[3]s,"newText":%[2]s}]`,
		file, quoted(strings.Replace(old.String(), "4000", "four thousand", 1)), quoted(old.String()))
	told := []byte(withVersion(`{"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call",`+call+`}}}`) + "\n")
	asked := []byte(withVersion(`{"id":0,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{`+call+`},"options":`+options+`}}`) + "\n")
	_, p := open(b, acp.Options{Workspace: ws, Decide: func(context.Context, gate.Request) gate.Verdict {
		return gate.Verdict{Effect: gate.Allow}
	}})
	b.SetBytes(int64(len(told) + len(asked)))
	for b.Loop() {
		_, _ = p.out.Write(told)
		_, _ = p.out.Write(asked)
		if _, err := p.in.ReadString('\n'); err != nil {
			b.Fatal(err)
		}
	}
}
