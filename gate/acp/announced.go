package acp

// Announced are the calls of a session that the agent has told of and neither
// asked about nor ended, nor left behind in a turn that was cancelled: what may
// yet come as a request for permission. They are the agent's own account, without
// what a request added. There are none in a session that isn't open here, and
// none while the agent is in a mode in which it acts without asking.
func (h *hosted) Announced(session string) (calls []Call) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if session == "" || session != h.session || h.actsAlone() {
		return nil
	}
	for _, id := range h.order {
		if c := h.calls[id]; !c.asked && !c.shown.Status.Ended() {
			calls = append(calls, c.told)
		}
	}
	return calls
}

// actsAlone reports a mode or a setting of the agent in which it doesn't ask.
// It is called with mu held.
func (h *hosted) actsAlone() bool {
	for id, bad := range h.options.Preset.LooseConfig {
		if h.config[id].value() == bad {
			return true
		}
	}
	return h.loosens(h.mode.Current)
}

// Announced is [Host.Announced] for a session that the editor has opened.
func (p *Proxy) Announced(session string) []Call {
	p.mu.Lock()
	g := p.sessions[session]
	p.mu.Unlock()
	if g == nil {
		return nil
	}
	return g.host.Announced(session)
}
