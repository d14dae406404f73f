package acp_test

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

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// An end is the editor or the agent of a proxy, line by line.
type end struct {
	t    *testing.T
	name string
	in   *bufio.Reader
	out  io.WriteCloser
}

func (e *end) send(line string) {
	e.t.Helper()
	if _, err := io.WriteString(e.out, line+"\n"); err != nil {
		e.t.Fatalf("%s: %v", e.name, err)
	}
}

// next is the next line that comes, without its break.
func (e *end) next() string {
	e.t.Helper()
	line, err := e.in.ReadString('\n')
	if err != nil {
		e.t.Fatalf("%s: %v", e.name, err)
	}
	return strings.TrimSuffix(line, "\n")
}

func (e *end) expect(want string) {
	e.t.Helper()
	if got := e.next(); got != want {
		e.t.Fatalf("%s got\n%s\nwant\n%s", e.name, got, want)
	}
}

// A between is a proxy with both its ends.
type between struct {
	t             *testing.T
	editor, agent *end
	dir           string
	served        chan error
	proxy         *acp.Proxy

	mu     sync.Mutex
	told   []string
	opened int
	ended  int
	gate   *gate.Gate // of the last session
}

// between starts a proxy whose sessions are decided on by a gate with a policy.
func newBetween(t *testing.T, o acp.ProxyOptions, policy gate.Policy, mode gate.Mode) *between {
	t.Helper()
	b := &between{t: t, dir: t.TempDir(), served: make(chan error, 1)}
	ends := func(name string) (*end, io.Reader, io.WriteCloser) {
		fromProxy, toEnd := io.Pipe()
		toProxy, fromEnd := io.Pipe()
		t.Cleanup(func() { toEnd.Close(); fromEnd.Close(); fromProxy.Close(); toProxy.Close() })
		return &end{t, name, bufio.NewReader(fromProxy), fromEnd}, toProxy, toEnd
	}
	editor, fromEditor, toEditor := ends("the editor")
	agent, fromAgent, toAgent := ends("the agent")
	b.editor, b.agent = editor, agent
	o.Tell = func(text string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.told = append(b.told, text)
	}
	if o.Open == nil {
		o.Open = func(dir string, editor *acp.Editor) (acp.Options, func(), error) {
			g, err := gate.New(gate.Options{Workspace: dir, Home: t.TempDir(), Policy: policy, Mode: mode, Approver: editor})
			b.mu.Lock()
			defer b.mu.Unlock()
			b.opened++
			b.gate = g
			return acp.Options{Workspace: dir, Decide: g.Decide, Check: g.Check, Prompter: editor}, func() { b.ended++ }, err
		}
	}
	b.proxy = acp.NewProxy(fromEditor, toEditor, fromAgent, toAgent, o)
	ctx, stop := context.WithCancel(context.Background())
	go func() { b.served <- b.proxy.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		toEditor.Close()
		toAgent.Close()
		<-b.served
	})
	return b
}

// over waits for the end of the proxy.
func (b *between) over() error {
	err := <-b.served
	b.served <- nil
	return err
}

// session opens a session of that name.
func (b *between) session(name string) {
	b.t.Helper()
	ask := fmt.Sprintf(`{"jsonrpc":"2.0","id":"open-%s","method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`, name, b.dir)
	b.editor.send(ask)
	b.agent.expect(ask)
	answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":"open-%s","result":{"sessionId":%q}}`, name, name)
	b.agent.send(answer)
	b.editor.expect(answer)
}

// inTurn starts a proxy by whose gate no rule decides, with session s1 in a turn.
func inTurn(t *testing.T) *between {
	t.Helper()
	b := newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Default)
	b.session("s1")
	b.prompt("s1")
	return b
}

// prompt begins a turn.
func (b *between) prompt(session string) {
	b.t.Helper()
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":"turn-%s","method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"go"}]}}`, session, session)
	b.editor.send(line)
	b.agent.expect(line)
}

func askFor(id, session, command string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"session/request_permission","params":{"sessionId":%q,`+
		`"toolCall":{"toolCallId":"c%s","title":"harmless","kind":"execute","rawInput":{"command":%q}},`+
		`"options":[{"optionId":"always","name":"Always","kind":"allow_always"},{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]}}`,
		id, session, strings.Trim(id, `"`), command)
}

func selectedBy(id, option string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":%q}}}`, id, option)
}

// A dialog is what the editor is asked.
type dialog struct {
	ID     json.RawMessage
	Method string
	Params struct {
		SessionID string
		ToolCall  struct {
			ToolCallID, Title, Kind string
			Content                 []struct {
				Type, Path string
				OldText    *string
				NewText    string
				Content    struct{ Text string }
			}
		}
		Options []struct{ OptionID, Name, Kind string }
	}
}

// dialog reads the request that the proxy makes of the editor.
func (b *between) dialog() (d dialog) {
	b.t.Helper()
	line := b.editor.next()
	if err := json.Unmarshal([]byte(line), &d); err != nil || d.Method != "session/request_permission" {
		b.t.Fatalf("the editor got no dialog: %s (%v)", line, err)
	}
	return d
}

func (d *dialog) text() string {
	var all []string
	for _, c := range d.Params.ToolCall.Content {
		all = append(all, c.Content.Text)
	}
	return strings.Join(all, "\n")
}

func (d *dialog) option(b *between, name string) string {
	b.t.Helper()
	for _, o := range d.Params.Options {
		if strings.HasPrefix(o.Name, name) {
			return o.OptionID
		}
	}
	b.t.Fatalf("no option %q in %v", name, d.Params.Options)
	return ""
}

// choose answers the dialog.
func (b *between) choose(d dialog, name string) {
	b.t.Helper()
	b.editor.send(selectedBy(string(d.ID), d.option(b, name)))
}

func rules(t *testing.T, effect gate.Effect, texts ...string) (list []gate.Rule) {
	t.Helper()
	for _, text := range texts {
		r, err := gate.ParseRule(effect, text, gate.Source{Layer: "global", File: "settings.toml", Line: 3})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// TAM-24: rules answer without a card, the rest is put before the editor with
// what will run, and the agent gets a yes for once whatever was chosen.
func TestProxyDecides_TAM24(t *testing.T) {
	policy := gate.Policy{Rules: append(rules(t, gate.Allow, "shell(make)"), rules(t, gate.Deny, "shell(sudo)")...)}
	b := newBetween(t, acp.ProxyOptions{Agent: "agent"}, policy, gate.Default)
	b.session("s1")
	b.prompt("s1")

	b.agent.send(askFor("0", "s1", "make all"))
	b.agent.expect(selectedBy("0", "yes"))

	b.agent.send(askFor("1", "s1", "sudo id"))
	if said := b.editor.next(); !strings.Contains(said, "a rule denies it") || !strings.Contains(said, "settings.toml:3") {
		t.Error("the editor isn't told why:", said)
	}
	b.agent.expect(selectedBy("1", "no"))

	b.agent.send(askFor("2", "s1", "touch x"))
	d := b.dialog()
	if d.Params.ToolCall.Title != "Run `touch x`" || d.Params.ToolCall.ToolCallID != "c2" || !strings.Contains(d.text(), "```sh\ntouch x\n```") {
		t.Errorf("the dialog isn't about what will run: %+v", d.Params.ToolCall)
	}
	if !strings.Contains(d.text(), "The agent calls it: `harmless`") || !strings.Contains(d.text(), "Asked because: no rule matches, and mode default asks") {
		t.Error("details are missing:", d.text())
	}
	b.choose(d, "Deny")
	b.agent.expect(selectedBy("2", "no"))

	b.agent.send(askFor("3", "s1", "touch x"))
	b.choose(b.dialog(), "Approve for this session")
	b.agent.expect(selectedBy("3", "yes"))
	b.agent.send(askFor(`"four"`, "s1", "touch x"))
	b.agent.expect(selectedBy(`"four"`, "yes")) // remembered
}

// Everything but what needs leave passes byte for byte, in order, with
// methods, fields and spellings that nobody here knows.
func TestProxyPassesUnchanged(t *testing.T) {
	b := newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Default)
	b.session("s1")
	fromEditor := []string{
		`{ "id" : 0, "jsonrpc":"2.0","method":"_zed/thing","params":{"a":1.0,"a":2,"\u00e9":"\u0041"},"extra":[null] }`,
		`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"unknown","_meta":{"x":1e3}}}`,
		`{"jsonrpc":"2.0","id":"a","method":"session/set_mode","params":{"sessionId":"s1","modeId":"m","_meta":{}}}`,
		`{"jsonrpc":"2.0","id":"b","method":"session/list","params":{"cwd":"/x"}}` + "\r",
		`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"b"}}`,
	}
	fromAgent := []string{
		`{"jsonrpc":"2.0","id":0,"result":{"z":1,"a":{"b":[]}},"more":1}`,
		`{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"no","data":{"x":1}}}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"later","x":0.10},"sessionId":"s1"}}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"other","update":{"sessionUpdate":"plan","entries":[]}}}`,
		`{"jsonrpc":"2.0","id":0,"method":"_agent/ask","params":[1,2]}`,
		`{"jsonrpc":"2.0","id":1,"method":"terminal/output","params":{"sessionId":"s1","terminalId":"t"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"sessionId":"s1","mode":"form","message":"?","requestedSchema":{"type":"object"}}}`,
	}
	for _, line := range fromEditor {
		b.editor.send(line)
		b.agent.expect(line)
	}
	for _, line := range fromAgent {
		b.agent.send(line)
		b.editor.expect(line)
	}
	for _, answer := range []string{
		`{"jsonrpc":"2.0","id":2,"result":{"action":"accept","content":{"q":"yes"}},"_meta":1}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"none"}}`,
		`{"result":{"ok":true},"id":0,"jsonrpc":"2.0"}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}`,
	} {
		b.editor.send(answer)
		b.agent.expect(answer)
	}
}

// What could be read as another message than the one that was looked at is
// never passed on, and neither is an answer to what the gate decides.
func TestProxyRefusesTwoReadings(t *testing.T) {
	b := inTurn(t)
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":9,"method":"session/update","method":"session/request_permission","params":{}}`,
		`{"jsonrpc":"2.0","id":9,"method":"session/update","Method":"session/request_permission","params":{}}`,
		`[{"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{}}]`,
		`{"jsonrpc":"2.0","id":9,"method":7}`,
		`not JSON`,
	} {
		b.agent.send(line)
		if got := b.agent.next(); !strings.Contains(got, `"id":null,"error"`) {
			t.Errorf("%s got %s", line, got)
		}
	}
	// Without an id nobody would hear whether it may be done.
	b.agent.send(`{"jsonrpc":"2.0","method":"fs/write_text_file","params":{"sessionId":"s1","path":"/x","content":""}}`)
	path := filepath.Join(b.dir, "x")
	b.agent.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":9,"method":"fs/write_text_file","params":{"sessionId":"s1","path":%q,"content":"","Path":"/etc/x"}}`, path))
	if got := b.agent.next(); !strings.Contains(got, `"id":9,"error"`) || !strings.Contains(got, "two ways") {
		t.Error("two paths:", got)
	}
	b.agent.send(askFor("5", "s1", "touch x"))
	d := b.dialog()
	b.editor.send(selectedBy("5", "yes")) // not the editor's to answer
	b.editor.send(selectedBy(`"`+strings.Trim(string(d.ID), `"`)+`x"`, d.option(b, "Approve once")))
	b.choose(d, "Deny")
	b.agent.expect(selectedBy("5", "no"))
}

// Whatever is wrong with an answer is a refusal (TAM-24).
func TestProxyFailsClosed_TAM24(t *testing.T) {
	for name, answer := range map[string]string{
		"unknown option": `"result":{"outcome":{"outcome":"selected","optionId":"yes"}}`,
		"no option":      `"result":{"outcome":{"outcome":"selected"}}`,
		"other outcome":  `"result":{"outcome":{"outcome":"allowed","optionId":"blitz-approve-0"}}`,
		"nothing":        `"result":null`,
		"unsupported":    `"error":{"code":-32601,"message":"no such method"}`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Default)
			b.session("s1")
			b.prompt("s1")
			b.agent.send(askFor("0", "s1", "touch x"))
			d := b.dialog()
			b.editor.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, d.ID, answer))
			b.editor.next() // is told
			b.agent.expect(selectedBy("0", "no"))
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		b := newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Default)
		b.session("s1")
		b.prompt("s1")
		b.agent.send(askFor("0", "s1", "touch x"))
		b.editor.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"cancelled"}}}`, b.dialog().ID))
		b.agent.expect(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`)
		b.agent.expect(`{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"cancelled"}}}`)
	})
	t.Run("no session", func(t *testing.T) {
		b := newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Yolo)
		b.agent.send(askFor("0", "s1", "touch x"))
		if got := b.agent.next(); !strings.Contains(got, `"id":0,"error"`) {
			t.Error(got)
		}
		b.agent.send(`{"jsonrpc":"2.0","id":1,"method":"terminal/create","params":{"sessionId":"s1","command":"id"}}`)
		if got := b.agent.next(); !strings.Contains(got, `"id":1,"error"`) {
			t.Error(got)
		}
	})
	t.Run("no gate", func(t *testing.T) {
		b := newBetween(t, acp.ProxyOptions{Open: func(string, *acp.Editor) (acp.Options, func(), error) {
			return acp.Options{}, nil, errors.New("approvals.json is broken")
		}}, gate.Policy{}, gate.Yolo)
		b.editor.send(`{"jsonrpc":"2.0","id":0,"method":"session/new","params":{"cwd":"/x","mcpServers":[]}}`)
		if got := b.editor.next(); !strings.Contains(got, `"id":0,"error"`) || !strings.Contains(got, "approvals.json is broken") {
			t.Error(got)
		}
	})
	t.Run("one id for two", func(t *testing.T) {
		b := newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Default)
		b.session("s1")
		b.prompt("s1")
		b.agent.send(askFor("0", "s1", "touch x"))
		d := b.dialog()
		b.agent.send(`{"jsonrpc":"2.0","id":0,"method":"_agent/ask","params":{}}`)
		for range 2 {
			if got := b.agent.next(); !strings.Contains(got, `"id":0,"error"`) {
				t.Error(got)
			}
		}
		if got := b.editor.next(); !strings.Contains(got, "$/cancel_request") {
			t.Error(got)
		}
		b.choose(d, "Approve once") // too late
		b.agent.send(`{"jsonrpc":"2.0","id":1,"method":"_agent/ask","params":{}}`)
		b.editor.next()
	})
}

// APR-30: when the editor cancels the turn the agent hears of it first, and
// then that what waits is cancelled, not refused.
func TestProxyCancels_APR30(t *testing.T) {
	b := newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Default)
	b.session("s1")
	b.session("s2")
	b.prompt("s1")
	b.prompt("s2")
	b.agent.send(askFor("0", "s1", "touch x"))
	first := b.dialog()
	b.agent.send(askFor("1", "s2", "touch y"))
	second := b.dialog()
	const cancel = `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`
	b.editor.send(cancel)
	b.agent.expect(cancel)
	b.agent.expect(`{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"cancelled"}}}`)
	if got := b.editor.next(); !strings.Contains(got, `"$/cancel_request","params":{"requestId":`+string(first.ID)) {
		t.Error("the dialog stays:", got)
	}
	b.editor.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"cancelled"}}}`, first.ID))
	// What the agent asks until its turn has ended is cancelled as well.
	b.agent.send(askFor("2", "s1", "touch z"))
	b.agent.expect(`{"jsonrpc":"2.0","id":2,"result":{"outcome":{"outcome":"cancelled"}}}`)
	// The other session waits on.
	b.choose(second, "Approve once")
	b.agent.expect(selectedBy("1", "yes"))
	const ended = `{"jsonrpc":"2.0","id":"turn-s1","result":{"stopReason":"cancelled"}}`
	b.agent.send(ended)
	b.editor.expect(ended)
	b.prompt("s1")
	b.agent.send(askFor("3", "s1", "touch z"))
	b.choose(b.dialog(), "Approve once")
	b.agent.expect(selectedBy("3", "yes"))
}

// The agent may take a request back.
func TestProxyWithdraws(t *testing.T) {
	b := inTurn(t)
	b.agent.send(askFor("0", "s1", "touch x"))
	d := b.dialog()
	b.agent.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":0}}`)
	if got := b.agent.next(); got != `{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"cancelled"}}}` {
		t.Error(got)
	}
	if got := b.editor.next(); !strings.Contains(got, string(d.ID)) {
		t.Error("the dialog stays:", got)
	}
}

// What is approved for a session holds in that session and in no other.
func TestProxySessionsApart(t *testing.T) {
	b := newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Default)
	b.session("s1")
	b.session("s2")
	b.prompt("s1")
	b.prompt("s2")
	b.agent.send(askFor("0", "s1", "touch x"))
	b.choose(b.dialog(), "Approve for this session")
	b.agent.expect(selectedBy("0", "yes"))
	b.agent.send(askFor("1", "s2", "touch x"))
	d := b.dialog()
	if d.Params.SessionID != "s2" {
		t.Error("asked in", d.Params.SessionID)
	}
	b.agent.send(askFor("2", "s1", "touch x"))
	b.agent.expect(selectedBy("2", "yes"))
	b.choose(d, "Deny")
	b.agent.expect(selectedBy("1", "no"))
}

// Who is left hears of the end of the other, and nothing is allowed by it.
func TestProxyEnds(t *testing.T) {
	t.Run("editor", func(t *testing.T) {
		b := newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Default)
		b.session("s1")
		b.prompt("s1")
		b.agent.send(askFor("0", "s1", "touch x"))
		b.dialog()
		b.editor.out.Close()
		go io.Copy(io.Discard, b.editor.in)
		if got := b.agent.next(); strings.Contains(got, "yes") {
			t.Error("allowed by the end of the editor:", got)
		}
		if err := b.over(); err != nil {
			t.Error(err)
		}
		if b.ended != 1 {
			t.Error("the gate isn't ended")
		}
	})
	t.Run("agent", func(t *testing.T) {
		b := newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Default)
		b.session("s1")
		b.prompt("s1")
		const last = `{"jsonrpc":"2.0","id":"turn-s1","error":{"code":-32603,"message":"I die"}}`
		b.agent.send(last)
		b.agent.out.Close()
		b.editor.expect(last) // what it said last arrives
		if err := b.over(); !errors.Is(err, acp.ErrAgentGone) {
			t.Error(err)
		}
	})
}

// An editor that doesn't read ends the proxy: nothing is lost in silence.
func TestProxyStalls(t *testing.T) {
	b := newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Default)
	acp.LimitUnread(b.proxy, 4<<10)
	go func() {
		line := `{"jsonrpc":"2.0","method":"_flood","params":"` + strings.Repeat("x", 1000) + `"}` + "\n"
		for range 20 {
			if _, err := io.WriteString(b.agent.out, line); err != nil {
				return
			}
		}
	}()
	if err := b.over(); !errors.Is(err, acp.ErrPeerStalled) {
		t.Error(err)
	}
}

// What the agent has the editor do is decided on like its own actions, and a
// refusal says why. What it was allowed to do before isn't asked again, unless
// the file is another one by then (BEY-02).
func TestProxyGuardsClientCalls_TAM24(t *testing.T) {
	policy := gate.Policy{Rules: append(rules(t, gate.Allow, "write(free.txt)", "shell(make)"), rules(t, gate.Deny, "read(.env)", "shell(sudo)")...)}
	b := newBetween(t, acp.ProxyOptions{}, policy, gate.Default)
	b.session("s1")
	b.prompt("s1")
	write := func(id, name, text string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"fs/write_text_file","params":{"sessionId":"s1","path":%q,"content":%q,"_meta":{"k":1}}}`,
			id, filepath.Join(b.dir, name), text)
	}
	run := func(id, rest string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"terminal/create","params":{"sessionId":"s1",%s,"outputByteLimit":9}}`, id, rest)
	}
	passes := func(line, answer string) {
		t.Helper()
		b.agent.send(line)
		b.editor.expect(line)
		b.editor.send(answer)
		b.agent.expect(answer)
	}
	refused := func(line, why string) {
		t.Helper()
		b.agent.send(line)
		b.editor.next() // is told
		if got := b.agent.next(); !strings.Contains(got, `"error"`) || !strings.Contains(got, why) {
			t.Errorf("%s got %s", line, got)
		}
	}
	passes(write("0", "free.txt", "x"), `{"jsonrpc":"2.0","id":0,"result":null}`)
	passes(run("1", `"command":"make","args":["all"]`), `{"jsonrpc":"2.0","id":1,"result":{"terminalId":"t"}}`)
	refused(run("2", `"command":"sudo","args":["id"]`), "a rule denies it")
	refused(fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":"fs/read_text_file","params":{"sessionId":"s1","path":%q}}`, filepath.Join(b.dir, ".env")), "may not be read")
	passes(fmt.Sprintf(`{"jsonrpc":"2.0","id":4,"method":"fs/read_text_file","params":{"sessionId":"s1","path":%q,"limit":3}}`, filepath.Join(b.dir, "a")),
		`{"jsonrpc":"2.0","id":4,"result":{"content":"a"}}`)

	for _, asked := range []string{
		write("5", "other.txt", "x"), run("5", `"command":"make","env":[{"name":"MAKEFLAGS","value":"-f x"}]`),
		run("5", `"command":"make all; touch","args":["x"]`), run("5", `"command":"make","shell":"other"`),
		`{"jsonrpc":"2.0","id":5,"method":"fs/delete","params":{"sessionId":"s1","path":"/x"}}`,
	} {
		b.agent.send(asked)
		d := b.dialog()
		b.choose(d, "Deny")
		if got := b.editor.next(); !strings.Contains(got, `"tool_call_update"`) || !strings.Contains(got, d.Params.ToolCall.ToolCallID) || !strings.Contains(got, "failed") {
			t.Error("the card stays open:", got)
		}
		if got := b.agent.next(); !strings.Contains(got, "the user declined") {
			t.Errorf("%s got %s", asked, got)
		}
	}

	// Asked once, then written by the editor.
	edit := func(id, text string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"e%s","kind":"edit",`+
			`"content":[{"type":"diff","path":%q,"oldText":"","newText":%q}]},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}`,
			id, id, filepath.Join(b.dir, "new.txt"), text)
	}
	approve := func(id, text string) {
		t.Helper()
		b.agent.send(edit(id, text))
		b.choose(b.dialog(), "Approve once")
		b.agent.expect(selectedBy(id, "yes"))
	}
	approve("6", "hello")
	passes(write("7", "new.txt", "hello"), `{"jsonrpc":"2.0","id":7,"result":{}}`)
	approve("8", "hello")
	b.agent.send(write("9", "new.txt", "hello!"))
	b.choose(b.dialog(), "Deny")
	b.editor.next()
	b.agent.next()
	if err := os.WriteFile(filepath.Join(b.dir, "new.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.agent.send(write("9", "new.txt", "hello"))
	if d := b.dialog(); *d.Params.ToolCall.Content[0].OldText != "mine" {
		t.Error("the diff isn't against the file")
	}
}

// An agent that starts in a mode in which it asks nobody is put into the one
// in which it does, before a turn begins. One that can't be gets no turn.
func TestProxyMakesTheAgentAsk(t *testing.T) {
	preset, _ := acp.PresetFor("gemini")
	const (
		open  = `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`
		modes = `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s1","modes":{"currentModeId":"yolo","availableModes":[{"id":"yolo","name":"YOLO"},{"id":"default","name":"Default"}]}}}`
		turn  = `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}}`
		stop  = `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`
	)
	begin := func(t *testing.T) (b *between, id string) {
		b = newBetween(t, acp.ProxyOptions{Preset: preset}, gate.Policy{}, gate.Default)
		b.editor.send(open)
		b.agent.expect(open)
		b.agent.send(modes)
		b.editor.expect(modes)
		if said := b.editor.next(); !strings.Contains(said, "never reach the gate") {
			t.Error("no warning:", said)
		}
		set := b.agent.next()
		var ask struct{ ID json.RawMessage }
		if err := json.Unmarshal([]byte(set), &ask); err != nil || !strings.HasSuffix(set, `"method":"session/set_mode","params":{"sessionId":"s1","modeId":"default"}}`) {
			t.Fatal(set, err)
		}
		b.editor.send(turn) // has to wait
		b.editor.send(stop)
		return b, string(ask.ID)
	}
	t.Run("is put into it", func(t *testing.T) {
		b, id := begin(t)
		b.agent.send(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
		b.editor.expect(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"current_mode_update","currentModeId":"default"}}}`)
		b.agent.expect(turn)
		b.agent.expect(stop)
	})
	t.Run("refuses", func(t *testing.T) {
		b, id := begin(t)
		b.agent.send(`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32603,"message":"locked"}}`)
		if got := b.editor.next(); !strings.Contains(got, `"id":2,"error"`) || !strings.Contains(got, "locked") {
			t.Error(got)
		}
		b.agent.expect(stop)
	})
	t.Run("later", func(t *testing.T) {
		b, id := begin(t)
		b.agent.send(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
		b.editor.next()
		b.agent.next()
		b.agent.next()
		const set = `{"jsonrpc":"2.0","id":3,"method":"session/set_mode","params":{"sessionId":"s1","modeId":"yolo"}}`
		const done = `{"jsonrpc":"2.0","id":3,"result":{}}`
		b.editor.send(set)
		b.agent.expect(set) // the person's own word
		b.agent.send(done)
		said := []string{b.editor.next(), b.editor.next()}
		if !strings.Contains(strings.Join(said, "\n"), "never reach the gate") {
			t.Error("no warning:", said)
		}
	})
}

// A session that is loaded again tells of its past before it is open, and is
// decided on by a gate of its own.
func TestProxyLoadsSessions(t *testing.T) {
	b := inTurn(t)
	b.agent.send(askFor("0", "s1", "touch x"))
	b.choose(b.dialog(), "Approve for this session")
	b.agent.expect(selectedBy("0", "yes"))
	load := fmt.Sprintf(`{"jsonrpc":"2.0","id":9,"method":"session/load","params":{"sessionId":"s1","cwd":%q,"mcpServers":[]}}`, b.dir)
	b.editor.send(load)
	b.agent.expect(load)
	const told = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c1","kind":"execute","rawInput":{"command":"touch x"}}}}`
	b.agent.send(told)
	b.editor.expect(told)
	b.agent.send(`{"jsonrpc":"2.0","id":9,"result":{}}`)
	b.editor.expect(`{"jsonrpc":"2.0","id":9,"result":{}}`)
	b.prompt("s1")
	// The request repeats nothing, and what was approved before is forgotten.
	b.agent.send(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c1"},"options":[{"optionId":"yes","name":"Y","kind":"allow_once"}]}}`)
	d := b.dialog()
	if d.Params.ToolCall.Title != "Run `touch x`" {
		t.Error(d.Params.ToolCall.Title)
	}
	b.choose(d, "Deny")
	b.agent.expect(`{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"cancelled"}}}`) // it offers no way to refuse
	if b.opened != 2 || b.ended != 1 {
		t.Error(b.opened, b.ended)
	}
}

// What a person says to a decision reaches the agent within the turn of the
// editor: the protocol has no place for it in the answer (APR-30).
func TestProxySendsNotes_APR30(t *testing.T) {
	b := newBetween(t, acp.ProxyOptions{Open: func(dir string, _ *acp.Editor) (acp.Options, func(), error) {
		return acp.Options{Workspace: dir, Decide: func(_ context.Context, q gate.Request) gate.Verdict {
			return gate.Verdict{Cause: gate.CauseUserRefused, Message: "not like this", Request: q}
		}}, nil, nil
	}}, gate.Policy{}, gate.Default)
	b.session("s1")
	b.prompt("s1")
	b.agent.send(askFor("0", "s1", "touch x"))
	b.agent.expect(selectedBy("0", "no"))
	b.agent.send(`{"jsonrpc":"2.0","id":"turn-s1","result":{"stopReason":"end_turn"}}`)
	b.editor.expect(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"content":{"type":"text","text":"not like this"},"sessionUpdate":"user_message_chunk"}}}`)
	note := b.agent.next()
	var ask struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(note), &ask); err != nil || !strings.HasSuffix(note, `"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"not like this"}]}}`) {
		t.Fatal(note, err)
	}
	b.agent.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"max_tokens"}}`, ask.ID))
	b.editor.expect(`{"jsonrpc":"2.0","id":"turn-s1","result":{"stopReason":"max_tokens"}}`)
}

// APR-41, TAM-23: a plan is reviewed in the editor's dialog, and no option of
// the agent by which it would stop asking is ever taken.
func TestProxyReviewsPlans_APR41(t *testing.T) {
	b := inTurn(t)
	plan := func(id string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"p","kind":"switch_mode","title":"Ready?",`+
			`"rawInput":{"plan":"# Do it"}},"options":[{"optionId":"edits","name":"All","kind":"allow_always"},{"optionId":"go","name":"Go","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]}}`, id)
	}
	b.agent.send(plan("0"))
	d := b.dialog()
	if !strings.Contains(d.text(), "# Do it") {
		t.Error(d.text())
	}
	b.choose(d, "No, plan further")
	b.agent.expect(selectedBy("0", "no"))
	b.agent.send(plan("1"))
	b.choose(b.dialog(), "Yes, and don't ask about its file edits")
	b.agent.expect(selectedBy("1", "go"))
}

// TAM-24, BEY-03: details are the gate's, and nothing in them acts as markdown
// or hides.
func TestProxyShowsTheTruth_TAM24(t *testing.T) {
	b := inTurn(t)
	show := func(call string) (dialog, string) {
		b.agent.send(`{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s1","_meta":{"mine":1},"toolCall":` + call +
			`,"options":[{"optionId":"no","name":"No","kind":"reject_once"}]}}`)
		line := b.editor.next()
		var d dialog
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		b.choose(d, "Deny")
		b.agent.expect(selectedBy("0", "no"))
		return d, line
	}
	d, line := show("{\"toolCallId\":\"c\",\"kind\":\"execute\",\"title\":\"ok` **safe**\",\"extra\":{\"x\":1},\"rawInput\":{\"command\":\"echo '```' \u202e\\n# Approved\"}}")
	if text := d.text(); !strings.Contains(text, "````sh\necho '```' \\u202e\n# Approved\n````") || !strings.Contains(text, "The agent calls it: ``ok` **safe**``") {
		t.Error(text)
	}
	if !strings.Contains(line, `"_meta":{"mine":1}`) || !strings.Contains(line, `"extra":{"x":1}`) || strings.Contains(line, `"title":"ok`) {
		t.Error("other members:", line)
	}
	d, _ = show(`{"toolCallId":"c","kind":"execute","title":"rm -rf ~"}`)
	if d.Params.ToolCall.Title != "Run a command that the agent doesn't tell" || len(d.Params.Options) != 3 {
		t.Errorf("%+v", d.Params)
	}
	d, line = show(`{"toolCallId":"c","kind":"other","title":"mcp__a\n\nb__c","rawInput":{"x":1}}`)
	if !strings.Contains(d.text(), "- Touches: `a⏎⏎b:c`") || strings.Contains(fmt.Sprint(d.Params.Options), "\n") || len(d.Params.Options) < 4 {
		t.Errorf("%+v\n%s", d.Params, line)
	}
	file := filepath.Join(b.dir, "a.txt")
	if err := os.WriteFile(file, []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, _ = show(fmt.Sprintf(`{"toolCallId":"c","kind":"edit","content":[{"type":"diff","path":%q,"oldText":"two","newText":"2\u200b"}]}`, file))
	diff := d.Params.ToolCall.Content[0]
	if diff.Path != file || *diff.OldText != "one\ntwo\n" || diff.NewText != "one\n2\u200b\n" || !strings.Contains(d.text(), "Characters that can't be seen: 1 in `a.txt`") {
		t.Errorf("%+v\n%s", diff, d.text())
	}
	d, _ = show(fmt.Sprintf(`{"toolCallId":"c","kind":"delete","locations":[{"path":%q}]}`, file))
	if d.Params.ToolCall.Title != "Delete `a.txt`" || d.Params.ToolCall.Kind != "delete" {
		t.Errorf("%+v", d.Params.ToolCall)
	}
}

// TAM-24: what must be asked each time offers nothing that lasts, and an edit
// that deletes asks for its deletions by themselves.
func TestProxyOffers_TAM24(t *testing.T) {
	b := newBetween(t, acp.ProxyOptions{}, gate.Policy{Rules: rules(t, gate.Ask, "shell(git push)")}, gate.Default)
	b.session("s1")
	b.prompt("s1")
	for _, command := range []string{"git push", "rm -rf /"} {
		b.agent.send(askFor("0", "s1", command))
		d := b.dialog()
		for _, o := range d.Params.Options {
			if o.Kind == "allow_always" {
				t.Errorf("%s offers %q", command, o.Name)
			}
		}
		b.choose(d, "Deny")
		b.agent.expect(selectedBy("0", "no"))
	}
	edit := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"e","kind":"edit","content":[`+
		`{"type":"diff","path":%q,"oldText":null,"newText":"new"},{"type":"diff","path":%q,"oldText":"old","newText":"","_meta":{"kind":"delete"}}]},`+
		`"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]}}`,
		filepath.Join(b.dir, "new.txt"), filepath.Join(b.dir, "old.txt"))
	if err := os.WriteFile(filepath.Join(b.dir, "old.txt"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // approving edits for the session says nothing of deletions
		b.agent.send(edit)
		d := b.dialog()
		if d.Params.ToolCall.Title == "Change `new.txt`" {
			b.choose(d, "Approve for this session: file edits in the workspace")
			d = b.dialog()
		}
		if d.Params.ToolCall.Title != "Delete `old.txt`" || d.Params.ToolCall.Kind != "delete" {
			t.Error(d.Params.ToolCall.Title)
		}
		b.choose(d, "Deny")
		b.agent.expect(selectedBy("1", "no"))
	}
}

// BEY-02: what is about to be allowed must still be what was shown.
func TestProxyAsksAgain_BEY02(t *testing.T) {
	b := inTurn(t)
	file := filepath.Join(b.dir, "a.txt")
	b.agent.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"fs/write_text_file","params":{"sessionId":"s1","path":%q,"content":"new"}}`, file))
	d := b.dialog()
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.choose(d, "Approve once")
	if said := b.editor.next(); !strings.Contains(said, "changed while it waited") {
		t.Error(said)
	}
	d = b.dialog()
	if old := d.Params.ToolCall.Content[0].OldText; old == nil || *old != "mine" {
		t.Error("the second dialog shows", old)
	}
	b.choose(d, "Deny")
	b.editor.next()
	if got := b.agent.next(); !strings.Contains(got, `"error"`) {
		t.Error(got)
	}
}

// Leave that wasn't used ends with its turn, and a command that editors read in
// two ways is asked about even where nothing else is.
func TestProxyLeaveEnds(t *testing.T) {
	b := inTurn(t)
	const run = `{"jsonrpc":"2.0","id":1,"method":"terminal/create","params":{"sessionId":"s1","command":"touch","args":["x"]}}`
	b.agent.send(askFor("0", "s1", "touch x"))
	b.choose(b.dialog(), "Approve once")
	b.agent.expect(selectedBy("0", "yes"))
	const ended = `{"jsonrpc":"2.0","id":"turn-s1","result":{"stopReason":"end_turn"}}`
	b.agent.send(ended)
	b.editor.expect(ended)
	b.prompt("s1")
	b.agent.send(run)
	b.choose(b.dialog(), "Deny")
	b.editor.next()
	b.agent.next()

	// What the agent has done by itself it has no leave to do again.
	b.agent.send(askFor("0", "s1", "touch x"))
	b.choose(b.dialog(), "Approve once")
	b.agent.expect(selectedBy("0", "yes"))
	const done = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call_update","toolCallId":"c0","status":"completed"}}}`
	b.agent.send(done)
	b.editor.expect(done)
	b.agent.send(run)
	b.choose(b.dialog(), "Deny")
	b.editor.next()
	b.agent.next()

	b = newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Yolo)
	b.session("s1")
	b.prompt("s1")
	b.agent.send(run)
	b.editor.expect(run)
	b.agent.send(`{"jsonrpc":"2.0","id":2,"method":"terminal/create","params":{"sessionId":"s1","command":"touch y","args":["x"]}}`)
	if d := b.dialog(); !strings.Contains(d.text(), "as a line for a shell") {
		t.Error(d.text())
	}
}

// APR-15: a rule that is added after a yes still denies what the agent then has
// the editor do.
func TestProxyLeaveIsNoneAgainstARule_APR15(t *testing.T) {
	b := inTurn(t)
	b.agent.send(askFor("0", "s1", "touch x"))
	b.choose(b.dialog(), "Approve once")
	b.agent.expect(selectedBy("0", "yes"))
	if err := b.gate.AddRule(gate.Deny, "shell(touch)"); err != nil {
		t.Fatal(err)
	}
	b.agent.send(`{"jsonrpc":"2.0","id":1,"method":"terminal/create","params":{"sessionId":"s1","command":"touch","args":["x"]}}`)
	if got := b.agent.next(); !strings.Contains(got, `"error"`) || !strings.Contains(got, "shell(touch)") {
		t.Error(got)
	}
}
