package gate

// The constructors below build the common requests whole: kind, tier, targets
// and key fit together, so that an adapter can't forget one.

// CommandRequest asks to run a command line in the workspace.
func CommandRequest(workspace, tool, command string) Request {
	r := Request{Tool: tool, Kind: RunCommand, Targets: []string{command}}
	r.Key, r.KeyLabel = CommandKey(workspace, command)
	return r
}

// WriteRequest asks to change files. Each change is a target, and the old
// path of a rename is one too.
func WriteRequest(workspace, tool string, changes ...Change) Request {
	r := Request{Tool: tool, Kind: WriteFile, Diff: changes, Declared: Declaration{Tier: Write}}
	for _, c := range changes {
		if c.From != "" {
			r.Targets = append(r.Targets, c.From)
		}
		r.Targets = append(r.Targets, c.Path)
	}
	r.Key, r.KeyLabel = WriteKey(workspace)
	return r
}

// DeleteRequest asks to delete files or folders.
func DeleteRequest(workspace, tool string, paths ...string) Request {
	r := Request{Tool: tool, Kind: DeleteFile, Targets: paths, Declared: Declaration{Tier: Write}}
	r.Key, r.KeyLabel = DeleteKey(workspace)
	return r
}

// FetchRequest asks to read a URL. Rules and the key see its host, and
// ask-and-remember the URL (TAM-09).
func FetchRequest(tool, url string) Request {
	host := HostOf(url)
	r := Request{Tool: tool, Kind: Network, Targets: []string{host}, Detail: url, Declared: Declaration{Tier: Read}}
	r.GrantTargets = []GrantTarget{{Kind: GrantURL, Path: url, Tier: Read}}
	r.Key, r.KeyLabel = WebKey(host)
	return r
}

// MCPRequest asks to call a tool of an MCP server.
func MCPRequest(server, tool string) Request {
	r := Request{Tool: tool, Kind: MCPTool, Server: server, Targets: []string{server + ":" + tool}, Declared: Declaration{Tier: Write}}
	r.Key, r.KeyLabel = MCPKey(server, tool)
	return r
}

// ReadRequest asks to read files.
func ReadRequest(tool string, paths ...string) Request {
	r := Request{Tool: tool, Targets: paths, Declared: Declaration{Tier: Read}}
	for _, p := range paths {
		r.GrantTargets = append(r.GrantTargets, GrantTarget{Kind: GrantFile, Path: p, Tier: Read})
	}
	return r
}
