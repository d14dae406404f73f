package foreign

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// Gemini reads the tool settings of a settings.json of Gemini CLI.
func Gemini(data []byte) (*Import, error) {
	var file struct {
		General struct {
			Mode string `json:"defaultApprovalMode"`
		}
		Tools struct {
			Allowed, Exclude, Core []string
			Confirm                []string `json:"confirmationRequired"`
		}
		AllowedTools []string `json:"allowedTools"` // of older versions
		ExcludeTools []string `json:"excludeTools"`
		CoreTools    []string `json:"coreTools"`
		MCP          struct{ Allowed, Excluded []string }
		Servers      map[string]struct {
			Trust   bool
			Include []string `json:"includeTools"`
			Exclude []string `json:"excludeTools"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal(withoutComments(data), &file); err != nil {
		return nil, err
	}
	im := &Import{}
	core := slices.Concat(file.Tools.Core, file.CoreTools)
	for _, list := range []struct {
		effect gate.Effect
		name   string
		tools  []string
	}{
		{gate.Deny, "tools.exclude", slices.Concat(file.Tools.Exclude, file.ExcludeTools)},
		{gate.Ask, "tools.confirmationRequired", file.Tools.Confirm},
		{gate.Allow, "tools.allowed", slices.Concat(file.Tools.Allowed, file.AllowedTools)},
	} {
		for _, tool := range list.tools {
			if list.effect == gate.Allow && len(core) > 0 && !slices.Contains(core, tool) {
				im.note(list.name+" "+tool, "the agent has only the tools of tools.core")
				continue
			}
			im.geminiTool(list.effect, tool, list.name+" "+tool)
		}
	}
	for _, tool := range core {
		im.leave(gate.Deny, "tools.core "+tool, "what is not in the list is asked about, not taken from the agent", subject{kind: "core"})
	}
	for _, name := range file.MCP.Excluded {
		im.mcp(gate.Deny, name, "*", "mcp.excluded")
	}
	for _, name := range file.MCP.Allowed {
		im.leave(gate.Deny, "mcp.allowed "+name, "servers that are not in the list are asked about", subject{kind: "core"})
	}
	for _, name := range slices.Sorted(maps.Keys(file.Servers)) {
		server := file.Servers[name]
		for _, tool := range server.Exclude {
			im.mcp(gate.Deny, name, tool, "excludeTools of "+name)
		}
		if server.Trust && len(file.MCP.Allowed) > 0 && !slices.Contains(file.MCP.Allowed, name) {
			im.note("trust of "+name, "the agent has only the servers of mcp.allowed")
			continue
		}
		if len(server.Include) > 0 && server.Trust {
			for _, tool := range server.Include {
				im.mcp(gate.Allow, name, tool, "includeTools of "+name+", which is trusted")
			}
		} else if server.Trust {
			im.mcp(gate.Allow, name, "*", "trust of "+name)
		}
	}
	modes := map[string]string{"default": "default", "auto_edit": "accept-edits", "plan": "plan"}
	if word := file.General.Mode; word != "" {
		if im.Mode = modes[word]; im.Mode == "" {
			im.note("general.defaultApprovalMode "+word, "it is no mode to start in here")
		}
	}
	return im.settled(), nil
}

func (im *Import) mcp(effect gate.Effect, server, tool, from string) {
	im.carry(effect, "mcp("+server+":"+tool+")", from+": "+server+" "+tool, subject{"mcp", server + ":" + headOf(tool)})
}

// geminiTool carries over tool or tool(what).
func (im *Import) geminiTool(effect gate.Effect, tool, from string) {
	name, what, _ := strings.Cut(strings.TrimSuffix(tool, ")"), "(")
	switch name {
	case "run_shell_command", "ShellTool":
		if what == "" {
			im.carry(effect, "shell(*)", from, subject{kind: "shell"})
		} else {
			im.geminiPrefix(effect, what, from)
		}
		return
	case "read_file", "read_many_files", "list_directory", "glob", "search_file_content", "grep_search",
		"ReadFileTool", "LSTool", "GlobTool", "GrepTool", "ReadManyFilesTool":
		switch effect {
		case gate.Allow:
			im.note(from, "reading is not asked about")
		case gate.Ask:
			im.leave(effect, from, "reading can be denied, not asked about", subject{kind: "read"})
		default:
			im.carry(effect, name, from, subject{"tool", name})
		}
		return
	}
	switch {
	case what != "":
		im.leave(effect, from, "rules know nothing of what this tool is given", subject{})
	case name == "write_file" || name == "replace" || name == "edit" || name == "WriteFileTool" || name == "EditTool":
		pattern := "/**"
		if effect == gate.Allow {
			pattern = "**" // of the workspace
		}
		im.file(effect, "write", pattern, from)
	case name == "web_fetch" || name == "WebFetchTool":
		im.carry(effect, "web(*)", from, subject{kind: "web"})
	default:
		im.carry(effect, name, from, subject{"tool", headOf(name)})
	}
}

// geminiPrefix carries over the beginning of a command line.
func (im *Import) geminiPrefix(effect gate.Effect, prefix, from string) {
	about := subject{"shell", strings.TrimSpace(prefix)}
	if strings.ContainsAny(prefix, "|&;<>`$\n()'\"\\") {
		im.leave(effect, from, "rules look at the words of one command", about)
		return
	}
	if words, open := strings.CutSuffix(prefix, "*"); open && (effect == gate.Allow || strings.HasSuffix(words, " ")) {
		prefix = words
	}
	im.prefix(effect, strings.Fields(prefix), from)
}

// A geminiRule is one [[rule]] of Gemini CLI's policy engine.
type geminiRule struct {
	Tool     any      `toml:"toolName"`
	Server   string   `toml:"mcpName"`
	Prefix   any      `toml:"commandPrefix"`
	Regex    string   `toml:"commandRegex"`
	Args     string   `toml:"argsPattern"`
	Decision string   `toml:"decision"`
	Priority int      `toml:"priority"`
	Modes    []string `toml:"modes"`
}

// geminiKeys are the keys of a rule that are understood, or say nothing about
// what it matches.
var geminiKeys = []string{
	"toolName", "mcpName", "commandPrefix", "commandRegex", "argsPattern", "decision", "priority", "modes",
	"denyMessage", "deny_message", "allowRedirection",
}

// GeminiPolicy reads a TOML file of Gemini CLI's policy engine. There the rule
// with the highest priority wins, here the strictest: so an exception of a
// restriction may be asked about, and nothing passes that did not before.
func GeminiPolicy(data []byte) (*Import, error) {
	var file struct {
		Rules []geminiRule `toml:"rule"`
	}
	var raw struct {
		Rules []map[string]any `toml:"rule"`
	}
	if err := toml.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	if err := toml.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	im := &Import{}
	for i, r := range file.Rules {
		from := fmt.Sprintf("rule %d: %s %v", i+1, r.Decision, r.Tool)
		effect, known := effects[r.Decision]
		more := slices.DeleteFunc(slices.Sorted(maps.Keys(raw.Rules[i])), func(k string) bool { return slices.Contains(geminiKeys, k) })
		switch {
		case !known:
			im.leave(gate.Deny, from, "the decision can't be read", subject{})
		case len(more) > 0:
			im.leave(effect, from, strings.Join(more, ", ")+": it has no counterpart", subject{})
		case len(r.Modes) == 1 && r.Modes[0] == "plan":
			im.note(from, "it is for planning, where this gate refuses what is no reading")
		case len(r.Modes) > 0:
			im.leave(effect, from, "it is for some modes only", subject{})
		default:
			im.policy(effect, r, from)
		}
	}
	return im.settled(), nil
}

func (im *Import) policy(effect gate.Effect, r geminiRule, from string) {
	tools, named := texts(r.Tool)
	prefixes, words := texts(r.Prefix)
	if !named || !words {
		im.leave(effect, from, "a list in a list can't be read", subject{})
		return
	}
	if r.Server != "" && r.Args == "" {
		if len(tools) == 0 {
			tools = []string{"*"}
		}
		for _, tool := range tools {
			im.mcp(effect, r.Server, tool, from)
		}
		return
	}
	shell := len(tools) == 1 && tools[0] == "run_shell_command"
	switch {
	case r.Args != "" || !shell && (r.Prefix != nil || r.Regex != ""):
		im.leave(effect, from, "it looks at what the tool is given in a way of its own", subject{})
	case r.Regex != "" && effect == gate.Allow:
		im.leave(effect, from, "its regular expression is read in another way, and may allow more", subject{kind: "shell"})
	case r.Regex != "":
		im.carry(effect, "shell(/.*(?:"+r.Regex+").*/)", from, subject{kind: "shell"})
	case r.Prefix != nil:
		for _, prefix := range prefixes {
			im.geminiPrefix(effect, prefix, from+" "+prefix)
		}
	case len(tools) == 0 || slices.Contains(tools, "*"):
		im.leave(effect, from, "it is for every tool; choose a mode", subject{})
	default:
		for _, tool := range tools {
			im.geminiTool(effect, tool, from)
		}
	}
}

// texts are the texts of a value that is one or a list of them, or nothing;
// false for any other.
func texts(v any) (list []string, ok bool) {
	switch v := v.(type) {
	case nil:
	case string:
		list = []string{v}
	case []any:
		for _, item := range v {
			s, text := item.(string)
			if !text {
				return nil, false
			}
			list = append(list, s)
		}
		return list, len(list) > 0
	default:
		return nil, false
	}
	return list, true
}
