package acp_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// TestHastyAgent: an agent that says something wrong and is gone at once is
// given up for what it said, whether that comes before it could be greeted or
// after the greeting could not be written any more.
func TestHastyAgent(t *testing.T) {
	const wrong = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"one"}}` + "\n"
	for name, late := range map[string]time.Duration{"before": 0, "after": 100 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gone := writerFunc(func([]byte) (int, error) { return 0, io.ErrClosedPipe })
				h := acp.NewHost(lateReader{strings.NewReader(wrong), late}, gone, acp.Options{Workspace: "/"})
				defer h.Close()
				synctest.Wait() // until it reads, if it already does
				_, err := h.Initialize(t.Context())
				if odd := (*json.UnmarshalTypeError)(nil); !errors.As(err, &odd) {
					t.Error(err)
				}
			})
		})
	}
}

// TestDeafAgent: one that closes its input and stays is gone too.
func TestDeafAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deaf := writerFunc(func([]byte) (int, error) { return 0, io.ErrClosedPipe })
		in, _ := io.Pipe()
		h := acp.NewHost(in, deaf, acp.Options{Workspace: "/"})
		defer h.Close()
		if _, err := h.Initialize(t.Context()); !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	})
}

// A lateReader takes its time before each read.
type lateReader struct {
	io.Reader
	late time.Duration
}

func (r lateReader) Read(p []byte) (int, error) {
	time.Sleep(r.late)
	return r.Reader.Read(p)
}
