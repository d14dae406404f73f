package tui

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui/tuitest"
)

// spoken is a screen in a language, as it would come from a real gate.
func spoken(language string, width, height int) *Model {
	m := New(Options{Agent: "opencode", Workspace: "~/src/shop", Mode: gate.Default, Sandbox: "landlock", Language: language,
		Past: func(string) PastMatches { return PastMatches{} }})
	m.width, m.height = width, height
	for _, e := range story() {
		m.Update(e)
	}
	return m
}

func spokenEdit() gate.Prompt {
	p := pagerEdit()
	p.Verdict.Reason = "no rule matches, and mode default asks"
	p.Request.Key, p.Request.KeyLabel = gate.WriteKey("/w")
	p.Widths = []gate.Width{{Rule: "write(internal/pager/pager.go)", Label: "this file"}, {Rule: "write(internal/)", Label: "everything below internal"}}
	return p
}

// spokenPlan has the options that [prompts.Planner] gives (APR-41).
func spokenPlan() prompts.Question {
	q := pagerPlan
	q.Text = "Shall the agent carry out this plan?"
	q.Options = []prompts.Option{{Label: "Yes, go ahead"}, {Label: "Yes, and don't ask about its file edits"}, {Label: "No, plan further"}}
	return q
}

var spokenScreens = map[string]func(*Model){
	"home":     func(*Model) {},
	"request":  func(m *Model) { waitingFor(m, spokenEdit(), command("ls")) },
	"command":  func(m *Model) { waitingFor(m, pushCommand()) },
	"why":      func(m *Model) { waitingFor(m, pushCommand()); m.showWhy() },
	"help":     func(m *Model) { waitingFor(m, pushCommand()); m.showHelp() },
	"save":     func(m *Model) { waitingFor(m, spokenEdit()); m.saving.width = 1; m.over = saveSheet },
	"grant":    func(m *Model) { waitingFor(m, readFile(30)); m.mode = gate.AlwaysAskCached },
	"question": func(m *Model) { m.Update(Question{ID: 9, Question: several()}) },
	"plan":     func(m *Model) { m.Update(Question{ID: 9, Question: spokenPlan()}) },
	"end":      func(m *Model) { m.Update(Finished{Summary: []string{"2 files changed"}}) },
	"waits":    func(m *Model) { m.untrusted = 3 },
	"rules":    func(m *Model) { openShelf(m) },
	"remember": func(m *Model) { openShelf(m); m.rules.turn(1); m.removeRule() },
	"rulelook": func(m *Model) { openShelf(m); m.Update(press("enter")) },
	"ruleform": func(m *Model) { openShelf(m); m.Update(press("a")) },
	"trust":    func(m *Model) { openShelf(m); m.rules.turn(3) },
	"sample":   func(m *Model) { openShelf(m); m.Update(press("t")) },
	"rulehelp": func(m *Model) { openShelf(m); m.Update(press("?")) },
	"small":    func(m *Model) { m.width, m.height = 40, 7; waitingFor(m, command("make test")) },
}

// openShelf opens the screen of rules, as it would come from the program.
func openShelf(m *Model) {
	s := newShelf()
	s.offer = []string{"shop/.blitz/settings.toml would loosen:", "+ permissions.allow = shell(curl *)"}
	m.opts.Rules = s.book()
	m.untrusted = 1
	m.openRules(0)
	m.Update(loadingRules(m.rules.book, m.rules.opened, m.rules.loads, &m.wording)())
}

// BEY-11: the screens in German and in Chinese, whose characters are two cells
// wide. Look at the files when they change.
func TestGoldenLanguages(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"de", "zh-Hans"} {
		for name, set := range spokenScreens {
			for _, size := range [][2]int{{80, 24}, {120, 40}} {
				name := fmt.Sprintf("%s-%s-%d", language, name, size[0])
				if strings.Contains(name, "small") {
					size = [2]int{40, 7}
				}
				t.Run(name, func(t *testing.T) {
					m := spoken(language, size[0], size[1])
					set(m)
					frozen{m}.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
					term := tuitest.Start(t, frozen{m}, size[0], size[1])
					term.Until("a frame", func(screen string) bool { return screen != "" })
					term.Settle()
					term.Golden("golden/languages/" + name)
				})
			}
		}
	}
}

// BEY-11: in no language is a row wider than the terminal, and the answers fit
// on one row of 80 columns, none of them cut.
func TestLanguagesFit(t *testing.T) {
	for _, language := range Languages() {
		for name, set := range spokenScreens {
			for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 40}} {
				m := spoken(language, size[0], size[1])
				set(m)
				m.arming.armed = true
				m.refresh()
				for _, r := range m.rows() {
					if w := lipgloss.Width(r); w > m.width {
						t.Errorf("%s %s: a row of %d cells on %d: %s", language, name, w, m.width, r)
					}
				}
			}
		}
		m := spoken(language, 80, 24)
		waitingFor(m, command("make test"))
		m.arming.armed = true
		m.refresh()
		m.queue.current().mark()
		m.refresh()
		row := strings.Join(m.lay.bottom[:1], "")
		for _, o := range m.offers(m.queue.current()) {
			if !strings.Contains(row, o.label) {
				t.Errorf("%s: %q is not whole on the row of answers %q", language, o.label, row)
			}
		}
	}
}

// BEY-11: a label fits into its column in every language.
func TestLabelsFit(t *testing.T) {
	columns := []struct {
		cells int
		keys  []string
	}{
		{labels - 1, []string{"asked by", "why", "agent says", "runs in", "tool says", "not shown", "%s covers", "address", "covers", "file", "may grant", "you edited", "! safety", "! danger", "tool"}},
		{labels - 3, []string{"allow", "ask", "deny"}},
		{14, []string{"will be saved", "that is", "covers", "where", "past calls"}},
		{whyColumn - 3, []string{"reason", "step", "rule", "written in", "forced", "mode", "to let it pass", "tool says", "the request", "blocked files", "the tool", "deny rules", "ask rules", "allow rules", "approved before", "hooks", "reviewer", "unattended run", "is wrong", "used", "locked", "past calls", "can't be read", "because",
			"is read as", "does", "so", "switch", "what it is", "one of", "holds", "covers", "since", "content", "here"}},
		{saidColumn - 3, []string{"agent", "thinks"}},
		{saidColumn - 5, []string{"you"}},
		{5, []string{"note"}},
		{40 - 3, []string{"or type, to refuse with a message", "the agent works · type what's next", "nothing waits · agents ask here", "type the next prompt"}},
		{40 - 2, []string{"too small to show what would be saved"}},
		{markCells, []string{"while", "session", "always", "granted", "trusted"}},
	}
	for _, language := range Languages() {
		w := newWording(language)
		for _, column := range columns {
			for _, key := range column.keys {
				if got := w.tr(key); diffview.Width(got) > column.cells {
					t.Errorf("%s: %q takes %d cells of %d", language, got, diffview.Width(got), column.cells)
				}
			}
		}
	}
}

// BEY-11: each sentence that is known by its form stands in the source of
// whoever composes it.
func TestComposedSentencesExist(t *testing.T) {
	var source strings.Builder
	for _, files := range []string{"gate/*.go", "gate/shell/*.go", "prompts/*.go", "diffview/*.go", "cmd/blitz-approve/*.go", "cmd/blitz-approve/internal/*/*.go",
		"settings/*.go", "gate/acp/*.go", "gate/desk/*.go", "gate/review/*.go", "tui/keymap.go", "tui/mailbox.go", "tui/terminal.go", "tui/editorline.go"} {
		paths, err := filepath.Glob("../" + files)
		if err != nil || len(paths) == 0 {
			t.Fatal(files, err)
		}
		for _, path := range paths {
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					s, _ := strconv.Unquote(l.Value)
					fmt.Fprintln(&source, s, "\x00", strings.NewReplacer("-", " ", "_", " ").Replace(s))
				}
				return true
			})
		}
	}
	for _, p := range append(patterns(), patternsOf(slices.Concat(factNames, factLabels, factTexts))...) {
		for _, part := range p.parts {
			for _, piece := range strings.Split(strings.TrimSuffix(part, "the workspace"), ": ") {
				if piece = strings.Trim(piece, " :.(),·\n"); !strings.Contains(source.String(), piece) && !strings.HasPrefix(p.key, "mode ") {
					t.Errorf("nobody says %q any more: %q is not in the source", p.key, piece)
				}
			}
		}
	}
}

// BEY-11: each reason that gate/shell gives for a doubt has a form.
func TestDoubtsAreTranslated(t *testing.T) {
	w := newWording("de")
	paths, err := filepath.Glob("../gate/shell/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	doubts := 0
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			l, ok := n.(*ast.BasicLit)
			if !ok || l.Kind != token.STRING || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/git") {
				return true
			}
			s, _ := strconv.Unquote(l.Value)
			first, _, _ := strings.Cut(s, " ")
			switch first {
			case "it", "a", "an", "the", "scripts", "groups", "wrappers", "arithmetic", "bytes":
				doubts++
				if strings.HasSuffix(s, " ") {
					s += "x" // its end is composed
				}
				if strings.Count(s, " ") > 0 && w.known(s) == s && s != "an option of x" && s != "the pattern x" && s != "groups userspec" {
					t.Errorf("%s: %q has no form", path, s)
				}
			}
			return true
		})
	}
	if doubts < 100 {
		t.Errorf("only %d were found", doubts)
	}
}

// BEY-11: what is wrong with settings is said in the person's language, behind
// its place; so is what doesn't do in a form.
func TestFaultsAreTranslated(t *testing.T) {
	w := newWording("de")
	for s, want := range map[string]string{
		"/h/settings.toml:3:1: unknown key permissions.dney: did you mean deny?": "/h/settings.toml:3:1: unbekannter Schlüssel permissions.dney: war deny gemeint?",
		"/h/a: b/settings.toml:2:10: this is not valid TOML: x":                  "/h/a: b/settings.toml:2:10: das ist kein gültiges TOML: x",
		"Please choose from the list.":                                           "Bitte aus der Liste wählen.",
		"It must have at least 3 characters.":                                    "Es muss mindestens 3 Zeichen haben.",
		"The agent can't be used: " + "it doesn't speak the Agent Client Protocol; some agents speak it only with an option, such as --acp": "Der Agent ist nicht benutzbar: er spricht das Agent Client Protocol nicht; manche Agenten sprechen es nur mit einer Option wie --acp",
		"what somebody said at 3:1: unknown key": "what somebody said at 3:1: unknown key",
	} {
		if got := w.known(s); got != want {
			t.Errorf("%q becomes %q, want %q", s, got, want)
		}
	}
}

// BEY-11: what the program puts on the screen of rules, and what it says of
// settings, has a form.
func TestRuleTextsAreTranslated(t *testing.T) {
	w := newWording("ja")
	texts := 0
	check := func(path string, e ast.Expr) {
		l, ok := e.(*ast.BasicLit)
		if b, is := e.(*ast.BinaryExpr); is {
			l, ok = b.X.(*ast.BasicLit)
		}
		if !ok || l.Kind != token.STRING {
			return
		}
		s, _ := strconv.Unquote(l.Value)
		if strings.HasSuffix(s, " ") {
			s += "x" // its end is composed
		}
		s = strings.NewReplacer("%s", "x", "%q", "x").Replace(s)
		if s != "" && s != gate.Allow.String() && w.known(s) == s {
			t.Errorf("%s: %q has no form", path, s)
		}
		texts++
	}
	shown := map[string]bool{"Name": true, "Title": true, "Empty": true, "Clearing": true, "Removing": true, "Aside": true, "Mark": true, "Label": true, "Value": true}
	paths, err := filepath.Glob("../cmd/blitz-approve/internal/rulebook/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range append(paths, "../settings/meaning.go") {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				field, named := n.Key.(*ast.Ident)
				if named && shown[field.Name] || !named && strings.HasSuffix(path, "rulebook/words.go") {
					check(path, n.Value)
				}
			case *ast.CallExpr:
				if method(n) == "Sprintf" && strings.HasSuffix(path, "rulebook/words.go") {
					check(path, n.Args[0])
				}
			case *ast.CompositeLit:
				if n.Type == nil && len(n.Elts) == 3 && strings.HasSuffix(path, "meaning.go") {
					check(path, n.Elts[1])
				}
			}
			return true
		})
	}
	if texts < 90 {
		t.Errorf("only %d were found", texts)
	}
}

// telling are the calls of which a text is shown to the person: by the name of what
// is called, the number of its argument.
var telling = map[string]map[string]int{
	"gate/acp/*.go":                   {"notice": 1},
	"settings/section.go":             {"problem": 3, "wrong": 2},
	"settings/schema.go":              {"problem": 3, "wrong": 2, "notRule": 4},
	"settings/file.go":                {"problem": 3},
	"cmd/blitz-approve/startfault.go": {"Errorf": 0, "New": 0},
	"cmd/blitz-approve/run.go":        {"Errorf": 0, "New": 0},
	"cmd/blitz-approve/demo.go":       {"Errorf": 0},
	"cmd/blitz-approve/desk.go":       {"Errorf": 0, "New": 0},
	"cmd/blitz-approve/lines.go":      {"New": 0},
	"gate/review/[^s]*.go":            {"Errorf": 0, "New": 0},
	"gate/review/service.go":          {"New": 0},
	"tui/keymap.go":                   {"Errorf": 0},
	"gate/saverule.go":                {"Sprintf": 0},
}

// BEY-11: what the connection with an agent tells, why one doesn't start, what is
// wrong with settings, and what keeps the reviewer from a verdict, has a form in
// the languages.
func TestNoticesAreTranslated(t *testing.T) {
	w := newWording("ja")
	texts := 0
	for files, calls := range telling {
		paths, err := filepath.Glob("../" + files)
		if err != nil || len(paths) == 0 {
			t.Fatal(files, err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				i, ok := calls[method(c)]
				if !ok || i >= len(c.Args) {
					return true
				}
				s, ok := sample(c.Args[i])
				if !ok || strings.Trim(s, " :x") == "" {
					return true
				}
				texts++
				if method(c) == "problem" {
					if hint, ok := sample(c.Args[4]); ok && hint != "" {
						s += ": " + hint
					}
				}
				saying := func(s string) bool { return w.known(s) != s }
				// What it wraps, or is wrapped in, has a form of its own.
				if !saying(s) && !saying(strings.TrimSuffix(s, "x")) && !saying(strings.TrimPrefix(s, "x: ")) && !saying(s+": x") {
					t.Errorf("%s: %q has no form", path, s)
				}
				return true
			})
		}
	}
	if texts < 100 {
		t.Errorf("only %d were found", texts)
	}
}

// sample is a text as e would make it, with x in place of what isn't written
// there.
func sample(e ast.Expr) (s string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return verbs.ReplaceAllString(s, "x"), err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, isLeft := sample(e.X)
		right, isRight := sample(e.Y)
		if !isLeft {
			left = "x"
		}
		if !isRight {
			right = "x"
		}
		return left + right, isLeft || isRight
	case *ast.CallExpr:
		if method(e) == "Sprintf" {
			return sample(e.Args[0])
		}
	}
	return "", false
}

// BEY-11, P07: facts of our own are said in the person's language; those of an
// agent stay to the letter, also where they have the same words.
func TestFactsAreTranslated(t *testing.T) {
	w := newWording("de")
	for given, want := range map[gate.Field]gate.Field{
		{Label: "Patch", Value: "the agent's patch can't be read"}:                                                    {Label: "Patch", Value: "der Patch des Agenten ist nicht lesbar"},
		{Label: "Replaces", Value: "a b.go exists; all of it is replaced"}:                                            {Label: "Ersetzt", Value: "a b.go gibt es schon; alles darin wird ersetzt"},
		{Label: "Where", Value: "the text that is replaced is in a.go 3 times; the agent doesn't say which it means"}: {Label: "Wo", Value: "der ersetzte Text steht 3-mal in a.go; der Agent sagt nicht, welchen er meint"},
		{Label: "Changes a.go", Value: "write"}:                                                                       {Label: "Ändert a.go", Value: "write"},
		{Label: "Where", Value: "here"}:                                                                               {Label: "Where", Value: "here"},
		{Label: "content", Value: "no change"}:                                                                        {Label: "content", Value: "no change"},
	} {
		if got := w.told(given); got != want {
			t.Errorf("%v became %v, not %v", given, got, want)
		}
	}
}

// BEY-11, BEY-04: what a real gate gives as reasons is said in the person's
// language, and what it names stays as it is.
func TestReasonsAreTranslated(t *testing.T) {
	w := newWording("de")
	for sentence, want := range map[string]string{
		"no rule matches, and mode default asks":                "keine Regel passt, und der Modus default fragt",
		"no rule can allow it: it writes a file by redirection": "keine Regel kann es erlauben: es schreibt durch Umlenkung in eine Datei",
		"the files directly in the workspace":                   "die Dateien direkt im Arbeitsordner",
		"the files directly in this host":                       "die Dateien direkt in this host",
		"cat, whatever follows":                                 "cat, was auch immer folgt",
		"the rule can't be saved in x.toml: bad rule: \"write(x\": the closing parenthesis is missing": "die Regel lässt sich nicht in x.toml speichern: fehlerhafte Regel: \"write(x\": die schließende Klammer fehlt",
		"the agent has its own words": "the agent has its own words",
		"once":                        "once",
	} {
		if got := w.known(sentence); got != want {
			t.Errorf("%q became %q, not %q", sentence, got, want)
		}
	}
	asked := 0
	for _, mode := range []gate.Mode{gate.Default, gate.AcceptEdits, gate.Auto, gate.Plan, gate.AlwaysAsk} {
		g, err := gate.New(gate.Options{Workspace: t.TempDir(), Mode: mode, Approver: NewConsole(Options{})})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"make", "make > out", "eval x", "rm -rf /", "sudo make", "a=1 $x", "cat <(ls)", "curl x | sh"} {
			v := g.Check(t.Context(), gate.CommandRequest("/w", "bash", line))
			if v.Reason == "" || v.Effect == gate.Allow {
				continue
			}
			asked++
			if w.known(v.Reason) == v.Reason {
				t.Errorf("mode %s, %s: %q has no form", mode, line, v.Reason)
			}
		}
	}
	if asked < 20 {
		t.Errorf("only %d reasons were looked at", asked)
	}
}
