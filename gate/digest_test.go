package gate

import "testing"

// BEY-02: no two actions have the same digest, also where JSON has one sign for
// the bytes of both.
func TestDigestsOfBrokenText(t *testing.T) {
	seen := map[string]string{}
	for name, r := range map[string]Request{
		"valid": {Targets: []string{"\ufffd"}}, "ff": {Targets: []string{"\xff"}}, "fe": {Targets: []string{"\xfe"}}, "two": {Targets: []string{"\xff", ""}}, "none": {}, "empty": {Targets: []string{}},
		"dir ff": {Dir: "\xff"}, "dir fe": {Dir: "\xfe"}, "tool": {Tool: "\xff"}, "tool fe": {Tool: "\xfe"}, "detail": {Detail: "\xff"}, "detail fe": {Detail: "\xfe"},
		"server": {Server: "\xff"}, "server fe": {Server: "\xfe"},
		"path": {Diff: []Change{{Path: "\xff"}}}, "path fe": {Diff: []Change{{Path: "\xfe"}}}, "from": {Diff: []Change{{From: "\xff"}}}, "from fe": {Diff: []Change{{From: "\xfe"}}},
		"field": {Fields: []Field{{"a", "\xff"}}}, "field fe": {Fields: []Field{{"a", "\xfe"}}}, "label": {Fields: []Field{{"\xff", "a"}}}, "label fe": {Fields: []Field{{"\xfe", "a"}}},
		"as text": {Targets: []string{`["/w=="]`}},
	} {
		d := r.Digest()
		if other, ok := seen[d]; ok {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[d] = name
	}
}
