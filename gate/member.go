package gate

import "strings"

// member is the server and tool of an MCP request.
func (r *Request) member() (server, tool string, ok bool) {
	if r.Server != "" || len(r.Targets) == 0 {
		return r.Server, r.Tool, r.Kind == MCPTool
	}
	server, tool, ok = strings.Cut(r.Targets[0], ":")
	return server, tool, ok && r.Kind == MCPTool
}

// eachMember goes through what MCP rules look at: the targets, and the server
// and tool themselves if no target is theirs. It ends with the first rule.
func (e *evaluation) eachMember(rule func(server, member string) *Rule) *Rule {
	req := &e.verdict.Request
	own := false
	for _, t := range req.Targets {
		server, tool, _ := strings.Cut(t, ":")
		if rest, ok := strings.CutPrefix(t, req.Server+":"); ok && req.Server != "" {
			server, tool = req.Server, rest
		}
		own = own || server == req.Server && tool == req.Tool
		if r := rule(server, t); r != nil {
			return r
		}
	}
	if own || req.Server == "" || len(req.Targets) == 0 {
		return nil
	}
	return rule(req.Server, req.Server+":"+req.Tool)
}

// otherwiseSplit goes through the other servers and tools that server__tool may
// be, which is how agents name an MCP tool: both names may hold underscores. It
// ends with the first rule.
func otherwiseSplit(server, tool string, rule func(server, member string) *Rule) *Rule {
	whole := server + "__" + tool
	for i := len(server) + 1; i < len(whole)-2; i++ {
		if whole[i:i+2] != "__" {
			continue
		}
		if r := rule(whole[:i], whole[:i]+":"+whole[i+2:]); r != nil {
			return r
		}
	}
	return nil
}
