package foreign

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/blitz-approve/blitz-approve/gate"
)

// prefix carries over a rule on the first whole words of a command.
func (im *Import) prefix(effect gate.Effect, words []string, from string) {
	about := subject{"shell", strings.Join(words, " ")}
	var quoted []string
	for _, w := range words {
		switch {
		case strings.ContainsAny(w, "*?") && effect == gate.Allow:
			im.leave(effect, from, "* and ? are wildcards here, and would allow more", about)
			return
		case w == "" || strings.ContainsAny(w, "'\n"):
			im.leave(effect, from, "it can't be written as a rule", about)
			return
		case !plainWord(w):
			w = "'" + w + "'"
		}
		quoted = append(quoted, w)
	}
	text := strings.Join(quoted, " ")
	if text == "" || isRegexp(text) {
		im.leave(effect, from, "it can't be written as a rule", about)
		return
	}
	im.carry(effect, "shell("+text+")", from, about)
}

// isRegexp reports whether a pattern would be read as a regular expression.
func isRegexp(pattern string) bool {
	return len(pattern) > 2 && pattern[0] == '/' && pattern[len(pattern)-1] == '/'
}

// command carries over a pattern for a whole command line, in which * stands
// for any text. One without a * means exactly this command, for which a rule
// of plain words would allow more.
func (im *Import) command(effect gate.Effect, pattern, from string) {
	pattern = strings.TrimSpace(pattern)
	about := subject{"shell", strings.TrimRight(headOf(pattern), " ")}
	words := strings.Fields(pattern)
	switch {
	case len(words) == 0:
		im.leave(effect, from, "the pattern is empty", about)
	case strings.ContainsAny(pattern, "|&;<>`$\n()"):
		im.leave(effect, from, "rules look at one command at a time, not at what joins several", about)
	case strings.Contains(words[0], "="):
		im.leave(effect, from, "rules look at the words of a command, without assignments before it", about)
	case effect != gate.Allow && !isRegexp(pattern):
		im.carry(effect, "shell("+pattern+")", from, about)
	case strings.ContainsAny(pattern, `'"\?[{~`) || isRegexp(pattern):
		im.leave(effect, from, "quotes and special characters may mean more here than there", about)
	case strings.Contains(pattern, "*"):
		im.carry(effect, "shell("+strings.Join(words, " ")+")", from, about)
	default:
		im.carry(effect, "shell(/"+regexp.QuoteMeta(strings.Join(words, " "))+"/)", from, about)
	}
}

// plainWord reports whether a word needs no quotes in a rule.
func plainWord(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_@%+=:,./-^*?", r)
	})
}
