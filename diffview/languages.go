package diffview

import (
	"bytes"
	"embed"
	"path"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// lexerFiles are the rules of the languages, from the chroma project. Its
// package of lexers isn't imported: reading all of them takes longer than the
// whole program needs to start.
//
//go:embed lexers
var lexerFiles embed.FS

// languages is read when the first diff is coloured; the rules of a language
// when it is first met.
var languages = sync.OnceValue(func() *chroma.LexerRegistry {
	all := chroma.NewLexerRegistry()
	entries, _ := lexerFiles.ReadDir("lexers")
	for _, e := range entries {
		if path.Ext(e.Name()) != ".xml" {
			continue
		}
		if lexer, err := chroma.NewXMLLexer(lexerFiles, "lexers/"+e.Name()); err == nil {
			all.Register(lexer)
		}
	}
	all.Register(chroma.MustNewLexer(&chroma.Config{Name: "Go", Filenames: []string{"*.go"}}, goRules))
	all.Register(chroma.MustNewLexer(&chroma.Config{Name: "Markdown", Filenames: []string{"*.md", "*.markdown"}}, markdownRules))
	return all
})

// languageOf finds a lexer by the name of a file or, for a script, by its
// first line. It is nil if there is none.
func languageOf(file string, first []byte) chroma.Lexer {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if lexer := languages().Match(name); lexer != nil {
		return lexer
	}
	words := strings.Fields(string(first[:min(len(first), 200)]))
	if !bytes.HasPrefix(first, []byte("#!")) || len(words) == 0 {
		return nil
	}
	program := path.Base(strings.TrimPrefix(words[0], "#!"))
	if program == "env" && len(words) > 1 {
		program = words[1]
	}
	return languages().Get(strings.TrimRight(program, "0123456789."))
}

// goRules read Go.
func goRules() chroma.Rules {
	return chroma.Rules{"root": {
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `//[^\n]*`, Type: chroma.CommentSingle},
		{Pattern: `/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\z)`, Type: chroma.CommentMultiline},
		{Pattern: `"(?:\\.|[^"\\\n])*"?`, Type: chroma.LiteralString},
		{Pattern: "`[^`]*(?:`|\\z)", Type: chroma.LiteralString},
		{Pattern: `'(?:\\.|[^'\\\n])*'?`, Type: chroma.LiteralStringChar},
		{Pattern: chroma.Words(``, `\b`, "break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for", "func",
			"go", "goto", "if", "import", "interface", "map", "package", "range", "return", "select", "struct", "switch", "type", "var"), Type: chroma.Keyword},
		{Pattern: chroma.Words(``, `\b`, "true", "false", "nil", "iota"), Type: chroma.NameConstant},
		{Pattern: chroma.Words(``, `\b`, "any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64", "int", "int8",
			"int16", "int32", "int64", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr"), Type: chroma.KeywordType},
		{Pattern: `\d[\w.]*(?:(?<=[eEpP])[+-]\d+)?`, Type: chroma.LiteralNumber},
		{Pattern: `[^\W\d]\w*(?=\()`, Type: chroma.NameFunction},
		{Pattern: `[^\W\d]\w*`, Type: chroma.Name},
		{Pattern: `[^\w\s]`, Type: chroma.Punctuation},
	}}
}

// markdownRules read Markdown, line by line.
func markdownRules() chroma.Rules {
	return chroma.Rules{
		"root": {
			{Pattern: `^#{1,6} [^\n]*\n`, Type: chroma.GenericHeading},
			{Pattern: "^ {0,3}(?:```|~~~)[^\\n]*\\n", Type: chroma.LiteralString, Mutator: chroma.Push("fence")},
			{Pattern: `^ {0,3}>[^\n]*\n`, Type: chroma.Comment},
			{Pattern: `^ *(?:[-*+]|\d+\.) `, Type: chroma.Keyword},
			{Pattern: "`[^`\\n]+`", Type: chroma.LiteralString},
			{Pattern: `\[[^\]\n]*\]\([^)\n]*\)`, Type: chroma.NameTag},
			{Pattern: `(\*\*|__)[^*_\n]+\1`, Type: chroma.Keyword},
			{Pattern: `\n`, Type: chroma.Text},
			{Pattern: "[^\\n`\\[*_]+", Type: chroma.Text},
			{Pattern: `.`, Type: chroma.Text},
		},
		"fence": {
			{Pattern: "^ {0,3}(?:```|~~~) *\\n", Type: chroma.LiteralString, Mutator: chroma.Pop(1)},
			{Pattern: `[^\n]*\n`, Type: chroma.LiteralString},
		},
	}
}
