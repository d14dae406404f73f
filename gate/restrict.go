package gate

import "strings"

// restricting finds a deny or ask rule that applies. A deny needs one target,
// or one command found anywhere (APR-15).
func (e *evaluation) restricting(effect Effect) *Rule {
	r := e.restrictingCommand(effect)
	if r == nil {
		r = e.restrictingTool(effect)
	}
	if r == nil {
		r = e.restrictingTarget(effect)
	}
	if r != nil {
		e.noteRule(r)
	}
	return r
}

func (e *evaluation) restrictingCommand(effect Effect) *Rule {
	for i := range e.commands {
		if r := e.commands[i].restriction(effect); r != nil {
			return r
		}
	}
	return nil
}

// restrictingTool also looks for the device behind the tool, for an MCP tool's
// name as its server has it, and for an MCP server's name alone, which other
// programs take for all of its tools. The name of a kind means all of it.
func (e *evaluation) restrictingTool(effect Effect) *Rule {
	x := &e.index.tools[effect]
	if r := e.ruleForTool(x); r != nil {
		return r
	}
	req := &e.verdict.Request
	if key := req.Declared.PolicyKey; key != "" {
		if r := x.find(key); r != nil {
			return r
		}
	}
	for _, name := range kindNames[req.Kind] {
		if r := x.exact[name]; r != nil {
			return r
		}
	}
	if req.Kind == MCPTool {
		server, tool, _ := req.member()
		return first(first(x.find(req.Tool), x.find(tool)), x.exact[mcpServerName(server)])
	}
	return nil
}

// kindNames are the kinds of rules, and of requests, without their pattern.
var kindNames = map[Kind][]string{
	RunCommand: {"shell", "run_command", "bash"}, WriteFile: {"write", "write_file"}, DeleteFile: {"delete", "delete_file"},
	Network: {"web", "network"}, MCPTool: {"mcp", "mcp_tool"},
}

func (e *evaluation) restrictingTarget(effect Effect) *Rule {
	req := &e.verdict.Request
	switch req.Kind {
	case RunCommand:
		return e.restrictingWritten(effect)
	case WriteFile, DeleteFile:
		for i := range e.files {
			if r := e.restrictingFile(effect, &e.files[i]); r != nil {
				return r
			}
		}
	case Network:
		for _, t := range req.Targets {
			host, _ := readHost(t)
			if r := e.index.web[effect].find(host); r != nil {
				return r
			}
		}
	case MCPTool:
		x := &e.index.mcp[effect]
		if r := e.eachMember(x.findMember); r != nil {
			return r
		}
		server, tool, _ := req.member()
		return otherwiseSplit(server, tool, x.findMember)
	default:
		if x := e.named(effect); x != nil {
			for _, t := range req.Targets {
				if r := x.find(t); r != nil {
					return r
				}
			}
		}
	}
	return nil
}

// restrictingFile applies write rules to what is written, and delete rules to
// what goes away; moving a file away changes it too.
func (e *evaluation) restrictingFile(effect Effect, f *file) *Rule {
	if e.verdict.Request.Kind == WriteFile {
		x := &e.index.write[effect]
		if r := first(x.restricting(f.filePath, f.whole), f.below.restricting(x)); r != nil {
			return r
		}
	}
	if f.removed {
		x := &e.index.remove[effect]
		return first(x.restricting(f.filePath, true), f.below.restricting(x))
	}
	return nil
}

// ruleForTool finds a rule for the tool's own name, or for the kind's spelling
// in another program, such as Bash, which means every request of that kind.
func (e *evaluation) ruleForTool(x *nameIndex) *Rule {
	if len(x.exact)+len(x.globs) == 0 {
		return nil
	}
	if r := x.find(e.toolName()); r != nil {
		return r
	}
	for _, name := range kindSpellings[e.verdict.Request.Kind] {
		if r := x.exact[name]; r != nil {
			return r
		}
	}
	return nil
}

var kindSpellings = map[Kind][]string{
	RunCommand: {"Bash"}, WriteFile: {"Edit", "Write", "MultiEdit"}, Network: {"WebFetch", "WebSearch"},
}

// named are the rules for the targets of a tool that starts something by its
// name, or nil. The tools have these names in one agent or another.
func (e *evaluation) named(effect Effect) *nameIndex {
	switch strings.ToLower(e.verdict.Request.Tool) {
	case "skill", "activate_skill":
		return &e.index.skills[effect]
	case "agent", "task", "invoke_agent":
		return &e.index.agents[effect]
	}
	return nil
}
