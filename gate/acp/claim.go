package acp

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// claims are the absolute paths of all files that the call names in any way,
// understood or not, each once: a rule for files has to hold for each.
func (r reading) claims() []string {
	list := r.paths()
	for _, l := range r.call.Locations {
		list = append(list, r.behindLink(l.Path)...)
	}
	for _, name := range pathNames {
		list = append(list, r.behindLink(r.input().text(name))...)
	}
	for _, d := range diffsOf(r.call.Content) {
		list = append(append(list, r.absolute(d.Path)), r.behindLink(d.Path)...)
	}
	for _, name := range []string{"diff", "patch"} {
		patches, err := parsePatch(r.input().text(name))
		if err != nil {
			continue
		}
		for _, p := range patches {
			list = append(list, r.patched(p.from, len(patches)), r.patched(p.to, len(patches)))
			list = append(append(list, r.behindLink(p.from)...), r.behindLink(p.to)...)
		}
	}
	var input any
	if json.Unmarshal(r.call.RawInput, &input) == nil {
		claimsIn(input, func(path string) {
			path = strings.TrimPrefix(path, "file://")
			list = append(append(list, r.absolute(path)), r.behindLink(path)...)
		})
	}
	seen := map[string]bool{"": true}
	return slices.DeleteFunc(list, func(p string) bool {
		again := seen[p]
		seen[p] = true
		return again
	})
}

// claimsIn finds paths at any depth: under names that are for paths, and as
// the names in a table of changes.
func claimsIn(v any, add func(string)) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			claimsIn(item, add)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if table, ok := v[name].(map[string]any); ok && strings.EqualFold(name, "changes") {
				for _, path := range slices.Sorted(maps.Keys(table)) {
					add(path)
				}
			}
			if forPath(name) {
				addTexts(v[name], add)
			}
			claimsIn(v[name], add)
		}
	}
}

func addTexts(v any, add func(string)) {
	switch v := v.(type) {
	case string:
		add(v)
	case []any:
		for _, item := range v {
			if s, ok := item.(string); ok {
				add(s)
			}
		}
	}
}

// forPath reports a name under which tools take paths, in any spelling.
func forPath(name string) bool {
	name = strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
	if slices.Contains([]string{"from", "to", "source", "destination", "src", "dst", "target"}, name) {
		return true
	}
	for _, end := range []string{"path", "paths", "file", "files", "filename", "filenames", "uri"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
