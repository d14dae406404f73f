package shell

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Programs that start another one, a line for each way of telling them: a rule that
// denies the command reaches it behind all of them (APR-15, TAM-15).
func TestWhatCarriesIsLookedInto(t *testing.T) {
	lines, err := os.ReadFile("testdata/carriers.txt")
	if err != nil {
		t.Fatal(err)
	}
	const command = "rm -rf x"
	is := func(c Command) bool { return strings.HasPrefix(strings.Join(c.Args(), " "), command) }
	for line := range strings.Lines(string(lines)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		l := Read(strings.ReplaceAll(line, "@", command))
		if !slices.ContainsFunc(l.Commands, is) && !slices.ContainsFunc(l.Possible, is) {
			t.Error(line)
		}
	}
}
