package demo

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/settings"
)

type person struct {
	mu    sync.Mutex
	asked []prompts.Question
}

func (p *person) Ask(_ context.Context, q prompts.Question) (prompts.Answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, q)
	if q.MultiSelect {
		return prompts.Answer{Text: q.Options[0].Label, Selected: []string{q.Options[0].Label}}, nil
	}
	return prompts.Answer{Text: q.Options[0].Label, Selected: []string{q.Options[0].Label}}, nil
}

// The script, the settings and the gate go together: what should pass passes,
// what should ask asks, and the deny rule stops the deletion.
func TestUnderTheGate_APR30_APR41(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	text, err := Prepare(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "settings.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, problems := settings.Load(settings.Sources{Home: home, Workspace: dir})
	if len(problems) > 0 {
		t.Fatalf("the settings have problems: %v", problems)
	}
	start, err := settings.StartingMode(s, gate.Auto)
	if err != nil || start.Mode != gate.Default {
		t.Fatalf("the mode is %v, %v", start, err)
	}
	var policy gate.Policy
	for _, r := range s.Values.Rules {
		if err := policy.AddRule(r.Effect, r.Value, r.Source); err != nil {
			t.Fatal(err)
		}
	}
	yes := gate.ApproverFunc(func(context.Context, gate.Prompt) (gate.Answer, error) {
		return gate.Answer{Decision: gate.Once}, nil
	})
	g, err := gate.New(gate.Options{Workspace: dir, GateHome: home, Policy: policy, Mode: start.Mode, Approver: yes})
	if err != nil {
		t.Fatal(err)
	}

	var mu sync.Mutex
	var causes, notices []string
	agentIn, hostOut := io.Pipe()
	hostIn, agentOut := io.Pipe()
	var serving sync.WaitGroup
	serving.Go(func() { _ = Serve(context.Background(), agentIn, agentOut, dir, 0) })
	who := &person{}
	h := acp.NewHost(hostIn, hostOut, acp.Options{Workspace: dir, Decide: g.Decide, Prompter: who, Events: func(e acp.Event) {
		mu.Lock()
		defer mu.Unlock()
		switch e := e.(type) {
		case acp.Decided:
			causes = append(causes, e.Verdict.Request.Tool+" "+e.Verdict.Cause)
		case acp.Notice:
			notices = append(notices, e.Text)
		}
	}})
	defer serving.Wait()
	defer h.Close()
	if _, err := h.Initialize(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	if reason, err := h.Prompt(t.Context(), Prompt); err != nil || reason != acp.EndTurn {
		t.Fatalf("the turn ended with %q, %v", reason, err)
	}
	mu.Lock()
	defer mu.Unlock()
	want := []string{"read mode-default", "execute rule-allow", "edit user-once", "edit user-once", "execute user-once", "delete rule-deny"}
	if !slices.Equal(causes, want) || len(notices) > 0 {
		t.Errorf("the gate decided %q, want %q; notices %q", causes, want, notices)
	}
	if len(who.asked) != 3 || !strings.Contains(who.asked[0].Document, "# Count the last page") || !who.asked[1].MultiSelect || who.asked[2].Of != 2 {
		t.Errorf("the person was asked %+v", who.asked)
	}
	if _, err := os.Stat(filepath.Join(dir, keyFile)); err != nil {
		t.Error(err)
	}
}

func TestPrepareOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, readmeFile), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Prepare(dir); err == nil {
		t.Error("it went over a file that was there")
	}
	if got, _ := os.ReadFile(filepath.Join(dir, readmeFile)); string(got) != "mine" {
		t.Errorf("the file is now %q", got)
	}
}
