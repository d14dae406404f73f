package cases

import (
	"github.com/blitz-approve/blitz-approve/gate"
)

// request builds the gate's request: command, path, url, and server with tool
// fill targets and key where these are absent.
func (c *Case) request(workspace string) gate.Request {
	r := &c.Request
	d := gate.Description{
		Tool: r.Tool, Kind: r.Kind, Command: (*string)(r.Command), URL: r.URL, Server: r.Server, Targets: r.Targets,
		Tier: r.Tier, Reason: r.Reason, Declared: r.Declared, Search: gate.Search(r.Search),
	}
	if r.Path != "" {
		d.Paths = []string{string(r.Path)}
	}
	for _, g := range r.GrantTargets {
		d.GrantTargets = append(d.GrantTargets, g.target())
	}
	for _, s := range r.SafetyChecks {
		d.SafetyChecks = append(d.SafetyChecks, gate.SafetyCheck{Code: s.Code, Message: s.Message, Data: s.Data})
	}
	req := d.Request(workspace)
	req.Title, req.Dir = r.Title, c.Cwd
	if r.Detail != "" {
		req.Detail = string(r.Detail)
	}
	if r.Key != nil {
		d.Targets = nil
		if usual := d.Request(workspace); usual.Key == *r.Key {
			req.KeyLabel = usual.KeyLabel
		}
		req.Key = *r.Key
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
