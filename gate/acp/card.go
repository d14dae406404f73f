package acp

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/diffview/unseen"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// requestCard is what a dialog says about a request: what will happen, then
// why it is asked. Everything of the agent's is in code or quoted, so that
// nothing in it is drawn as words of ours.
func requestCard(p gate.Prompt, workspace string, t texts) []member {
	q := &p.Request
	var paths []string
	content := []any{}
	for _, c := range q.Diff {
		path := c.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(workspace, filepath.FromSlash(path))
		}
		paths = append(paths, path)
		if piece, ok := diffContent(path, c); ok {
			content = append(content, piece)
		}
	}
	content = append(content, contentPiece{"content", textContent(requestText(p, t))})
	locations := make([]Location, len(paths))
	for i, path := range paths {
		locations[i].Path = path
	}
	return []member{
		{"title", mustEncode(headline(q, t))}, {"kind", mustEncode(cardKind(q))}, {"status", mustEncode(StatusPending)},
		{"content", mustEncode(content)}, {"locations", mustEncode(locations)},
	}
}

// questionCard is what a dialog says about a question. Of one with a document,
// such as a plan, the words around it are ours.
func questionCard(q prompts.Question, t texts) []member {
	if q.Document != "" {
		q.Header, q.Text = t.known(q.Header), t.known(q.Text)
	}
	content := []contentPiece{}
	for _, text := range []string{q.Document, markdown(q.Text)} {
		if text != "" {
			content = append(content, contentPiece{"content", textContent(text)})
		}
	}
	return []member{
		{"title", mustEncode(orElse(q.Header, q.Text))}, {"kind", mustEncode("switch_mode")}, {"status", mustEncode(StatusPending)},
		{"content", mustEncode(content)},
	}
}

type contentPiece struct {
	Type    string          `json:"type"`
	Content json.RawMessage `json:"content"`
}

type diffPiece struct {
	Type string  `json:"type"`
	Path string  `json:"path"`
	Old  *string `json:"oldText"`
	New  string  `json:"newText"`
}

// diffContent is a change as the editor draws it: against the file on disk.
// One that is no text can't be drawn, and is told in words.
func diffContent(path string, c gate.Change) (diffPiece, bool) {
	if !utf8.Valid(c.Before) || !utf8.Valid(c.After) {
		return diffPiece{}, false
	}
	piece := diffPiece{Type: "diff", Path: path, New: string(c.After)}
	if c.Before != nil {
		old := string(c.Before)
		piece.Old = &old
	}
	return piece, true
}

// headline says on one line what will happen.
func headline(q *gate.Request, t texts) string {
	what := first(q.Targets, t)
	if what != "" {
		switch q.Kind {
		case gate.RunCommand:
			return t.tr("Run %s", what)
		case gate.WriteFile:
			return t.tr("Change %s", what)
		case gate.DeleteFile:
			return t.tr("Delete %s", what)
		case gate.Network:
			return t.tr("Reach %s", what)
		case gate.MCPTool:
			return t.tr("Call the tool %s of an MCP server", what)
		}
		return t.tr("Use the tool %s", code(q.Tool)+" "+what)
	}
	switch q.Kind {
	case gate.RunCommand:
		return t.tr("Run a command that the agent doesn't tell")
	case gate.WriteFile:
		return t.tr("Change files that the agent doesn't name")
	case gate.DeleteFile:
		return t.tr("Delete files that the agent doesn't name")
	case gate.Network:
		return t.tr("Reach the network")
	case gate.MCPTool:
		return t.tr("Call a tool of an MCP server")
	}
	return t.tr("Use the tool %s", code(q.Tool))
}

// first is the first target as code, and how many more there are.
func first(targets []string, t texts) string {
	if len(targets) == 0 {
		return ""
	}
	line, rest, long := strings.Cut(targets[0], "\n")
	if long && strings.TrimSpace(rest) != "" {
		line += " …"
	}
	if n := len(targets) - 1; n > 0 {
		return t.n(n, "%[2]s and %[1]s more", "%[2]s and %[1]s more", code(line))
	}
	return code(line)
}

// cardKind is the protocol's word, by which editors choose a sign.
func cardKind(q *gate.Request) string {
	switch q.Kind {
	case gate.RunCommand:
		return "execute"
	case gate.WriteFile:
		return "edit"
	case gate.DeleteFile:
		return "delete"
	case gate.Network:
		return "fetch"
	case gate.NoKind:
		if q.Declared.Tier == gate.Read {
			return "read"
		}
	}
	return "other"
}

// requestText are the details, as markdown (TAM-23): what will run in full,
// where, what is to be known about it, and who asks for an answer (BEY-04).
func requestText(p gate.Prompt, t texts) string {
	q := &p.Request
	var b strings.Builder
	line := func(label, value string) { b.WriteString("- " + t.tr("%s: %s", label, value) + "\n") }
	if q.Kind == gate.RunCommand {
		for _, target := range q.Targets {
			b.WriteString(fence("sh", target))
		}
	}
	if q.Unrevealed {
		b.WriteString("**" + t.tr("The agent doesn't tell all of what will happen.") + "** " + t.tr("It can be approved once only.") + "\n\n")
	}
	if q.Detail != "" {
		b.WriteString(fence("", q.Detail))
	}
	if q.Kind != gate.RunCommand && (len(q.Targets) > 1 || len(q.Targets) == 1 && strings.Contains(q.Targets[0], "\n")) || q.Kind == gate.WriteFile && len(q.Diff) == 0 || q.Kind == gate.DeleteFile {
		for _, target := range q.Targets {
			line(targetLabel(q.Kind, t), code(target))
		}
	}
	if q.Dir != "" {
		line(t.tr("Runs in"), code(q.Dir))
	}
	if q.Server != "" {
		line(t.tr("MCP server"), code(q.Server))
	}
	for _, c := range q.Diff {
		if c.From != "" {
			line(t.tr("Moved from"), code(c.From))
		}
		if !utf8.Valid(c.Before) || !utf8.Valid(c.After) {
			line(t.tr("Not text"), t.tr("%s, %d B before and %d B after", code(c.Path), len(c.Before), len(c.After)))
		}
		if n := hidden(c.After); n > 0 {
			line(t.tr("Characters that can't be seen"), t.tr("%d in %s", n, code(c.Path)))
		}
	}
	for _, f := range q.Fields {
		f = t.told(f)
		line(markdown(f.Label), code(f.Value))
	}
	if len(p.Verdict.Parts) > 1 {
		for _, part := range p.Verdict.Parts {
			line(t.tr("Command"), code(part.String()))
		}
	}
	why := markdown(t.known(p.Verdict.Reason))
	if r := p.Verdict.Rule; r != nil {
		why += " " + code(r.String())
	}
	line(t.tr("Asked because"), why)
	if q.Title != "" {
		line(t.tr("The agent calls it"), code(q.Title))
	}
	return b.String()
}

func targetLabel(k gate.Kind, t texts) string {
	switch k {
	case gate.WriteFile:
		return t.tr("Changes")
	case gate.DeleteFile:
		return t.tr("Deletes")
	}
	return t.tr("Touches")
}

// hidden counts the characters of a text that nobody sees, but for those that
// make its lines.
func hidden(text []byte) (n int) {
	for _, r := range string(text) {
		if r != '\n' && r != '\t' && r != '\r' && unseen.Rune(r) {
			n++
		}
	}
	return n
}

func oneLine(s string) string { return strings.ReplaceAll(gate.VisibleLines(s), "\n", "⏎") }

// code is text on one line as code. Its fence is longer than any in it.
func code(s string) string {
	s = oneLine(s)
	ticks := ticksFor(s, 1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.TrimSpace(s) == "" {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// fence is text of several lines as code.
func fence(language, s string) string {
	s = gate.VisibleLines(s)
	ticks := ticksFor(s, 3)
	return ticks + language + "\n" + s + "\n" + ticks + "\n\n"
}

// ticksFor are more backticks than stand together in s, and at least n.
func ticksFor(s string, n int) string {
	run := 0
	for _, r := range s {
		if r == '`' {
			run++
			n = max(n, run+1)
		} else {
			run = 0
		}
	}
	return strings.Repeat("`", n)
}

var marks = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "~", `\~`, "#", `\#`, "|", `\|`)

// markdown is text that markdown shows as it stands, on one line.
func markdown(s string) string {
	return marks.Replace(strings.ReplaceAll(gate.VisibleLines(s), "\n", " "))
}

func mustEncode(v any) json.RawMessage {
	raw, err := encode(v)
	if err != nil { // of texts and lists of them: can't be
		return nullID
	}
	return raw
}
