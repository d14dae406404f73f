package shell

import "testing"

// A part of a name that stands in the list before it isn't a name of the list.
func TestListed(t *testing.T) {
	for name, want := range map[string]bool{"a": true, "b-a": true, "b": false, "-a": false, "aa": true, "": false, ".": false, "/.": true} {
		if got := listed("b-a aa a /. /..", name); got != want {
			t.Errorf("listed(%q) = %t", name, got)
		}
	}
}
