package shell

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// markers are the only programs that bash finds in these tests: each writes
// its own name and does nothing else.
var markers = []string{"ma", "mb", "mc", "md"}

// A ground is an empty folder in which bash may run with the markers only.
type ground struct{ bash, home, bin, logs string }

func newGround(tb testing.TB) *ground {
	bash, err := exec.LookPath("bash")
	if err != nil {
		tb.Skip("NOT TESTED: bash is missing, so the reading was not compared with a real shell")
	}
	g := &ground{bash: bash, home: tb.TempDir(), bin: tb.TempDir(), logs: tb.TempDir()}
	for _, m := range markers {
		script := "#!" + bash + "\necho " + m + " >> \"$LOG\"\n"
		if err := os.WriteFile(filepath.Join(g.bin, m), []byte(script), 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	return g
}

// run lets bash run line and returns the markers that ran.
func (g *ground) run(tb testing.TB, line string) map[string]bool {
	// A log of its own for each line: what a line left in the background must
	// not speak for the next one.
	log, err := os.CreateTemp(g.logs, "log")
	if err != nil {
		tb.Fatal(err)
	}
	log.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, g.bash, "--norc", "--noprofile", "-c", line)
	cmd.Dir = g.home
	cmd.Env = []string{"PATH=" + g.bin, "HOME=" + g.home, "LOG=" + log.Name()}
	cmd.WaitDelay = time.Second
	_ = cmd.Run() // the line may well fail; what ran before counts
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		tb.Logf("bash took too long on %q", line)
	}
	out, _ := os.ReadFile(log.Name())
	ran := map[string]bool{}
	for name := range strings.FieldsSeq(string(bytes.TrimSpace(out))) {
		ran[name] = true
	}
	return ran
}

// check fails when a marker ran that the facts of a clear line don't hold.
func (g *ground) check(tb testing.TB, line string) {
	l := Read(line)
	if !l.Clear() {
		return
	}
	known := map[string]bool{}
	for i := range l.Commands {
		known[l.Commands[i].Program()] = true
	}
	for name := range g.run(tb, line) {
		if !known[name] {
			tb.Errorf("bash ran %s in %q, which the reading holds for clear: %v", name, line, programs(l))
		}
	}
}

func programs(l *Line) (names []string) {
	for i := range l.Commands {
		names = append(names, l.Commands[i].Program())
	}
	return names
}

// safeLine reports whether a line may be given to bash: it holds nothing but
// markers, words that can't be programs on an empty PATH, and punctuation.
func safeLine(line string) bool {
	if len(line) > 400 || strings.ContainsAny(line, "/~.\x00") {
		return false
	}
	word := ""
	for _, c := range line + " " {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' {
			word += string(c)
			continue
		}
		if word != "" && !safeWords[word] {
			return false
		}
		word = ""
	}
	// Loops and recursion could keep the machine busy.
	return strings.Count(line, "&") < 6 && !strings.Contains(line, "()")
}

var safeWords = func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq("ma mb mc md a b c d x y z A B EOF E 0 1 2 3 echo true false if then else elif fi case in esac for do done time") {
		words[w] = true
	}
	return words
}()

// FuzzBash compares readings with what a real bash runs (APR-15): a command
// that bash runs is never missing from the facts of a clear line.
func FuzzBash(f *testing.F) {
	g := newGround(f)
	for _, line := range awkwardLines {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if safeLine(line) {
			g.check(t, line)
		}
	})
}

// TestBashAgrees runs lines made from a grammar of awkward pieces (APR-15).
func TestBashAgrees(t *testing.T) {
	g := newGround(t)
	random := rand.New(rand.NewPCG(7, 11))
	count := 150
	if testing.Short() {
		count = 40
	}
	clear := 0
	for range count {
		line := grow(random, 3)
		if Read(line).Clear() {
			clear++
		}
		g.check(t, line)
	}
	if clear < count/5 {
		t.Errorf("only %d of %d lines were clear: the comparison says little", clear, count)
	}
}

// grow makes a line of markers and of what quotes, joins and hides them.
func grow(r *rand.Rand, depth int) string {
	marker := markers[r.IntN(len(markers))]
	simple := []string{
		marker, marker + " x", marker + " 'a b'", marker + ` "x"`, marker + ` a\ b`, marker + " # x", `\` + marker,
		"x=1 " + marker, "LC_ALL=C " + marker, marker + " >&2", marker + " 2>&1", marker + " {a,b}", "{" + marker + ",x}", `"` + marker + `"`,
		marker[:1] + "''" + marker[1:], marker[:1] + "\\\n" + marker[1:], "$'" + marker + "'", "echo '" + marker + "'", `echo "` + marker + `"`,
		"echo \\; " + marker, "echo a#" + marker, "! " + marker, "time " + marker, "echo x; " + marker,
	}
	if depth == 0 {
		return simple[r.IntN(len(simple))]
	}
	in := func() string { return grow(r, depth-1) }
	switch r.IntN(22) {
	case 0:
		return in() + " && " + in()
	case 1:
		return in() + " || " + in()
	case 2:
		return in() + "; " + in()
	case 3:
		return in() + "\n" + in()
	case 4:
		return in() + " | " + in()
	case 5:
		return "(" + in() + "\n)"
	case 6:
		return "{ " + in() + "\n}"
	case 7:
		return "echo $(" + in() + "\n)"
	case 8:
		return `echo "$(` + in() + "\n)\""
	case 9:
		return "echo `" + marker + "`"
	case 10:
		return "if " + in() + "\nthen " + in() + "\nfi"
	case 11:
		return "for x in a b\ndo " + in() + "\ndone"
	case 12:
		return "case a in a) " + in() + "\n;; esac"
	case 13:
		return "echo <<EOF\n" + in() + "\nEOF\n" + in()
	case 14:
		return "echo <<'EOF'\n" + in() + "\nEOF\n" + in()
	case 15:
		return "echo <<-EOF\n\t" + in() + "\n\tEOF\n" + in()
	case 16:
		return "echo x # " + in()
	case 17:
		return "echo ${x:-$(" + in() + "\n)}"
	case 18:
		return "echo $((1+$(" + marker + ")))"
	case 19:
		return "echo <<< \"$(" + in() + "\n)\""
	case 20:
		return "true && " + in() + " & " + in()
	}
	return simple[r.IntN(len(simple))]
}

// awkwardLines are lines on which parsers and shells are known to differ.
var awkwardLines = []string{
	"ma", "ma && mb", "ma # \\\nmb", "echo x # \\\nmb",
	"echo <<EOF\nx\nEOF\nma", "echo << \"A\\B\"\nx\nA\\B\nma\nA\\\\B", "echo << A << B\n1\nA\n2\nB\nma",
	"echo <<E\\OF\nx\nEOF\nma", "echo <<EOF\nx\\\nEOF\nma\nEOF", "echo <<$'A'\nx\nA\nma", "echo <<${A}\nx\n${A}\nma\nA",
	"$'ma'", "$\"ma\"", "echo $[1+1] ; ma", "echo \"`ma`\"", "echo \"$(ma \")\" )\"", "echo $((ma); (mb))", "((ma); mb)",
	"{ma,x}", "m{a,b}", "echo ${x:-$(ma)}", "echo ${x:-`ma`}", "echo '\nma'", "echo \"\nma\n\"",
	"x=ma; $x", "case a in a) ma;; (b) mb;; esac", "for x in a; do ma; done", "if true; then ma; fi",
	"ma\\\n&& mb", "echo \\\nma", "! ma", "time ma", "time -p ma", "ma & mb", "ma |& mb", "echo `echo \\`ma\\``",
	"echo $(echo <<EOF\nma\nEOF\n)\nmb", "echo $(echo <<EOF\nma\nEOF)", "echo \"${x:-\"$(ma)\"}\"", "echo a{b,$(ma)}",
	"echo <<'EOF'\n$(ma)\nEOF", "echo <<EOF\n$(ma)\nEOF", "echo <<-EOF\n\t$(ma)\n\tEOF\nmb", "echo <<-EOF\n EOF\nma\nEOF",
	"echo x#ma", "echo 'x'#ma", "echo $#ma", "echo ${#x} ma", "echo \\#ma ; mb", "(ma)#mb\nmc", "ma;#x\nmb",
	"echo $(( 1 + `ma` ))", "echo $(# ma\nmb)", "echo $(case a in a) ma;; esac)", "a[$(ma)]=1", "echo {1..$(ma)}",
	"if ma; then mb; elif mc; then md; else ma; fi", "ma 2>&1 | mb >&2", "ma>&2;mb", "ma 1>&2 2>&1",
}
