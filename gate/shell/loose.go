package shell

import "strings"

// loose lists what text could run when it can't be parsed, or when a shell
// may see it otherwise than the parser: every stretch between separators is
// taken for a command, data included. It only serves deny and ask rules; each
// command has a doubt.
func (r *reader) loose(text string) {
	sc := &scanner{s: text}
	known := r.known()
	for _, words := range sc.commands(0) {
		c := Command{
			Source: joinText(words), Words: words, Via: r.via, Dir: r.where.dir,
			Doubts: []Doubt{{"found in text that can't be read for sure", r.start()}},
			pos:    r.start(), parent: r.parent,
		}
		if known[wordKey(words)] {
			continue
		}
		if len(r.line.Commands) >= maxCommands {
			r.line.doubt(tooManyCommands, r.start())
			return
		}
		known[wordKey(words)] = true
		r.line.Commands = append(r.line.Commands, c)
		if r.depth <= maxNested {
			r.depth++
			r.inside(len(r.line.Commands)-1, nil)
			r.depth--
		}
	}
}

// maxCommands bounds the work on text made to be expensive.
const maxCommands = 4000

func (r *reader) start() int {
	if r.base != nil {
		return *r.base
	}
	return 0
}

func (r *reader) looseInside(index int, text, via string) {
	c := r.line.Commands[index]
	pos := c.pos
	inner := &reader{
		line: r.line, base: &pos, depth: r.depth + 1, where: place{dir: c.Dir},
		via: append(append([]string{}, c.Via...), via),
	}
	if inner.depth <= maxNested {
		inner.loose(text)
	}
}

// known is the set of the commands that were recorded already.
func (r *reader) known() map[string]bool {
	known := make(map[string]bool, len(r.line.Commands))
	for i := range r.line.Commands {
		known[wordKey(r.line.Commands[i].Words)] = true
	}
	return known
}

// wordKey tells commands apart by their words; a NUL stands in none of them.
func wordKey(words []Word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.Text)
		b.WriteByte(0)
	}
	return b.String()
}

// A scanner cuts text at everything that could end a command.
type scanner struct {
	s    string
	out  [][]Word
	now  []Word
	word strings.Builder
	open bool // a word has begun
}

func (sc *scanner) commands(depth int) [][]Word {
	s := sc.s
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t', '\r', '\v', '\f', 0:
			sc.endWord()
		case ';', '&', '|', '\n', '(', ')', '`':
			sc.endCommand()
		case '<', '>':
			sc.endWord()
		case '$':
			if i+1 < len(s) && s[i+1] == '\'' {
				end := closing(s, i+2, '\'', true)
				sc.add(decodeANSI(s[i+2 : end]))
				i = end
				continue
			}
			sc.add("$")
		case '\\':
			if i++; i < len(s) && s[i] != '\n' {
				sc.add(s[i : i+1])
			}
		case '\'':
			end := closing(s, i+1, '\'', false)
			sc.add(s[i+1 : end])
			i = end
		case '"':
			end := closing(s, i+1, '"', true)
			inner := s[i+1 : end]
			sc.add(unescapeQuoted(inner))
			sc.substitutions(inner, depth)
			i = end
		default:
			sc.add(s[i : i+1])
		}
	}
	sc.endCommand()
	return sc.out
}

// substitutions looks for commands inside a quotation.
func (sc *scanner) substitutions(inner string, depth int) {
	if depth > maxNested || !strings.Contains(inner, "$(") && !strings.Contains(inner, "`") {
		return
	}
	nested := &scanner{s: inner}
	sc.out = append(sc.out, nested.commands(depth+1)...)
}

// closing finds the quote that ends a quotation, or the end of s.
func closing(s string, from int, quote byte, escapes bool) int {
	for i := from; i < len(s); i++ {
		if escapes && s[i] == '\\' {
			i++
		} else if s[i] == quote {
			return i
		}
	}
	return len(s)
}

func (sc *scanner) add(s string) {
	sc.word.WriteString(s)
	sc.open = true
}

func (sc *scanner) endWord() {
	if sc.open {
		sc.now = append(sc.now, literal(sc.word.String()))
	}
	sc.word.Reset()
	sc.open = false
}

// reserved are the words after which a command begins.
var reserved = map[string]bool{
	"if": true, "then": true, "else": true, "elif": true, "do": true, "while": true, "until": true,
	"!": true, "{": true, "}": true, "time": true, "fi": true, "done": true, "esac": true, "in": true, "function": true,
}

func (sc *scanner) endCommand() {
	sc.endWord()
	words := sc.now
	for len(words) > 0 && (reserved[words[0].Text] || assignment(words[0].Text)) {
		words = words[1:]
	}
	if len(words) > 0 {
		sc.out = append(sc.out, words)
	}
	sc.now = nil
}

func assignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789+") == ""
}
