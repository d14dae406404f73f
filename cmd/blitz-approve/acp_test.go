//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"
)

// A client is an editor by another implementation of the protocol, with
// the program behind it as a process.
type client struct {
	t    *testing.T
	cmd  *exec.Cmd
	conn *sdk.ClientSideConnection
	in   io.WriteCloser
	log  strings.Builder
	home string // of the gate
	shop string
	env  []string // more of it, for the agent
	// readsNot says that the editor reads no files for agents.
	readsNot bool

	dialogs chan *openDialog

	mu   sync.Mutex
	said map[sdk.SessionId]string
	did  []string
}

// An openDialog is one that waits for an answer.
type openDialog struct {
	sdk.RequestPermissionRequest
	answer chan sdk.RequestPermissionOutcome
}

// newClient starts the program in front of an agent, with settings of its own.
func newClient(t *testing.T, settings string, args ...string) *client {
	t.Helper()
	return newPlace(t, settings).again(args...)
}

// newPlace makes the folders of a client that isn't started.
func newPlace(t *testing.T, settings string) *client {
	t.Helper()
	e := &client{t: t, home: filepath.Join(t.TempDir(), "gate"), shop: filepath.Join(t.TempDir(), "shop")}
	for _, dir := range []string{e.home, e.shop} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if e.shop, err = filepath.EvalSymlinks(e.shop); err != nil {
		t.Fatal(err)
	}
	e.file(filepath.Join(e.home, "settings.toml"), settings)
	return e
}

// again starts the program anew, on the same files.
func (e *client) again(args ...string) *client {
	e.t.Helper()
	e = &client{
		t: e.t, home: e.home, shop: e.shop, env: e.env, readsNot: e.readsNot, dialogs: make(chan *openDialog), said: map[sdk.SessionId]string{},
	}
	e.cmd = exec.Command("blitz-approve", append([]string{"acp"}, args...)...)
	e.cmd.Env = append(os.Environ(), "BLITZ_HOME="+e.home, "HOME="+filepath.Dir(e.home))
	e.cmd.Env = append(e.cmd.Env, e.env...)
	e.cmd.Stderr = &e.log
	in, err := e.cmd.StdinPipe()
	if err != nil {
		e.t.Fatal(err)
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		e.t.Fatal(err)
	}
	if err := e.cmd.Start(); err != nil {
		e.t.Fatal(err)
	}
	e.in = in
	e.conn = sdk.NewClientSideConnection(e, in, out)
	e.conn.SetLogger(slog.New(slog.DiscardHandler))
	e.t.Cleanup(func() {
		_ = e.cmd.Process.Kill()
		_ = e.cmd.Wait()
		if e.t.Failed() {
			e.t.Logf("the program said\n%s", &e.log)
		}
	})
	ctx, stop := context.WithTimeout(e.t.Context(), patience)
	defer stop()
	_, err = e.conn.Initialize(ctx, sdk.InitializeRequest{ProtocolVersion: sdk.ProtocolVersionNumber, ClientCapabilities: sdk.ClientCapabilities{
		Fs: sdk.FileSystemCapabilities{ReadTextFile: !e.readsNot, WriteTextFile: true}, Terminal: true,
	}})
	if err != nil {
		e.t.Fatal(err)
	}
	return e
}

func (e *client) file(path, text string) {
	e.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
}

// session opens a session in a folder.
func (e *client) session(dir string) sdk.SessionId {
	e.t.Helper()
	s, err := e.conn.NewSession(e.t.Context(), sdk.NewSessionRequest{Cwd: dir, McpServers: []sdk.McpServer{}})
	if err != nil {
		e.t.Fatal(err)
	}
	return s.SessionId
}

// An editorTurn is a prompt that runs.
type editorTurn struct {
	e       *client
	session sdk.SessionId
	ended   chan error
	reason  sdk.StopReason
}

// prompt begins a turn in which a scripted agent takes these steps.
func (e *client) prompt(s sdk.SessionId, steps ...string) *editorTurn {
	return e.says(s, "do\n"+strings.Join(steps, "\n"))
}

func (e *client) says(s sdk.SessionId, text string) *editorTurn {
	t := &editorTurn{e: e, session: s, ended: make(chan error, 1)}
	go func() {
		r, err := e.conn.Prompt(context.Background(), sdk.PromptRequest{
			SessionId: s, Prompt: []sdk.ContentBlock{sdk.TextBlock(text)},
		})
		t.reason = r.StopReason
		t.ended <- err
	}()
	return t
}

// ends waits for the end of the turn, in which the agent has said something.
func (t *editorTurn) ends(reason sdk.StopReason, said ...string) {
	t.e.t.Helper()
	select {
	case err := <-t.ended:
		if err != nil || t.reason != reason {
			t.e.t.Fatalf("the turn ended with %s (%v)", t.reason, err)
		}
	case d := <-t.e.dialogs:
		t.e.t.Fatalf("asked: %s", *d.ToolCall.Title)
	case <-time.After(patience):
		t.e.t.Fatal("the turn doesn't end")
	}
	t.e.mu.Lock()
	defer t.e.mu.Unlock()
	got := t.e.said[t.session]
	t.e.said[t.session] = ""
	for _, text := range said {
		if !strings.Contains(got, text) {
			t.e.t.Errorf("nobody said %q:\n%s", text, got)
		}
	}
}

// asked waits for a dialog about something.
func (e *client) asked(title string) *openDialog {
	e.t.Helper()
	select {
	case d := <-e.dialogs:
		if *d.ToolCall.Title != title {
			e.t.Fatalf("asked %q, not %q", *d.ToolCall.Title, title)
		}
		return d
	case <-time.After(patience):
		e.t.Fatalf("nobody asks %q", title)
	}
	return nil
}

// with answers the dialog with the option of that name.
func (d *openDialog) with(e *client, name string) {
	e.t.Helper()
	for _, o := range d.Options {
		if o.Name == name {
			d.answer <- sdk.NewRequestPermissionOutcomeSelected(o.OptionId)
			return
		}
	}
	e.t.Fatalf("no option %q in %+v", name, d.Options)
}

func (d *openDialog) text() string {
	var all []string
	for _, c := range d.ToolCall.Content {
		if c.Content != nil && c.Content.Content.Text != nil {
			all = append(all, c.Content.Content.Text.Text)
		}
	}
	return strings.Join(all, "\n")
}

// closes ends the editor, and waits for the program.
func (e *client) closes(code int) {
	e.t.Helper()
	_ = e.in.Close()
	ended := make(chan error, 1)
	go func() { ended <- e.cmd.Wait() }()
	select {
	case <-ended:
		if got := e.cmd.ProcessState.ExitCode(); got != code {
			e.t.Errorf("exit code %d, not %d", got, code)
		}
	case <-time.After(patience):
		e.t.Fatal("the program doesn't end")
	}
}

// The editor's own end of the protocol.

func (e *client) RequestPermission(ctx context.Context, p sdk.RequestPermissionRequest) (sdk.RequestPermissionResponse, error) {
	d := &openDialog{p, make(chan sdk.RequestPermissionOutcome, 1)}
	select {
	case e.dialogs <- d:
	case <-ctx.Done():
		return sdk.RequestPermissionResponse{}, ctx.Err()
	}
	select {
	case o := <-d.answer:
		return sdk.RequestPermissionResponse{Outcome: o}, nil
	case <-ctx.Done():
		return sdk.RequestPermissionResponse{}, ctx.Err()
	}
}

func (e *client) SessionUpdate(_ context.Context, p sdk.SessionNotification) error {
	if c := p.Update.AgentMessageChunk; c != nil && c.Content.Text != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.said[p.SessionId] += c.Content.Text.Text
	}
	return nil
}

func (e *client) does(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.did = append(e.did, fmt.Sprintf(format, args...))
}

func (e *client) ReadTextFile(_ context.Context, p sdk.ReadTextFileRequest) (sdk.ReadTextFileResponse, error) {
	e.does("read %s", filepath.Base(p.Path))
	text, err := os.ReadFile(p.Path)
	return sdk.ReadTextFileResponse{Content: string(text)}, err
}

func (e *client) WriteTextFile(_ context.Context, p sdk.WriteTextFileRequest) (sdk.WriteTextFileResponse, error) {
	e.does("write %s", filepath.Base(p.Path))
	return sdk.WriteTextFileResponse{}, os.WriteFile(p.Path, []byte(p.Content), 0o600)
}

func (e *client) CreateTerminal(_ context.Context, p sdk.CreateTerminalRequest) (sdk.CreateTerminalResponse, error) {
	e.does("run %s", p.Command)
	return sdk.CreateTerminalResponse{TerminalId: "t1"}, nil
}

var errNotHere = errors.New("not in this test")

func (e *client) KillTerminal(context.Context, sdk.KillTerminalRequest) (sdk.KillTerminalResponse, error) {
	return sdk.KillTerminalResponse{}, errNotHere
}

func (e *client) TerminalOutput(context.Context, sdk.TerminalOutputRequest) (sdk.TerminalOutputResponse, error) {
	return sdk.TerminalOutputResponse{}, errNotHere
}

func (e *client) ReleaseTerminal(context.Context, sdk.ReleaseTerminalRequest) (sdk.ReleaseTerminalResponse, error) {
	return sdk.ReleaseTerminalResponse{}, errNotHere
}

func (e *client) WaitForTerminalExit(context.Context, sdk.WaitForTerminalExitRequest) (sdk.WaitForTerminalExitResponse, error) {
	return sdk.WaitForTerminalExitResponse{}, errNotHere
}

func (e *client) HandleExtensionMethod(_ context.Context, method string, params json.RawMessage) (any, error) {
	return fields{"method": method, "params": params}, nil
}

func (e *client) UnstableCreateElicitation(_ context.Context, p sdk.UnstableCreateElicitationRequest) (sdk.UnstableCreateElicitationResponse, error) {
	return sdk.UnstableCreateElicitationResponse{Accept: &sdk.UnstableCreateElicitationAccept{
		Action: "accept", Content: fields{"name": "an answer to " + p.Form.Message},
	}}, nil
}

func (e *client) UnstableCompleteElicitation(context.Context, sdk.UnstableCompleteElicitationNotification) error {
	return errNotHere
}

func (e *client) UnstableConnectMcp(context.Context, sdk.UnstableConnectMcpRequest) (sdk.UnstableConnectMcpResponse, error) {
	return sdk.UnstableConnectMcpResponse{}, errNotHere
}

func (e *client) UnstableDisconnectMcp(context.Context, sdk.UnstableDisconnectMcpRequest) (sdk.UnstableDisconnectMcpResponse, error) {
	return sdk.UnstableDisconnectMcpResponse{}, errNotHere
}

// TAM-24: rules answer without a card; the rest is the editor's to answer, in
// its own dialog, and what is to last is kept by the gate.
func TestEditorIsAsked_TAM24(t *testing.T) {
	e := newClient(t, "[permissions]\nallow = [\"shell(touch free)\"]\ndeny = [\"shell(sudo)\"]\n[blitz]\npermission_mode = \"default\"\n", "--", "fake-agent")
	s := e.session(e.shop)
	e.prompt(s, "run:touch free", "run:sudo id").ends("end_turn", "Request 1 was done.", "Request 2 was refused.", "a rule denies it", "settings.toml:3")

	turn := e.prompt(s, "run:touch one", "run:touch two", "run:touch two", "run:touch three")
	d := e.asked("Run `touch one`")
	if !strings.Contains(d.text(), "```sh\ntouch one\n```") || !strings.Contains(d.text(), "The agent calls it: `harmless, really`") {
		t.Errorf("the dialog says\n%s", d.text())
	}
	d.with(e, "Approve once")
	e.asked("Run `touch two`").with(e, "Approve for this session: this exact command in this workspace")
	e.asked("Run `touch three`").with(e, "Deny") // two was remembered
	turn.ends("end_turn", "Request 3 was done.", "Request 4 was done.", "Request 5 was done.", "Request 6 was refused.")

	turn = e.prompt(s, "run:touch four", "run:touch four")
	e.asked("Run `touch four`").with(e, "Always approve in this workspace: shell(/touch four/)")
	turn.ends("end_turn", "Request 7 was done.", "Request 8 was done.")

	// A critical command offers nothing that lasts.
	turn = e.prompt(s, "run:rm -rf /")
	d = e.asked("Run `rm -rf /`")
	for _, o := range d.Options {
		if o.Kind == sdk.PermissionOptionKindAllowAlways {
			t.Errorf("a critical command offers %q", o.Name)
		}
	}
	d.with(e, "Deny and cancel the turn")
	turn.ends("cancelled")

	for name, there := range map[string]bool{"free": true, "one": true, "two": true, "three": false, "four": true} {
		if _, err := os.Stat(filepath.Join(e.shop, name)); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
	e.closes(0)

	// The rule is saved: it holds in the next start, and why tells of it.
	next := e.again("--", "fake-agent")
	next.prompt(next.session(e.shop), "run:touch four").ends("end_turn", "Request 1 was done.")
	next.closes(0)
	why := exec.Command("blitz-approve", "why", "last")
	why.Env = e.cmd.Env
	if out, err := why.Output(); err != nil || !strings.Contains(string(out), "shell(/touch four/)") {
		t.Errorf("why says %s (%v)", out, err)
	}
}

// TAM-24: each session is decided on by the settings of its own folder, also
// while another one waits, and what is approved in one isn't in the other.
func TestEditorSessions_TAM24(t *testing.T) {
	e := newClient(t, "[blitz]\npermission_mode = \"default\"\n", "--", "fake-agent")
	other := filepath.Join(filepath.Dir(e.shop), "other")
	if err := os.MkdirAll(filepath.Join(other, ".blitz"), 0o700); err != nil {
		t.Fatal(err)
	}
	e.file(filepath.Join(other, ".blitz", "settings.toml"), "[permissions]\ndeny = [\"shell(touch)\"]\nallow = [\"shell(make)\"]\n")
	one, two := e.session(e.shop), e.session(other)
	first := e.prompt(one, "run:touch here", "run:touch here")
	waits := e.asked("Run `touch here`")
	second := e.prompt(two, "run:touch there")
	second.ends("end_turn", "Request 1 was refused.", "other/.blitz/settings.toml: what it loosens is not in force until you trust it", "other/.blitz/settings.toml:2")
	second = e.prompt(two, "run:date >x")
	asked := e.asked("Run `date >x`")
	waits.with(e, "Approve for this session: this exact command in this workspace")
	first.ends("end_turn", "Request 1 was done.", "Request 2 was done.")
	asked.with(e, "Deny")
	second.ends("end_turn", "Request 2 was refused.")

	// APR-30: a turn that is cancelled at a dialog runs nothing.
	first = e.prompt(one, "run:touch late", "run:touch later")
	e.asked("Run `touch late`")
	if err := e.conn.Cancel(t.Context(), sdk.CancelNotification{SessionId: one}); err != nil {
		t.Fatal(err)
	}
	first.ends("cancelled")
	if _, err := os.Stat(filepath.Join(e.shop, "late")); err == nil {
		t.Error("a cancelled command ran")
	}
	e.closes(0)
}

// TAM-24: what an agent has the editor do is decided on too, and questions and
// methods that nobody here knows pass.
func TestEditorActs_TAM24(t *testing.T) {
	e := newClient(t, "[permissions]\nallow = [\"write(free.txt)\", \"shell(make)\"]\ndeny = [\"read(.env)\", \"shell(sudo)\"]\n[blitz]\npermission_mode = \"default\"\n", "--", "fake-agent")
	s := e.session(e.shop)
	e.file(filepath.Join(e.shop, "a.txt"), "old")
	e.prompt(s, "fs:free.txt:hi", "get:a.txt", "term:make", "form:Who?", "ext").ends("end_turn",
		`fs/read_text_file answered {"content":"old"}`, `terminal/create answered {"terminalId":"t1"}`, `"name":"an answer to Who?"`, `_fake/thing answered {"method":"_fake/thing"`)
	e.prompt(s, "get:.env", "term:sudo id").ends("end_turn", "may not be read", "could not: terminal/create: execute (sudo id) was refused: a rule denies it")
	turn := e.prompt(s, "fs:a.txt:new", "term:make; date", "fs:b.txt:new")
	d := e.asked("Change `a.txt`")
	if c := d.ToolCall.Content[0].Diff; c == nil || c.OldText == nil || *c.OldText != "old" || c.NewText != "new" {
		t.Errorf("no diff: %+v", d.ToolCall.Content[0])
	}
	d.with(e, "Approve once")
	e.asked("Run `make; date`").with(e, "Deny")
	e.asked("Change `b.txt`").with(e, "Approve for this session: file edits in the workspace")
	turn.ends("end_turn", "the user declined execute (make; date)")
	e.prompt(s, "fs:c.txt:new").ends("end_turn")
	if got := strings.Join(e.did, ", "); got != "write free.txt, read a.txt, run make, write a.txt, write b.txt, write c.txt" {
		t.Error("the editor did", got)
	}
	e.closes(0)
}

// An editor that goes refuses what waits; an agent that dies ends the program,
// which says what it said last.
func TestEditorAndAgentEnd(t *testing.T) {
	e := newClient(t, "", "--approval-mode", "default", "--", "fake-agent")
	turn := e.prompt(e.session(e.shop), "run:touch x")
	e.asked("Run `touch x`")
	e.closes(0)
	<-turn.ended
	if _, err := os.Stat(filepath.Join(e.shop, "x")); err == nil {
		t.Error("it was allowed by the end of the editor")
	}
	e = e.again("--approval-mode", "default", "--", "fake-agent")
	turn = e.prompt(e.session(e.shop), "leave:touch x")
	select {
	case d := <-e.dialogs:
		if *d.ToolCall.Title != "Run `touch x`" {
			t.Error(*d.ToolCall.Title)
		}
	case err := <-turn.ended:
		t.Log("it left before the dialog:", err)
	}
	_ = e.cmd.Wait()
	if code := e.cmd.ProcessState.ExitCode(); code != exitRefused || !strings.Contains(e.log.String(), "the agent ended: exit status 9") {
		t.Errorf("exit code %d: %s", code, &e.log)
	}
}

// BEY-01: with --desk the person is at the desk, also for questions, and what
// they say with a refusal reaches the agent in the same turn of the editor.
func TestEditorWithDesk_BEY01(t *testing.T) {
	e := newPlace(t, "[blitz]\npermission_mode = \"default\"\n")
	d := &office{t: t, home: e.home, work: e.shop}
	term := d.inbox()
	e = e.again("--desk", "--", "fake-agent", "heard:note")
	s := e.session(e.shop)
	d.sees(term, "1 agent")
	turn := e.prompt(s, "run:touch x", "run:touch y", "form:Who?")
	d.sees(term, "touch x", "fake-agent asks")
	d.answers(term, "y")
	d.sees(term, "touch y")
	d.answers(term, "\tuse z instead")
	d.typed(term, "why › use z instead")
	d.sees(term, "Who?")
	d.sends(term, "the tester")
	d.typed(term, "▸ the tester")
	turn.ends("end_turn", "Request 1 was done.", "Request 2 was refused.", `"name":"the tester"`)
	note, err := os.ReadFile(filepath.Join(e.shop, "note"))
	if err != nil || !strings.Contains(string(note), "use z instead") {
		t.Errorf("the agent heard %s (%v)", note, err)
	}
	e.closes(0)
	d.ends(term)
	e = e.again("--desk", "--", "fake-agent")
	if _, err := e.conn.NewSession(t.Context(), sdk.NewSessionRequest{Cwd: e.shop, McpServers: []sdk.McpServer{}}); err == nil || !strings.Contains(err.Error(), "no desk is open") {
		t.Error("a session without a desk:", err)
	}
}

// TAM-24: the settings are those of every other command: flags go over
// overlays, these over the project's, and those over the user's own. Yolo asks
// nobody, and a deny holds in it.
func TestEditorSettings_TAM24(t *testing.T) {
	e := newPlace(t, "[permissions]\ndeny = [\"shell(sudo)\"]\n[blitz]\npermission_mode = \"default\"\n")
	overlay := filepath.Join(e.home, "overlay.toml")
	e.file(overlay, "[blitz]\npermission_mode = \"yolo\"\n")
	steps := []string{"run:touch x", "run:sudo id"}
	for _, flags := range [][]string{{"--yolo"}, {"--auto-approve"}, {"--approval-mode", "yolo"}, {"--config", overlay}} {
		e = e.again(append(flags, "--", "fake-agent")...)
		e.prompt(e.session(e.shop), steps...).ends("end_turn", "Request 1 was done.", "Request 2 was refused.")
		e.closes(0)
	}
	// TAM-23: how long a grant lasts is a choice of its own.
	e = e.again("--config", overlay, "--approval-mode", "always-ask-cached", "--", "fake-agent")
	s := e.session(e.shop)
	turn := e.prompt(s, "write:a.txt:1", "write:b.txt:1", "write:a.txt:2")
	d := e.asked("Change `a.txt`")
	var names []string
	for _, o := range d.Options {
		names = append(names, strings.ReplaceAll(o.Name, e.shop, "SHOP"))
	}
	want := "Approve once, Approve for this session: SHOP/a.txt to read and change, Always approve: SHOP/a.txt to read and change, " +
		"Approve for this session: files directly in SHOP to read and change, Always approve: files directly in SHOP to read and change, Deny, Deny and cancel the turn"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("the choices are\n%s\nwant\n%s", got, want)
	}
	d.with(e, "Always approve: "+filepath.Join(e.shop, "a.txt")+" to read and change")
	e.asked("Change `b.txt`").with(e, "Deny")
	turn.ends("end_turn", "Request 1 was done.", "Request 2 was refused.", "Request 3 was done.")
	e.closes(0)
	e = e.again("--approval-mode", "always-ask-cached", "--", "fake-agent")
	e.prompt(e.session(e.shop), "write:a.txt:3").ends("end_turn", "Request 1 was done.")
	e.closes(0)
}

// typed waits until what was typed can be sent, and sends it.
func (d *office) typed(term *terminal, text string) {
	d.t.Helper()
	err := term.until(text, func(screen string) bool { return strings.Contains(screen, text) && !strings.Contains(screen, "◌") })
	if err != nil {
		d.t.Fatal(err)
	}
	d.sends(term, "\r")
}
