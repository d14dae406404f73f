package acp

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// requestCard is what a dialog says about a request: what will happen, then
// why it is asked. Everything of the agent's is in code or quoted, so that
// nothing in it is drawn as words of ours.
func requestCard(p gate.Prompt, workspace string) []member {
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
	content = append(content, contentPiece{"content", textContent(requestText(p))})
	locations := make([]Location, len(paths))
	for i, path := range paths {
		locations[i].Path = path
	}
	return []member{
		{"title", mustEncode(headline(q))}, {"kind", mustEncode(cardKind(q))}, {"status", mustEncode(StatusPending)},
		{"content", mustEncode(content)}, {"locations", mustEncode(locations)},
	}
}

func questionCard(q prompts.Question) []member {
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
func headline(q *gate.Request) string {
	what, more := "", ""
	if len(q.Targets) > 0 {
		first, rest, long := strings.Cut(q.Targets[0], "\n")
		if rest = strings.TrimSpace(rest); long && rest != "" {
			first += " …"
		}
		what = " " + code(first)
	}
	if n := len(q.Targets) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	switch q.Kind {
	case gate.RunCommand:
		if what == "" {
			return "Run a command that the agent doesn't tell"
		}
		return "Run" + what + more
	case gate.WriteFile:
		return "Change" + orElse(what, " files that the agent doesn't name") + more
	case gate.DeleteFile:
		return "Delete" + orElse(what, " files that the agent doesn't name") + more
	case gate.Network:
		return "Reach" + orElse(what, " the network") + more
	case gate.MCPTool:
		return "Call the tool" + what + " of an MCP server"
	}
	return "Use the tool " + code(q.Tool) + what + more
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
func requestText(p gate.Prompt) string {
	q := &p.Request
	var b strings.Builder
	line := func(label, value string) { fmt.Fprintf(&b, "- %s: %s\n", label, value) }
	if q.Kind == gate.RunCommand {
		for _, t := range q.Targets {
			b.WriteString(fence("sh", t))
		}
	}
	if q.Unrevealed {
		b.WriteString("**The agent doesn't tell all of what will happen.** It can be approved once only.\n\n")
	}
	if q.Detail != "" {
		b.WriteString(fence("", q.Detail))
	}
	if q.Kind != gate.RunCommand && (len(q.Targets) > 1 || len(q.Targets) == 1 && strings.Contains(q.Targets[0], "\n")) || q.Kind == gate.WriteFile && len(q.Diff) == 0 || q.Kind == gate.DeleteFile {
		for _, t := range q.Targets {
			line(targetLabel(q.Kind), code(t))
		}
	}
	if q.Dir != "" {
		line("Runs in", code(q.Dir))
	}
	if q.Server != "" {
		line("MCP server", code(q.Server))
	}
	for _, c := range q.Diff {
		if c.From != "" {
			line("Moved from", code(c.From))
		}
		if !utf8.Valid(c.Before) || !utf8.Valid(c.After) {
			line("Not text", fmt.Sprintf("%s, %d bytes before and %d after", code(c.Path), len(c.Before), len(c.After)))
		}
		if n := hidden(c.After); n > 0 {
			line("Characters that can't be seen", fmt.Sprintf("%d in %s", n, code(c.Path)))
		}
	}
	for _, f := range q.Fields {
		line(markdown(f.Label), code(f.Value))
	}
	if len(p.Verdict.Parts) > 1 {
		for _, part := range p.Verdict.Parts {
			line("Command", code(part.String()))
		}
	}
	why := markdown(p.Verdict.Reason)
	if r := p.Verdict.Rule; r != nil {
		why += " " + code(r.String())
	}
	line("Asked because", why)
	if q.Title != "" {
		line("The agent calls it", code(q.Title))
	}
	return b.String()
}

func targetLabel(k gate.Kind) string {
	switch k {
	case gate.WriteFile:
		return "Changes"
	case gate.DeleteFile:
		return "Deletes"
	}
	return "Touches"
}

// hidden counts the characters of a text that nobody sees.
func hidden(text []byte) (n int) {
	for _, r := range string(text) {
		if r != '\n' && r != '\t' && r != '\r' && !unicode.IsGraphic(r) {
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
