package shell

import (
	"strings"
	"testing"
)

// APR-15: what is listed as built-in passes, and asks with each of the guards
// that are listed with it.
func TestDefaultsAreTheBuiltInRules(t *testing.T) {
	list := Defaults()
	if len(list) < 18 {
		t.Errorf("only %d are listed", len(list))
	}
	for _, d := range list {
		if d.Command == "cd" {
			continue // it needs a folder
		}
		c := &Read(d.Command).Commands[0]
		if allowed, guard := ReadOnly(c); !allowed || guard != "" {
			t.Errorf("%s: allowed %t, guard %q", d.Command, allowed, guard)
		}
		asks := func(line string) {
			if _, guard := ReadOnly(&Read(line).Commands[0]); guard == "" {
				t.Errorf("%s doesn't ask", line)
			}
		}
		for _, g := range d.Guards {
			asks(d.Command + " " + g)
		}
		for _, g := range d.Before {
			asks(strings.Replace(d.Command, " ", " "+g+" x ", 1))
		}
	}
}
