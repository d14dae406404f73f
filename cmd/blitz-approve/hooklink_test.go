package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/agenthook"
	"github.com/blitz-approve/blitz-approve/gate"
)

// A linker approves everything, and the first time puts a link in the file's
// place before.
type linker struct{ file, target string }

func (l linker) Approve(context.Context, gate.Prompt) (gate.Answer, error) {
	if err := os.Symlink(l.target, l.file); err != nil {
		return gate.Answer{}, err
	}
	return gate.Answer{Decision: gate.Once}, nil
}

// BEY-02: a hook's yes to a file is none for what a link leads to that came
// while the person was asked.
func TestHookAsksAgainForLinks_BEY02(t *testing.T) {
	s := sessionWith(t, "")
	file := filepath.Join(s.machine.workspace, "new.txt")
	if err := s.open(linker{file, filepath.Join(t.TempDir(), "elsewhere")}); err != nil {
		t.Fatal(err)
	}
	e, err := agenthook.Claude.ReadEvent(strings.NewReader(fmt.Sprintf(
		`{"hook_event_name":"PreToolUse","cwd":%q,"tool_name":"Write","tool_input":{"file_path":%q,"content":"x"}}`, s.machine.workspace, file)))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.gate.SetMode(gate.Default); err != nil {
		t.Fatal(err)
	}
	// Asked again, the person fails to link once more.
	if a, err := s.answerCall(t.Context(), e); err != nil || a.Decision != agenthook.Deny {
		t.Errorf("%+v, %v", a, err)
	}
}
