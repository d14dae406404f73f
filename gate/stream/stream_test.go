package stream

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// A program is the other side: it writes lines and reads answers.
type program struct {
	t       *testing.T
	in      *io.PipeWriter
	answers *bufio.Scanner
	done    chan error
	server  *Server
}

func start(t *testing.T, o Options) *program {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &program{t: t, in: inW, answers: bufio.NewScanner(outR), done: make(chan error, 1), server: New(outW, o)}
	p.answers.Buffer(nil, 1<<20)
	go func() {
		p.done <- p.server.Serve(t.Context(), inR)
		outW.Close()
	}()
	t.Cleanup(func() { inW.Close() })
	return p
}

func (p *program) write(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

type heard struct {
	Type, ID, Verdict, Cause, Refusal, Text, Error, Message string
	Result                                                  json.RawMessage
	Edited                                                  *edited
}

func (p *program) read() (h heard) {
	p.t.Helper()
	if !p.answers.Scan() {
		p.t.Fatal("no more answers")
	}
	dec := json.NewDecoder(strings.NewReader(p.answers.Text()))
	if err := dec.Decode(&h); err != nil {
		p.t.Fatalf("%s: %v", p.answers.Text(), err)
	}
	return h
}

// ends closes the program's output and waits for the end.
func (p *program) ends() error {
	p.in.Close()
	for p.answers.Scan() {
	}
	return <-p.done
}

// ask is one message and its answer.
func (p *program) ask(line string) heard {
	p.t.Helper()
	p.write(line)
	return p.read()
}

func openGate(t *testing.T, dir string, rules map[string]gate.Effect, approver gate.Approver) *gate.Gate {
	t.Helper()
	var policy gate.Policy
	for text, effect := range rules {
		if err := policy.AddRule(effect, text, gate.Source{Layer: "global"}); err != nil {
			t.Fatal(err)
		}
	}
	g, err := gate.New(gate.Options{Workspace: dir, Mode: gate.Default, Policy: policy, Approver: approver})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// BEY-01: each kind of request, and every message that is none, gets an answer
// in the wire's own form, and the rest goes on.
func TestAnswers(t *testing.T) {
	dir := t.TempDir()
	g := openGate(t, dir, map[string]gate.Effect{"shell(make)": gate.Allow, "write(*.lock)": gate.Deny, "web(example.com)": gate.Allow, "mcp(gh:read)": gate.Allow}, nil)
	p := start(t, Options{Workspace: dir, Decide: g.Decide})
	tests := []struct{ name, line, want, text string }{
		{"command", `{"type":"request","id":"1","request":{"tool":"bash","kind":"run_command","command":"make all"}}`, "allow rule-allow", ""},
		{"denied file", `{"type":"request","id":"2","request":{"tool":"edit","kind":"write_file","path":"a.lock"}}`, "deny rule-deny", "write(*.lock)"},
		{"file in a diff", `{"type":"request","id":"3","request":{"tool":"edit","kind":"write_file","diff":[{"path":"b.lock","after_b64":"eA=="}]}}`, "deny rule-deny", ""},
		{"old name of a rename", `{"type":"request","id":"4","request":{"tool":"mv","kind":"write_file","diff":[{"path":"b","from":"b.lock","after_b64":"eA=="}]}}`, "deny rule-deny", ""},
		{"host", `{"type":"request","id":"5","request":{"tool":"fetch","kind":"network","url":"https://example.com/x"}}`, "allow rule-allow", ""},
		{"mcp", `{"type":"request","id":"6","request":{"tool":"read","kind":"mcp_tool","server":"gh"}}`, "allow rule-allow", ""},
		{"a read", `{"type":"request","id":"7","request":{"tool":"look","tier":"read","path":"a"}}`, "allow mode-default", ""},
		{"an unknown tier is exec", `{"type":"request","id":"8","request":{"tool":"look","tier":"raed"}}`, "deny no-approver", ""},
		{"nobody to ask", `{"type":"request","id":"9","request":{"tool":"bash","kind":"run_command","command":"rm x"}}`, "deny no-approver", "shell(rm x)"},
		{"no command", `{"type":"request","id":"10","request":{"tool":"bash","kind":"run_command"}}`, "deny invalid", "needs command"},
		{"no request", `{"type":"request","id":"11"}`, "deny invalid", "holds no request"},
		{"no kind", `{"type":"request","id":"12","request":{"kind":"rn_command"}}`, "deny invalid", "unknown kind"},
		{"misspelt field", `{"type":"request","id":"13","request":{"tool":"bash","kind":"run_command","comand":"make"}}`, "deny invalid", "comand"},
		{"misspelt field outside", `{"type":"request","id":"14","reqest":{}}`, "deny invalid", "reqest"},
		{"no id", `{"type":"request","request":{"tool":"bash","kind":"run_command","command":"make"}}`, "deny invalid", "the id"},
		{"two values", `{"type":"todos","id":"15"} {}`, "error", "more than one"},
		{"not JSON", `make all`, "error", "invalid"},
		{"no type", `{"id":"16"}`, "error", "unknown type"},
		{"question without person", `{"type":"question","id":"17","args":{"question":"Which?"}}`, "error", ""},
		{"question with a fault", `{"type":"question","id":"18","args":{"question":"Which?","multi_select":true}}`, "error", "multi"},
		{"todos", `{"type":"todos","id":"19","args":{"items":[{"content":"a","status":"completed"}]}}`, "answer", `"done":1`},
		{"todos with a fault", `{"type":"todos","id":"20","args":{"items":[{"content":"","status":"done"}]}}`, "error", ""},
		{"plan without person", `{"type":"plan","id":"21","plan":"x"}`, "answer", "nobody can review"},
		{"empty plan", `{"type":"plan","id":"22","plan":" "}`, "error", "empty"},
	}
	for _, tt := range tests {
		h := p.ask(tt.line)
		got := h.Type
		if h.Type == "verdict" {
			got = h.Verdict + " " + h.Cause
		}
		if got != tt.want || !strings.Contains(h.Refusal+h.Error+string(h.Result), tt.text) {
			t.Errorf("%s: %s: %+v %s, want %s with %q", tt.name, got, h, h.Result, tt.want, tt.text)
		}
	}
	if err := p.ends(); err != nil {
		t.Error(err)
	}
}

// BEY-05: what a person edited comes back to the program, and is what the
// verdict is about.
func TestEditedRequests(t *testing.T) {
	dir := t.TempDir()
	edit := gate.Edit{Command: "go test ./pager"}
	person := gate.ApproverFunc(func(_ context.Context, p gate.Prompt) (gate.Answer, error) {
		if !p.Request.MayEdit() {
			return gate.Answer{Decision: gate.Once}, nil
		}
		return gate.Answer{Decision: gate.Once, Edited: &edit}, nil
	})
	g := openGate(t, dir, nil, person)
	p := start(t, Options{Workspace: dir, Decide: g.Decide})
	h := p.ask(`{"type":"request","id":"1","request":{"tool":"bash","kind":"run_command","command":"go test ./...","editable":true}}`)
	if h.Verdict != "allow" || h.Edited == nil || h.Edited.Command == nil || *h.Edited.Command != edit.Command || !strings.Contains(h.Message, edit.Command) {
		t.Errorf("%+v", h)
	}
	h = p.ask(`{"type":"request","id":"2","request":{"tool":"bash","kind":"run_command","command":"go test ./..."}}`)
	if h.Verdict != "allow" || h.Edited != nil {
		t.Errorf("not editable: %+v", h)
	}
	edit = gate.Edit{Files: map[string][]byte{"a": []byte("mine")}, LeftOut: []string{"a lines 2–3"}}
	h = p.ask(`{"type":"request","id":"3","request":{"tool":"edit","kind":"write_file","diff":[{"path":"a","after_b64":"dGhlaXJz"}],"editable":true}}`)
	if h.Edited == nil || len(h.Edited.Files) != 1 || string(h.Edited.Files[0].After) != "mine" || !strings.Contains(h.Message, "a lines 2–3") {
		t.Errorf("%+v %+v", h, h.Edited)
	}
}

// BEY-02: what a request changes is read from the disk, and read again after a
// yes; a file that changed meanwhile is shown as it is now.
func TestFilesAreReadAgain(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	put := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Error(err)
		}
	}
	put("first")
	var shown []string
	person := gate.ApproverFunc(func(_ context.Context, p gate.Prompt) (gate.Answer, error) {
		shown = append(shown, string(p.Request.Diff[0].Before))
		if len(shown) == 1 {
			put("second")
		}
		return gate.Answer{Decision: gate.Once}, nil
	})
	p := start(t, Options{Workspace: dir, Decide: openGate(t, dir, nil, person).Decide})
	line := `{"type":"request","id":"1","request":{"tool":"edit","kind":"write_file","diff":[{"path":"a","after_b64":"eA=="}]}}`
	if h := p.ask(line); h.Verdict != "allow" || strings.Join(shown, " ") != "first second" {
		t.Errorf("%+v, shown %q", h, shown)
	}
	person = func(context.Context, gate.Prompt) (gate.Answer, error) {
		put(fmt.Sprint(len(shown)))
		shown = append(shown, "")
		return gate.Answer{Decision: gate.Once}, nil
	}
	p = start(t, Options{Workspace: dir, Decide: openGate(t, dir, nil, person).Decide})
	if h := p.ask(line); h.Verdict != "deny" || len(shown) != 2+maxTries {
		t.Errorf("a file that never rests: %+v after %d", h, len(shown))
	}
	for _, odd := range []string{`"` + dir + `"`, `"a/b"`} {
		if h := p.ask(`{"type":"request","id":"2","request":{"tool":"edit","kind":"write_file","diff":[{"path":` + odd + `}]}}`); h.Verdict != "deny" || h.Cause != gate.CauseInvalid {
			t.Errorf("%s: %+v", odd, h)
		}
	}
}

// APR-30, APR-12: what waits is refused when the program withdraws it, when the
// person ends the turn, and when everything ends; each gets one answer.
func TestWaitingRequestsAreSettledOnce(t *testing.T) {
	dir := t.TempDir()
	asked := make(chan string, 10)
	person := gate.ApproverFunc(func(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
		asked <- p.Request.Targets[0]
		<-ctx.Done()
		return gate.Answer{Decision: gate.Once}, nil // too late
	})
	p := start(t, Options{Workspace: dir, Decide: openGate(t, dir, nil, person).Decide})
	request := func(id string) string {
		return `{"type":"request","id":"` + id + `","request":{"tool":"bash","kind":"run_command","command":"rm ` + id + `"}}`
	}
	p.write(request("1"))
	<-asked
	if h := p.ask(request("1")); h.Cause != gate.CauseInvalid {
		t.Errorf("the same id twice: %+v", h)
	}
	p.write(`{"type":"withdraw","id":"none"}`)
	if h := p.ask(`{"type":"withdraw","id":"1"}`); h.ID != "1" || h.Cause != gate.CauseWithdrawn {
		t.Errorf("withdrawn: %+v", h)
	}
	p.write(request("2"))
	p.write(request("3"))
	<-asked
	<-asked
	go p.server.Cancel()
	var got []string
	for range 3 {
		h := p.read()
		got = append(got, h.Type+h.Verdict)
	}
	if all := strings.Join(got, " "); strings.Count(all, "verdictdeny") != 2 || strings.Count(all, "cancel") != 1 {
		t.Errorf("cancelled: %q", got)
	}
	go p.server.Prompt("next")
	if h := p.read(); h.Type != "prompt" || h.Text != "next" {
		t.Errorf("%+v", h)
	}
}

// BEY-01: the person is asked in the order of the lines, although what came first
// takes longest to decide on; what a rule settles doesn't wait for that.
func TestAskedInTheOrderOfTheLines(t *testing.T) {
	dir := t.TempDir()
	slow := make(chan struct{})
	var asked []string
	both := make(chan struct{})
	person := gate.ApproverFunc(func(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
		gate.InLine(ctx, func() {
			if asked = append(asked, p.Request.Targets[0]); len(asked) == 4 {
				close(both)
			}
		})
		<-both
		return gate.Answer{Decision: gate.Once}, nil
	})
	decide := openGate(t, dir, map[string]gate.Effect{"shell(make)": gate.Allow}, person).Decide
	p := start(t, Options{Workspace: dir, Decide: func(ctx context.Context, r gate.Request) gate.Verdict {
		if r.Targets[0] == "rm 1" {
			<-slow
		}
		return decide(ctx, r)
	}})
	for _, id := range []string{"1", "2", "3"} {
		p.write(`{"type":"request","id":"` + id + `","request":{"tool":"bash","kind":"run_command","command":"rm ` + id + `"}}`)
	}
	if h := p.ask(`{"type":"request","id":"4","request":{"tool":"bash","kind":"run_command","command":"make"}}`); h.ID != "4" || h.Verdict != "allow" {
		t.Fatalf("what a rule allows waits: %+v", h)
	}
	p.write(`{"type":"request","id":"5","request":{"tool":"bash","kind":"run_command","command":"rm 5"}}`)
	close(slow)
	for range 4 {
		if h := p.read(); h.Verdict != "allow" {
			t.Errorf("%+v", h)
		}
	}
	if got := strings.Join(asked, ", "); got != "rm 1, rm 2, rm 3, rm 5" {
		t.Errorf("asked %s", got)
	}
}

// What still waits at the end of the program's output is answered; when nobody
// reads answers any more, everything ends.
func TestEnds(t *testing.T) {
	dir := t.TempDir()
	g := openGate(t, dir, nil, gate.ApproverFunc(func(context.Context, gate.Prompt) (gate.Answer, error) { return gate.Answer{Decision: gate.Once}, nil }))
	var out strings.Builder
	in := strings.NewReader(`{"type":"request","id":"1","request":{"tool":"bash","kind":"run_command","command":"rm x"}}`) // no newline
	if err := New(&out, Options{Workspace: dir, Decide: g.Decide}).Serve(t.Context(), in); err != nil || !strings.Contains(out.String(), `"verdict":"allow"`) {
		t.Errorf("%v, %s", err, out.String())
	}
	broken, w := io.Pipe()
	broken.CloseWithError(io.ErrClosedPipe)
	never, hold := io.Pipe()
	defer hold.Close()
	go func() { _, _ = io.WriteString(hold, `{"type":"nonsense"}`+"\n") }()
	if err := New(w, Options{}).Serve(t.Context(), never); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("nobody reads: %v", err)
	}
}

// APR-12: a program that reads no answers, and goes on, keeps nobody from ending,
// whether it has ended its requests or not.
func TestEndsWithoutAReader(t *testing.T) {
	const request = `{"type":"request","id":"1","request":{"tool":"bash","kind":"run_command","command":"rm x"}}` + "\n"
	for _, closes := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			ctx, end := context.WithCancel(t.Context())
			in, program := io.Pipe()
			unread, out := io.Pipe() // a write waits for its reader
			served := make(chan error, 1)
			go func() { served <- New(out, Options{}).Serve(ctx, in) }()
			_, _ = io.WriteString(program, request)
			if closes {
				program.Close()
			}
			synctest.Wait()
			end()
			select {
			case err := <-served:
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			case <-time.After(time.Minute):
				t.Error("it still waits for a reader")
			}
			unread.Close()
			program.Close()
		})
	}
}

// A message that a read brings when the end has come is not handled: nobody
// would hear of it.
func TestNothingBeginsAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		in, program := io.Pipe()
		decided := false
		server := New(io.Discard, Options{Decide: func(context.Context, gate.Request) gate.Verdict {
			decided = true
			return gate.Verdict{}
		}})
		served := make(chan error, 1)
		go func() { served <- server.Serve(ctx, in) }()
		synctest.Wait()
		end()
		if err := <-served; !errors.Is(err, context.Canceled) {
			t.Errorf("served: %v", err)
		}
		if _, err := io.WriteString(program, `{"type":"request","id":"1","request":{"tool":"bash","kind":"run_command","command":"rm x"}}`+"\n"); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if decided {
			t.Error("a request was decided on after the end")
		}
	})
}

// A message that is too long is passed over, and the next one is read.
func TestLongMessages(t *testing.T) {
	const most = 10_000
	lines := bufio.NewReader(strings.NewReader(strings.Repeat("x", most+1) + "\nnext\n"))
	if _, err := readLine(lines, most); !errors.Is(err, errTooLong) {
		t.Error(err)
	}
	if line, err := readLine(lines, most); string(line) != "next\n" || err != nil {
		t.Errorf("%q, %v", line, err)
	}
}

// APR-40a, APR-41: questions and plans go to the person, and what the agent
// tells to the screen.
func TestQuestionsPlansAndEvents(t *testing.T) {
	dir := t.TempDir()
	person := &answering{answers: []prompts.Answer{{Selected: []string{"a", "b"}, Text: "a, b"}, {Text: "Yes, go ahead", Selected: []string{"Yes, go ahead"}}}}
	var mu sync.Mutex
	var events []string
	p := start(t, Options{Workspace: dir, Prompter: person, Events: func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, fmt.Sprintf("%T", e))
	}})
	h := p.ask(`{"type":"question","id":"1","args":{"question":"Which?","options":["a","b"],"multi_select":true}}`)
	if string(h.Result) != `{"answer":"a, b","selected":["a","b"]}` {
		t.Errorf("%s", h.Result)
	}
	h = p.ask(`{"type":"plan","id":"2","session":"s","plan":"# Steps"}`)
	if !strings.Contains(string(h.Result), `"approved":true`) {
		t.Errorf("%s", h.Result)
	}
	p.write(`{"type":"turn","state":"started","text":"x"}`)
	p.write(`{"type":"said","text":"x"}`)
	p.write(`{"type":"turn","state":"ended"}`)
	if err := p.ends(); err != nil {
		t.Error(err)
	}
	want := "stream.PlanReviewed stream.TurnStarted stream.Said stream.TurnEnded"
	if got := strings.Join(events, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

type answering struct{ answers []prompts.Answer }

func (a *answering) Ask(context.Context, prompts.Question) (prompts.Answer, error) {
	next := a.answers[0]
	a.answers = a.answers[1:]
	return next, nil
}
