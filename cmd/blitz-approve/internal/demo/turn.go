package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// A turn is the agent's work on one prompt. When it is cancelled nothing more
// is said, asked or done; its methods then return at once.
type turn struct {
	*agent
	ctx    context.Context
	cancel context.CancelFunc
	root   *os.Root
	first  bool     // nothing was shown yet
	before []string // what the turn before was not allowed to do
	// planless says that the plan was refused in the turn before.
	planless bool
}

func (t *turn) end() {
	t.cancel()
	_ = t.root.Close()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.agent.cancel = nil
}

// pause lets a person follow; false when the turn was cancelled.
func (t *turn) pause() bool {
	if t.pace > 0 {
		timer := time.NewTimer(t.pace)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-t.ctx.Done():
		}
	}
	return t.ctx.Err() == nil
}

func (t *turn) update(kind string, o object) {
	o["sessionUpdate"] = kind
	_ = t.conn.Notify("session/update", object{"sessionId": sessionID, "update": o})
}

func (t *turn) say(format string, args ...any) {
	if t.pause() {
		t.update("agent_message_chunk", object{"content": textBlock(fmt.Sprintf(format, args...) + "\n\n")})
	}
}

func textBlock(s string) object { return object{"type": "text", "text": s} }

// path is a file of the project as the host knows it.
func (t *turn) path(name string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return filepath.Join(t.cwd, filepath.FromSlash(name))
}

// An outcome is what became of something that needs a yes. The zero outcome
// is a refusal.
type outcome int

const (
	refused outcome = iota
	failed
	done
)

// A call is one use of a tool.
type call struct {
	title   string
	kind    string
	input   object
	path    string // the file that it is about, if it is about one
	content []object
	// do is done only once it was allowed; its text is shown.
	do func() (string, error)
}

// use asks whether c may happen, and does it then.
func (t *turn) use(c call) outcome {
	if !t.pause() {
		return refused
	}
	about := t.announce(c)
	id := about["toolCallId"]
	if !t.allowed(about) {
		t.update("tool_call_update", object{"toolCallId": id, "status": "failed"})
		if t.ctx.Err() == nil {
			t.noteRefusal(c.title)
		}
		return refused
	}
	t.update("tool_call_update", object{"toolCallId": id, "status": "in_progress"})
	text, err := c.do()
	status, result := "completed", done
	if err != nil {
		status, result, text = "failed", failed, text+err.Error()
	}
	o := object{"toolCallId": id, "status": status}
	if text != "" {
		o["content"] = append(c.content, object{"type": "content", "content": textBlock(text)})
	}
	t.update("tool_call_update", o)
	return result
}

func (t *turn) announce(c call) object {
	t.mu.Lock()
	t.calls++
	id := fmt.Sprintf("call-%d", t.calls)
	t.mu.Unlock()
	about := object{"toolCallId": id, "title": c.title, "kind": c.kind, "status": "pending"}
	if c.input != nil {
		about["rawInput"] = c.input
	}
	if c.content != nil {
		about["content"] = c.content
	}
	if c.path != "" {
		about["locations"] = []object{{"path": c.path}}
	}
	t.update("tool_call", about)
	return about
}

// allowed asks for one permission. Anything but the plain yes is a no.
func (t *turn) allowed(about object) bool {
	const yes, no = "allow-once", "reject-once"
	var answer struct {
		Outcome struct{ Outcome, OptionID string }
	}
	err := t.conn.Call(t.ctx, "session/request_permission", object{
		"sessionId": sessionID,
		"toolCall":  about,
		"options": []object{
			{"optionId": yes, "name": "Allow", "kind": "allow_once"},
			{"optionId": no, "name": "Reject", "kind": "reject_once"},
		},
	}, &answer)
	if err == nil && answer.Outcome.Outcome == "cancelled" {
		t.cancel()
	}
	return err == nil && t.ctx.Err() == nil && answer.Outcome.Outcome == "selected" && answer.Outcome.OptionID == yes
}

func (t *turn) noteRefusal(title string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.denied = append(t.denied, title)
}

// A choice is one answer that a question offers.
type choice struct{ id, title, description string }

// answers are what the person said to the questions about the test.
type answers struct {
	Cases    []string
	Words    string `json:"cases_custom"` // instead of a case
	Parallel bool
}

// ask asks two things at once: which of choices, or something else, and
// whether the test shall run beside others; false when the person doesn't want
// to answer.
func (t *turn) ask(message, question string, choices []choice) (answers, bool) {
	if !t.pause() {
		return answers{}, false
	}
	var offered []object
	for _, c := range choices {
		offered = append(offered, object{"const": c.id, "title": c.title, "description": c.description})
	}
	var answer struct {
		Action  string
		Content answers
	}
	err := t.conn.Call(t.ctx, "elicitation/create", object{
		"sessionId": sessionID, "mode": "form", "message": message,
		"requestedSchema": object{"type": "object", "properties": object{
			"cases": object{
				"type": "array", "title": "Cases", "description": question,
				"items": object{"anyOf": offered},
			},
			"cases_custom": object{"type": "string", "title": "Something else"},
			"parallel":     object{"type": "boolean", "title": "Speed", "description": "May it run beside other tests?"},
		}},
	}, &answer)
	if err != nil || answer.Action != "accept" {
		return answers{}, false
	}
	return answer.Content, true
}
