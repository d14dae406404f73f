package acp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/prompts"
)

const (
	hello   = `{"id":1,"result":{"protocolVersion":1}}`
	session = `{"id":2,"result":{"sessionId":"s1"}}`
	options = `[{"optionId":"yes","kind":"allow_once"},{"optionId":"no","kind":"reject_once"}]`
)

// ask is a permission request for a command.
func ask(id, call, command string) string {
	return fmt.Sprintf(`{"id":%s,"method":"session/request_permission","params":{"sessionId":"s1",`+
		`"toolCall":{"toolCallId":%q,"kind":"execute","rawInput":{"command":%q}},"options":%s}}`, id, call, command, options)
}

// open starts a host with a peer that has a session.
func open(t testing.TB, o acp.Options) (*acp.Host, *peer) {
	t.Helper()
	p := newPeer(t)
	if o.Workspace == "" {
		o.Workspace = t.TempDir()
	}
	h := acp.NewHost(p.r, p.w, o)
	t.Cleanup(func() { h.Close() })
	go func() {
		for _, line := range []string{hello, session} {
			if _, err := p.in.ReadString('\n'); err == nil {
				p.send(line)
			}
		}
	}()
	if _, err := h.Initialize(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h, p
}

func (p *peer) send(line string) { _, _ = io.WriteString(p.out, withVersion(line)+"\n") }

// expect reads the host's next message.
func (p *peer) expect(t *testing.T, want string) {
	t.Helper()
	got, err := p.in.ReadString('\n')
	if err != nil || !sameJSON(got, withVersion(want)) {
		t.Fatalf("the host sent %s (%v)\nwant %s", got, err, want)
	}
}

// prompt starts a turn and takes the request for it.
func prompt(t *testing.T, h *acp.Host, p *peer) chan error {
	t.Helper()
	ended := make(chan error, 1)
	go func() {
		_, err := h.Prompt(context.WithoutCancel(t.Context()), "go")
		ended <- err
	}()
	if line, err := p.in.ReadString('\n'); err != nil || !strings.Contains(line, "session/prompt") {
		t.Fatal(line, err)
	}
	return ended
}

// blocked is a gate that waits for a person until the request is withdrawn.
type blocked struct{ started chan gate.Request }

func newBlocked() blocked { return blocked{make(chan gate.Request, 100)} }

func (b blocked) decide(ctx context.Context, q gate.Request) gate.Verdict {
	b.started <- q
	<-ctx.Done()
	return gate.Verdict{Effect: gate.Allow, Cause: "too-late"} // a gate that is wrong
}

const (
	answeredYes  = `{"id":%s,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`
	answeredNo   = `{"id":%s,"result":{"outcome":{"outcome":"selected","optionId":"no"}}}`
	answeredNone = `{"id":%s,"result":{"outcome":{"outcome":"cancelled"}}}`
)

// TestCancelWithdraws: cancelling tells the agent, answers everything that
// waits as cancelled, and nothing that comes too late allows (APR-30).
func TestCancelWithdraws(t *testing.T) {
	b := newBlocked()
	h, p := open(t, acp.Options{Decide: b.decide})
	ended := prompt(t, h, p)
	p.send(ask("0", "c1", "make"))
	p.send(ask(`"x"`, "c2", "ls"))
	<-b.started
	<-b.started
	h.Cancel()
	h.Cancel()
	p.expect(t, `{"method":"session/cancel","params":{"sessionId":"s1"}}`)
	first, _ := p.in.ReadString('\n')
	second, _ := p.in.ReadString('\n')
	for _, id := range []string{"0", `"x"`} {
		want := withVersion(fmt.Sprintf(answeredNone, id))
		if !sameJSON(first, want) && !sameJSON(second, want) {
			t.Errorf("no %s in\n%s%s", want, first, second)
		}
	}
	p.send(ask("7", "c3", "pwd")) // while the turn ends
	p.expect(t, fmt.Sprintf(answeredNone, "7"))
	p.send(`{"id":3,"result":{"stopReason":"cancelled"}}`)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestPromptContext: a caller that gives up cancels the turn and does not
// wait for an agent that never answers (APR-30).
func TestPromptContext(t *testing.T) {
	h, p := open(t, acp.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { _, err := h.Prompt(ctx, "go"); ended <- err }()
	_, _ = p.in.ReadString('\n')
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p.expect(t, `{"method":"session/cancel","params":{"sessionId":"s1"}}`)
	if _, err := h.Prompt(ctx, "again"); !errors.Is(err, context.Canceled) {
		t.Error("a second turn:", err)
	}
}

// TestDeathDuringRequest: an agent that dies while a person is asked fails the
// turn, withdraws the question and allows nothing.
func TestDeathDuringRequest(t *testing.T) {
	b := newBlocked()
	decided := make(chan gate.Verdict, 1)
	h, p := open(t, acp.Options{Decide: b.decide, Events: func(e acp.Event) {
		if d, ok := e.(acp.Decided); ok {
			decided <- d.Verdict
		}
	}})
	ended := prompt(t, h, p)
	p.send(ask("0", "c1", "make"))
	<-b.started
	p.out.Close()
	if err := <-ended; !errors.Is(err, acp.ErrClosed) {
		t.Error(err)
	}
	if v := <-decided; v.Allowed() {
		t.Error("allowed for an agent that is gone")
	}
	<-h.Done()
	if _, err := h.Prompt(t.Context(), "more"); !errors.Is(err, acp.ErrClosed) {
		t.Error(err)
	}
}

// waiting is a person who never answers.
type waiting struct{ shown chan prompts.Question }

func (w waiting) Ask(ctx context.Context, q prompts.Question) (prompts.Answer, error) {
	w.shown <- q
	<-ctx.Done()
	return prompts.Answer{Text: "Yes, go ahead"}, nil // a screen that is wrong
}

// TestCancelWithdrawsQuestions: forms and plan reviews are answered as
// cancelled too (APR-30, APR-40, APR-41).
func TestCancelWithdrawsQuestions(t *testing.T) {
	w := waiting{make(chan prompts.Question, 10)}
	h, p := open(t, acp.Options{Prompter: w})
	ended := prompt(t, h, p)
	for _, c := range []struct{ request, answer string }{
		{`{"id":0,"method":"elicitation/create","params":{"mode":"form","sessionId":"s1","message":"x","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`,
			`{"id":0,"result":{"action":"cancel"}}`},
		{`{"id":1,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"p","kind":"switch_mode","rawInput":{"plan":"# P"}},"options":` + options + `}}`,
			fmt.Sprintf(answeredNone, "1")},
		{`{"id":2,"method":"cursor/create_plan","params":{"toolCallId":"p","plan":"# P"}}`,
			`{"id":2,"result":{"outcome":{"outcome":"cancelled"}}}`},
		{`{"id":3,"method":"cursor/ask_question","params":{"toolCallId":"p","questions":[{"id":"q","prompt":"Which?","options":[{"id":"a","label":"A"}]}]}}`,
			`{"id":3,"result":{"outcome":{"outcome":"cancelled"}}}`},
	} {
		p.send(c.request)
		<-w.shown
		h.Cancel()
		if !strings.Contains(c.answer, `"id":0`) { // the turn that the first cancel ended is over
			p.expect(t, c.answer)
			continue
		}
		p.expect(t, `{"method":"session/cancel","params":{"sessionId":"s1"}}`)
		p.expect(t, c.answer)
		p.send(`{"id":3,"result":{"stopReason":"cancelled"}}`)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// TestAgentTakesRequestBack: $/cancel_request withdraws one question and
// leaves the turn alone.
func TestAgentTakesRequestBack(t *testing.T) {
	b := newBlocked()
	h, p := open(t, acp.Options{Decide: b.decide})
	ended := prompt(t, h, p)
	p.send(ask("0", "c1", "make"))
	<-b.started
	p.send(`{"method":"$/cancel_request","params":{"requestId":0}}`)
	p.expect(t, fmt.Sprintf(answeredNone, "0"))
	p.send(`{"id":3,"result":{"stopReason":"end_turn"}}`)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestTurnEndWithdraws: a request that outlives its turn is not left on the
// screen.
func TestTurnEndWithdraws(t *testing.T) {
	b := newBlocked()
	h, p := open(t, acp.Options{Decide: b.decide})
	ended := prompt(t, h, p)
	p.send(ask("0", "c1", "make"))
	<-b.started
	p.send(`{"id":3,"result":{"stopReason":"end_turn"}}`)
	p.expect(t, fmt.Sprintf(answeredNone, "0"))
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestDuplicateIDs: an id that is used twice at once allows neither request,
// since nobody could say which one an answer is for.
func TestDuplicateIDs(t *testing.T) {
	b := newBlocked()
	h, p := open(t, acp.Options{Decide: b.decide})
	ended := prompt(t, h, p)
	p.send(ask("0", "c1", "ls"))
	<-b.started
	p.send(ask("0", "c2", "rm -rf /"))
	const refused = `{"id":0,"error":{"code":-32600,"message":"the id is already in use"}}`
	p.expect(t, refused)
	p.expect(t, refused)
	p.send(`{"id":3,"result":{"stopReason":"end_turn"}}`)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestNonsense: lines that are no messages are answered where the protocol
// has an answer, are told to the screen, and the connection goes on.
func TestNonsense(t *testing.T) {
	var notices atomic.Int32
	h, p := open(t, acp.Options{Decide: allowAll, Events: func(e acp.Event) {
		if n, ok := e.(acp.Notice); ok && n.Severity == acp.Warning {
			notices.Add(1)
		}
	}})
	ended := prompt(t, h, p)
	parse := `{"id":null,"error":{"code":-32700,"message":"not JSON"}}`
	raw := func(s string) { _, _ = io.WriteString(p.out, s+"\n") }
	raw("Loading model…")
	p.expect(t, parse)
	raw("")
	raw("{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":\"\xff\"}")
	p.expect(t, parse)
	raw(`[]`)
	p.expect(t, `{"id":null,"error":{"code":-32600,"message":"not a JSON-RPC message"}}`)
	raw(`{"jsonrpc":"1.0","id":1,"method":"x"}`)
	p.expect(t, `{"id":null,"error":{"code":-32600,"message":"jsonrpc is not 2.0"}}`)
	raw(`{"jsonrpc":"2.0","id":{},"method":"x"}`)
	p.expect(t, `{"id":null,"error":{"code":-32600,"message":"the id is no number, string or null"}}`)
	p.send(`{"id":77,"result":{}}`) // an answer to nothing
	p.send(`{"id":3}`)              // neither
	p.expect(t, `{"id":null,"error":{"code":-32600,"message":"neither a request nor an answer"}}`)
	p.send(`{"method":"session/update","params":7}`)
	p.send(`{"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":7,"content":"x"}}}`)
	p.send(`{"method":"unknown/thing"}`)
	p.send(`{"id":null,"method":"terminal/create","params":{}}`)
	p.expect(t, `{"id":null,"error":{"code":-32601,"message":"terminal/create is not offered"}}`)
	p.send(`{"id":5,"method":"session/request_permission","params":[]}`)
	if line, _ := p.in.ReadString('\n'); !strings.Contains(line, "-32602") {
		t.Error(line)
	}
	p.send(ask("0", "c1", "make"))
	p.expect(t, fmt.Sprintf(answeredYes, "0"))
	p.send(`{"id":3,"result":{"stopReason":"end_turn"}}`)
	p.send(`{"id":3,"result":{"stopReason":"end_turn"}}`) // twice
	if err := <-ended; err != nil {
		t.Error(err)
	}
	h.Close()
	if n := notices.Load(); n < 7 {
		t.Errorf("only %d notices", n)
	}
}

func allowAll(context.Context, gate.Request) gate.Verdict {
	return gate.Verdict{Effect: gate.Allow, Cause: "rule-allow"}
}

// TestFlood: updates without end neither hold up a person's answer nor get
// out of order.
func TestFlood(t *testing.T) {
	answer := make(chan struct{})
	seen := 0
	h, p := open(t, acp.Options{
		Decide: func(context.Context, gate.Request) gate.Verdict {
			<-answer
			return gate.Verdict{Effect: gate.Allow}
		},
		Events: func(e acp.Event) {
			if c, ok := e.(acp.AgentChunk); ok {
				if c.Text != fmt.Sprint(seen) {
					t.Errorf("chunk %q at %d", c.Text, seen)
				}
				seen++
			}
		},
	})
	ended := prompt(t, h, p)
	p.send(ask("0", "c1", "make"))
	const n = 5000
	for i := range n {
		p.send(fmt.Sprintf(`{"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%d"}}}}`, i))
		if i == n/2 {
			close(answer)
			p.expect(t, fmt.Sprintf(answeredYes, "0"))
		}
	}
	p.send(`{"id":3,"result":{"stopReason":"end_turn"}}`)
	if err := <-ended; err != nil || seen != n {
		t.Error(seen, err)
	}
}

// TestChangedMeanwhile: what was approved must be what runs: when the file or
// the agent's account changes while a person reads, the gate decides again,
// and after three changes it is refused (BEY-02).
func TestChangedMeanwhile(t *testing.T) {
	ws := t.TempDir()
	file := ws + "/a.txt"
	writeFile(t, file, "0\n")
	var seen []string
	changes := 1
	h, p := open(t, acp.Options{Workspace: ws, Decide: func(_ context.Context, q gate.Request) gate.Verdict {
		seen = append(seen, string(q.Diff[0].Before))
		if len(seen) <= changes {
			writeFile(t, file, fmt.Sprintf("%d\n", len(seen)))
		}
		return gate.Verdict{Effect: gate.Allow}
	}})
	ended := prompt(t, h, p)
	edit := func(id string) {
		p.send(`{"id":` + id + `,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c` + id +
			`","kind":"edit","content":[{"type":"diff","path":"` + file + `","newText":"new\n"}]},"options":` + options + `}}`)
	}
	edit("1")
	p.expect(t, fmt.Sprintf(answeredYes, "1"))
	if got := strings.Join(seen, ""); got != "0\n1\n" {
		t.Errorf("the gate saw %q", got)
	}
	changes = 100
	edit("2")
	p.expect(t, fmt.Sprintf(answeredNo, "2"))
	p.send(`{"id":3,"result":{"stopReason":"end_turn"}}`)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestLoginCommand: of a known agent the command is named with which one logs in,
// whether it wants that for a session or for a turn.
func TestLoginCommand(t *testing.T) {
	for _, preset := range acp.Presets() {
		p := newPeer(t)
		h := acp.NewHost(p.r, p.w, acp.Options{Workspace: "/", Preset: preset})
		defer h.Close()
		go func() {
			_, _ = p.in.ReadString('\n')
			p.send(`{"id":1,"error":{"code":-32000,"message":"Authentication required"}}`)
		}()
		err := h.NewSession(t.Context())
		if preset.Login == "" || !errors.Is(err, acp.ErrLogin) || !strings.Contains(err.Error(), "Authentication required; run "+preset.Login+" in a terminal") {
			t.Errorf("%s: %v", preset.Name, err)
		}
	}
	h, p := open(t, acp.Options{Preset: acp.Preset{Login: "x login"}})
	ended := prompt(t, h, p)
	p.send(`{"id":3,"error":{"code":-32000,"message":"expired"}}`)
	if err := <-ended; !errors.Is(err, acp.ErrLogin) || !strings.Contains(err.Error(), "expired; run x login in a terminal") {
		t.Error(err)
	}
}

// TestNoGate: a host without a gate, and one with a prompter but no gate,
// refuse.
func TestNoGate(t *testing.T) {
	h, p := open(t, acp.Options{})
	ended := prompt(t, h, p)
	p.send(ask("0", "c1", "make"))
	p.expect(t, fmt.Sprintf(answeredNo, "0"))
	p.send(`{"id":1,"method":"elicitation/create","params":{"mode":"form","sessionId":"s1","message":"x","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`)
	p.expect(t, `{"id":1,"result":{"action":"decline"}}`)
	p.send(`{"id":2,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"p","kind":"switch_mode","rawInput":{"plan":"# P"}},"options":` + options + `}}`)
	p.expect(t, fmt.Sprintf(answeredNo, "2"))
	p.send(`{"id":3,"error":{"code":-32603,"message":"model is down"}}`)
	var rpc *acp.RPCError
	if err := <-ended; !errors.As(err, &rpc) || rpc.Message != "model is down" {
		t.Error(err)
	}
}

// TestGreetings: another version, a missing login and a missing session id
// are told apart.
func TestGreetings(t *testing.T) {
	p := newPeer(t)
	h := acp.NewHost(p.r, p.w, acp.Options{Workspace: "/"})
	defer h.Close()
	if _, err := h.Prompt(t.Context(), "x"); !errors.Is(err, acp.ErrNoSession) {
		t.Error(err)
	}
	reply := func(line string) {
		go func() { _, _ = p.in.ReadString('\n'); p.send(line) }()
	}
	reply(`{"id":1,"result":{"protocolVersion":2}}`)
	if _, err := h.Initialize(t.Context()); !errors.Is(err, acp.ErrVersion) {
		t.Error(err)
	}
	reply(`{"id":2,"result":{"protocolVersion":1,"authMethods":[{"id":"a","name":"Log in with X"}]}}`)
	if _, err := h.Initialize(t.Context()); err != nil {
		t.Error(err)
	}
	reply(`{"id":3,"error":{"code":-32000,"message":"Authentication required"}}`)
	if err := h.NewSession(t.Context()); !errors.Is(err, acp.ErrLogin) || !strings.Contains(err.Error(), "own program (Log in with X), then start") {
		t.Error(err)
	}
	reply(`{"id":4,"result":{}}`)
	if err := h.NewSession(t.Context()); err == nil {
		t.Error("a session without an id")
	}
}

// inOrder is a person who notes what comes before them, and answers nothing.
type inOrder struct{ asked chan string }

func (o inOrder) Ask(ctx context.Context, q prompts.Question) (prompts.Answer, error) {
	gate.InLine(ctx, func() { o.asked <- q.Text })
	<-ctx.Done()
	return prompts.Answer{}, ctx.Err()
}

// TestAskedInTheOrderOfTheWire_BEY01: what the agent asks comes before the person
// in the order in which it came, although the first takes longest to decide on.
func TestAskedInTheOrderOfTheWire_BEY01(t *testing.T) {
	const n = 30
	person := inOrder{make(chan string, n)}
	last := make(chan struct{})
	h, p := open(t, acp.Options{Prompter: person, Decide: func(ctx context.Context, _ gate.Request) gate.Verdict {
		<-last
		gate.InLine(ctx, func() { person.asked <- "make" })
		return gate.Verdict{}
	}})
	ended := prompt(t, h, p)
	p.send(ask("0", "c", "make"))
	want := []string{"make"}
	for i := 1; i < n; i++ {
		text := fmt.Sprint("question ", i)
		want = append(want, text)
		p.send(fmt.Sprintf(`{"id":%d,"method":"elicitation/create","params":{"mode":"form","sessionId":"s1","message":%q,`+
			`"requestedSchema":{"type":"object","properties":{"a":{"type":"string","description":%[2]q}},"required":["a"]}}}`, i, text))
	}
	close(last)
	for i := range want {
		if got := <-person.asked; got != want[i] {
			t.Errorf("%d. is %q, want %q", i+1, got, want[i])
		}
	}
	h.Close()
	if err := <-ended; !errors.Is(err, context.Canceled) && !errors.Is(err, acp.ErrClosed) {
		t.Error(err)
	}
}
