package gate

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// A commandMatcher matches the decoded words of one command.
type commandMatcher struct {
	all   []string       // the words of the pattern, none of a regular expression
	words []string       // whole words that a command begins with
	glob  *regexp.Regexp // over words joined by NUL, for what follows them
	regex *regexp.Regexp // over words joined by blanks, quoted where needed
	// literal says that regex matches one text only.
	literal bool
}

func newCommandMatcher(pattern string) (*commandMatcher, error) {
	if pattern == "//" {
		return nil, ruleError("shell(//): the regular expression is empty and would match nothing")
	}
	if body, ok := strings.CutPrefix(pattern, "/"); ok && len(body) > 1 && strings.HasSuffix(body, "/") {
		re, err := regexp.Compile(`\A(?:` + strings.TrimSuffix(body, "/") + `)\z`)
		if err != nil {
			return nil, ruleError("shell(%s): the regular expression can't be read: %v", pattern, err)
		}
		_, literal := regexp.MustCompile(strings.TrimSuffix(body, "/")).LiteralPrefix()
		return &commandMatcher{regex: re, literal: literal}, nil
	}
	words, err := patternWords(pattern)
	if err != nil {
		return nil, err
	}
	if !strings.ContainsAny(pattern, "*?") {
		return &commandMatcher{all: words, words: words}, nil
	}
	lead := words
	if i := slices.IndexFunc(words, func(w string) bool { return strings.ContainsAny(w, "*?") }); i >= 0 {
		lead = words[:i]
	}
	return &commandMatcher{all: words, words: lead, glob: wordGlob(words)}, nil
}

// patternWords splits a pattern as a shell would, so that a quoted word in a
// rule is compared with what a command's quoted word means.
func patternWords(pattern string) ([]string, error) {
	if !strings.ContainsAny(pattern, "'\"\\") {
		return plainWords(pattern)
	}
	line := shell.Read(pattern)
	several := func(c shell.Command) bool { return len(c.Via) == 0 } // what it wraps is no other one
	if len(line.Commands) == 0 || len(line.Doubts) > 0 || slices.ContainsFunc(line.Commands[1:], several) {
		return nil, ruleError("shell(%s): the quotes can't be read as one command", pattern)
	}
	if c := &line.Commands[0]; len(c.Words) == 0 || len(c.Assigns)+len(c.Redirects) > 0 {
		return nil, ruleError("shell(%s): a rule is matched on the words of a command, without assignments and redirections", pattern)
	}
	return line.Commands[0].Args(), nil
}

// plainWords are the words of a pattern without quotes. What a shell would take
// for more than words, such as a pipe, is in no command's words, and a rule with
// it would match nothing (APR-15).
func plainWords(pattern string) ([]string, error) {
	words := strings.Fields(pattern)
	for _, w := range words {
		if joinsCommands().MatchString(w) {
			return nil, ruleError("shell(%s): %s is between commands or redirects; a rule is matched on the words of one command, so write a rule for one of them, or quote it", pattern, w)
		}
	}
	if len(words) > 1 && assigns().MatchString(words[0]) {
		return nil, ruleError("shell(%s): a rule is matched on the words of a command, without assignments and redirections", pattern)
	}
	return words, nil
}

var (
	joinsCommands = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[|;&<>]|^[0-9]+[<>]|[|;&<>]$|&&|\|\|`)
	})
	assigns = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`) })
)

// wordGlob compiles a pattern's words; a last word that is * alone stands for
// any number of words, none included, so that "git *" covers "git".
func wordGlob(words []string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for i, w := range words {
		if i == len(words)-1 && i > 0 && strings.Trim(w, "*") == "" {
			b.WriteString("(?:\x00.*)?")
			break
		}
		if i > 0 {
			b.WriteString("\x00")
		}
		for _, r := range w {
			switch r {
			case '*':
				b.WriteString(".*")
			case '?':
				b.WriteString("[^\x00]")
			default:
				b.WriteString(regexp.QuoteMeta(string(r)))
			}
		}
	}
	b.WriteString(`\z`)
	return regexp.MustCompile(b.String())
}

func (m *commandMatcher) form() string {
	switch {
	case m.regex != nil:
		return "regex"
	case m.glob != nil:
		return "glob"
	}
	return "prefix"
}

func (m *commandMatcher) matches(words []string) bool {
	switch {
	case len(words) == 0:
		return false
	case m.regex != nil:
		return m.regex.MatchString(quoteWords(words))
	case m.glob != nil:
		return m.glob.MatchString(strings.Join(words, "\x00"))
	}
	if len(words) < len(m.words) {
		return false
	}
	for i, w := range m.words {
		if words[i] != w {
			return false
		}
	}
	return true
}

// allows is matches for an allow rule: a regular expression is held against the
// command as [spelled].
func (m *commandMatcher) allows(c *shell.Command, words []string) bool {
	if m.regex != nil && len(words) > 0 {
		return m.regex.MatchString(spelled(c))
	}
	return m.matches(words)
}

// names reports whether a matcher that matches words was written for exactly
// these, or holds word itself.
func (m *commandMatcher) names(words []string, word string) bool {
	if m.regex != nil {
		return m.literal
	}
	return m.glob == nil && len(m.all) == len(words) || slices.Contains(m.all, word)
}

// matchesLoosely also holds a regular expression against the words without
// quotes, as a deny or ask rule does.
func (m *commandMatcher) matchesLoosely(words []string) bool {
	return m.matches(words) || m.regex != nil && m.regex.MatchString(strings.Join(words, " "))
}

// A commandIndex finds the rule for a command by its first words. Only rules
// with a wildcard after the same first words, and regular expressions, are
// compared one by one.
type commandIndex struct{ byWords tree[*Rule] }

func (x *commandIndex) addRule(r *Rule) {
	x.byWords.add(r.matcher.(*commandMatcher).words, r)
}

func (x *commandIndex) empty() bool { return x.byWords.empty() }

// allowing finds a rule for exactly this command that names each of some of its
// words, rather than reaching it by a wildcard or by what it leaves open.
func (x *commandIndex) allowing(c *shell.Command, named []string) *Rule {
	words := c.Args()
	r, _, _ := x.byWords.walk(words, func(r *Rule) bool {
		m := r.matcher.(*commandMatcher)
		return m.allows(c, words) && !slices.ContainsFunc(named, func(w string) bool { return !m.names(words, w) })
	})
	return r
}

// restricting finds a deny or ask rule for a command. It looks wider than
// allowing: at the program without its directory, at the command without the
// options before its sub-command, and, for a regular expression, at the words
// without quotes.
func (x *commandIndex) restricting(words []string) *Rule {
	if len(words) == 0 {
		return nil
	}
	if r := x.loosely(words); r != nil {
		return r
	}
	plain := append([]string{path.Base(words[0])}, words[1:]...)
	// Each leading option, and the word after it in case that is its value,
	// is left out in turn: git -C dir push is still git push.
	for i := 1; i < len(words); i++ {
		if r := x.loosely(plain); r != nil {
			return r
		}
		if !strings.HasPrefix(words[i], "-") && !strings.HasPrefix(words[i-1], "-") {
			break
		}
		plain = append(plain[:1:1], words[i+1:]...)
	}
	return x.loosely(plain)
}

func (x *commandIndex) loosely(words []string) *Rule {
	r, _, _ := x.byWords.walk(words, func(r *Rule) bool { return r.matcher.(*commandMatcher).matchesLoosely(words) })
	return r
}

// plain reports whether a word reads the same with and without quotes.
func plain(w string) bool {
	for _, r := range w {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_@%+=:,./-~^{}[]*?!#", r) {
			return false
		}
	}
	return w != ""
}

func quoteWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quoteWord(w, plain(w))
	}
	return strings.Join(quoted, " ")
}

// spelled is a command as an exact rule for it reads: with quotes as well where
// a shell would else see a pattern for files, or the home.
func spelled(c *shell.Command) string {
	quoted := make([]string, len(c.Words))
	for i, w := range c.Words {
		quoted[i] = quoteWord(w.Text, plain(w.Text) && w.Bare())
	}
	return strings.Join(quoted, " ")
}

func quoteWord(w string, bare bool) string {
	if bare {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
