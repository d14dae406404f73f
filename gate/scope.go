package gate

// A Scope is what an answer that lasts covers: what has the same key, or, in a
// mode that judges by tier, the calls of one tool at that tier (TAM-20). The zero
// Scope covers nothing.
type Scope struct {
	Key string // empty where it is a tool's
	// Kind, Server, Tool and Tier name the tool.
	Kind   Kind
	Server string
	Tool   string
	Tier   Tier
}

// scope is what an answer for the session would cover.
func (v *Verdict) scope() Scope {
	if v.Mode.byTier() {
		return v.Request.toolScope()
	}
	return Scope{Key: v.Request.Key}
}

func (r *Request) toolScope() Scope {
	t := r.sessionTool()
	return Scope{Kind: t.kind, Server: t.server, Tool: t.tool, Tier: t.tier}
}

// kept is what an answer that lasts lets pass from now on, under the label that
// was shown. Its end is missing.
func (v *Verdict) kept(label string) Approved {
	req := &v.Request
	if req.Kind == RunCommand && !v.Mode.byTier() {
		label = req.Targets[0] // the key's label doesn't say which
	}
	return Approved{Label: label, Session: req.Origin.Session, Agent: req.Origin.Agent, Scope: v.scope()}
}
