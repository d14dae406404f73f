package gate

func (e *evaluation) anyProtected() bool {
	req := &e.verdict.Request
	if req.Kind != WriteFile && req.Kind != DeleteFile {
		return false
	}
	for _, f := range e.files {
		if e.place.protected(f, req.Kind == DeleteFile) {
			return true
		}
	}
	return false
}

// keyCovers reports whether a remembered key may settle the request: it has
// one, and touches nothing protected.
func (e *evaluation) keyCovers() bool { return e.verdict.Request.Key != "" && !e.anyProtected() }

// modePasses reports what the mode lets pass by itself.
func (e *evaluation) modePasses() bool {
	req := &e.verdict.Request
	tier := req.Declared.Tier
	switch e.inMode {
	case Default, Auto, Plan, DontAsk:
		return e.isRead()
	case AcceptEdits:
		return e.isRead() || e.editsInside()
	case AlwaysAsk:
		return tier == Read
	case AlwaysAskCached:
		return tier == Read && len(e.gatedTargets()) == 0
	case WriteMode:
		return tier != Exec
	}
	return false
}

func (e *evaluation) editsInside() bool {
	req := &e.verdict.Request
	if req.Kind != WriteFile && req.Kind != DeleteFile || len(e.files) == 0 || e.anyProtected() {
		return false
	}
	for _, f := range e.files {
		if !e.place.inWorkspace(f) {
			return false
		}
	}
	return true
}
