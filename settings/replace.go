package settings

import (
	"errors"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// ErrNoRule refuses to change a rule that the file doesn't hold.
var ErrNoRule = errors.New("the file holds no such rule any more")

// ReplaceRule puts one rule in the place of another of the same list, all
// copies of it, and leaves all else as it is (APR-15). Its errors are those of
// [AddRule], and [ErrNoRule].
func ReplaceRule(path string, effect gate.Effect, old, rule string) error {
	if err := savable(path, effect, rule); err != nil {
		return err
	}
	old, rule = strings.TrimSpace(old), strings.TrimSpace(rule)
	err := update(path, func(content []byte) ([]byte, error) {
		e, err := newEdit(path, content, effect)
		switch {
		case err != nil:
			return content, err
		case !e.has(old):
			return content, ErrNoRule
		case old == rule:
			return content, nil
		case e.has(rule):
			return e.checked(e.remove(old), slices.DeleteFunc(e.rules(), isRule(old)))
		}
		want := e.rules()
		var splices []splice
		items := outlineOf(e.data, e.name).items
		for i := range want {
			if isRule(old)(want[i]) {
				want[i] = rule
				splices = append(splices, splice{items[i].span, quoted(rule, e.data[items[i].from])})
			}
		}
		return e.checked(spliced(e.data, splices...), want)
	})
	return saving(path, err)
}
