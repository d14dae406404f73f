package agenthook

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// kindPatch is a tool that takes a patch in Codex's own language as its command.
const kindPatch = "patch"

// A codexChange is a part of a patch in the form of the Agent Client Protocol:
// the lines that are replaced, which have to be in the file once.
type codexChange struct {
	Type string            `json:"type"`
	Path string            `json:"path"`
	Old  *string           `json:"oldText"`
	New  string            `json:"newText"`
	Meta map[string]string `json:"_meta,omitempty"`
}

// patchRequests are what a patch writes and deletes. One that isn't understood
// in full is shown as it is, and a person is asked.
func (e Event) patchRequests(origin gate.Origin) []gate.Request {
	call := map[string]any{"toolCallId": e.CallID, "name": e.Tool, "kind": "edit"}
	var patch string
	_ = json.Unmarshal(e.fields()["command"], &patch)
	if changes, ok := parseCodexPatch(patch); ok && len(e.fields()) == 1+len(e.described()) {
		for i := range changes {
			changes[i].Path = e.absolute(changes[i].Path)
		}
		call["content"] = changes
	} else {
		call["rawInput"], call["locations"] = e.Input, e.patched(patch)
	}
	raw, err := json.Marshal(call)
	if err != nil { // the input was read as JSON
		raw = nil
	}
	return acp.Requests(origin, raw)
}

// A location is a file in the form of the Agent Client Protocol.
type location struct {
	Path string `json:"path"`
}

// patched are the files that a patch names in its headers, however it is written:
// rules that restrict hold for them also where the rest isn't understood.
func (e Event) patched(patch string) (files []location) {
	for line := range strings.Lines(patch) {
		header, marked := strings.CutPrefix(strings.TrimSpace(line), "***")
		if _, path, named := strings.Cut(header, ":"); marked && named && strings.TrimSpace(path) != "" {
			files = append(files, location{e.absolute(strings.TrimSpace(path))})
		}
	}
	return files
}

// described are the arguments of a patch that change nothing of what it does.
func (e Event) described() (names []string) {
	if _, ok := e.fields()["description"]; ok {
		names = append(names, "description")
	}
	return names
}

// parseCodexPatch reads a patch strictly: what isn't understood may be about
// further files. Files that get another name are not.
func parseCodexPatch(text string) (changes []codexChange, ok bool) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := len(lines) - 1
	if last < 2 || lines[0] != "*** Begin Patch" || lines[last] != "*** End Patch" {
		return nil, false
	}
	const add, remove, update = "*** Add File: ", "*** Delete File: ", "*** Update File: "
	lines = lines[1:last]
	for len(lines) > 0 {
		head := lines[0]
		n := 1
		for n < len(lines) && !strings.HasPrefix(lines[n], "*** ") || n < len(lines) && lines[n] == "*** End of File" {
			n++
		}
		body := lines[1:n]
		lines = lines[n:]
		if strings.TrimSpace(head) != head { // what belongs to the name is a question of taste
			return nil, false
		}
		var some []codexChange
		switch {
		case strings.HasPrefix(head, add):
			some, ok = addedFile(strings.TrimPrefix(head, add), body)
		case strings.HasPrefix(head, remove):
			some, ok = []codexChange{{Type: "diff", Path: strings.TrimPrefix(head, remove), Meta: map[string]string{"kind": "delete"}}}, len(body) == 0
		case strings.HasPrefix(head, update):
			some, ok = updatedFile(strings.TrimPrefix(head, update), body)
		default:
			ok = false
		}
		if !ok {
			return nil, false
		}
		changes = append(changes, some...)
	}
	return changes, len(changes) > 0
}

func addedFile(path string, body []string) ([]codexChange, bool) {
	c := codexChange{Type: "diff", Path: path}
	for _, line := range body {
		text, ok := strings.CutPrefix(line, "+")
		if !ok {
			return nil, false
		}
		c.New += text + "\n"
	}
	return []codexChange{c}, true
}

// updatedFile reads pieces of a file. One that replaces nothing, and only adds,
// doesn't say where.
func updatedFile(path string, body []string) (changes []codexChange, ok bool) {
	var old, text strings.Builder
	end := func() bool {
		if old.Len() == 0 && text.Len() == 0 {
			return true
		}
		was := old.String()
		changes = append(changes, codexChange{Type: "diff", Path: path, Old: &was, New: text.String(), Meta: map[string]string{"kind": "lines"}})
		old.Reset()
		text.Reset()
		return was != ""
	}
	for _, line := range body {
		switch {
		case line == "@@" || strings.HasPrefix(line, "@@ "):
			if !end() {
				return nil, false
			}
			continue
		case line == "*** End of File":
			continue
		case line == "":
			line = " "
		}
		switch line[0] {
		case ' ':
			old.WriteString(line[1:] + "\n")
			text.WriteString(line[1:] + "\n")
		case '-':
			old.WriteString(line[1:] + "\n")
		case '+':
			text.WriteString(line[1:] + "\n")
		default:
			return nil, false
		}
	}
	ok = end() && len(changes) > 0
	return changes, ok
}

// absolute reads a path as the agent means it. One with .. or ~ in it stays as it
// is: it may lead elsewhere than it seems, which is looked at later.
func (e Event) absolute(path string) string {
	switch dots := strings.Contains(path, ".."); {
	case strings.HasPrefix(path, "~"): // below the home, for some
		return path
	case !filepath.IsAbs(path) && dots:
		return e.Dir + string(filepath.Separator) + path
	case !filepath.IsAbs(path):
		return filepath.Join(e.Dir, path)
	case dots:
		return path
	}
	return filepath.Clean(path)
}
