package gate

import (
	"path"
	"regexp"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate/shell"
	"github.com/bmatcuk/doublestar/v4"
)

// A matcher is what a rule's pattern became: one of the types below. Which
// method a rule needs follows from its kind.
type matcher interface{ form() string }

func newMatcher(kind ruleKind, pattern string) (matcher, error) {
	switch kind {
	case ruleShell:
		return newCommandMatcher(pattern)
	case ruleWrite, ruleDelete, ruleRead:
		return newPathMatcher(pattern)
	case ruleWeb:
		return newHostMatcher(pattern)
	}
	return newNameMatcher(pattern), nil
}

// A commandMatcher matches the decoded words of one command.
type commandMatcher struct {
	words []string       // prefix of whole words
	glob  *regexp.Regexp // over words joined by NUL
	regex *regexp.Regexp // over words joined by blanks, quoted where needed
}

func newCommandMatcher(pattern string) (*commandMatcher, error) {
	if body, ok := strings.CutPrefix(pattern, "/"); ok && len(body) > 1 && strings.HasSuffix(body, "/") {
		re, err := regexp.Compile(`\A(?:` + strings.TrimSuffix(body, "/") + `)\z`)
		if err != nil {
			return nil, ruleError("shell(%s): the regular expression can't be read: %v", pattern, err)
		}
		return &commandMatcher{regex: re}, nil
	}
	words, err := patternWords(pattern)
	if err != nil {
		return nil, err
	}
	if !strings.ContainsAny(pattern, "*?") {
		return &commandMatcher{words: words}, nil
	}
	return &commandMatcher{glob: wordGlob(words)}, nil
}

// patternWords splits a pattern as a shell would, so that a quoted word in a
// rule is compared with what a command's quoted word means.
func patternWords(pattern string) ([]string, error) {
	if !strings.ContainsAny(pattern, "'\"\\") {
		return strings.Fields(pattern), nil
	}
	line := shell.Read(pattern)
	if len(line.Commands) != 1 || !line.Clear() {
		return nil, ruleError("shell(%s): the quotes can't be read as one command", pattern)
	}
	return line.Commands[0].Args(), nil
}

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

// restricts reports whether a deny or ask rule applies to a command. It looks
// wider than an allow rule: at the program without its directory, at the
// command without the options before its sub-command, and, for a regular
// expression, at the words without quotes.
func (m *commandMatcher) restricts(words []string) bool {
	if len(words) == 0 {
		return false
	}
	if m.matches(words) || m.regex != nil && m.regex.MatchString(strings.Join(words, " ")) {
		return true
	}
	plain := append([]string{path.Base(words[0])}, words[1:]...)
	// Each leading option, and the word after it in case that is its value,
	// is left out in turn: git -C dir push is still git push.
	for i := 1; i < len(words); i++ {
		if m.matches(plain) {
			return true
		}
		if !strings.HasPrefix(words[i], "-") && !strings.HasPrefix(words[i-1], "-") {
			break
		}
		plain = append(plain[:1:1], words[i+1:]...)
	}
	return m.matches(plain)
}

var plainWord = regexp.MustCompile(`^[\pL\pN_@%+=:,./\-~^{}\[\]*?!#]+$`)

func quoteWords(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if plainWord.MatchString(w) {
			b.WriteString(w)
		} else {
			b.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "'")
		}
	}
	return b.String()
}

// A pathMatcher matches one file's path. It is read against a workspace and a
// home only when it is used, since the same rule serves every workspace.
type pathMatcher struct {
	pattern string // cleaned, with / separators, still relative if written so
	below   bool   // a trailing slash: the path and all below it
	glob    bool
}

func newPathMatcher(pattern string) (*pathMatcher, error) {
	below := strings.HasSuffix(pattern, "/") && pattern != "/"
	m := &pathMatcher{pattern: path.Clean(pattern), below: below, glob: strings.ContainsAny(pattern, "*?")}
	if m.glob && !doublestar.ValidatePattern(literalClasses(m.pattern)) {
		return nil, ruleError("%q: the path pattern can't be read", pattern)
	}
	return m, nil
}

func (m *pathMatcher) form() string {
	if m.glob {
		return "glob"
	}
	return "path"
}

// absolute is the pattern as it reads in a workspace.
func (m *pathMatcher) absolute(p place) string {
	switch {
	case strings.HasPrefix(m.pattern, "/"):
		return m.pattern
	case m.pattern == "~" || m.pattern == "$HOME":
		return p.home
	}
	for _, prefix := range []string{"~/", "$HOME/", "${HOME}/"} {
		if rest, ok := strings.CutPrefix(m.pattern, prefix); ok {
			return path.Join(p.home, rest)
		}
	}
	return path.Join(p.workspace, m.pattern)
}

// literalRoot is the part of the pattern above its first wildcard.
func (m *pathMatcher) literalRoot(p place) string {
	abs := m.absolute(p)
	if i := strings.IndexAny(abs, "*?"); i >= 0 {
		return path.Dir(abs[:i] + "x")
	}
	return abs
}

// literalClasses makes [ ] { } and \ stand for themselves: only *, ? and **
// are wildcards, and file names such as [id].ts are common.
func literalClasses(pattern string) string {
	return strings.NewReplacer(`[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`, `\`, `\\`).Replace(pattern)
}

// covers reports whether an allow rule's pattern reaches file, an absolute
// clean path. A trailing /** means what is below, not the folder itself.
func (m *pathMatcher) covers(p place, file string) bool {
	abs := m.absolute(p)
	if !m.glob {
		return file == abs || m.below && isBelow(file, abs)
	}
	if folder, ok := strings.CutSuffix(abs, "/**"); ok {
		if same, _ := doublestar.Match(literalClasses(folder), file); same {
			return false
		}
	}
	ok, _ := doublestar.Match(literalClasses(abs), file)
	return ok
}

// restricts reports whether a deny or ask rule applies to file. It looks
// wider than covers: at all below a plain path, at the folder of a /**, and
// at [ab] read as a class too. With whole set (a deletion), also at what lies
// below file.
func (m *pathMatcher) restricts(p place, file string, whole bool) bool {
	abs := m.absolute(p)
	if file == abs || isBelow(file, abs) && !m.glob {
		return true
	}
	if ok, _ := doublestar.Match(literalClasses(abs), file); ok {
		return true
	}
	if ok, err := doublestar.Match(abs, file); ok && err == nil {
		return true
	}
	return whole && isBelow(m.literalRoot(p), file)
}

func isBelow(file, folder string) bool {
	return folder == "/" || strings.HasPrefix(file, strings.TrimSuffix(folder, "/")+"/")
}

// A hostMatcher matches a host name; with a leading *. also its subdomains.
type hostMatcher struct {
	host       string
	subdomains bool
	all        bool
}

func newHostMatcher(pattern string) (*hostMatcher, error) {
	if pattern == "*" {
		return &hostMatcher{all: true}, nil
	}
	host, subdomains := strings.CutPrefix(pattern, "*.")
	if host == "" || strings.ContainsAny(host, "*?/ @") {
		return nil, ruleError("web(%s): write a host, such as example.com, or *.example.com for its subdomains too", pattern)
	}
	return &hostMatcher{host: hostOf(host), subdomains: subdomains}, nil
}

func (m *hostMatcher) form() string { return "name" }

// matches takes a host as [HostOf] spells it.
func (m *hostMatcher) matches(host string) bool {
	return m.all || host == m.host || m.subdomains && strings.HasSuffix(host, "."+m.host)
}

// A nameMatcher matches a name, with * and ? as wildcards.
type nameMatcher struct {
	name string
	glob *regexp.Regexp
}

func newNameMatcher(pattern string) *nameMatcher {
	m := &nameMatcher{name: pattern}
	if strings.ContainsAny(pattern, "*?") {
		m.glob = wordGlob([]string{pattern})
	}
	return m
}

func (m *nameMatcher) form() string {
	if m.glob != nil {
		return "glob"
	}
	return "name"
}

func (m *nameMatcher) matches(name string) bool {
	return name == m.name || m.glob != nil && m.glob.MatchString(name)
}

// matchesMember also takes a rule that names the server alone as all of its
// tools.
func (m *nameMatcher) matchesMember(target string) bool {
	server, _, member := strings.Cut(target, ":")
	return m.matches(target) || member && !strings.Contains(m.name, ":") && m.matches(server)
}
