package diffview

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func readPatch(t interface{ Fatal(...any) }, in string) []Piece {
	var pieces []Piece
	for r := NewPatchReader(strings.NewReader(in)); ; {
		p, err := r.Next()
		if err == io.EOF {
			return pieces
		} else if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, p)
	}
}

// unifiedDiff writes a diff as a patch.
func unifiedDiff(d *Diff) string {
	var b strings.Builder
	b.WriteString("--- a/f\n+++ b/f\n")
	for _, h := range d.Hunks {
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@ heading\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		for _, l := range h.Lines() {
			fmt.Fprintf(&b, "%s%s\n", l.Op, l.Text)
		}
	}
	return b.String()
}

// A patch holds the lines that the diff it was made from holds, with the same
// numbers.
func TestPatchKeepsLines_P04_P10(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := file(t)
		want := compute(before, after)
		if len(want.Hunks) == 0 || want.new.crs || bytes.ContainsAny(want.File.After, "\r\x1b") || bytes.ContainsAny(want.File.Before, "\r\x1b") || want.old.cut+want.new.cut > 0 {
			return
		}
		pieces := readPatch(t, "words before\n"+unifiedDiff(want)+"words behind\n")
		if len(pieces) != 3 || pieces[1].Diff == nil || string(pieces[2].Lines[0]) != "words behind" {
			t.Fatalf("%d pieces", len(pieces))
		}
		got := pieces[1].Diff
		if got.Added != want.Added || got.Removed != want.Removed || len(got.Hunks) != len(want.Hunks) {
			t.Fatalf("+%d -%d in %d hunks, want +%d -%d in %d", got.Added, got.Removed, len(got.Hunks), want.Added, want.Removed, len(want.Hunks))
		}
		for i := range want.Hunks {
			same := slices.EqualFunc(got.Hunks[i].Lines(), want.Hunks[i].Lines(), func(a, b Line) bool {
				return a.Op == b.Op && a.Old == b.Old && a.New == b.New && bytes.Equal(a.Text, b.Text)
			})
			if !same {
				t.Fatalf("hunk %d\n%v, want\n%v", i, got.Hunks[i].Lines(), want.Hunks[i].Lines())
			}
		}
	})
}

// Whatever is read, nothing of it is lost, and what is drawn is safe. A filter
// has one row for each line.
func TestAnyPatch_P01_P03_P04(t *testing.T) {
	parts := []string{
		"diff --git a/f b/f\n", "index 1..2 100644\n", "--- a/f\n", "+++ b/f\n", "@@ -1,2 +1,2 @@\n", "@@ -1 +1 @@ func\n", "@@ -999999999,3 +999999999 @@\n",
		" same\n", "-old\n", "+new\n", "\\ No newline at end of file\n", "\n", "GIT binary patch\n", "Binary files a and b differ\n", "+\x1b[31mx\u202e\n",
		"rename from \"\\303\\244\"\n", "new mode 100755\n", "\x1b[32m+\x1b[m\x1b[32mdyed\x1b[m\n", "\x1b[1mdiff --git a/f b/f\x1b[m\n", "+\n+\n+\n+\n",
	}
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOf(rapid.SampledFrom(parts)).Draw(t, "parts"), "")
		var lines int
		o := RenderOptions{Width: rapid.IntRange(60, 100).Draw(t, "width")}
		for _, p := range readPatch(t, in) {
			lines += len(p.Lines)
			rows := p.EachLine(o)
			if len(rows) != len(p.Lines) {
				t.Fatalf("%d rows for %d lines of %q", len(rows), len(p.Lines), in)
			}
			for _, row := range rows {
				checkDrawable(t, row)
			}
			if p.Diff != nil {
				checkRows(t, p.Diff, o)
			}
		}
		if want := strings.Count(in, "\n"); lines != want {
			t.Fatalf("%d lines of %d in %q", lines, want, in)
		}
	})
}

// git's colours go; those that the text of a file holds are drawn (P02).
func TestPatchColours_P02(t *testing.T) {
	in := "\x1b[1mdiff --git a/f b/f\x1b[m\n\x1b[1m--- a/f\x1b[m\n\x1b[1m+++ b/f\x1b[m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[m \x1b[mfunc f()\x1b[m\n" +
		" kept\x1b[m\n\x1b[31m-\x1b[8mhidden\x1b[m\n\x1b[32m+\x1b[m\t\x1b[32m\x1b[31mred\x1b[m\x1b[41m  \x1b[m\n"
	pieces := readPatch(t, in)
	if len(pieces) != 1 {
		t.Fatalf("%d pieces", len(pieces))
	}
	want := []string{
		"  1   1   kept",
		`  2     - \u001b[8mhidden`,
		`      2 + ⇥   \u001b[31mred␣␣`,
	}
	if got := pieces[0].Diff.Rows(RenderOptions{Width: 60}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What a patch says of the file as such is a note.
func TestPatchNotes_P10_P11(t *testing.T) {
	const git = "diff --git a/old name b/new name\n"
	for _, tt := range []struct {
		in, path string
		notes    []string
	}{
		{git + "similarity index 100%\nrename from old name\nrename to new name\n", "new name", []string{"renamed from old name"}},
		{git + "similarity index 100%\ncopy from old name\ncopy to new name\n", "new name", []string{"copied from old name"}},
		{"diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n", "x y", []string{"it can be executed now"}},
		{"diff --git a/x b/x\nold mode 100644\nnew mode 120000\n", "x", []string{"it is a symbolic link now"}},
		{"diff --git a/x b/x\nnew file mode 100755\nindex 0..1\n", "x", []string{"new file", "it can be executed now"}},
		{"diff --git a/x b/x\ndeleted file mode 100644\n", "x", []string{"deletes the file"}},
		{"diff --git a/x b/x\nBinary files a/x and b/x differ\n", "x", []string{"binary: the patch doesn't say what changes"}},
		{"diff --git \"a/\\303\\244\\n\" \"b/\\303\\244\\n\"\nold mode 100755\nnew mode 100644\n", "ä\n", []string{"it can't be executed any more"}},
		{"--- x\t2026-01-01\n+++ x\t2026-01-02\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n", "x", []string{"no newline at the end of the file now"}},
		{"--- x\n+++ x\n@@ -1 +1 @@\n-a\r\n+b\r\n", "x", []string{"line endings are CRLF"}},
		{"--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n", "b/x", []string{"new file"}},
		{"diff --git src/x src/x\n--- src/x\n+++ src/x\n@@ -1 +1 @@\n-a\n+b\n", "src/x", nil},
	} {
		p := readPatch(t, tt.in)
		if len(p) != 1 || p[0].Diff == nil {
			t.Errorf("%q: %d pieces", tt.in, len(p))
			continue
		}
		if d := p[0].Diff; d.File.Path != tt.path || !slices.Equal(d.Notes, tt.notes) {
			t.Errorf("%q is %q with %q, want %q with %q", tt.in, d.File.Path, d.Notes, tt.path, tt.notes)
		}
	}
}

// linesRead draws all that a reader returns of a patch, and is how many lines
// came with it.
func linesRead(t *testing.T, patch string) (n int) {
	t.Helper()
	r := NewPatchReader(strings.NewReader(patch))
	for {
		p, err := r.Next()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil || len(p.Lines) == 0 {
			t.Fatalf("%+v, %v", p, err)
		}
		n += len(p.Lines)
		if p.Diff != nil {
			o := RenderOptions{Width: 20}
			p.Diff.Rows(o)
			p.EachLine(o)
		}
	}
}

// BEY-06: a line of nothing but colours is a line, and not the end of the
// input.
func TestPatchWithALineOfColoursOnly(t *testing.T) {
	const patch = "first\n\x1b[31m\n\x1b[m\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n \n\x1b[m\n-a\n+b\n\x1b[1m\x1b[m\nlast"
	read := linesRead(t, patch)
	if want := strings.Count(patch, "\n") + 1; read != want {
		t.Errorf("%d lines of %d were read", read, want)
	}
}

// BEY-06: a patch that says of a line in its middle, of an empty one, or twice
// that it has no newline loses no line and no letter.
func TestPatchThatEndsTooEarly(t *testing.T) {
	for patch, want := range map[string]string{
		"@@ -0,0 +1,2 @@\n+\n\\ No newline at end of file\n":                                  "\n",
		"@@ -0,0 +1,2 @@\n+abc\n\\ No newline at end of file\n\\ No newline at end of file\n": "abc",
		"@@ -0,0 +1,2 @@\n+a\n\\ No newline at end of file\n+b\n":                             "a\nb\n",
	} {
		p, err := NewPatchReader(strings.NewReader("diff --git a/x b/x\n--- a/x\n+++ b/x\n" + patch)).Next()
		if err != nil || string(p.Diff.File.After) != want {
			t.Errorf("%q is read as %q, %v", patch, p.Diff.File.After, err)
		}
	}
}

// Whatever a patch holds, every line of it is read, once.
func FuzzPatch(f *testing.F) {
	f.Add("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")
	f.Add("\x1b[1mdiff --git a/x b/x\x1b[m\n\x1b[36m@@ -1 +1 @@\x1b[m\n\x1b[31m-a\x1b[m\n\x1b[m\n")
	f.Add("--- a\n+++ b\n@@ -0,0 +1,9 @@\n+\n\\ No newline at end of file\nGIT binary patch\n")
	f.Fuzz(func(t *testing.T, patch string) {
		read := linesRead(t, patch)
		want := strings.Count(patch, "\n")
		if patch != "" && !strings.HasSuffix(patch, "\n") {
			want++
		}
		if read != want {
			t.Errorf("%d lines of %d were read", read, want)
		}
	})
}
