package acp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// pair connects two ends in memory.
func pair(t *testing.T, a, b acp.Handler) (x, y *acp.Conn) {
	t.Helper()
	toX, fromY := io.Pipe()
	toY, fromX := io.Pipe()
	x, y = acp.NewConn(toX, fromX, a), acp.NewConn(toY, fromY, b)
	var both sync.WaitGroup
	for _, c := range []*acp.Conn{x, y} {
		both.Go(func() {
			if err := c.Serve(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(func() { x.Close(); y.Close(); both.Wait() })
	return x, y
}

// TestConnBothWays: both ends ask each other at the same time, also from
// within a request.
func TestConnBothWays(t *testing.T) {
	var x, y *acp.Conn
	double := func(_ context.Context, method string, params json.RawMessage) (any, error) {
		var n int
		if err := json.Unmarshal(params, &n); err != nil {
			return nil, err
		}
		return 2 * n, nil
	}
	relay := func(ctx context.Context, method string, params json.RawMessage) (any, error) {
		var n int
		err := y.Call(ctx, method, params, &n)
		return n, err
	}
	ready := make(chan struct{})
	x, y = pair(t, acp.Handler{Request: double}, acp.Handler{Request: func(ctx context.Context, m string, p json.RawMessage) (any, error) {
		<-ready
		return relay(ctx, m, p)
	}})
	close(ready)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			var n int
			if err := x.Call(t.Context(), "double", i, &n); err != nil || n != 2*i {
				t.Error(i, n, err)
			}
		})
	}
	all.Wait()
}

// TestConnErrors: error answers arrive as they were, unknown methods and
// plain errors as the protocol's.
func TestConnErrors(t *testing.T) {
	fail := errors.New("boom")
	x, _ := pair(t, acp.Handler{}, acp.Handler{Request: func(_ context.Context, method string, _ json.RawMessage) (any, error) {
		switch method {
		case "rpc":
			return nil, &acp.RPCError{Code: 7, Message: "seven", Data: json.RawMessage(`{"a":1}`)}
		case "plain":
			return nil, fail
		}
		return nil, acp.Errorf(acp.CodeMethodNotFound, "no")
	}})
	for method, want := range map[string]int{"rpc": 7, "plain": acp.CodeInternal, "other": acp.CodeMethodNotFound} {
		var rpc *acp.RPCError
		if err := x.Call(t.Context(), method, nil, nil); !errors.As(err, &rpc) || rpc.Code != want {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// TestConnCancel: giving up a call cancels it at the other end; its late
// answer is dropped without a fault.
func TestConnCancel(t *testing.T) {
	started, cancelled := make(chan struct{}), make(chan struct{})
	var faults []error
	x, _ := pair(t, acp.Handler{Fault: func(err error) { faults = append(faults, err) }},
		acp.Handler{Request: func(ctx context.Context, method string, _ json.RawMessage) (any, error) {
			if method == "ping" {
				return "pong", nil
			}
			close(started)
			<-ctx.Done()
			close(cancelled)
			return nil, ctx.Err()
		}})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-started; cancel() }()
	if err := x.Call(ctx, "wait", nil, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-cancelled
	var pong string
	if err := x.Call(t.Context(), "ping", nil, &pong); err != nil || pong != "pong" {
		t.Error(pong, err)
	}
	x.Close()
	<-x.Done()
	if len(faults) > 0 {
		t.Error(faults)
	}
}

// TestConnClose: closing fails every call that waits, and later ones.
func TestConnClose(t *testing.T) {
	started := make(chan struct{}, 10)
	x, _ := pair(t, acp.Handler{}, acp.Handler{Request: func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
		started <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	failed := make(chan error, 10)
	for range 10 {
		go func() { failed <- x.Call(context.Background(), "wait", nil, nil) }()
	}
	for range 10 {
		<-started
	}
	x.Close()
	for range 10 {
		if err := <-failed; !errors.Is(err, acp.ErrClosed) {
			t.Error(err)
		}
	}
	if err := x.Call(t.Context(), "wait", nil, nil); !errors.Is(err, acp.ErrClosed) {
		t.Error(err)
	}
	if err := x.Notify("n", nil); !errors.Is(err, acp.ErrClosed) {
		t.Error(err)
	}
}

// endless is one line that never ends.
type endless struct{}

var blanks = bytes.Repeat([]byte{' '}, 1<<20)

func (endless) Read(p []byte) (int, error) { return copy(p, blanks), nil }

// TestConnHugeLine: a line over the limit ends the connection with an error
// that says so; one below it does not.
func TestConnHugeLine(t *testing.T) {
	if acp.MaxLine < 64<<20 {
		t.Error("the limit is below 64 MiB")
	}
	c := acp.NewConn(endless{}, io.Discard, acp.Handler{})
	acp.LimitLine(c, 1<<20)
	if err := c.Serve(t.Context()); !errors.Is(err, acp.ErrLineTooLong) {
		t.Error(err)
	}
	big := `{"jsonrpc":"2.0","id":0,"method":"len","params":"` + strings.Repeat("x", 11<<20) + "\"}\n"
	var n int
	out := &strings.Builder{}
	answered := make(chan struct{})
	c = acp.NewConn(io.MultiReader(strings.NewReader(big), waitReader{answered}), writerFunc(func(p []byte) (int, error) {
		defer close(answered)
		return out.Write(p)
	}), acp.Handler{Request: func(_ context.Context, _ string, p json.RawMessage) (any, error) { n = len(p); return nil, nil }})
	if err := c.Serve(t.Context()); err != nil || n != 11<<20+2 {
		t.Error(n, err, out)
	}
}

// TestConnSlowPeer: a peer that does not read never blocks the reading end;
// when too much waits for it the connection ends.
func TestConnSlowPeer(t *testing.T) {
	in, out := io.Pipe()
	never, w := io.Pipe()
	defer never.Close()
	c := acp.NewConn(in, w, acp.Handler{})
	acp.LimitUnsent(c, 1<<20)
	served := make(chan error, 1)
	go func() { served <- c.Serve(context.Background()) }()
	feed := bufio.NewWriter(out)
	for range 1000 { // each gets an answer that nobody reads
		fmt.Fprintln(feed, "nonsense")
	}
	if err := feed.Flush(); err != nil {
		t.Fatal(err)
	}
	big := strings.Repeat("x", 300<<10)
	var err error
	for range 10 {
		if err = c.Notify("big", big); err != nil {
			break
		}
	}
	if !errors.Is(err, acp.ErrPeerStalled) {
		t.Error(err)
	}
	if err := <-served; !errors.Is(err, acp.ErrPeerStalled) {
		t.Error(err)
	}
}

// TestConnKeepsIDs: ids are given back as they came, and null is one.
func TestConnKeepsIDs(t *testing.T) {
	for _, id := range []string{"0", `"0"`, "null", "-1", `"a\"b"`, "12345678901234567890"} {
		in, out := strings.NewReader(`{"jsonrpc":"2.0","id":`+id+`,"method":"x"}`+"\n"), &strings.Builder{}
		done := make(chan struct{})
		c := acp.NewConn(io.MultiReader(in, waitReader{done}), writerFunc(func(p []byte) (int, error) {
			defer close(done)
			return out.Write(p)
		}), acp.Handler{Request: func(context.Context, string, json.RawMessage) (any, error) { return nil, nil }})
		if err := c.Serve(t.Context()); err != nil {
			t.Error(err)
		}
		if want := `{"jsonrpc":"2.0","id":` + id + `,"result":null}` + "\n"; out.String() != want {
			t.Errorf("%q, want %q", out, want)
		}
	}
}

type waitReader struct{ done chan struct{} }

func (w waitReader) Read([]byte) (int, error) { <-w.done; return 0, io.EOF }

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
