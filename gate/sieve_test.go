package gate

import (
	"math/rand/v2"
	"testing"
)

// APR-13: nothing that a rule is for is held back by the sieve, and most else is.
func TestSieveKeepsWhatRulesAreFor(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	text := func(from ...string) (s string) {
		for range 1 + rng.IntN(3) {
			s += from[rng.IntN(len(from))]
		}
		return s
	}
	held, kept := 0, 0
	for range 50_000 {
		rule := text("a", "b", "*", "**", "/", "**/", "/**", "/*", "?", "a/", "[a]", "{a,b}", `\`)
		p := Policy{}
		if p.AddRule(Deny, "read("+rule+")", Source{}) != nil {
			continue
		}
		x := newRuleIndex(&p, place{workspace: root{written: "/w", real: "/w"}}).read
		s := x.sieve()
		for range 5 {
			file := "/w/" + text("a", "b", "/a", "/b")
			switch fits, lets := x.restricting(filePath{forms: []string{file}}, false) != nil, s.lets(file); {
			case fits && !lets:
				t.Fatalf("read(%s) is for %s, which the sieve holds back", rule, file)
			case fits:
				kept++
			case !lets:
				held++
			}
		}
	}
	if kept < 10_000 || held < 10_000 {
		t.Errorf("kept %d, held back %d", kept, held)
	}
}
