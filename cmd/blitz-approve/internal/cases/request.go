package cases

import (
	"github.com/blitz-approve/blitz-approve/gate"
)

// request builds the gate's request: command, path, url, and server with tool
// fill targets and key where these are absent.
func (c *Case) request(workspace string) gate.Request {
	r := &c.Request
	req := gate.Request{Tool: r.Tool, Kind: r.Kind, Title: r.Title, Detail: string(r.Detail), Dir: c.Cwd, Targets: r.Targets}
	req.Declared.Tier = defaultTier(r.Kind)
	if r.Tier != "" {
		req.Declared.Tier, _ = gate.ParseTier(r.Tier)
	}
	if len(r.Declared) > 0 {
		req.Declared = gate.ParseDeclaration(r.Declared)
	}
	if r.Reason != "" {
		req.Declared.Reason = r.Reason
	}
	c.fillTargets(&req, workspace)
	if r.Key != nil {
		req.Key = *r.Key
	}
	for _, g := range r.GrantTargets {
		req.GrantTargets = append(req.GrantTargets, g.target())
	}
	for _, s := range r.SafetyChecks {
		req.SafetyChecks = append(req.SafetyChecks, gate.SafetyCheck{Code: s.Code, Message: s.Message, Data: s.Data})
	}
	for _, d := range r.Diff {
		change := gate.Change{Path: d.Path}
		if d.Before != nil {
			change.Before = append([]byte{}, *d.Before...)
		}
		if d.After != nil {
			change.After = append([]byte{}, *d.After...)
		}
		req.Diff = append(req.Diff, change)
	}
	return req
}

func (c *Case) fillTargets(req *gate.Request, workspace string) {
	r := &c.Request
	fill := func(target, key, label string) {
		if r.Targets == nil {
			req.Targets = []string{target}
		}
		req.Key, req.KeyLabel = key, label
	}
	switch {
	case r.Kind == gate.RunCommand && r.Command != nil:
		line := string(*r.Command)
		key, label := gate.CommandKey(workspace, line)
		fill(line, key, label)
	case r.Kind == gate.MCPTool && r.Server != nil:
		req.Server = *r.Server
		key, label := gate.MCPKey(*r.Server, r.Tool)
		fill(*r.Server+":"+r.Tool, key, label)
	case r.Kind == gate.Network && r.URL != "":
		host := gate.HostOf(r.URL)
		key, label := gate.WebKey(host)
		fill(host, key, label)
		if req.Detail == "" {
			req.Detail = r.URL
		}
	case r.URL != "":
		req.GrantTargets = append(req.GrantTargets, gate.GrantTarget{Kind: gate.GrantURL, Path: r.URL, Tier: req.Declared.Tier})
	case r.Path != "" && r.Kind == gate.DeleteFile:
		key, label := gate.DeleteKey(workspace)
		fill(string(r.Path), key, label)
	case r.Path != "":
		key, label := gate.WriteKey(workspace)
		fill(string(r.Path), key, label)
	}
	if req.Key == "" {
		switch r.Kind {
		case gate.WriteFile:
			req.Key, req.KeyLabel = gate.WriteKey(workspace)
		case gate.DeleteFile:
			req.Key, req.KeyLabel = gate.DeleteKey(workspace)
		}
	}
}

// defaultTier is the tier of a request whose tool declared nothing but whose
// kind is known.
func defaultTier(k gate.Kind) gate.Tier {
	switch k {
	case gate.WriteFile, gate.DeleteFile, gate.MCPTool:
		return gate.Write
	case gate.Network:
		return gate.Read
	}
	return gate.Exec
}
