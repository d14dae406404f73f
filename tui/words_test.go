package tui

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// A text is what the code has for a key: as many forms as it counts by.
type text struct {
	counts bool // a form for one, and one for more
	at     string
}

// silent are the files that say nothing on the screen: terminals, editors and
// the languages themselves.
var silent = regexp.MustCompile(`^(terminal|editor|suspend|language|theme|composer|mailbox|console|commands)`)

// names are the literals that a person may see and that no language has other
// words for, or that are a part of something else.
var names = []string{
	"yes", "session", "turn", "minutes", "always", // in lasting
	"blitz-approve", "blitz-approve · ", "blitz-approve: ", " yolo · ", " bypass ", "PgDn", " · PgDn", "PgUp", "Enter", "Esc",
	"\x1b]777;notify;blitz-approve;", ":mode", ":mode NAME", ":tasks", ":revoke", ":quit", ":rules", ":remembered", ":settings", ":trust", "plan.md", "command.sh", "proposed",
	"null", "[x] ", "[X] ", "TERM", "TERM_PROGRAM", "TMUX", "STY", "://",
	"built-in", // a layer
	`^\S[^\n]*?:\d+:\d+: `, `^(?:(?:/|~/|[A-Za-z]:\\)[^\n]*?|read rules): `,
	"look", // a command
	// What goes to the agent is in English.
	"line %d%s", "lines %d–%d%s", " of the old file", "@@ -%d,%d +%d,%d @@\n",
}

// A reading is all texts of the package, and the literals that may reach the
// screen past the catalogue.
type reading struct {
	files *token.FileSet
	texts map[string]text
	loose []string
}

// elsewhere are the files of others that say texts of the catalogue, with names
// as this package has them.
var elsewhere = []string{"../gate/acp/card.go", "../gate/acp/dialog.go", "../gate/acp/words.go"}

// readTexts reads the package's own source, and those.
func readTexts(t *testing.T) *reading {
	t.Helper()
	r := &reading{files: token.NewFileSet(), texts: map[string]text{}}
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, elsewhere...) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(r.files, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		r.file(file, path)
	}
	for _, key := range slices.Concat(composed, composedWidths, composedRules, composedAgents, composedFaults, composedStart, factNames, factLabels, factTexts) {
		r.texts[key] = text{at: "composed"}
	}
	return r
}

// file goes through one file with the nodes around each literal.
func (r *reading) file(file *ast.File, path string) {
	var around []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			r.literal(l, around, path)
		}
		around = append(around, n)
		return true
	})
}

func (r *reading) literal(l *ast.BasicLit, around []ast.Node, path string) {
	s, _ := strconv.Unquote(l.Value)
	at := r.files.Position(l.Pos()).String()
	parent := around[len(around)-1]
	switch p := parent.(type) {
	case *ast.CallExpr:
		switch i := slices.Index(p.Args, ast.Expr(l)); method(p) {
		case "tr":
			if i == 0 {
				r.texts[s] = text{at: at}
				return
			}
		case "n":
			if i == 2 {
				r.texts[s] = text{counts: true, at: at}
			}
			if i == 1 || i == 2 {
				return
			}
		}
	case *ast.KeyValueExpr:
		if k, ok := p.Key.(*ast.Ident); ok && (k.Name == "hint" || k.Name == "help") {
			r.texts[s] = text{at: at}
			return
		}
	}
	if strings.ContainsFunc(s, unicode.IsLetter) && !r.unseen(l, s, around, path) {
		r.loose = append(r.loose, fmt.Sprintf("%s: %q", at, s))
	}
}

var verbs = regexp.MustCompile(`%(\[\d+\])?[-+# 0]*\d*\.?\d*[a-z%]`)

// unseen reports a literal that isn't a text: a name that is compared or looked
// up, a part of an error for programs, a format without words.
func (r *reading) unseen(l *ast.BasicLit, s string, around []ast.Node, path string) bool {
	if silent.MatchString(path) || strings.HasPrefix(path, "composed") || path == "told.go" || slices.Contains(names, s) {
		return true
	}
	if !strings.ContainsFunc(verbs.ReplaceAllString(s, ""), unicode.IsLetter) {
		return true
	}
	if slices.Contains(elsewhere, path) && !strings.Contains(s, " ") && !unicode.IsUpper([]rune(s)[0]) {
		return true // a word of the protocol
	}
	for _, n := range around {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.Field:
			return true
		case *ast.CallExpr:
			switch method(n) {
			case "New", "Errorf", "HasPrefix", "TrimPrefix", "CutPrefix", "Trim", "TrimLeft", "ContainsRune", "Contains", "IndexAny", "find", "press", "keyName", "Join", "Glob", "hintCells", "keyOf", "plainKeyOf", "heed", "hint":
				return true
			}
		case *ast.CaseClause:
			if slices.Contains(n.List, ast.Expr(l)) {
				return true
			}
		}
	}
	switch p := around[len(around)-1].(type) {
	case *ast.BinaryExpr:
		return p.Op == token.EQL || p.Op == token.NEQ
	case *ast.KeyValueExpr:
		return p.Key == ast.Expr(l) || isName(p.Key)
	case *ast.AssignStmt:
		i := slices.Index(p.Rhs, ast.Expr(l))
		return i >= 0 && len(p.Lhs) == len(p.Rhs) && isName(p.Lhs[i])
	}
	return strings.HasPrefix(path, "key") || path == "ruleskeys.go"
}

// isName reports a field that is never drawn.
func isName(field ast.Expr) bool {
	if s, ok := field.(*ast.SelectorExpr); ok {
		field = s.Sel
	}
	id, ok := field.(*ast.Ident)
	return ok && (id.Name == "name" || id.Name == "key" || id.Name == "word" || id.Name == "warned")
}

// method is the last part of the name of what is called.
func method(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// BEY-11: no text of the screen stands outside of the catalogue.
func TestTextsAreInTheCatalogue(t *testing.T) {
	r := readTexts(t)
	if len(r.texts) < 300 {
		t.Fatalf("only %d texts were found", len(r.texts))
	}
	for _, l := range r.loose {
		t.Errorf("%s is a text outside of tr and n", l)
	}
}

// forms are the verbs of a format, in the order of their arguments.
func forms(s string) []string {
	var list []string
	next := 1
	for _, m := range verbs.FindAllStringSubmatch(s, -1) {
		verb := m[0][len(m[0])-1:]
		if verb == "%" {
			continue
		}
		if m[1] != "" {
			next, _ = strconv.Atoi(strings.Trim(m[1], "[]"))
		}
		list = append(list, fmt.Sprintf("%d%s", next, verb))
		next++
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// BEY-11: each language has every text, and no other, with the same verbs.
func TestCataloguesAreComplete(t *testing.T) {
	texts := readTexts(t).texts
	for i := range languages[1:] {
		l := &languages[i+1]
		w, err := readWording(l)
		if err != nil {
			t.Errorf("%s: %v", l.tag, err)
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(texts)) {
			text := texts[key]
			translated, ok := w.texts[key]
			if !ok || translated == "" {
				t.Errorf("%s lacks %q (%s)", l.tag, key, text.at)
				continue
			}
			one, counts := w.ones[key]
			if counts != (text.counts && l.one(1)) {
				t.Errorf("%s: %q has a form for one: %v (%s)", l.tag, key, counts, text.at)
			}
			for _, s := range []string{translated, one} {
				if got, want := forms(s), forms(key); s != "" && !slices.Equal(got, want) && !(s == one && slices.Equal(append([]string{"1s"}, got...), want)) {
					t.Errorf("%s: %q has the verbs %v, not %v", l.tag, s, got, want)
				}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(w.texts)) {
			if _, used := texts[key]; !used {
				t.Errorf("%s has %q, which nothing says", l.tag, key)
			}
		}
	}
}
