package cases

import "testing"

// P12 of the display properties: bytes of a case that aren't UTF-8 are kept, and
// everything else is read as JSON reads it.
func TestCaseText(t *testing.T) {
	for in, want := range map[string]string{
		`"ls"`: "ls", `""`: "", "\"ls \xff\xfe\"": "ls \xff\xfe", "\"\xc0\xaf\\n\xe9\"": "\xc0\xaf\n\xe9",
		`"a\udcffb\udc80"`: "a\xffb\x80", `"\ud83d\ude00"`: "😀", `"\ud83d\udcbb"`: "💻", `"\ud800x"`: "\ufffdx",
		`"\\udcff\"\u00e9é"`: `\udcff"éé`, `"\\\udcff"`: "\\\xff",
	} {
		c, err := Read[Request]([]byte(`{"command":` + in + `}`))
		if err != nil || string(*c.Command) != want {
			t.Errorf("%q is read as %q, %v", in, *c.Command, err)
		}
	}
	if c, err := Read[Request]([]byte(`{"command":null}`)); err != nil || c.Command != nil {
		t.Errorf("null is read as %v, %v", c.Command, err)
	}
	for _, in := range []string{`1`, `{}`, `"\x"`, `"\u12"`} {
		if _, err := Read[Request]([]byte(`{"command":` + in + `}`)); err == nil {
			t.Errorf("%s is read as a text", in)
		}
	}
}
