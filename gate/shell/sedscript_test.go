package shell

import (
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestReadSed(t *testing.T) {
	for _, tt := range []struct{ script, runs, reads, writes string }{
		{script: "s/a/b/g"},
		{script: "1,5p"},
		{script: `s/[^/]*$//`},
		{script: `s/.*\///;s,a,b,I`},
		{script: ":a;N;$!ba;s/\\n/ /g"},
		{script: "/e/p;/w/{s/e/w/;q5}"},
		{script: "1i\\\ne rm -rf x"},
		{script: "a e rm\\\ne rm"},
		{script: "a e rm\\\\\ne ls", runs: "ls"},
		{script: "v;e ls", runs: "ls"},
		{script: "s/[/]/[/;e ls;s/x/]/", runs: "ls;s/x/]/"},
		{script: "1e ls \\\n-l", runs: "ls \\\n-l"},
		{script: "# e rm\np"},
		{script: `y/ew/we/`},
		{script: "r x;e rm", reads: "x;e rm"},
		{script: "1e rm -rf x", runs: "rm -rf x"},
		{script: "/a/I,+2!{;e rm\n}", runs: "rm"},
		{script: `\,a\,b,e rm`, runs: "rm"},
		{script: ":a e rm", runs: "rm"},
		{script: "bx\ne rm", runs: "rm"},
		{script: "s/a/b/w out", writes: "out"},
		{script: "/x/w out", writes: "out"},
		{script: "R in", reads: "in"},
	} {
		s := readSed(tt.script)
		one := func(list []string) string { return strings.Join(slices.Compact(list), "|") }
		if s.odd || one(s.runs) != tt.runs || one(s.reads) != tt.reads || one(s.writes) != tt.writes {
			t.Errorf("%q runs %q, reads %q, writes %q, odd %v", tt.script, s.runs, s.reads, s.writes, s.odd)
		}
	}
	if s := readSed("s/a/b/e"); len(s.runs) == 0 {
		t.Error("the flag e of s is not found")
	}
	for _, odd := range []string{"s/a", "k", "s/a/b", "/x", `s/a\`, "s"} {
		if s := readSed(odd); !s.odd {
			t.Errorf("%q is no script", odd)
		}
	}
}

// In its sandbox GNU sed refuses what runs, reads or writes. Whatever it
// refuses must be found here.
func TestSedAgrees(t *testing.T) {
	if exec.Command("sed", "--sandbox", "p").Run() != nil {
		t.Skip("NOT TESTED: there is no GNU sed to compare with")
	}
	tokens := strings.Split("e|w x|r x|s/a/b/|s/[/]/x/e|s/[^/]*/y/|s,a,b,w f|y/a/b/|p|1|$|/a/|/[/]e/|\\,x,|,|!|{|}|;|\n|a|i\\|a x\\|b|:x|bx|tq| |e z|#|s|/|[|]|\\|q5|=|N|D|I|0~3|+2|a x\\\\|v|s/[/]/[/|s/x/]/|y/[/]/|v 4.2|y/[/x/|s/[//]/b/|s/x/[/|s/]/q/|y/]/[/", "|")
	random := rand.New(rand.NewPCG(7, 9))
	compared := 0
	for range 250 {
		var b strings.Builder
		for range 1 + random.IntN(7) {
			b.WriteString(tokens[random.IntN(len(tokens))])
		}
		script := b.String()
		if s := readSed(script); s.odd || len(s.runs)+len(s.reads)+len(s.writes) > 0 {
			continue
		}
		cmd := exec.Command("sed", "--sandbox", "-e", script)
		if out, _ := cmd.CombinedOutput(); strings.Contains(string(out), "sandbox") {
			t.Errorf("sed would do more than edit by %q: %s", script, out)
		}
		compared++
	}
	if compared < 25 {
		t.Errorf("only %d scripts were compared", compared)
	}
}
