package gate

import "strings"

// keyCovers reports whether a remembered key may settle the request: the key
// is one for such a request, and the request reaches no further than the key
// says.
func (e *evaluation) keyCovers() bool {
	req := &e.verdict.Request
	if req.Key == "" || req.Unrevealed || !req.keyFits() {
		return false
	}
	switch req.Kind {
	case WriteFile, DeleteFile:
		return e.changesFilesInside()
	case RunCommand:
		return e.place.runsInWorkspace(req.Dir)
	}
	return true
}

// keyIn reports whether the request's key was remembered. An edit that also
// deletes, as a rename does, needs that of deletions too.
func (e *evaluation) keyIn(has func(string) bool) bool {
	req := &e.verdict.Request
	if !has(req.Key) {
		return false
	}
	if e.removes() {
		key, _ := DeleteKey(strings.TrimPrefix(req.Key, "write:"))
		return e.session.keys[key] || e.saved != nil && e.saved(key)
	}
	return true
}

// toolRemembered reports whether the tool was approved at its tier for the
// session (TAM-20). That reaches nothing protected.
func (e *evaluation) toolRemembered() bool {
	if len(e.session.tools) == 0 || e.verdict.Request.Unrevealed || e.anyProtected() {
		return false
	}
	t := e.verdict.Request.sessionTool()
	if e.session.tools[t] {
		return true
	}
	return t.kind != MCPTool && e.session.tools[toolAtTier{kind: anyKind, tool: t.tool, tier: t.tier}]
}

// sessionTool is what a session approval of a tool names: the device behind a
// tool that passes calls on, else the tool.
func (r *Request) sessionTool() toolAtTier {
	t := toolAtTier{kind: r.Kind, server: r.Server, tool: r.Tool, tier: r.Declared.Tier}
	if r.Kind == MCPTool {
		t.server, t.tool, _ = r.member()
	} else if r.Declared.PolicyKey != "" {
		t.tool = r.Declared.PolicyKey
	}
	return t
}

// left reports whether the agent's own rules are to decide on what the mode lets
// pass: on what isn't known to read in the workspace and nowhere else.
func (e *evaluation) left() bool {
	req := &e.verdict.Request
	if !req.OwnRules || req.Kind != NoKind {
		return false
	}
	for _, t := range req.GrantTargets {
		if t.Kind == GrantURL || !e.place.holds(e.place.file(t.Path, req.Dir)) {
			return true
		}
	}
	return len(req.GrantTargets) == 0
}

// modePasses reports what the mode lets pass by itself (APR-14, TAM-05).
func (e *evaluation) modePasses() bool {
	tier := e.verdict.Request.Declared.Tier
	switch e.inMode {
	case Default, Auto, Plan, DontAsk:
		return e.isRead()
	case AcceptEdits:
		return e.isRead() || e.changesFilesInside()
	case AlwaysAsk:
		return tier == Read
	case AlwaysAskCached:
		return tier == Read && len(e.gatedTargets()) == 0
	case WriteMode:
		return tier != Exec && !e.anyProtected()
	}
	return false
}
