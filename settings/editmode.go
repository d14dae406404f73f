package settings

import (
	"fmt"
	"maps"
	"slices"

	"github.com/blitz-approve/blitz-approve/gate"
)

// WithMode returns the content of a settings file with a starting mode. A file
// that names one already is left alone.
func WithMode(path string, content []byte, mode gate.Mode) ([]byte, error) {
	e, err := newEdit(path, content, gate.Deny)
	if err != nil {
		return content, err
	}
	set := func(table, name string) bool {
		t := e.root.byName[table]
		return t != nil && t.byName[name] != nil
	}
	if set("blitz", "permission_mode") || set("tools", "approval_mode") || set("tools", "approvalMode") {
		return content, nil
	}
	line := "permission_mode = " + quoted(mode.String(), '"')
	eol := lineBreak(e.data)
	header := headerOf(e.data, "blitz")
	var data []byte
	switch {
	case header.found():
		data = e.line(header.to, line)
	case e.root.byName["blitz"] == nil:
		data = e.table(eol, "[blitz]"+eol+line)
	default:
		return content, fmt.Errorf("%s: write the mode into blitz by hand: %s", path, line)
	}
	after, err := newEdit(path, slices.Concat(e.mark, data), gate.Deny)
	if err != nil {
		return content, err
	}
	was, is := map[string]string{}, map[string]string{}
	e.root.spell("", was)
	after.root.spell("", is)
	delete(is, "blitz.permission_mode")
	delete(is, "blitz")
	delete(was, "blitz")
	if !maps.Equal(was, is) {
		return content, fmt.Errorf("%s can't be changed without harm: write %s by hand", path, line)
	}
	return slices.Concat(e.mark, data), nil
}
