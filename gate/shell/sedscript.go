package shell

import "strings"

// A sedScript is what a script of sed does beside editing text.
type sedScript struct {
	runs   []string // what it gives to a shell, by the command e
	reads  []string // the files of r
	writes []string // the files of w
	// odd is set for a script that can't be read for sure.
	odd bool

	text     string
	at       int
	brackets bool // a delimiter within brackets is none
}

// readSed reads a script by the grammar of GNU sed. Versions differ on a
// delimiter within brackets: what one of them would do counts.
func readSed(text string) *sedScript {
	s, older := &sedScript{text: text, brackets: true}, &sedScript{text: text}
	s.read()
	older.read()
	s.runs, s.reads, s.writes = append(s.runs, older.runs...), append(s.reads, older.reads...), append(s.writes, older.writes...)
	return s
}

func (s *sedScript) read() {
	for !s.odd && s.at < len(s.text) {
		s.command()
	}
}

func (s *sedScript) peek() byte {
	if s.at >= len(s.text) {
		return 0
	}
	return s.text[s.at]
}

func (s *sedScript) skip(set string) {
	for s.at < len(s.text) && strings.IndexByte(set, s.text[s.at]) >= 0 {
		s.at++
	}
}

func (s *sedScript) command() {
	s.skip(" \t\n;{}")
	s.addresses()
	if s.at >= len(s.text) {
		return
	}
	c := s.peek()
	s.at++
	switch {
	case c == 'e':
		s.runs = append(s.runs, s.joined())
	case c == 'w' || c == 'W':
		s.writes = append(s.writes, s.line())
	case c == 's':
		s.delimited(2, true)
		s.flags()
	case c == 'y':
		s.delimited(2, false)
	case strings.IndexByte("aic", c) >= 0:
		s.joined()
	case c == 'r' || c == 'R':
		s.reads = append(s.reads, s.line())
	case c == '#':
		s.line()
	case strings.IndexByte(":btTv", c) >= 0:
		s.skip(" \t")
		for s.at < len(s.text) && strings.IndexByte(" \t\n;}", s.text[s.at]) < 0 {
			s.at++
		}
	case strings.IndexByte("lLqQ", c) >= 0:
		s.skip(" 0123456789")
	case strings.IndexByte("=dDgGhHnNpPxzF{}", c) < 0:
		s.odd = true
	}
}

// addresses skips the lines that a command is for.
func (s *sedScript) addresses() {
	for s.at < len(s.text) && !s.odd {
		switch c := s.peek(); {
		case strings.IndexByte("0123456789$,~+! \tIM", c) >= 0:
			s.at++
		case c == '/':
			s.delimited(1, true)
		case c == '\\':
			s.at++
			s.delimited(1, true)
		default:
			return
		}
	}
}

// delimited skips texts that each end in the character at which it begins. The
// first may be a pattern; in the others brackets are nothing special.
func (s *sedScript) delimited(texts int, pattern bool) {
	end := s.peek()
	s.at++
	for texts > 0 {
		switch c := s.peek(); {
		case s.at >= len(s.text):
			s.odd = true
			return
		case c == '\\':
			s.at += 2
		case c == '[' && pattern && s.brackets && end != '[':
			s.at += 1 + bracket(s.text[s.at+1:])
		default:
			if s.at++; c == end {
				texts, pattern = texts-1, false
			}
		}
	}
}

// bracket is the length of what stands in brackets, with the closing one; 0 when
// they aren't closed.
func bracket(text string) int {
	from := 0
	for _, first := range []string{"^", "]"} {
		if strings.HasPrefix(text[from:], first) {
			from++
		}
	}
	for i := from; i < len(text); i++ {
		if text[i] == ']' {
			return i + 1
		}
		if text[i] == '[' && i+1 < len(text) && strings.IndexByte(":.=", text[i+1]) >= 0 {
			if end := strings.Index(text[i+2:], text[i+1:i+2]+"]"); end >= 0 {
				i += 2 + end + 1
			}
		}
	}
	return 0
}

// flags reads what follows the second text of s.
func (s *sedScript) flags() {
	for s.at < len(s.text) {
		switch c := s.peek(); {
		case c == 'e':
			s.runs = append(s.runs, "")
		case c == 'w':
			s.at++
			s.writes = append(s.writes, s.line())
			return
		case strings.IndexByte("gpiImM0123456789", c) < 0:
			return
		}
		s.at++
	}
}

// line is the rest of the line.
func (s *sedScript) line() string {
	text, _, _ := strings.Cut(s.text[s.at:], "\n")
	s.at += len(text)
	return strings.TrimLeft(text, " \t")
}

// joined is the rest of the line, with the lines after it that a backslash joins
// to it. One that another protects joins nothing.
func (s *sedScript) joined() string {
	from := s.at
	for s.at < len(s.text) && s.text[s.at] != '\n' {
		if s.text[s.at] == '\\' {
			s.at++
		}
		s.at++
	}
	s.at = min(s.at, len(s.text))
	return strings.TrimLeft(s.text[from:s.at], " \t")
}

var sedOptions = options{
	flags: "nErsuzbi", values: "efl", attached: "i",
	longFlags:  "quiet silent in-place regexp-extended separate unbuffered null-data posix debug sandbox follow-symlinks binary zero-terminated help version",
	longValues: "expression file line-length", abbreviate: true,
}

// sedScripts are the words of sed that hold its script, and what it is as a
// whole. Part of it may be in a file: that can't be read.
func (c *Command) sedScripts() (words []string, script *sedScript) {
	opts, operands := sedOptions.scan(c.Words, false)
	var parts []string
	odd, inPlace := false, false
	for _, o := range opts {
		switch {
		case !o.known:
			odd = true
		case listed("f file", o.name):
			odd = true
			words = append(words, c.word(o.at))
		case listed("e expression", o.name):
			words, parts = append(words, c.word(o.valueAt)), append(parts, o.value)
		case o.name == "i" && !o.hasValue:
			inPlace = true
		}
	}
	if inPlace && len(operands) > 1 && c.word(operands[0]) == "" {
		operands = operands[1:] // on macOS and BSD it is the value of -i
	}
	if len(words) == 0 && len(operands) > 0 {
		words, parts = []string{c.word(operands[0])}, []string{c.word(operands[0])}
	}
	script = readSed(strings.Join(parts, "\n"))
	script.odd = script.odd || odd
	return words, script
}

// isSed reports one of the names of sed.
func isSed(name string) bool { return name == "sed" || name == "gsed" }

// replaced records the texts of a script of sed that runs what it makes.
func (r *reader) replaced(index int) {
	words, _ := r.line.Commands[index].sedScripts()
	for _, script := range words {
		for _, text := range strings.FieldsFunc(script, func(r rune) bool { return strings.ContainsRune("/|#,@!", r) }) {
			r.perhapsWords(index, []string{text}, true)
		}
	}
}
