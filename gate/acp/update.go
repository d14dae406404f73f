package acp

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// maxCalls bounds the tool calls that are remembered, and maxKept their texts,
// in bytes; the oldest go first. A request about one that was forgotten has to
// say by itself what it is for.
const (
	maxCalls = 10000
	maxKept  = 2 * MaxLine
)

// notify takes the agent's notifications; unknown ones are ignored, as the
// protocol asks.
func (h *Host) notify(method string, params json.RawMessage) {
	switch method {
	case "session/update":
		o := parseObject(params)
		session, ok := o.optional("sessionId")
		if !ok {
			h.fault(fmt.Errorf("%s: it names no session", method))
			return
		}
		// Some agents send updates before the answer that names the session.
		if h.isOpening() || h.known(session) {
			h.update(o.object("update"))
		}
	case "cursor/update_todos":
		if o := parseObject(params); !o.flag("merge") {
			h.todos(o["todos"])
		}
	}
}

func (h *Host) isOpening() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.opening
}

func (h *hosted) update(o object) {
	switch o.text("sessionUpdate") {
	case "user_message_chunk":
		if text := h.chunk(o); text != "" {
			h.emit(UserChunk{text})
		}
	case "agent_message_chunk":
		h.agentChunk(h.chunk(o))
	case "agent_thought_chunk":
		if text := h.chunk(o); text != "" {
			h.emit(ThoughtChunk{text})
		}
	case "tool_call":
		h.saying = chunkOf{}
		h.callUpdate(o)
	case "tool_call_update":
		h.callUpdate(o)
	case "plan":
		h.todos(o["entries"])
	case "available_commands_update":
		var list []Command
		if json.Unmarshal(o["availableCommands"], &list) == nil {
			h.emit(Commands{list})
		}
	case "current_mode_update":
		h.modeIs(o.text("currentModeId"))
	case "config_option_update":
		h.configIs(o["configOptions"])
	case "usage_update":
		h.usage(o)
	case "notice":
		h.agentNotice(o)
	}
}

// A chunkOf says which message a chunk is a piece of.
type chunkOf struct{ kind, id string }

// chunk is the text of a message chunk. Where a message follows another of the
// same kind, it begins with a new paragraph.
func (h *hosted) chunk(o object) string {
	before, now := h.saying, chunkOf{o.text("sessionUpdate"), o.text("messageId")}
	h.saying = now
	text := contentText(o.object("content"))
	if text != "" && before.kind == now.kind && before.id != now.id && before.id != "" && now.id != "" {
		return "\n\n" + text
	}
	return text
}

// contentText is the text of a content block; of other content it is the name.
func contentText(content object) string {
	switch kind := content.text("type"); kind {
	case "text":
		return content.text("text")
	case "resource_link":
		return "[" + orElse(content.text("title", "name"), content.text("uri")) + "]"
	case "resource":
		resource := content.object("resource")
		return orElse(resource.text("text"), "["+orElse(resource.text("uri"), kind)+"]")
	case "":
		return ""
	default:
		return "[" + kind + "]"
	}
}

func (h *hosted) agentChunk(text string) {
	if text == "" {
		return
	}
	if mode, ok := strings.CutPrefix(text, "[MODE_UPDATE] "); ok && h.options.Preset.ModeInText {
		h.modeIs(strings.TrimSpace(mode))
		return
	}
	h.emit(AgentChunk{text})
}

// usage tells how full the agent's context is, and what it cost so far.
func (h *hosted) usage(o object) {
	var u Usage
	_ = json.Unmarshal(o["used"], &u.Used)
	_ = json.Unmarshal(o["size"], &u.Size)
	if cost := o.object("cost"); cost != nil {
		_ = json.Unmarshal(cost["amount"], &u.Cost)
		u.Currency = cost.text("currency")
	}
	if u.Size > 0 {
		h.emit(u)
	}
}

func (h *hosted) agentNotice(o object) {
	severity := map[string]Severity{"warning": Warning, "error": Fault}[o.text("severity")]
	text := o.text("title")
	if more := o.text("description"); more != "" {
		text += ": " + more
	}
	h.notice(severity, "%s", text)
}

func (h *hosted) callUpdate(o object) {
	said := h.said(o)
	if said.ID == "" {
		return
	}
	if c := h.track(said, true); c.Kind != "other" {
		return
	}
	if items := parseObject(said.RawInput)["todos"]; items != nil {
		h.todos(items)
	}
}

// said is what the agent says about a call.
func (h *hosted) said(o object) Call {
	c := parseCall(o)
	if text, ok := unquote(c.RawInput); ok && h.options.Preset.InputAsText && json.Valid([]byte(text)) {
		c.RawInput = json.RawMessage(text)
	}
	return c
}

// track joins what the agent said about a call with what is known of it, and
// shows it. told is false for a permission request about a call that is known
// already.
func (h *hosted) track(said Call, told bool) Call {
	id := said.ID
	h.mu.Lock()
	c, known := h.calls[id]
	if !known {
		c.told = Call{Kind: "other", Status: StatusPending}
		c.shown = c.told
	}
	if told {
		c.told = c.told.join(said)
	} else {
		c.asked = true
	}
	before := c.shown.Status
	c.shown = c.shown.join(said)
	ran := before == StatusRefused && c.shown.Status == StatusCompleted
	c.shown.Status = h.shownStatus(before, c.shown)
	kept := c
	// A request for permission ends nothing, and must not have its call forgotten.
	if told && said.Status != "" && said.Status.Ended() {
		kept = c.over()
	}
	h.keep(id, kept)
	h.mu.Unlock()
	if ran {
		h.notice(Warning, "the agent says that it has done what was refused: %s", c.shown.Title)
	}
	if known {
		h.emit(CallUpdated{c.shown})
	} else {
		h.emit(CallStarted{c.shown})
	}
	return c.shown
}

// keep remembers a call, and forgets the oldest where they get too many or too
// large. It is called with mu held.
func (h *hosted) keep(id string, c tracked) {
	before, known := h.calls[id]
	if !known {
		h.order = append(h.order, id)
	}
	h.kept += c.size() - before.size()
	h.calls[id] = c
	for len(h.order) > maxCalls || h.kept > maxKept && len(h.order) > 1 {
		oldest := h.order[0]
		h.kept -= h.calls[oldest].size()
		delete(h.calls, oldest)
		h.order = h.order[1:]
	}
}

// shownStatus corrects what agents say of calls that did not take place: some
// call a refused one failed, and a command that was cancelled completed. An
// edit that is completed while the turn ends may really have happened.
func (h *hosted) shownStatus(before Status, c Call) Status {
	switch {
	case before == StatusRefused && c.Status != StatusCompleted:
		return StatusRefused
	case h.stopping && c.Kind == "execute" && c.Status == StatusCompleted:
		return StatusCancelled
	}
	return c.Status
}

func (h *hosted) setStatus(id string, s Status) {
	h.mu.Lock()
	c, ok := h.calls[id]
	if ok {
		c.shown.Status = s
		h.calls[id] = c
	}
	h.mu.Unlock()
	if ok {
		h.emit(CallUpdated{c.shown})
	}
}

// todos shows a checklist. Agents also have items that were given up, which
// the checklist has no state for: they are left out.
func (h *hosted) todos(raw json.RawMessage) {
	var items, kept []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return
	}
	for _, item := range items {
		if parseObject(item).text("status") != "cancelled" {
			kept = append(kept, item)
		}
	}
	raw, err := json.Marshal(kept)
	if err != nil || kept == nil {
		raw = json.RawMessage("[]")
	}
	list, err := prompts.ParseTodos(raw)
	if err != nil {
		h.notice(Warning, "the agent's checklist can't be shown: %s", err)
		return
	}
	h.emit(Todos{list})
}
