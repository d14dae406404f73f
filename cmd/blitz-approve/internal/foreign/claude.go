package foreign

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// Claude reads the permissions of a settings.json of Claude Code. project
// says that the file is one of the workspace, to which its paths are relative.
func Claude(data []byte, project bool) (*Import, error) {
	var file struct {
		Permissions struct {
			Allow, Ask, Deny []string
			DefaultMode      string
			Directories      []string `json:"additionalDirectories"`
		}
		Hooks json.RawMessage
	}
	if err := json.Unmarshal(withoutComments(data), &file); err != nil {
		return nil, err
	}
	p := file.Permissions
	im := &claudeImport{project: project}
	for _, list := range []struct {
		effect gate.Effect
		rules  []string
	}{{gate.Deny, p.Deny}, {gate.Ask, p.Ask}, {gate.Allow, p.Allow}} {
		for _, rule := range list.rules {
			im.rule(list.effect, strings.TrimSpace(rule), list.effect.String()+" "+rule)
		}
	}
	im.mode(p.DefaultMode)
	for _, dir := range p.Directories {
		im.note("additionalDirectories "+dir, "the workspace is one folder here; what lies outside is asked about")
	}
	if len(file.Hooks) > 0 && string(file.Hooks) != "{}" {
		im.note("hooks", "they stay Claude Code's own")
	}
	return im.settled(), nil
}

type claudeImport struct {
	Import
	project bool
}

func (im *claudeImport) mode(word string) {
	switch word {
	case "":
	case "bypassPermissions":
		im.note("defaultMode "+word, "bypass needs the OS sandbox: start with --sandbox --approval-mode bypass")
	case "default", "manual", "acceptEdits", "plan", "dontAsk", "auto":
		// Only words of its own: others that mean a mode here mean none there.
		mode, err := gate.ParseMode(word)
		if err == nil {
			im.Mode = mode.String()
		}
	default:
		im.note("defaultMode "+word, "there is no such mode in Claude Code")
	}
}

// rule carries over Tool or Tool(specifier).
func (im *claudeImport) rule(effect gate.Effect, rule, from string) {
	tool, spec, ok := strings.Cut(strings.TrimSuffix(rule, ")"), "(")
	if ok != strings.HasSuffix(rule, ")") {
		im.leave(effect, from, "it can't be read", subject{})
		return
	}
	if spec == "*" {
		spec = ""
	}
	switch tool {
	case "Bash":
		im.bash(effect, spec, from)
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		im.paths(effect, "write", spec, from)
	case "Read", "Glob", "Grep", "LS", "NotebookRead":
		im.read(effect, spec, from)
	case "WebFetch":
		im.web(effect, spec, from)
	case "Skill", "Agent", "Task":
		im.named(effect, map[string]string{"Skill": "skill"}[tool], spec, from)
	default:
		im.other(effect, tool, spec, from)
	}
}

func (im *claudeImport) bash(effect gate.Effect, spec, from string) {
	switch prefix, colon := strings.CutSuffix(spec, ":*"); {
	case spec == "":
		im.carry(effect, "shell(*)", from, subject{kind: "shell"})
	case colon && !strings.ContainsAny(prefix, `*'"\`+"|&;<>`$()"):
		im.prefix(effect, strings.Fields(prefix), from)
	case colon:
		im.command(effect, prefix+" *", from)
	default:
		im.command(effect, spec, from)
	}
}

func (im *claudeImport) read(effect gate.Effect, spec, from string) {
	switch effect {
	case gate.Allow:
		im.note(from, "reading is not asked about")
	case gate.Ask:
		im.leave(effect, from, "reading can be denied, not asked about; add it to deny if it matters", subject{"read", ""})
	default:
		im.paths(effect, "read", spec, from)
	}
}

// paths carries over a pattern for files, which reads as in .gitignore: one
// without a slash applies in every folder.
func (im *claudeImport) paths(effect gate.Effect, kind, spec, from string) {
	about := subject{kind: kind}
	pattern := spec
	switch {
	case spec == "" && effect == gate.Allow:
		pattern = "**" // of the workspace
	case spec == "":
		pattern = "/**"
	case strings.HasPrefix(spec, "!"):
		im.leave(effect, from, "rules have no exceptions", about)
		return
	case strings.HasPrefix(spec, "//"):
		pattern = spec[1:]
	case strings.HasPrefix(spec, "/") && !im.project:
		im.leave(effect, from, "it is relative to the folder of these settings", about)
		return
	case strings.HasPrefix(spec, "/"):
		pattern = spec[1:]
	case strings.HasPrefix(spec, "~/"):
	default:
		pattern = strings.TrimPrefix(spec, "./")
		if !strings.Contains(strings.TrimSuffix(pattern, "/"), "/") && !strings.HasPrefix(spec, "./") {
			pattern = "**/" + pattern
		}
	}
	im.file(effect, kind, pattern, from)
}

// file carries over a pattern for files in this gate's own form. A restriction
// on a folder is one on all below it.
func (im *Import) file(effect gate.Effect, kind, pattern, from string) {
	about := subject{kind, headOf(path.Clean(pattern))}
	if strings.HasPrefix(pattern, "**") {
		about.head = ""
	}
	kinds := []string{kind}
	if kind == "write" && effect != gate.Allow {
		kinds = append(kinds, "delete")
	}
	for _, kind := range kinds {
		im.carry(effect, fmt.Sprintf("%s(%s)", kind, pattern), from, about)
		if effect != gate.Allow && strings.Contains(pattern, "*") && !strings.HasSuffix(pattern, "**") {
			im.carry(effect, fmt.Sprintf("%s(%s/**)", kind, strings.TrimSuffix(pattern, "/")), from, about)
		}
	}
}

func (im *claudeImport) web(effect gate.Effect, spec, from string) {
	host, ok := strings.CutPrefix(spec, "domain:")
	switch {
	case spec == "":
		im.carry(effect, "web(*)", from, subject{kind: "web"})
	case !ok:
		im.leave(effect, from, "it can't be read", subject{kind: "web"})
	case strings.Contains(host, "*") && effect == gate.Allow:
		im.leave(effect, from, "a * covers the domain itself here, and would allow more", subject{"web", ""})
	default:
		im.carry(effect, "web("+host+")", from, subject{"web", headOf(host)})
	}
}

// named carries over a rule for a skill or a sub-agent.
func (im *claudeImport) named(effect gate.Effect, kind, name, from string) {
	if kind == "" {
		kind = "agent"
	}
	about := subject{kind, headOf(name)}
	switch {
	case name == "":
		name = "*"
	case strings.ContainsAny(name, " :*?") && effect == gate.Allow:
		im.leave(effect, from, "only a plain name can be carried over", about)
		return
	}
	im.carry(effect, kind+"("+strings.TrimSuffix(name, ":*")+")", from, about)
}

// other carries over a tool of an MCP server, or one by its name.
func (im *claudeImport) other(effect gate.Effect, tool, spec, from string) {
	server, name, ok := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__")
	switch {
	case spec != "":
		im.leave(effect, from, "rules know nothing of what this tool is given", subject{})
	case !strings.HasPrefix(tool, "mcp__"):
		im.carry(effect, tool, from, subject{"tool", headOf(tool)})
	case strings.Contains(server, "*"):
		im.leave(effect, from, "name the server", subject{kind: "mcp"})
	default:
		if !ok || name == "" {
			name = "*"
		}
		im.carry(effect, "mcp("+server+":"+name+")", from, subject{"mcp", server + ":" + headOf(name)})
	}
}
