package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// AddRule saves a rule in a settings file, at the end of its list, and makes
// the list, the table and the file where they are missing (APR-15). All else
// in the file stays as it is, byte for byte. A rule that is there already is
// left there.
//
// A rule that [gate.ParseRule] refuses isn't saved, nor one that holds what
// looks like a credential: [ErrSecret] (BEY-12). A file that can't be
// understood isn't touched, and the error holds the [Problem]. Many programs
// may save at once.
func AddRule(path string, effect gate.Effect, rule string) error {
	return AddRules(path, effect, rule)
}

// AddRules is [AddRule] for several rules in one step: a reader of the file sees
// all of them or none, and where one can't be saved none is.
func AddRules(path string, effect gate.Effect, rules ...string) error {
	for _, rule := range rules {
		if err := savable(path, effect, rule); err != nil {
			return err
		}
	}
	err := update(path, func(content []byte) (_ []byte, err error) {
		for _, rule := range rules {
			if content, err = WithRule(path, content, effect, rule); err != nil {
				return content, err
			}
		}
		return content, nil
	})
	return saving(path, err)
}

// ErrSecret refuses to save a rule that holds what looks like a credential.
var ErrSecret = errors.New("the rule holds what looks like a password or a key, which must not lie in a settings file; write * in its place, or take it from a variable or a file")

func savable(path string, effect gate.Effect, rule string) error {
	switch _, err := gate.ParseRule(effect, rule, gate.Source{File: path}); {
	case err != nil:
		return err
	case !utf8.ValidString(rule):
		return fmt.Errorf("%w: %q is not text in UTF-8", gate.ErrRule, rule)
	case gate.LooksSecret(rule):
		return ErrSecret
	}
	return nil
}

// WithRule returns the content of a settings file with one more rule, as
// [AddRule] would save it; the same content when the rule is there already.
func WithRule(path string, content []byte, effect gate.Effect, rule string) ([]byte, error) {
	if err := savable(path, effect, rule); err != nil {
		return content, err
	}
	rule = strings.TrimSpace(rule)
	e, err := newEdit(path, content, effect)
	if err != nil || e.has(rule) {
		return content, err
	}
	return e.checked(e.add(rule), append(e.rules(), rule))
}

// RemoveRule takes a rule out of a settings file, all copies of it, and
// reports whether there was one (APR-15). What [AddRule] made for this one
// rule goes with it; all else stays, comments too.
func RemoveRule(path string, effect gate.Effect, rule string) (removed bool, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	rule = strings.TrimSpace(rule)
	err = update(path, func(old []byte) ([]byte, error) {
		e, err := newEdit(path, old, effect)
		if err != nil {
			return old, err
		}
		if removed = e.has(rule); !removed {
			return old, nil
		}
		return e.checked(e.remove(rule), slices.DeleteFunc(e.rules(), isRule(rule)))
	})
	return removed && err == nil, saving(path, err)
}

// saving says in an error what failed. A [Problem] names the file already.
func saving(path string, err error) error {
	var p Problem
	if err == nil {
		return nil
	}
	if errors.As(err, &p) {
		return fmt.Errorf("the rule can't be saved: %w", err)
	}
	return fmt.Errorf("the rule can't be saved in %s: %w", path, err)
}

func isRule(text string) func(string) bool {
	return func(other string) bool { return strings.TrimSpace(other) == text }
}

// An edit is a settings file of which one list of [permissions] is changed.
type edit struct {
	path   string
	effect gate.Effect
	name   string // of the list
	mark   []byte // the byte order mark, or nothing
	data   []byte // what is behind it
	root   *node
}

// newEdit reads the file. One that has a mistake in its form is refused: what
// the rest of it means can't be known.
func newEdit(path string, content []byte, effect gate.Effect) (*edit, error) {
	e := &edit{path: path, effect: effect, name: effect.String()}
	if bytes.HasPrefix(content, byteOrderMark) {
		e.mark, content = byteOrderMark, content[len(byteOrderMark):]
	}
	e.data = content
	doc := parseDocument(content)
	e.root = doc.root
	mistake := func(at int, key, message, hint string) error {
		line, col := doc.position(at)
		return Problem{File: path, Line: line, Col: col, Key: key, Message: message, Hint: hint}
	}
	if m := doc.broken; m != nil {
		return nil, mistake(m.at, "", "this is not valid TOML: "+m.message, "mend the file first")
	}
	if len(doc.twice) > 0 {
		m := doc.twice[0]
		key := joinKey("", m.key...)
		return nil, mistake(m.at, key, key+" is defined twice", "keep one of them first")
	}
	var decoded map[string]any
	if err := toml.Unmarshal(content, &decoded); err != nil {
		var de *toml.DecodeError
		line, col := 0, 0
		if errors.As(err, &de) {
			line, col = de.Position()
		}
		return nil, Problem{File: path, Line: line, Col: col, Message: "this is not valid TOML: " + err.Error(), Hint: "mend the file first"}
	}
	permissions := e.root.byName["permissions"]
	if permissions == nil {
		return e, nil
	}
	if permissions.kind != tableKind {
		return nil, mistake(permissions.node.at, "permissions", "permissions is "+permissions.describe(), "it must be a table")
	}
	list := permissions.byName[e.name]
	if list == nil {
		return e, nil
	}
	key := joinKey("permissions", e.name)
	if list.kind != arrayKind || list.tables {
		return nil, mistake(list.node.at, key, key+" is "+list.describe(), "it must be a list of texts in quotes")
	}
	for _, item := range list.items {
		if item.kind != stringKind {
			return nil, mistake(item.at, key, "an entry of "+key+" is "+item.describe(), "it must be a text in quotes")
		}
	}
	return e, nil
}

// rules are the texts of the list.
func (e *edit) rules() (texts []string) {
	if permissions := e.root.byName["permissions"]; permissions != nil {
		if list := permissions.byName[e.name]; list != nil {
			for _, item := range list.items {
				texts = append(texts, item.text)
			}
		}
	}
	return texts
}

func (e *edit) has(rule string) bool { return slices.ContainsFunc(e.rules(), isRule(rule)) }

// checked returns the new content, once it has been read again and differs
// from the old in this one list only.
func (e *edit) checked(data []byte, want []string) ([]byte, error) {
	content := slices.Concat(e.mark, data)
	if len(content) > MaxFileSize {
		return nil, fmt.Errorf("it would be larger than %d MB", MaxFileSize>>20)
	}
	after, err := newEdit(e.path, content, e.effect)
	if err != nil {
		return nil, fmt.Errorf("it can't be changed without harm, edit it by hand: %w", err)
	}
	if !slices.Equal(after.rules(), want) || !maps.Equal(e.rest(), after.rest()) {
		return nil, errors.New("it can't be changed without harm, edit it by hand")
	}
	return content, nil
}

// rest is all that the file says but for the list, by key.
func (e *edit) rest() map[string]string {
	all := map[string]string{}
	e.root.spell("", all)
	delete(all, "permissions") // the table may come and go with its list
	list := joinKey("permissions", e.name)
	delete(all, list)
	for i := range e.rules() {
		delete(all, fmt.Sprintf("%s[%d]", list, i))
	}
	return all
}

// spell writes down every value below n by its key.
func (n *node) spell(key string, into map[string]string) {
	into[key] = fmt.Sprint(n.kind, n.tables, n.text)
	for i, item := range n.items {
		item.spell(fmt.Sprintf("%s[%d]", key, i), into)
	}
	for _, e := range n.entries {
		e.spell(joinKey(key, e.name), into)
	}
}
