package mcp

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// A line that is too long is passed over, and what follows it is read.
func TestLongLine(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":8,"method":"ping"}`
	in := `{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("x", 1<<17) + "\"}\n" + ping
	var answers bytes.Buffer
	passed, err := io.ReadAll(newSieve(io.NopCloser(strings.NewReader(in)), 100, &answers))
	if err != nil || string(passed) != ping+"\n" {
		t.Errorf("it passed %q, %v", passed, err)
	}
	if !strings.Contains(answers.String(), "longer than the 64 MB") || strings.Count(answers.String(), "\n") != 1 {
		t.Errorf("it answered %q", answers.String())
	}
}
