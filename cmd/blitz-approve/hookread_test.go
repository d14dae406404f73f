package main

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/agenthook"
)

// BEY-01: a hook whose input never ends refuses before the agent's own time
// limit, which would let the call happen.
func TestHookWaitsForNoEndlessInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, agent := io.Pipe()
		defer agent.Close()
		go agent.Write([]byte(`{"hook_event_name":"PreToolUse",`))
		ctx, stop := context.WithTimeoutCause(t.Context(), time.Minute, errHookTime)
		defer stop()
		done := make(chan error, 1)
		go func() { done <- (&flags{}).answerHook(ctx, agenthook.Claude, in, io.Discard) }()
		select {
		case err := <-done:
			if !errors.Is(err, errHookTime) {
				t.Error(err)
			}
		case <-time.After(time.Hour):
			t.Error("it still waits")
		}
	})
}
