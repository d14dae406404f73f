package shell

import (
	"regexp"
	"strings"
	"sync"
)

var awkOptions = options{
	flags: "bcCghIkMnNOPrsStV", values: "FveflimE", attached: "doDLp",
	longFlags:  "traditional characters-as-bytes copyright gen-pot help trace bignum use-lc-numeric non-decimal-data optimize posix re-interval sandbox lint-old version csv",
	longValues: "field-separator assign source file load include exec", abbreviate: true,
}

// awkLaunches are the words of awk that hold or name a program which may run
// others or write files.
func (c *Command) awkLaunches() (words []string) {
	opts, operands := awkOptions.scan(c.Words, false)
	inWords := true
	for _, o := range opts {
		switch {
		case !o.known, listed("f file l load i include E exec", o.name):
			words = append(words, c.word(o.at))
			inWords = inWords && !listed("f file E exec", o.name)
		case listed("e source", o.name):
			inWords = false
			if actsByAwk(o.value) {
				words = append(words, c.word(o.valueAt))
			}
		}
	}
	if inWords && len(operands) > 0 && actsByAwk(c.word(operands[0])) {
		words = append(words, c.word(operands[0]))
	}
	return words
}

var (
	// A slash behind a value divides, and begins no pattern.
	awkQuoted = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|((?:^|[(,{};~!&|=\n])\s*)/(?:[^/\\\n\[]|\\.|\[(?:\^?\]?)[^\]\n]*\])*/`)
	})
	awkActs = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[^|]\|[^|]|\bprintf?\b(?:[^;{}\n]|[,\\]\s*\n)*>|@`)
	})
)

// actsByAwk reports a program that may run another, or write a file.
func actsByAwk(program string) bool {
	if strings.Contains(program, "system") {
		return true
	}
	return awkActs().MatchString(awkQuoted().ReplaceAllString(program, "${1} "))
}

func isAwk(name string) bool { return listed("awk gawk mawk nawk", name) }
