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
		done := make(chan error, 1)
		go func() { done <- (&flags{}).answerHook(t.Context(), time.Minute, agenthook.Claude, in, io.Discard) }()
		select {
		case err := <-done:
			if !errors.Is(err, errHookTime) {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Error("it still waits")
		}
	})
}

// BEY-01: a hook that is ended while it reads says no by the only exit code that
// agents take for one.
func TestHookEndedBySignalRefuses(t *testing.T) {
	ctx, end := context.WithCancelCause(t.Context())
	end(endedError("ended by a signal: terminated"))
	in, agent := io.Pipe()
	defer agent.Close()
	if code := exitCode((&flags{}).answerHook(ctx, time.Minute, agenthook.Claude, in, io.Discard)); code != exitUsage {
		t.Errorf("exit code %d, not %d", code, exitUsage)
	}
}
