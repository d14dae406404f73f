package acp

import "testing"

func TestPatch(t *testing.T) {
	head := "--- a/f\n+++ b/f\n"
	for _, c := range []struct {
		name, before, patch, after string
		ok                         bool
	}{
		{"change", "a\nb\nc\n", head + "@@ -2,1 +2,1 @@\n-b\n+B\n", "a\nB\nc\n", true},
		{"new file", "", "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n", true},
		{"new file, odd counts", "", "--- a/dev/null\n+++ b/f\n@@ -1,0 +1,1 @@\n+a\n", "a\n", true},
		{"insert after a line", "a\nb\n", head + "@@ -1,0 +2,1 @@\n+x\n", "a\nx\nb\n", true},
		{"moved", "0\n0\na\nb\n", head + "@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "0\n0\na\nB\n", true},
		{"two places", "a\nx\na\n", head + "@@ -2,1 +2,1 @@\n-a\n+b\n", "", false},
		{"not there", "a\n", head + "@@ -1,1 +1,1 @@\n-z\n+b\n", "", false},
		{"two hunks", "a\nb\nc\nd\n", head + "@@ -1,1 +1,2 @@\n-a\n+A\n+AA\n@@ -4,1 +5,1 @@\n-d\n+D\n", "A\nAA\nb\nc\nD\n", true},
		{"end lost", "a\n", head + "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", "b", true},
		{"end gained", "a", head + "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "b\n", true},
		{"end kept away", "a", head + "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n", "b", true},
		{"a line of dashes", "-- x\nb\n", head + "@@ -1,2 +1,1 @@\n--- x\n b\n", "b\n", true},
		{"no hunk", "a\n", head, "", false},
	} {
		patches, err := parsePatch(c.patch)
		if err != nil || len(patches) != 1 {
			t.Errorf("%s: %v, %v", c.name, patches, err)
			continue
		}
		if got, ok := patches[0].apply(c.before); got != c.after || ok != c.ok {
			t.Errorf("%s: %q, %v; want %q, %v", c.name, got, ok, c.after, c.ok)
		}
	}
	for _, bad := range []string{"@@ -1 +1 @@\n-a\n", head + "@@ x y z\n"} {
		if _, err := parsePatch(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// TestCommandLine: a list of words reads back as the same words, and names are
// matched exactly, so that no second spelling hides the first.
func TestCommandLine(t *testing.T) {
	for raw, want := range map[string]string{
		`{"command":"ls -l"}`:                             "ls -l",
		`{"command":["bash","-lc","echo 'a b'"]}`:         `bash -lc 'echo '\''a b'\'''`,
		`{"command":["env","A=1","","--x=y","$HOME"]}`:    `env 'A=1' '' --x=y '$HOME'`,
		`{"command":"git","args":["commit","-m","a b"]}`:  `git commit -m 'a b'`,
		`{"command":"rm x","Command":"ls","COMMAND":"a"}`: "rm x",
		`{"cmd":"make"}`:                                  "make",
	} {
		if got, ok := commandLine(parseObject([]byte(raw))); got != want || !ok {
			t.Errorf("%s: %q, %v; want %q", raw, got, ok, want)
		}
	}
	for _, raw := range []string{`{}`, `{"command":""}`, `{"command":[]}`, `{"command":{"a":1}}`, `{"Command":"ls"}`, `7`} {
		if got, ok := commandLine(parseObject([]byte(raw))); ok {
			t.Errorf("%s: %q", raw, got)
		}
	}
}
