package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate/mcp"
)

// What is no message is answered in our own words, to the request that it may
// have been, and the connection goes on (APR-11: nothing is allowed by it).
func TestBadLines(t *testing.T) {
	ours, theirs := net.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- mcp.Serve(ctx, ours, ours, "1", mcp.Tools{}) }()
	defer stop()
	answers := bufio.NewReader(theirs)
	const noMessage = "this is no message of JSON-RPC"
	for _, tt := range []struct {
		line, id string
		code     int
		says     string
	}{
		{"what is this", "null", -32700, "this line is no JSON"},
		{`{"jsonrpc":"2.0","id":7,`, "null", -32700, "this line is no JSON"},
		{`{"id":7,"method":"ping"}`, "7", -32600, noMessage},
		{`{"jsonrpc":"2.0","id":"a","method":5}`, `"a"`, -32600, noMessage},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", -32600, noMessage},
		{"\n\n5", "null", -32600, noMessage},
		{`[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, "null", -32600, "each on a line of its own"},
	} {
		go func() { _, _ = theirs.Write([]byte(tt.line + "\n")) }()
		line, err := answers.ReadBytes('\n')
		if err != nil {
			t.Fatalf("%.60s: %v", tt.line, err)
		}
		var got struct {
			ID    json.RawMessage
			Error struct {
				Code    int
				Message string
			}
		}
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		if string(got.ID) != tt.id || got.Error.Code != tt.code || !strings.Contains(got.Error.Message, tt.says) {
			t.Errorf("%.60s: %s", tt.line, line)
		}
	}
	go func() { _, _ = theirs.Write([]byte(`{"jsonrpc":"2.0","id":8,"method":"ping"}`)); _ = theirs.Close() }()
	if err := <-served; err != nil {
		t.Errorf("it ended with %v", err)
	}
}
