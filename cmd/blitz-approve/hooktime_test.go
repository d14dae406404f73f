package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/agenthook"
)

// BEY-01, APR-11: a hook answers before the agent's own limit, and with a
// refusal, also while another process keeps the log locked: one that is cut off
// lets the call happen.
func TestHookAnswersWhileTheLogIsLocked(t *testing.T) {
	home, workspace := t.TempDir(), t.TempDir()
	t.Setenv("BLITZ_HOME", home)
	other := flock.New(filepath.Join(home, "audit.jsonl.lock"))
	if err := other.Lock(); err != nil {
		t.Fatal(err)
	}
	defer other.Unlock()
	event := fmt.Sprintf(`{"hook_event_name":"PreToolUse","cwd":%q,"tool_name":"Bash","tool_input":{"command":"git status"}}`, workspace)
	synctest.Test(t, func(t *testing.T) {
		const limit = 7 * time.Second
		start, out := time.Now(), &bytes.Buffer{}
		err := (&flags{workspace: workspace, mode: "yolo"}).answerHook(t.Context(), limit, agenthook.Claude, strings.NewReader(event), out)
		if d := time.Since(start); d >= limit {
			t.Errorf("it answered after %v, the limit is %v", d, limit)
		}
		if !strings.Contains(out.String(), `"deny"`) {
			t.Errorf("it answered %s, %v", out, err)
		}
		<-time.After(time.Minute) // what goes on has its end
	})
}

// BEY-01: whatever a hook waits for, it refuses before the agent's own limit.
func TestHookAnswersWhateverHangs(t *testing.T) {
	for _, limit := range []time.Duration{10 * time.Minute, 30 * time.Second, 5 * time.Second, 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			never, end := context.WithCancel(t.Context())
			defer end()
			start := time.Now()
			a, err := inTime(limit, func() (agenthook.Answer, error) {
				<-never.Done()
				return agenthook.Answer{Decision: agenthook.Allow}, nil
			})
			if d := time.Since(start); d >= limit || d < limit-hookMargin {
				t.Errorf("it answered after %v, the limit is %v", d, limit)
			}
			if a.Decision != agenthook.Deny || !errors.Is(err, errHookLate) {
				t.Errorf("it answered %+v, %v", a, err)
			}
		})
	}
}
