package acp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/prompts"
)

var update = flag.Bool("update", false, "write what happened into testdata/wire")

// TestWire replays conversations with known agents (TAM-24, APR-30, APR-40,
// APR-41, APR-43, BEY-02). Each archive holds:
//
//	prompts  one prompt a line; the host is given them in turn
//	preset   the preset's name, if any
//	planning whether the gate's mode is plan at each prompt: yes or no
//	review   the setting plan_review
//	decide   the gate's answers: allow, allow WORDS, deny, deny WORDS, cancel;
//	         real asks a real gate, at which a person says yes
//	answers  the person's answers to questions: =LABEL, a text, or decline
//	wire     what goes over the wire: "< " from the agent, "> " to it
//	gate     the requests that the gate saw
//	events   what the screen was told
//	in/…     the workspace's files
//
// $WS stands for the workspace.
func TestWire(t *testing.T) {
	files, err := filepath.Glob("testdata/wire/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { replay(t, file) })
	}
}

func replay(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ws := t.TempDir()
	part := map[string]string{}
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "in/"); ok {
			writeFile(t, filepath.Join(ws, name), string(f.Data))
			continue
		}
		part[f.Name] = strings.ReplaceAll(string(f.Data), "$WS", ws)
	}
	preset, _ := acp.PresetFor(strings.TrimSpace(part["preset"]))
	preset.Env = nil
	log := &record{ws: ws}
	peer := newPeer(t)
	planning := false
	h := acp.NewHost(peer.r, peer.w, acp.Options{
		Agent: "agent", Version: "1", Workspace: ws, Preset: preset,
		Decide: (&decider{lines: lines(part["decide"]), log: log}).decide, Events: log.event,
		Prompter:   &answerer{lines: lines(part["answers"]), log: log},
		Planning:   func() bool { return planning },
		PlanReview: strings.TrimSpace(part["review"]),
		MCPServers: []acp.MCPServer{{Name: "gate", Command: "blitz-approve", Args: []string{"mcp"}, Own: true}},
	})
	defer h.Close()
	played := make(chan error, 1)
	go func() {
		err := peer.play(part["wire"])
		played <- err
		if err != nil { // don't leave the host waiting
			peer.out.Close()
			peer.hangUp()
		}
	}()
	ctx := t.Context()
	if _, err := h.Initialize(ctx); err != nil {
		t.Fatalf("initialize: %v (%v)", err, drain(played))
	}
	if err := h.NewSession(ctx); err != nil {
		t.Fatalf("session/new: %v (%v)", err, drain(played))
	}
	plans := lines(part["planning"])
	for i, p := range lines(part["prompts"]) {
		planning = i < len(plans) && plans[i] == "yes"
		if _, err := h.Prompt(ctx, p); err != nil {
			t.Errorf("prompt: %v", err)
		}
	}
	if err := <-played; err != nil {
		t.Fatal(err)
	}
	h.Close()
	if *update {
		log.rewrite(t, file, archive)
		return
	}
	if got := log.requests(); got != part["gate"] {
		t.Errorf("the gate saw\n%s\nwant\n%s", got, part["gate"])
	}
	if got := log.eventText(); got != part["events"] {
		t.Errorf("events\n%s\nwant\n%s", got, part["events"])
	}
}

func drain(c <-chan error) error {
	select {
	case err := <-c:
		return err
	default:
		return nil
	}
}

func lines(s string) (list []string) {
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l != "" {
			list = append(list, l)
		}
	}
	return list
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A peer is the agent's end of the wire.
type peer struct {
	r   io.Reader // the host's
	w   io.WriteCloser
	in  *bufio.Reader
	out *io.PipeWriter
	// hangUp closes the end that the host writes to.
	hangUp func()
}

func newPeer(t testing.TB) *peer {
	toHost, out := io.Pipe()
	in, fromHost := io.Pipe()
	t.Cleanup(func() { out.Close(); in.Close() })
	return &peer{r: toHost, w: fromHost, in: bufio.NewReader(in), out: out, hangUp: func() { in.Close() }}
}

// play sends the lines that begin with "<" and expects those with ">".
func (p *peer) play(script string) error {
	for _, line := range lines(script) {
		switch mark, text, _ := strings.Cut(line, " "); mark {
		case "<":
			if _, err := io.WriteString(p.out, withVersion(text)+"\n"); err != nil {
				return err
			}
		case ">":
			got, err := p.in.ReadString('\n')
			if err != nil {
				return fmt.Errorf("waiting for %s: %w", text, err)
			}
			if !sameJSON(got, withVersion(text)) {
				return fmt.Errorf("the host sent\n%swant\n%s", got, text)
			}
		default:
			return fmt.Errorf("bad line %q", line)
		}
	}
	return nil
}

// withVersion spares the archives the member that is always the same.
func withVersion(line string) string {
	if rest, ok := strings.CutPrefix(line, "{"); ok {
		return `{"jsonrpc":"2.0",` + rest
	}
	return line
}

func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	return reflect.DeepEqual(x, y)
}

// A decider is a gate that was told its answers.
type decider struct {
	mu    sync.Mutex
	lines []string
	log   *record
}

func (d *decider) decide(ctx context.Context, q gate.Request) gate.Verdict {
	d.log.request(q)
	d.mu.Lock()
	defer d.mu.Unlock()
	v := gate.Verdict{Request: q, Cause: "no-answer"}
	if len(d.lines) == 0 {
		return v
	}
	word, message, _ := strings.Cut(d.lines[0], " ")
	d.lines = d.lines[1:]
	v.Message = message
	switch word {
	case "allow":
		v.Effect, v.Cause = gate.Allow, "user-once"
	case "deny":
		v.Cause = "user-refused"
	case "cancel":
		v.Cause = "cancelled"
	case "real":
		yes := gate.ApproverFunc(func(context.Context, gate.Prompt) (gate.Answer, error) { return gate.Answer{Decision: gate.Once}, nil })
		g, err := gate.New(gate.Options{Workspace: d.log.ws, Mode: gate.Default, Approver: yes})
		if err != nil {
			v.Reason = err.Error()
			return v
		}
		return g.Decide(ctx, q)
	}
	return v
}

// An answerer is a person who was told the answers.
type answerer struct {
	mu    sync.Mutex
	lines []string
	log   *record
}

func (a *answerer) Ask(ctx context.Context, q prompts.Question) (prompts.Answer, error) {
	a.log.question(q)
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.lines) == 0 {
		return prompts.Answer{}, errors.New("no answer left")
	}
	line := a.lines[0]
	a.lines = a.lines[1:]
	if line == "decline" {
		return prompts.Answer{}, prompts.ErrDeclined
	}
	if labels, ok := strings.CutPrefix(line, "="); ok {
		list := strings.Split(labels, "|")
		return prompts.Answer{Text: strings.Join(list, ", "), Selected: list}, nil
	}
	return prompts.Answer{Text: line}, nil
}

// A record is what happened, as text.
type record struct {
	mu     sync.Mutex
	ws     string
	gate   strings.Builder
	events strings.Builder
}

func (r *record) request(q gate.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	describe(&r.gate, q)
}

func describe(b *strings.Builder, q gate.Request) {
	fmt.Fprintf(b, "%s kind=%q tier=%s", q.Tool, q.Kind, q.Declared.Tier)
	if q.Declared.Policy != "" {
		fmt.Fprintf(b, " policy=%s", q.Declared.Policy)
	}
	if q.Server != "" {
		fmt.Fprintf(b, " server=%s", q.Server)
	}
	if q.Unrevealed {
		b.WriteString(" unrevealed")
	}
	b.WriteByte('\n')
	each := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "  %s %q\n", name, value)
		}
	}
	for _, t := range q.Targets {
		each("target", t)
	}
	each("key", q.Key)
	each("title", q.Title)
	each("dir", q.Dir)
	each("detail", q.Detail)
	for _, f := range q.Fields {
		each("field", f.Label+": "+f.Value)
	}
	for _, c := range q.Diff {
		fmt.Fprintf(b, "  diff %s from=%q before=%s after=%s\n", c.Path, c.From, bytesText(c.Before), bytesText(c.After))
	}
}

func bytesText(b []byte) string {
	if b == nil {
		return "none"
	}
	return fmt.Sprintf("%q", b)
}

func (r *record) question(q prompts.Question) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(&r.events, "question %q %q %d/%d multi=%v", q.Header, q.Text, q.Position, q.Of, q.MultiSelect)
	for _, o := range q.Options {
		fmt.Fprintf(&r.events, " [%s|%s]", o.Label, o.Description)
	}
	if q.Document != "" {
		fmt.Fprintf(&r.events, " document=%q", q.Document)
	}
	r.events.WriteByte('\n')
}

func (r *record) event(e acp.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := &r.events
	switch e := e.(type) {
	case acp.CallStarted:
		fmt.Fprintf(b, "call %s %s %s %q\n", e.Call.ID, e.Call.Kind, e.Call.Status, e.Call.Title)
	case acp.CallUpdated:
		fmt.Fprintf(b, "update %s %s %s %q %q\n", e.Call.ID, e.Call.Kind, e.Call.Status, e.Call.Title, e.Call.Summary())
	case acp.Decided:
		fmt.Fprintf(b, "decided %s %s %s\n", e.CallID, e.Verdict.Effect, e.Verdict.Cause)
	case acp.ModeChanged:
		fmt.Fprintf(b, "mode %s loosens=%v of %d\n", e.Current.ID, e.Loosens, len(e.Available))
	case acp.Todos:
		fmt.Fprintf(b, "todos %v\n", e.List.Items)
	case acp.PlanReviewed:
		fmt.Fprintf(b, "plan approved=%v mode=%q feedback=%q\n", e.Result.Approved, e.Result.Mode, e.Result.Feedback)
	case acp.Commands:
		fmt.Fprintf(b, "commands %d\n", len(e.List))
	case acp.TurnEnded:
		fmt.Fprintf(b, "turn ended %s %v\n", e.Reason, e.Err)
	default:
		fmt.Fprintf(b, "%s %+v\n", strings.TrimPrefix(fmt.Sprintf("%T", e), "acp."), e)
	}
}

func (r *record) requests() string  { r.mu.Lock(); defer r.mu.Unlock(); return r.gate.String() }
func (r *record) eventText() string { r.mu.Lock(); defer r.mu.Unlock(); return r.events.String() }

func (r *record) rewrite(t *testing.T, file string, a *txtar.Archive) {
	var kept []txtar.File
	for _, f := range a.Files {
		if f.Name != "gate" && f.Name != "events" {
			kept = append(kept, f)
		}
	}
	neutral := func(s string) []byte { return []byte(strings.ReplaceAll(s, r.ws, "$WS")) }
	a.Files = append(kept, txtar.File{Name: "gate", Data: neutral(r.requests())}, txtar.File{Name: "events", Data: neutral(r.eventText())})
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}
