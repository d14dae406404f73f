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
