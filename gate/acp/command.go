package acp

import (
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// commandRequest is a call that runs a command.
func (r reading) commandRequest() gate.Request {
	q := r.base()
	q.Kind = gate.RunCommand
	q.Dir = r.dir()
	input := r.input
	command, ok := commandLine(input)
	if !ok && r.preset.CommandInTitle && r.call.Title != "" {
		command, ok = r.call.Title, true
		q.Title = ""
		q.Fields = append(q.Fields, gate.Field{
			Label: "Taken from", Value: "the title of the call: this agent gives its commands nowhere else",
		})
	}
	if !ok {
		q.Unrevealed = true
		q.Detail = r.account()
		return q
	}
	q.Targets = []string{command}
	inPlace := r.inPlace(input)
	q.Fields = append(q.Fields, r.rest(inPlace)...)
	others, sure := input.otherCommands(command)
	if !sure {
		q.Targets = append(q.Targets, others...)
		q.Unrevealed = true
		q.Detail = r.account()
		forceReason(&q, "its arguments don't agree on one command")
		return q
	}
	overlooked := r.overlooked(func(m member) bool { return inPlace(m) || shellArgument(m) })
	for _, d := range diffsOf(r.call.Content) {
		overlooked = append(overlooked, "a change of "+d.Path)
		q.Fields = append(q.Fields, gate.Field{Label: "Changes " + d.Path, Value: d.New})
	}
	// A remembered approval is for the bare command in the workspace: not for
	// other directories, environments or sandbox settings.
	if q.Dir == "" {
		q.Key, q.KeyLabel = gate.CommandKey(r.workspace, command)
	}
	forceAsk(&q, overlooked)
	return q
}

// rest are the arguments besides those that are shown in their own places.
func (r reading) rest(inPlace func(member) bool) (fields []gate.Field) {
	for _, m := range r.arguments {
		if m.empty() || inPlace(m) {
			continue
		}
		value, ok := m.text()
		if !ok {
			value = string(m.value)
		}
		if value != "false" || !shellArgument(m) {
			fields = append(fields, gate.Field{Label: m.name, Value: value})
		}
	}
	return fields
}

var commandNames = []string{"command", "cmd"}

// commandLine is the command in a tool's arguments: one string for a shell,
// or a list of words, with or without the program apart.
func commandLine(o object) (string, bool) {
	for _, name := range commandNames {
		if s, ok := o.command(name); ok {
			return s, true
		}
	}
	return "", false
}

func (o object) command(name string) (string, bool) {
	if words := o.texts(name); len(words) > 0 {
		return joinWords(words), true
	}
	s := o.text(name)
	if args := o.texts("args"); s != "" && len(args) > 0 {
		return joinWords(append([]string{s}, args...)), true
	}
	return s, s != ""
}

// takesArgs reports whether the arguments in "args" are a part of the command.
func (o object) takesArgs() bool {
	name := slices.IndexFunc(commandNames, func(name string) bool { _, ok := o.command(name); return ok })
	return name >= 0 && o.text(commandNames[name]) != "" && len(o.texts("args")) > 0
}

// otherCommands are the commands besides the first that the arguments give;
// sure is false where there are any, or one that can't be read.
func (o object) otherCommands(first string) (others []string, sure bool) {
	sure = true
	differs := func(s string) {
		if s != first {
			others, sure = append(others, s), false
		}
	}
	for _, name := range commandNames {
		if (member{value: o[name]}).empty() {
			continue
		}
		s, ok := o.command(name)
		if !ok {
			sure = false
			continue
		}
		differs(s)
	}
	// Copilot repeats the command as a list of one.
	if (member{value: o["commands"]}).empty() {
		return others, sure
	}
	list := o.texts("commands")
	for _, s := range list {
		differs(s)
	}
	return others, sure && len(list) == 1
}

// joinWords writes words so that a POSIX shell reads the same words.
func joinWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quoteWord(w)
	}
	return strings.Join(quoted, " ")
}

func quoteWord(w string) string {
	plain := w != ""
	for i, c := range w {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.ContainsRune("_-./:,+@%", c):
		case c == '=' && i > 0 && w[0] == '-': // an option, not an assignment
		default:
			plain = false
		}
	}
	if plain {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// fetchRequest is a call that reaches the network.
func (r reading) fetchRequest() gate.Request {
	q := r.base()
	q.Kind = gate.Network
	q.Declared.Tier = gate.Read
	q.Detail = r.account()
	urls := append([]string{}, r.input.texts("urls")...)
	if u := r.input.text("url"); u != "" {
		urls = append(urls, u)
	}
	for _, u := range urls {
		host, ok := hostOf(u)
		if !ok {
			q.Targets, q.GrantTargets = nil, nil
			break
		}
		q.Targets = append(q.Targets, host)
		q.GrantTargets = append(q.GrantTargets, gate.GrantTarget{Kind: gate.GrantURL, Path: u, Tier: gate.Read})
	}
	if q.Unrevealed = len(q.Targets) == 0; q.Unrevealed {
		q.Declared.Tier = gate.Exec // nothing says that it is only a fetch
	}
	if len(urls) == 1 && !q.Unrevealed {
		q.Detail = urls[0]
		q.Fields = append(q.Fields, r.rest(func(m member) bool {
			return m.name == "url" || r.common(m)
		})...)
		q.Key, q.KeyLabel = gate.WebKey(q.Targets[0])
	}
	forceAsk(&q, r.overlooked(r.fetchArgument))
	return q
}

// An mcpName is a tool of an MCP server.
type mcpName struct {
	server, tool string
	// sure says that the agent's program gave the name, not a model's text.
	sure bool
}

// mcp recognises a call of an MCP server's tool.
func (r reading) mcp() (mcpName, bool) {
	if m, ok := r.splitMCP(r.call.name, true); ok {
		return m, true
	}
	if r.call.Kind != "other" && r.call.Kind != "" {
		return mcpName{}, false
	}
	if r.preset.ToolInCallID {
		return r.mcpInCallID()
	}
	if r.preset.ToolInFirstTitle {
		return r.mcpInTool()
	}
	return r.splitMCP(r.call.Title, false)
}

// splitMCP reads mcp__server__tool. Servers that we know may have "__" in
// their names.
func (r reading) splitMCP(name string, sure bool) (mcpName, bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return mcpName{}, false
	}
	for _, s := range r.servers {
		if tool, ok := strings.CutPrefix(rest, s.Name+"__"); ok && tool != "" {
			return mcpName{s.Name, tool, sure}, true
		}
	}
	server, tool, ok := strings.Cut(rest, "__")
	return mcpName{server, tool, sure}, ok && server != "" && tool != ""
}

// mcpInCallID reads mcp_server_tool__id, with the title "tool (server MCP
// Server)" to tell where the server's name ends.
func (r reading) mcpInCallID() (mcpName, bool) {
	name, _, _ := strings.Cut(r.call.ID, "__")
	rest, ok := strings.CutPrefix(name, "mcp_")
	if !ok {
		return mcpName{}, false
	}
	if tool, server, ok := strings.Cut(strings.TrimSuffix(r.call.Title, " MCP Server)"), " ("); ok && server+"_"+tool == rest {
		return mcpName{server, tool, true}, true
	}
	server, tool, ok := strings.Cut(rest, "_")
	return mcpName{server, tool, false}, ok
}

// mcpInTool reads server_tool, for servers that we know.
func (r reading) mcpInTool() (mcpName, bool) {
	for _, s := range r.servers {
		if tool, ok := strings.CutPrefix(r.before.first, s.Name+"_"); ok && tool != "" {
			return mcpName{s.Name, tool, true}, true
		}
	}
	return mcpName{}, false
}

func (r reading) mcpRequest(m mcpName) gate.Request {
	q := r.base()
	q.Detail = r.account()
	own := slices.ContainsFunc(r.servers, func(s MCPServer) bool { return s.Own && s.Name == m.server })
	if own && m.sure {
		q.Tool = m.tool
		q.Declared = gate.Declaration{
			Tier: gate.Read, Policy: gate.PolicyAllow, Reason: "the gate's own server only asks the person",
		}
		return q
	}
	q.Kind, q.Server, q.Tool = gate.MCPTool, m.server, m.tool
	q.Declared.Tier = gate.Write
	q.Targets = []string{m.server + ":" + m.tool}
	q.Key, q.KeyLabel = gate.MCPKey(m.server, m.tool)
	q.Unrevealed = q.Detail == "" && r.asked.RawInput == nil
	if own {
		// No rule is to be made of a name that ends with the session.
		forceReason(&q, "it is not sure that this is the gate's own server")
	}
	return q
}
