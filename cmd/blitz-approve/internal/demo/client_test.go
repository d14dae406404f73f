package demo

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/blitz-approve/blitz-approve/gate/acp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An asked is one request of the agent, as a client sees it.
type asked struct {
	n      int // from 0
	method string
	params struct {
		ToolCall struct {
			Kind, Title string
			RawInput    struct {
				Command string
				Path    string `json:"file_path"`
			}
			Content []struct {
				Type             string
				OldText, NewText string
				Content          struct{ Text string }
			}
		}
		Message string
	}
}

func (a asked) question() bool { return a.method == "elicitation/create" }

// A client is the other side of the agent: it answers with answer.
type client struct {
	t      *testing.T
	dir    string
	conn   *acp.Conn
	answer func(asked) (any, error)

	mu    sync.Mutex
	asked []asked
	said  strings.Builder
	todos []struct{ Content, Status string }
}

var (
	allow    = map[string]any{"outcome": map[string]any{"outcome": "selected", "optionId": "allow-once"}}
	reject   = map[string]any{"outcome": map[string]any{"outcome": "selected", "optionId": "reject-once"}}
	withdraw = map[string]any{"outcome": map[string]any{"outcome": "cancelled"}}
	decline  = map[string]any{"action": "decline"}
)

func allowAll(a asked) (any, error) {
	if a.question() {
		return map[string]any{"action": "accept", "content": map[string]any{"cases": []string{"zero", "partial", "full", "empty"}}}, nil
	}
	return allow, nil
}

func denyAll(a asked) (any, error) {
	if a.question() {
		return decline, nil
	}
	return reject, nil
}

func newClient(t *testing.T, pace time.Duration, answer func(asked) (any, error)) *client {
	t.Helper()
	c := &client{t: t, dir: t.TempDir(), answer: answer}
	if _, err := Prepare(c.dir); err != nil {
		t.Fatal(err)
	}
	agentIn, clientOut := io.Pipe()
	clientIn, agentOut := io.Pipe()
	c.conn = acp.NewConn(clientIn, clientOut, acp.Handler{Request: c.request, Notify: c.notify, Fault: func(err error) { t.Error(err) }})
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := Serve(context.Background(), agentIn, agentOut, c.dir, pace); err != nil {
			t.Errorf("the agent ended with %v", err)
		}
	})
	serving.Go(func() { _ = c.conn.Serve(context.Background()) })
	t.Cleanup(func() {
		_ = c.conn.Close()
		serving.Wait()
	})
	c.call("initialize", map[string]any{"protocolVersion": 1}, nil)
	c.call("session/new", map[string]any{"cwd": c.dir, "mcpServers": []any{}}, nil)
	return c
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.conn.Call(context.Background(), method, params, result); err != nil {
		c.t.Error(err)
	}
}

func (c *client) request(_ context.Context, method string, params json.RawMessage) (any, error) {
	a := asked{method: method}
	if err := json.Unmarshal(params, &a.params); err != nil {
		c.t.Error(err)
	}
	c.mu.Lock()
	a.n = len(c.asked)
	c.asked = append(c.asked, a)
	c.mu.Unlock()
	return c.answer(a)
}

func (c *client) notify(_ string, params json.RawMessage) {
	var p struct {
		Update struct {
			SessionUpdate string
			Content       json.RawMessage
			Entries       []struct{ Content, Status string }
		}
	}
	if err := json.Unmarshal(params, &p); err != nil {
		c.t.Error(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch p.Update.SessionUpdate {
	case "agent_message_chunk":
		var content struct{ Text string }
		_ = json.Unmarshal(p.Update.Content, &content)
		c.said.WriteString(content.Text)
	case "plan":
		c.todos = p.Update.Entries
	}
}

func (c *client) cancel() { _ = c.conn.Notify("session/cancel", map[string]any{"sessionId": "demo"}) }

// prompt runs one turn and returns why it ended.
func (c *client) prompt(text string) acp.StopReason {
	c.t.Helper()
	var result struct{ StopReason acp.StopReason }
	c.call("session/prompt", map[string]any{
		"sessionId": "demo", "prompt": []any{map[string]any{"type": "text", "text": text}},
	}, &result)
	return result.StopReason
}

func (c *client) words() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.said.String()
}

// files are all files of the scratch folder with what they hold.
func (c *client) files() map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(c.dir, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		c.t.Error(err)
	}
	return files
}
