package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// OpenCode reads the permissions of an opencode.json.
func OpenCode(data []byte) (*Import, error) {
	var file struct {
		Permission  json.RawMessage
		Tools       map[string]bool
		Agent, Mode map[string]struct {
			Permission, Tools json.RawMessage
		}
	}
	if err := json.Unmarshal(withoutComments(data), &file); err != nil {
		return nil, err
	}
	im := &Import{}
	for _, name := range []string{"bash", "edit", "write", "patch", "webfetch"} {
		if on, said := file.Tools[name]; said && !on {
			im.openCode(name, patterns{{"*", gate.Deny}})
		}
		delete(file.Tools, name)
	}
	for name, on := range file.Tools {
		if !on {
			im.openCodeTool(gate.Deny, name, "tools."+name)
		}
	}
	for _, agents := range []struct {
		key string
		set map[string]struct{ Permission, Tools json.RawMessage }
	}{{"agent", file.Agent}, {"mode", file.Mode}} {
		for _, name := range slices.Sorted(maps.Keys(agents.set)) {
			if a := agents.set[name]; a.Permission == nil && a.Tools == nil {
				continue
			}
			im.leave(gate.Deny, agents.key+" "+name, "what is set for single agents is not read, and may restrict what is allowed to the others", subject{})
		}
	}
	if len(file.Permission) > 0 {
		if err := im.permission(file.Permission); err != nil {
			return nil, err
		}
	}
	return im.settled(), nil
}

// OpenCodeAgents reports whether settings of opencode, or the file of one of its
// agents, say what single agents may do. So does what can't be read.
func OpenCodeAgents(data []byte) bool {
	text := bytes.TrimSpace(data)
	if len(text) == 0 {
		return false
	}
	var file struct {
		Agent, Mode map[string]map[string]json.RawMessage
	}
	if text[0] != '{' && text[0] != '/' { // in words, behind lines of settings
		return bytes.Contains(text, []byte("permission")) || bytes.Contains(text, []byte("tools"))
	}
	if json.Unmarshal(withoutComments(text), &file) != nil {
		return true
	}
	for _, agents := range []map[string]map[string]json.RawMessage{file.Agent, file.Mode} {
		for _, a := range agents {
			if a["permission"] != nil || a["tools"] != nil {
				return true
			}
		}
	}
	return false
}

func (im *Import) permission(data json.RawMessage) error {
	var word string
	if json.Unmarshal(data, &word) == nil {
		im.everything(word)
		return nil
	}
	var all object
	if err := json.Unmarshal(data, &all); err != nil {
		return fmt.Errorf("permission: %w", err)
	}
	for _, m := range all {
		if err := json.Unmarshal(m.value, &word); m.key == "*" && err == nil {
			im.everything(word)
			continue
		}
		p, err := readPatterns(m.value)
		if err != nil {
			return fmt.Errorf("permission.%s: %w", m.key, err)
		}
		im.openCode(m.key, p)
	}
	return nil
}

// everything is a word for all tools.
func (im *Import) everything(word string) {
	why := map[string]string{
		"allow": "everything would pass; choose a mode", "ask": "what no rule names is asked about in mode default",
		"deny": "what no rule names is asked about, not refused; mode dont-ask refuses it",
	}[word]
	im.note("permission * "+word, why)
}

// patterns are one tool's, of which the last that matches wins.
type patterns []pattern

type pattern struct {
	text   string
	effect gate.Effect
}

func readPatterns(data json.RawMessage) (patterns, error) {
	var all object
	var word string
	if json.Unmarshal(data, &word) == nil {
		data, _ = json.Marshal(map[string]string{"*": word})
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	var list patterns
	for _, m := range all {
		if err := json.Unmarshal(m.value, &word); err != nil {
			return nil, err
		}
		effect, known := effects[word]
		if !known {
			return nil, fmt.Errorf("%q is none of allow, ask and deny", word)
		}
		list = append(list, pattern{m.key, effect})
	}
	return list, nil
}

// openCode carries over what is said for one tool. Here the strictest rule
// wins, there the last one: an allow that lifts a restriction above it is left
// out, unless that is the one for everything.
func (im *Import) openCode(tool string, list patterns) {
	for i, p := range list {
		from := fmt.Sprintf("%s %q: %s", tool, p.text, p.effect)
		about := subject{tool, headOf(p.text)}
		if p.text == "*" && (p.effect == gate.Ask || p.effect == gate.Deny && lifted(list[i+1:])) {
			why := "what no rule names is asked about in mode default"
			if p.effect == gate.Deny {
				why = "what no rule names is asked about, not refused, so that the allows below it hold"
			}
			im.note(from, why)
			continue
		}
		if p.effect == gate.Allow && list[:i].restrict(about) {
			im.note(from, "it lifts a restriction above it, and here the strictest wins")
			continue
		}
		im.openCodeRule(tool, p, from)
	}
}

// lifted reports whether something is allowed.
func lifted(list patterns) bool {
	for _, p := range list {
		if p.effect == gate.Allow {
			return true
		}
	}
	return false
}

// restrict reports whether one of the patterns, but for the one for
// everything, may keep what a subject is about from passing.
func (list patterns) restrict(about subject) bool {
	for _, p := range list {
		if p.effect != gate.Allow && p.text != "*" && about.overlaps(subject{about.kind, headOf(p.text)}) {
			return true
		}
	}
	return false
}

func (im *Import) openCodeRule(tool string, p pattern, from string) {
	switch tool {
	case "bash":
		if p.text == "*" {
			im.carry(p.effect, "shell(*)", from, subject{kind: "shell"})
		} else {
			im.command(p.effect, p.text, from)
		}
	case "edit", "write", "patch":
		im.openCodePath(p, "write", from)
	case "read":
		switch p.effect {
		case gate.Allow:
			im.note(from, "reading is not asked about")
		case gate.Ask:
			im.leave(p.effect, from, "reading can be denied, not asked about", subject{kind: "read"})
		default:
			im.openCodePath(p, "read", from)
		}
	case "list", "glob", "grep", "lsp", "todoread", "todowrite", "question":
		if p.effect == gate.Allow {
			im.note(from, "it is not asked about")
		} else {
			im.carry(p.effect, tool, from, subject{"tool", tool})
		}
	case "webfetch":
		im.openCodeURL(p, from)
	case "skill":
		im.openCodeName("skill", p, from)
	case "task":
		im.openCodeName("agent", p, from)
	default:
		if p.effect == gate.Allow || p.text != "*" {
			im.leave(p.effect, from, "it has no counterpart; for a tool of an MCP server write mcp(server:tool)", subject{"tool", headOf(tool)})
			return
		}
		im.openCodeTool(p.effect, tool, from)
	}
}

// openCodeTool restricts a tool by its name. That of one of an MCP server begins
// with the server's, and may hold the same sign.
func (im *Import) openCodeTool(effect gate.Effect, name, from string) {
	im.carry(effect, name, from, subject{"tool", headOf(name)})
	for i, c := range name {
		if server, tool := name[:i], name[i+1:]; c == '_' && server != "" && tool != "" && !strings.Contains(server, "*") {
			im.carry(effect, "mcp("+server+":"+tool+")", from, subject{"mcp", server + ":" + headOf(tool)})
		}
	}
}

// openCodePath carries over a pattern for files, in which * also stands for
// folders. Here it stands for a part of a name: an allow is narrower so, and
// a restriction gets ** where folders may stand, as far as it can be said.
func (im *Import) openCodePath(p pattern, kind, from string) {
	text := strings.Replace(p.text, "$HOME/", "~/", 1)
	switch {
	case text == "*" && p.effect == gate.Allow:
		text = "**" // of the workspace
	case text == "*":
		text = "/**"
	case p.effect == gate.Allow:
	case strings.Contains(strings.Trim(text, "*"), "*"):
		im.leave(p.effect, from, "its * stands for folders too, which can't be said here", subject{kind, headOf(text)})
		return
	default:
		if name := strings.TrimLeft(text, "*"); name != text {
			text = "**/*" + name
			if strings.HasPrefix(name, "/") {
				text = "**" + name
			}
		}
		if folder, ok := strings.CutSuffix(strings.TrimRight(text, "*"), "/"); ok {
			text = folder + "/**"
		}
	}
	im.file(p.effect, kind, text, from)
}

func (im *Import) openCodeURL(p pattern, from string) {
	u, err := url.Parse(strings.TrimRight(p.text, "*"))
	switch {
	case p.text == "*":
		im.carry(p.effect, "web(*)", from, subject{kind: "web"})
	case p.effect == gate.Allow:
		im.leave(p.effect, from, "rules are for whole hosts, and would allow more", subject{kind: "web"})
	case err != nil || u.Hostname() == "" || strings.Contains(u.Host, "*"):
		im.leave(p.effect, from, "it names no host", subject{kind: "web"})
	default:
		im.carry(p.effect, "web("+u.Hostname()+")", from, subject{"web", u.Hostname()})
	}
}

func (im *Import) openCodeName(kind string, p pattern, from string) {
	im.carry(p.effect, kind+"("+p.text+")", from, subject{kind, headOf(p.text)})
}
