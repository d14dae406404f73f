package acp

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A reading turns a permission request into what the gate decides on. It goes
// by arguments and content, and by the kind, which the agent's program sets;
// a title is the model's own words and is only shown.
type reading struct {
	workspace string
	agent     string
	session   string
	preset    Preset
	servers   []MCPServer

	asked  Call // the request's own account of the call
	before Call // what was known of the call already
	call   Call // both, joined

	arguments []member // of call, in their order
	input     object   // the same by name; nil where they have no names
}

func (h *hosted) reading(asked Call) reading {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := reading{
		workspace: h.options.Workspace, agent: h.agent, session: h.session,
		preset: h.options.Preset, servers: h.options.MCPServers,
	}
	return r.of(h.calls[asked.ID].told, asked)
}

// of is the reading of one call.
func (r reading) of(before, asked Call) reading {
	r.before, r.asked, r.call = before, asked, before.join(asked)
	r.call.RawInput = mergeInput(before.RawInput, asked.RawInput)
	if list, err := members(r.call.RawInput); err == nil {
		r.arguments, r.input = list, byName(list)
	}
	return r
}

// mergeInput lays the arguments in a request over those announced before:
// some agents repeat only a part of them.
func mergeInput(before, asked json.RawMessage) json.RawMessage {
	now, err := members(asked)
	then, errThen := members(before)
	switch {
	case err != nil && says(asked), errThen != nil:
		return asked
	case err != nil:
		return before
	}
	have := parseObject(asked)
	for _, m := range then {
		if _, ok := have[m.name]; !ok {
			now = append(now, m)
		}
	}
	return encodeMembers(now)
}

// requests are the actions of the call, of which each has to be allowed.
func (r reading) requests() []gate.Request {
	if m, ok := r.mcp(); ok {
		return []gate.Request{r.mcpRequest(m)}
	}
	_, command := commandLine(r.input)
	switch r.call.Kind {
	case "edit", "delete", "move":
		return r.fileRequests()
	case "execute":
		return []gate.Request{r.commandRequest()}
	}
	switch {
	case command:
		return []gate.Request{r.commandRequest()}
	case len(diffsOf(r.call.Content)) > 0:
		return r.fileRequests()
	case r.call.Kind == "fetch", r.input.text("url") != "":
		return []gate.Request{r.fetchRequest()}
	case r.call.Kind == "read", r.call.Kind == "search":
		return []gate.Request{r.readRequest()}
	}
	return []gate.Request{r.otherRequest()}
}

// base is what every request of the call has in common.
func (r reading) base() gate.Request {
	return gate.Request{
		Tool:   r.tool(),
		Title:  orElse(r.input.text("description"), r.call.Title),
		Origin: gate.Origin{Agent: r.agent, Session: r.session, Protocol: "acp"},
	}
}

// tool is the tool's own name where the agent's program gives it, else the
// kind of the call.
func (r reading) tool() string {
	if r.call.name != "" {
		return r.call.name
	}
	if name, _, ok := strings.Cut(r.call.ID, "__"); ok && r.preset.ToolInCallID && name != "" {
		return name
	}
	if r.preset.ToolInFirstTitle && r.before.first != "" {
		return r.before.first
	}
	return orElse(r.call.Kind, "other")
}

// otherRequest is a call that is nothing the gate knows.
func (r reading) otherRequest() gate.Request {
	q := r.base()
	q.Detail = r.account()
	q.Targets = Started(q.Tool, r.call.RawInput)
	for _, name := range r.preset.Harmless {
		if q.Tool == name {
			q.Declared.Tier = gate.Read
			return q
		}
	}
	q.Unrevealed = q.Detail == ""
	return q
}

// readRequest is a read or a search, which is harmless only if it says where.
func (r reading) readRequest() gate.Request {
	q := r.base()
	q.Detail = r.account()
	kind := gate.GrantFile
	if r.searches() {
		kind, q.Search = gate.GrantTree, r.search()
	}
	for _, path := range r.claims() {
		q.Targets = append(q.Targets, r.relative(path))
		q.GrantTargets = append(q.GrantTargets, gate.GrantTarget{Kind: kind, Path: path, Tier: gate.Read})
	}
	if len(q.Targets) > 0 {
		q.Declared.Tier = gate.Read
	} else {
		q.Unrevealed = q.Detail == ""
	}
	forceAsk(&q, r.overlooked(r.readArgument))
	return q
}

// account is all that the call says about itself besides its title.
func (r reading) account() string {
	if s := pretty(r.call.RawInput); s != "" {
		return s
	}
	var texts []string
	for _, c := range r.call.Content {
		if c.Text != "" {
			texts = append(texts, c.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// pathNames are the arguments under which tools of the known agents take the
// file or folder that they work on.
var pathNames = []string{"file_path", "filePath", "filepath", "fileName", "path", "absolute_path", "dir_path"}

// paths are the absolute paths that the call names, each once.
func (r reading) paths() (list []string) {
	seen := map[string]bool{}
	add := func(p string) {
		if p = r.absolute(p); p != "" && !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	}
	for _, name := range pathNames {
		add(r.input.text(name))
	}
	for _, l := range r.call.Locations {
		add(l.Path)
	}
	return list
}

// absolute reads a path as the agent means it; empty stays empty.
func (r reading) absolute(path string) string {
	switch {
	case path == "":
		return ""
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	}
	return filepath.Join(orElse(r.dir(), r.workspace), path)
}

// behindLink is where else a path with .. in it may lead: some programs take ..
// away before they look, and for the system .. behind a link is the folder above
// the link's end (TAM-10). It is empty where both are one.
func (r reading) behindLink(path string) []string {
	if !strings.Contains(path, "..") {
		return nil
	}
	if !filepath.IsAbs(path) {
		path = orElse(r.dir(), r.workspace) + string(filepath.Separator) + path
	}
	if real := gate.RealPath(path); real != gate.RealPath(filepath.Clean(path)) {
		return []string{real}
	}
	return nil
}

// dir is the directory in which the call runs, if it isn't the workspace.
func (r reading) dir() string {
	return r.resolveDir(r.input.text(dirNames...))
}

// resolveDir is empty for the workspace, and clean unless that could mean another
// folder. One below the home stays as it is written.
func (r reading) resolveDir(dir string) string {
	if dir == "" || homeward(dir) {
		return dir
	}
	if !filepath.IsAbs(dir) {
		dir = r.workspace + string(filepath.Separator) + dir
	}
	if r.behindLink(dir) != nil {
		return dir // the gate reads it both ways
	}
	if dir = filepath.Clean(dir); dir == filepath.Clean(r.workspace) {
		return ""
	}
	return dir
}

// relative is a target as rules are written: relative to the workspace, and
// absolute outside it, or where the gate would read it as one below the home.
func (r reading) relative(path string) string {
	if rel, err := filepath.Rel(r.workspace, path); err == nil && filepath.IsLocal(rel) && !homeward(filepath.ToSlash(rel)) {
		return filepath.ToSlash(rel)
	}
	return path
}

func (r reading) inside(path string) bool {
	rel, err := filepath.Rel(r.workspace, path)
	return err == nil && filepath.IsLocal(rel)
}
