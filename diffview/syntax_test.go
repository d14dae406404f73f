package diffview

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

// kinds names what the words of a created file are taken for.
func kinds(t *testing.T, path, code string) map[string]syntaxKind {
	t.Helper()
	d := Compute(t.Context(), File{Path: path, After: []byte(code)}, Limits{})
	o := RenderOptions{Width: 80}
	d.Highlight(t.Context(), o, 0, d.Len(o))
	found := map[string]syntaxKind{}
	for i, spans := range d.newColors.lines {
		for _, s := range spans {
			found[strings.TrimSpace(string(d.new.line(i)[s.From:s.To]))] = s.kind
		}
	}
	return found
}

// Each language is found by the file's name or first line, and its rules can
// be read and used.
func TestLanguages(t *testing.T) {
	for path, tt := range map[string]struct {
		code, word string
		kind       syntaxKind
	}{
		"a.go": {"package p // é\n", "package", keywordCode}, "a.md": {"# Title\ntext\n", "# Title", nameCode},
		"a.py": {"def f(): # c\n", "def", keywordCode}, "a.sh": {"echo \"x\" # c\n", "echo", typeCode},
		"script": {"#!/usr/bin/env python3\nreturn 1\n", "return", keywordCode}, "run": {"#!/bin/bash\nif true; then\n", "if", keywordCode},
		"a.js": {"return 'x';\n", "return", keywordCode}, "a.jsx": {"return 1;\n", "return", keywordCode}, "a.ts": {"const x = 1;\n", "1", numberCode},
		"a.tsx": {"return 1;\n", "return", keywordCode}, "a.json": {"{\"a\": 12}\n", "12", numberCode}, "a.yaml": {"a: 'x'\n", "'x'", stringCode},
		"a.toml": {"# c\n", "# c", commentCode}, "a.rs": {"fn f() {}\n", "fn", keywordCode}, "a.c": {"return 1;\n", "return", keywordCode},
		"a.cpp": {"return 1;\n", "return", keywordCode}, "a.cs": {"return 1;\n", "return", keywordCode}, "a.java": {"return 1;\n", "return", keywordCode},
		"a.kt": {"// c\n", "// c", commentCode}, "a.rb": {"def f; end\n", "def", keywordCode}, "a.php": {"<?php\nreturn 1;\n", "return", keywordCode},
		"a.html": {"<p>x</p>\n", "p", nameCode}, "a.css": {"/* c */\n", "/* c */", commentCode}, "a.scss": {"// c\n", "// c", commentCode},
		"a.sql": {"SELECT 1;\n", "SELECT", keywordCode}, "Dockerfile": {"FROM a\n", "FROM", keywordCode}, "Makefile": {"# c\n", "# c", commentCode},
		"a.xml": {"<!-- c -->\n", "<!--", commentCode}, "a.lua": {"-- c\n", "-- c", commentCode}, "a.pl": {"# c\n", "# c", commentCode},
		"a.r": {"# c\n", "# c", commentCode}, "a.swift": {"// c\n", "//", commentCode}, "a.dart": {"// c\n", "// c", commentCode},
		"a.scala": {"// c\n", "// c", commentCode}, "a.hs": {"-- c\n", "-- c", commentCode}, "a.ex": {"# c\n", "# c", commentCode},
		"a.erl": {"% c\n", "% c", commentCode}, "a.ml": {"(* c *)\n", "(*", commentCode}, "a.zig": {"// c\n", "// c", commentCode},
		"a.nix": {"# c\n", "# c", commentCode}, "a.tf": {"# c\n", "# c", commentCode}, "a.proto": {"// c\n", "// c", commentCode},
		"a.graphql": {"# c\n", "# c", commentCode}, "a.groovy": {"// c\n", "// c", commentCode}, "a.ps1": {"# c\n", "# c", commentCode},
		"a.ini": {"; c\n", "; c", commentCode}, "a.vue": {"<p>x</p>\n", "p", nameCode}, "a.m": {"// c\n", "// c", commentCode},
	} {
		if got := kinds(t, path, tt.code); got[tt.word] != tt.kind {
			t.Errorf("%s: %q is %d in %v, want %d", path, tt.word, got[tt.word], got, tt.kind)
		}
	}
}

// What begins above the rows that are drawn is known.
func TestHighlightKnowsWhatIsAbove(t *testing.T) {
	d := Compute(t.Context(), File{Path: "a.go", After: []byte("/*\n" + strings.Repeat("words\n", 100) + "*/\n")}, Limits{})
	o := RenderOptions{Width: 80}
	if !d.Highlight(t.Context(), o, 50, 60) || d.Highlight(t.Context(), o, 50, 60) {
		t.Error("rows are coloured once")
	}
	if spans := d.newColors.line(55); len(spans) != 1 || spans[0].kind != commentCode {
		t.Errorf("a line inside of a comment has %v", spans)
	}
	if d.newColors.line(5) != nil || d.newColors.line(70) != nil {
		t.Error("lines that aren't drawn are kept")
	}
}

// Colours of code never stand where + and -, changed words and escapes speak.
func TestSyntaxHidesNothing_P02_P19(t *testing.T) {
	style := Theme{}.Style()
	d := Compute(t.Context(), File{Path: "a.go", Before: []byte("return 1 // \u202e\n"), After: []byte("return 2 // \u202e\n")}, Limits{})
	o := RenderOptions{Width: 60, Style: style}
	plain := d.Rows(o)
	d.Highlight(t.Context(), o, 0, d.Len(o))
	colored := d.Rows(o)
	if slices.Equal(plain, colored) {
		t.Fatal("nothing is coloured")
	}
	pens := newPalette(style)
	for i, op := range []Op{Removed, Added} {
		word := []string{"1", "2"}[i]
		for what, want := range map[string]string{
			"sign": pens.text[op].draw(op.String() + " "), "word": pens.marked[op].draw(word), "escape": pens.escape[op].draw(`\u202e`),
			"keyword": pens.syntax[op][keywordCode].draw("return"),
		} {
			if !strings.Contains(colored[i], want) {
				t.Errorf("%s isn't drawn as %q in %q", what, want, colored[i])
			}
		}
	}
	// Where the colour of a line is in its letters, they keep it.
	o.Style = Theme{Basic: true}.Style()
	pens = newPalette(o.Style)
	if rows := d.Rows(o); !strings.Contains(rows[0], pens.text[Removed].draw("return ")) {
		t.Errorf("a removed line lost its colour: %q", rows[0])
	}
}

// Text made to be slow ends in time, and is drawn without colours (P14). The
// bound is loose, for slow and busy machines.
func TestHostileCode_P14(t *testing.T) {
	for name, code := range map[string]string{
		"one line of 1 MB": strings.Repeat("var a=1;", 1<<17),
		"deep":             strings.Repeat("{", 60_000) + "\n" + strings.Repeat("(\n", 20_000),
		"open texts":       strings.Repeat("'\"`\n", 20_000),
		"back and forth":   strings.Repeat("a", 2000) + strings.Repeat("\\", 40) + "\n" + strings.Repeat("((a*)*)*", 200) + "b\n",
		"blanks":           strings.Repeat(strings.Repeat(" ", 1900)+"x\n", 500),
		"no text":          strings.Repeat("\xff\xfe\x80a\n", 5000),
		"tags":             strings.Repeat("<a <b <c ", 200) + strings.Repeat("\n<<", 10_000),
	} {
		for _, path := range []string{"a.go", "a.js", "a.html", "a.md"} {
			d := Compute(t.Context(), File{Path: path, After: []byte(code)}, Limits{})
			o := RenderOptions{Width: 80}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			start := time.Now()
			d.Highlight(ctx, o, 0, 120)
			if took := time.Since(start); took > 4*time.Second {
				t.Errorf("%s in %s took %v", name, path, took)
			}
			cancel()
			checkRows(t, d, o)
		}
	}
}

func BenchmarkHighlight(b *testing.B) {
	code := strings.Repeat(pager, 50)
	for b.Loop() {
		d := Compute(context.Background(), File{Path: "a.go", After: []byte(code)}, Limits{})
		d.Highlight(context.Background(), RenderOptions{Width: 100}, 600, 640)
	}
}

// A change here and there, which is most diffs.
func BenchmarkHighlightHunks(b *testing.B) {
	lines := source(10_000, 1)
	for b.Loop() {
		d := Compute(context.Background(), File{Path: "a.go", Before: text2(lines), After: text2(touched(lines, 100))}, Limits{})
		d.Highlight(context.Background(), RenderOptions{Width: 100}, 0, 120)
	}
}
