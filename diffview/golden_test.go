package diffview

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

const pager = `package pager

// A Pager cuts a list into pages.
type Pager struct {
	total, size int
}

func (p *Pager) Pages() int {
	return p.total / p.size
}

func (p *Pager) Next() bool {
	p.at++
	return p.at < p.Pages()
}

func (p *Pager) Reset() { p.at = 0 }
`

func edited() string {
	s := strings.Replace(pager, "\treturn p.total / p.size\n",
		"\tif p.size == 0 {\n\t\treturn 0\n\t}\n\treturn (p.total + p.size - 1) / p.size\n", 1)
	return strings.Replace(s, "p.at = 0 }", "p.at = -1 }", 1)
}

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

// What a person sees, as files to read: the pictures of P02, P10, P11, P12,
// P13 and P18 and of APR-30.
func TestGolden_APR30(t *testing.T) {
	wide := RenderOptions{Width: 72}
	for _, tt := range []struct {
		name          string
		from          string
		before, after []byte
		options       RenderOptions
	}{
		{"edit", "", []byte(pager), []byte(edited()), wide},
		{"edit-wrap-40", "", []byte(pager), []byte(edited()), RenderOptions{Width: 40, Wrap: true}},
		{"edit-cut-30", "", []byte(pager), []byte(edited()), RenderOptions{Width: 30}},
		{"edit-split-100", "", []byte(pager), []byte(edited()), RenderOptions{Width: 100, Split: true}},
		{"edit-split-wrap-64", "", []byte(pager), []byte(edited()), RenderOptions{Width: 64, Split: true, Wrap: true}},
		{"created", "", nil, []byte("#!/bin/sh\nexec go test ./...\n"), wide},
		{"created-empty", "", nil, []byte{}, wide},
		{"created-crlf-bom-unended", "", nil, []byte("\ufeffone\r\ntwo"), wide},
		{"deleted", "", []byte("one\ntwo\n"), nil, wide},
		{"emptied", "", []byte("one\n"), []byte{}, wide},
		{"first-newline", "", []byte{}, []byte("\n"), wide},
		{"renamed", "internal/old\u202ename.go", []byte("a\nb\n"), []byte("a\nc\n"), wide},
		{"renamed-only", "old.go", []byte("a\n"), []byte("a\n"), wide},
		{"unchanged", "", []byte("a\n"), []byte("a\n"), wide},
		{"lf-to-crlf", "", []byte(pager), []byte(crlf(pager)), wide},
		{"lf-to-crlf-and-edit", "", []byte(pager), []byte(crlf(edited())), wide},
		{"crlf-kept", "", []byte(crlf("a\nb\n")), []byte(crlf("a\nc\n")), wide},
		{"one-crlf-lost", "", []byte("a\r\nb\r\nc\r\n"), []byte("a\r\nb\nc\r\n"), wide},
		{"final-newline-lost", "", []byte("a\nb\n"), []byte("a\nb"), wide},
		{"final-newline-added", "", []byte("a\nb"), []byte("a\nb\n"), wide},
		{"bom-added", "", []byte("a\nb\n"), []byte("\ufeffa\nb\n"), wide},
		{"bom-removed", "", []byte("\ufeffa\nb\n"), []byte("a\nc\n"), wide},
		{"bom-kept", "", []byte("\ufeffa\nb\n"), []byte("\ufeffa\nc\n"), wide},
		{"binary", "", []byte(strings.Repeat("\x00\x01\x02", 100)), []byte(strings.Repeat("\x00\x01\x03", 5000)), wide},
		{"binary-created", "", nil, []byte("\x7fELF\x00\x00\x00\x01"), wide},
		{"binary-script", "", nil, []byte("#!/bin/sh\nrm -rf ~\n" + strings.Repeat("\x00", 40)), wide},
		{"stray-nul", "", []byte("a\n"), []byte("echo one two three four five\x00\n"), wide},
		{"latin1-kept", "", []byte("caf\xe9\nx\n"), []byte("caf\xe9\nX\n"), wide},
		{"latin1-lost", "", []byte("caf\xe9\nx\n"), []byte("caf\ufffd\nX\n"), wide},
		{"invalid-swapped", "", []byte("\xff\xfe\n"), []byte("\xfe\xff\n"), wide},
		{"hidden", "", nil, []byte("a\u200bb\u202ec\U000e0041\n\x1b[31m- os.Remove(x)\x1b[0m\n\\u202e is text\n"), wide},
		{"homograph", "", []byte("pip install paypal\n"), []byte("pip install p\u0430ypal\n"), wide},
		{"blanks", "", nil, []byte("x = 1;" + strings.Repeat(" ", 200) + "evil()\n        deep\ntrail  \n\ta\tb\n" + strings.Repeat(" ", 60) + "far\n" + strings.Repeat("\n", 40) + "end\n"), wide},
		{"spoof", "", nil, []byte("! no change\n  1   1   allowed by rule\n⋯ 400 unchanged lines\n│ ✓ approved\n"), wide},
		{"long-line", "", []byte("x = " + strings.Repeat("1+", 500) + "1\n"), []byte("x = " + strings.Repeat("1+", 500) + "2\n"), wide},
		{"long-line-middle", "", []byte("x = " + strings.Repeat("1+", 500) + "1" + strings.Repeat("+1", 500) + "\n"), []byte("x = " + strings.Repeat("1+", 500) + "2" + strings.Repeat("+1", 500) + "\n"), wide},
		{"long-line-wrap", "", nil, []byte("x = " + strings.Repeat("1+", 100) + "1\n"), RenderOptions{Width: 50, Wrap: true, LineRows: 3}},
		{"long-line-scrolled", "", nil, []byte("x = 日" + strings.Repeat("1+", 40) + "end\n"), RenderOptions{Width: 50, Left: 60}},
		{"wide-letters", "", []byte("日本語の行\n"), []byte("日本語の列\nक्षि e\u0301 👩\u200d👩\n"), RenderOptions{Width: 40}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Compute(context.Background(), File{Path: "f", From: tt.from, Before: tt.before, After: tt.after}, Limits{})
			golden(t, tt.name+".txt", checkRows(t, d, tt.options))
		})
	}
}

func golden(t *testing.T, name string, rows []string) {
	t.Helper()
	got := strings.Join(rows, "\n") + "\n"
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// The themes, as files to look at with cat: code, changed words, escapes, a
// fold and a long line, in each layout.
func TestThemeGolden_BEY13(t *testing.T) {
	before := pager + "\n// Done reports the end.\nfunc (p *Pager) Done() bool { return p.at >= \"x\" + " + strings.Repeat("1+", 40) + "1 }\n"
	after := strings.Replace(strings.Replace(before, "p.total / p.size", "(p.total + 1) / p.size // \u202e", 1), "1 }", "2 }", 1)
	d := Compute(t.Context(), File{Path: "pager.go", Before: []byte(before), After: []byte(after), BeforeMode: 0o644, AfterMode: 0o755}, Limits{})
	for name, style := range map[string]Style{
		"none": {}, "dark": Theme{}.Style(), "light": Theme{Light: true}.Style(), "basic": Theme{Basic: true}.Style(),
		"color-blind": Theme{ColorBlind: true}.Style(),
	} {
		for layout, o := range map[string]RenderOptions{
			"unified-80": {Width: 80, Wrap: true}, "unified-120": {Width: 120}, "split-120": {Width: 120, Split: true, Wrap: true}, "split-200": {Width: 200, Split: true},
		} {
			t.Run(name+"/"+layout, func(t *testing.T) {
				o.Style = style
				d.Highlight(t.Context(), o, 0, d.Len(o))
				golden(t, "theme-"+name+"-"+layout+".ansi", checkRows(t, d, o))
			})
		}
	}
}

// P10: what changes beside the lines is said, and no unchanged line is shown
// as changed because of it.
func TestLineEndingsAreNoChangeOfLines_P10(t *testing.T) {
	for _, tt := range []struct{ before, after, note string }{
		{pager, crlf(pager), "line endings change from LF to CRLF"},
		{crlf(pager), pager, "line endings change from CRLF to LF"},
		{pager, "\ufeff" + pager, "byte order mark (BOM) added"},
		{"\ufeff" + pager, pager, "byte order mark (BOM) removed"},
		{pager, strings.TrimSuffix(pager, "\n"), "no newline at the end of the file now"},
		{strings.TrimSuffix(pager, "\n"), pager, "newline added at the end of the file"},
	} {
		d := compute(tt.before, tt.after)
		if len(d.Hunks) != 0 || len(d.Notes) != 1 || d.Notes[0] != tt.note {
			t.Errorf("%d hunks and %q, want only %q", len(d.Hunks), d.Notes, tt.note)
		}
	}
}
