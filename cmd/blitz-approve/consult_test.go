package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// TestConsult has a session ask the hooks and then the reviewer that the
// person's settings name, and tell the reviewer what was said (APR-14a).
func TestConsult(t *testing.T) {
	asked := ""
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = string(body)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"choices":[{"message":{"content":"{\"decision\":\"allow\",\"reason\":\"wanted\"}"}}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`)
	}))
	defer model.Close()
	s := sessionWith(t, `
[permissions.auto]
model = "m"
base_url = "`+model.URL+`/v1"
environment = "all of it is mine"

[[hooks.permission_request]]
command = "grep -q deploy && echo '{\"decision\":\"deny\",\"reason\":\"frozen\"}'; true"
`)
	s.listen(func(acp.Event) {})(acp.TurnStarted{Text: "make the thing"})
	if v := s.gate.Decide(t.Context(), gate.CommandRequest(s.machine.workspace, "bash", "make deploy")); v.Cause != gate.CauseHookDeny || v.Reason != "frozen" {
		t.Errorf("the hook: %s (%s)", v.Cause, v.Reason)
	}
	if v := s.gate.Decide(t.Context(), gate.CommandRequest(s.machine.workspace, "bash", "make it")); v.Cause != "auto-allow: wanted" {
		t.Errorf("the reviewer: %s (%s)", v.Cause, v.Reason)
	}
	for _, part := range []string{"make the thing", "all of it is mine", "make it"} {
		if !strings.Contains(asked, part) {
			t.Errorf("the reviewer isn't told %q", part)
		}
	}
	if s.reviewer.Usage().InputTokens != 3 {
		t.Errorf("usage is %+v", s.reviewer.Usage())
	}
}

// TestReviewerThatCannotBe is a problem with its place, and auto asks
// (APR-14a).
func TestReviewerThatCannotBe(t *testing.T) {
	s := sessionWith(t, "[permissions.auto]\nmodel = \"m\"\nbase_url = \"ftp://x\"\n")
	if len(s.machine.problems) != 1 || !strings.Contains(s.machine.problems[0].Error(), "settings.toml:2:") {
		t.Errorf("problems are %v", s.machine.problems)
	}
	if v := s.gate.Check(t.Context(), gate.CommandRequest(s.machine.workspace, "bash", "make")); v.Effect == gate.Allow {
		t.Errorf("decided by %s", v.Cause)
	}
}

// sessionWith opens a session under the person's settings, with nobody to ask.
func sessionWith(t *testing.T, text string) *session {
	t.Helper()
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "settings.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := (&flags{mode: "auto"}).loadFrom(home, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &session{machine: m}
	if err := s.open(nil); err != nil {
		t.Fatal(err)
	}
	return s
}
