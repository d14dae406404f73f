package shell

import (
	"slices"
	"strings"
	"testing"
)

// APR-15: the variable of a loop is what the loop says, where nothing in it can
// say otherwise.
func TestLoopItems(t *testing.T) {
	tests := []struct {
		line string
		want string // the literal commands of it
	}{
		{`for f in a "b c"; do cat "$f"; done`, "cat a|cat b c"},
		{"for f in a 'b c'; do cat $f; done", "cat a"},
		{"for f in a ''; do cat $f; done", "cat a"},
		{"for i in {1..2}; do cat f$i; done", "cat f1|cat f2"},
		{"for x in -rf; do rm ${x} y; done", "rm -rf y"},
		{"for a in x y; do for b in 1 2; do cat $a$b; done; done", "cat x1|cat x2|cat y1|cat y2"},
		{"for a in x y; do for a in 1; do cat $a; done; cat $a; done", "cat 1"},
		{"for d in a b; do ls -- $d; done; ls $d", "ls -- a|ls -- b"},
		{"for f in ~/x '~/x'; do cat $f; done", "cat ~/x|cat ~/x"},
	}
	for _, tt := range tests {
		var got []string
		for _, c := range Read(tt.line).Commands {
			if !slices.ContainsFunc(c.Words, func(w Word) bool { return !w.Literal }) {
				got = append(got, strings.Join(c.Args(), " "))
			}
		}
		if have := strings.Join(got, "|"); have != tt.want {
			t.Errorf("%s: %s, want %s", tt.line, have, tt.want)
		}
	}
	for _, body := range []string{
		"f=x", "read f", `\read f`, `"read" f`, "$x f", "command read f", "builtin read f", "printf -v f x", "printf '-vf' x", "printf $x f", "mapfile f", "unset f", "((f=1))",
		"ls $((f=1))", "ls ${f:=x}", "eval f=x", ". ./x", "declare f=x", "let f=1", "g() { f=x; }; g", "for ((f=0;;)); do ls; done", "trap f=x EXIT", "ls ${x[f=1]}",
	} {
		line := "for f in a; do " + body + "; git diff $f; done"
		if l := Read(line); l.Clear() && !slices.ContainsFunc(l.Commands, func(c Command) bool { return len(c.Doubts) > 0 }) {
			t.Errorf("%s: nothing is doubted", line)
		}
	}
}

// Loops in loops are not read as often as they would run.
func TestLoopsInLoops(t *testing.T) {
	line := strings.Repeat("for a in 1 2 3 4 5 6 7 8 9; do ", 40) + "case a in esac; ls" + strings.Repeat("; done", 40)
	if n := len(Read(line).Commands); n > 4*maxUnrolled {
		t.Errorf("%d commands are read", n)
	}
}
