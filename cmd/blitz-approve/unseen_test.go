package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/diffview/unseen"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/review"
)

// TestUnseenEverywhere_BEY03: what nobody sees is let through nowhere, also
// where Unicode takes it for a letter, a mark or a symbol.
func TestUnseenEverywhere_BEY03(t *testing.T) {
	var hidden strings.Builder
	for _, r := range "\u3164\uffa0\u115f\u1160\u2800\u034f\ufe00\ufe0f\U000e0100\u180b\u17b4\U0001d159\u00a0\u200b\u202e\ufffc\U000e0041" {
		hidden.WriteString("a" + string(r))
	}
	text := hidden.String()
	for name, written := range map[string]func() string{
		"diffview.Escape":   func() string { return diffview.Escape(text) },
		"gate.VisibleLines": func() string { return gate.VisibleLines(text) },
		"gate.VisibleCode":  func() string { return gate.VisibleCode(text) },
		"review.Sentence":   func() string { return review.Sentence(text) },
		"errors": func() string {
			var b bytes.Buffer
			printError(&b, errors.New("no such mode: "+text))
			return strings.TrimSuffix(b.String(), "\n")
		},
		"JSON": func() string {
			var b bytes.Buffer
			if err := output.Encoder(&b).Encode(text); err != nil {
				t.Fatal(err)
			}
			return strings.TrimSuffix(b.String(), "\n")
		},
		"audit.jsonl": func() string { return strings.TrimSuffix(auditOf(t, text), "\n") },
		"rules to save": func() string {
			g, err := gate.New(gate.Options{Workspace: "/w", Approver: gate.ApproverFunc(nil)})
			if err != nil {
				t.Fatal(err)
			}
			var rules []string
			for _, r := range text {
				for _, w := range g.Widths(gate.WriteRequest("/w", "edit", gate.Change{Path: "x" + string(r) + ".go", After: []byte("x")})) {
					rules = append(rules, w.Rule)
				}
			}
			return strings.Join(rules, "")
		},
	} {
		got := written()
		if got == "" {
			t.Errorf("%s: nothing", name)
		}
		for _, r := range got {
			if unseen.Rune(r) {
				t.Errorf("%s lets %U through", name, r)
			}
		}
	}
}

// auditOf is what the log holds of a command.
func auditOf(t *testing.T, command string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	log, err := gate.OpenAuditLog(file)
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.New(gate.Options{Workspace: "/w", Audit: log})
	if err != nil {
		t.Fatal(err)
	}
	g.Decide(t.Context(), gate.CommandRequest("/w", "bash", command))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
