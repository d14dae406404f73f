package diffview

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// source is n lines of something like code.
func source(n int, seed uint64) []string {
	random := rand.New(rand.NewPCG(seed, seed))
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("\tresult%d := compute(%d, \"value %d\")", random.IntN(1000), i, random.IntN(100))
	}
	return lines
}

// touched changes one line in every.
func touched(lines []string, every int) []string {
	out := append([]string(nil), lines...)
	for i := every / 2; i < len(out); i += every {
		out[i] += " // changed"
	}
	return out
}

func text2(lines []string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

func pairs() []struct {
	name string
	file File
} {
	k10, k100 := source(10_000, 1), source(100_000, 2)
	return []struct {
		name string
		file File
	}{
		{"10000 lines", File{Before: text2(k10), After: text2(touched(k10, 50))}},
		{"100000 lines 1 percent", File{Before: text2(k100), After: text2(touched(k100, 100))}},
		{"20000 rewritten", File{Before: text2(source(20_000, 3)), After: text2(source(20_000, 4))}},
		{"created 50 MB", File{After: []byte(strings.Repeat("a line of the usual length, more or less\n", 50<<20/41))}},
		{"shuffled words", File{Before: shuffled(5), After: shuffled(6)}},
		{"one line of 1 MB", File{Before: []byte(strings.Repeat("var a=1;", 1<<17)), After: []byte(strings.Repeat("var a=1;", 1<<17-1) + "evil();")}},
	}
}

// shuffled is the worst case: few different lines in no order.
func shuffled(seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, seed))
	var b strings.Builder
	for range 20_000 {
		b.WriteString([]string{"}\n", "\n", "return\n", "end\n", "{\n"}[random.IntN(5)])
	}
	return []byte(b.String())
}

func BenchmarkCompute(b *testing.B) {
	for _, p := range pairs() {
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(p.file.Before) + len(p.file.After)))
			for b.Loop() {
				Compute(context.Background(), p.file, Limits{})
			}
		})
	}
}

// The first 40 rows, and 40 rows in the middle.
func BenchmarkSlice(b *testing.B) {
	for _, o := range []RenderOptions{{Width: 100}, {Width: 100, Wrap: true}, {Width: 160, Split: true}} {
		for _, p := range pairs() {
			d := Compute(context.Background(), p.file, Limits{})
			b.Run(fmt.Sprintf("wrap=%v,split=%v/%s", o.Wrap, o.Split, p.name), func(b *testing.B) {
				n := d.Len(o)
				for b.Loop() {
					d.Slice(o, 0, 40)
					d.Slice(o, n/2, n/2+40)
				}
			})
		}
	}
}

func BenchmarkLen(b *testing.B) {
	for _, p := range pairs() {
		d := Compute(context.Background(), p.file, Limits{})
		b.Run("wrap/"+p.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				d.Len(RenderOptions{Width: 100 + i%2, Wrap: true})
			}
		})
	}
}

func BenchmarkEscape(b *testing.B) {
	for name, s := range map[string]string{
		"plain":  "go test ./internal/... -run TestPager -count 1",
		"nasty":  "ls \x1b[31m\t\u202e x   \xff\\u202e日本語",
		"1 MB":   strings.Repeat("var a=1; // é\t", 1<<16),
		"blanks": strings.Repeat(" ", 1<<20),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Escape(s)
			}
		})
	}
}

// P14: large, odd and empty files are ready within a frame or two. The bound is
// loose, for slow and busy machines; the benchmarks have the figures.
func TestLargeFiles_P14(t *testing.T) {
	for _, p := range pairs() {
		start := time.Now()
		d := Compute(context.Background(), p.file, Limits{})
		o := RenderOptions{Width: 100}
		rows := d.Slice(o, 0, 120)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %v", p.name, took)
		}
		if len(rows) == 0 || d.Len(o) < len(rows) {
			t.Errorf("%s: %d rows of %d", p.name, len(rows), d.Len(o))
		}
	}
}

// The time from content to the first 120 rows, and what git takes to write the
// whole diff, its start included.
func BenchmarkFirstRows(b *testing.B) {
	for _, p := range pairs() {
		b.Run("rows/"+p.name, func(b *testing.B) {
			for b.Loop() {
				d := Compute(context.Background(), p.file, Limits{})
				o := RenderOptions{Width: 80, Wrap: true, Style: Theme{}.Style()}
				d.Len(o)
				d.Slice(o, 0, 120)
			}
		})
		b.Run("git/"+p.name, func(b *testing.B) {
			git, err := exec.LookPath("git")
			if err != nil {
				b.Skip("git is not installed")
			}
			dir := b.TempDir()
			for name, content := range map[string][]byte{"old": p.file.Before, "new": p.file.After} {
				if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				cmd := exec.Command(git, "diff", "--no-index", "old", "new")
				cmd.Dir, cmd.Stdout = dir, io.Discard
				if err := cmd.Run(); cmd.ProcessState.ExitCode() > 1 {
					b.Fatal(err)
				}
			}
		})
	}
}
