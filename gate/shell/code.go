package shell

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// coders are the interpreters that take code in their words, each with the
// options that hold it; of a single letter also as the last of a cluster.
var coders = func() map[string]string {
	known := map[string]string{
		"python": "c", "node": "e p eval print", "bun": "e p eval print", "deno": "eval", "perl": "e E", "ruby": "e",
		"php": "r B R E run process-begin process-code process-end", "lua": "e", "osascript": "e", "Rscript": "e", "julia": "e E eval print",
		"groovy": "e", "scala": "e", "elixir": "e eval rpc-eval", "erl": "eval", "guile": "c", "racket": "e eval", "sbcl": "eval", "clojure": "e eval",
		"octave": "eval", "swift": "e", "raku": "e", "emacs": "eval execute", "tclsh": "", "ipython": "c command", "tsx": "e p eval print",
		"emacsclient": "e eval", "ghc": "e", "mongosh": "eval",
	}
	for name, same := range map[string]string{
		"python": "pypy pythonw", "node": "nodejs", "ruby": "jruby", "lua": "luajit texlua", "Rscript": "R", "clojure": "clj bb", "tsx": "ts-node", "ghc": "runghc ghci", "mongosh": "mongo", "sbcl": "ecl clisp",
	} {
		for other := range strings.FieldsSeq(same) {
			known[other] = known[name]
		}
	}
	return known
}()

// codeOptions are the options of a program that hold code; ok is false for one
// that is no interpreter.
func codeOptions(program string) (options string, ok bool) {
	name := strings.TrimSuffix(base(program), ".exe")
	if options, ok = coders[name]; !ok {
		options, ok = coders[strings.TrimRight(name, "0123456789.")]
	}
	return options, ok
}

// code is what c gives to an interpreter to run: in its words, or on its input
// where it names no file. What it is in a file isn't looked at.
func (c *Command) code() (texts []string) {
	if isAwk(ownName(c.Program())) {
		return c.awkPrograms()
	}
	options, ok := codeOptions(c.Program())
	if !ok {
		return nil
	}
	input := true
	for i := 1; i < len(c.Words); i++ {
		text := c.Words[i].Text
		next := ""
		if i+1 < len(c.Words) {
			next = c.Words[i+1].Text
		}
		if text == "-" || strings.HasPrefix(text, "<(") {
			continue
		}
		if !startsOption(text) {
			if listed(options, text) { // deno eval
				texts = append(texts, next)
			}
			input = false
			continue
		}
		if code, ok := coded(options, text, next); ok {
			texts, input = append(texts, code), false
		}
	}
	if input {
		texts = append(texts, c.input...)
	}
	return texts
}

// coded is the code that an option holds, in its word or in the next one.
func coded(options, word, next string) (code string, ok bool) {
	if name, value, joined := strings.Cut(strings.TrimLeft(word, "-"), "="); listed(options, name) {
		if joined {
			return value, true
		}
		return next, true
	}
	if strings.HasPrefix(word, "--") {
		return "", false
	}
	for k := 1; k < len(word); k++ {
		if listed(options, word[k:k+1]) {
			if k+1 < len(word) && !listed(options, word[k+1:k+2]) {
				return word[k+1:], true
			}
			return next, true
		}
	}
	return "", false
}

// codeTexts are the texts within some code, and a few more: what stands between
// two quotes of a kind on a line. They are only compared with names.
func codeTexts(code string) (texts []string) {
	seen := map[string]bool{}
	add := func(text string) {
		text = strings.TrimLeft(text, "<>+| ") // perl's open has a mode there
		if strings.Contains(text, `\`) {
			text = decodeANSI(text)
		}
		if text != "" && len(text) < maxCodeText && !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	for line := range strings.Lines(code) {
		for _, quote := range []string{`"`, `'`, "`"} {
			parts := strings.Split(strings.TrimSuffix(line, "\n"), quote)
			if len(parts) < 3 {
				continue
			}
			whole := ""
			for i, part := range parts[1 : len(parts)-1] {
				add(part)
				// Two texts that are joined by nothing but a sign make one.
				switch {
				case i%2 == 0:
					whole += part
				case strings.Trim(part, " \t+.") != "":
					whole = ""
				case i+2 < len(parts)-1:
					add(whole + parts[i+2])
				}
			}
		}
	}
	for _, m := range quotedWords().FindAllStringSubmatch(code, maxCodeCommands) {
		for word := range strings.FieldsSeq(m[2]) {
			add(word)
		}
	}
	return texts
}

// Bounds of what is looked at in code.
const (
	maxCodeText     = 4096 // bytes of one text
	maxCodeCommands = 40
)

// codeNames are the texts in c's code that could name a file. One that begins
// like a path below something that is joined to it may lie below the home.
// Where code looks for files by patterns, one may be a pattern.
func (c *Command) codeNames() (names []Word) {
	for _, name := range c.consoleNames() {
		names = append(names, literal(name))
	}
	for _, code := range c.code() {
		texts := codeTexts(code)
		if name := ownName(c.Program()); name == "tclsh" {
			texts = append(texts, strings.FieldsFunc(code, func(r rune) bool { return strings.ContainsRune(" \t\n[]{}\"", r) })...)
		}
		matching := strings.Contains(code, "glob")
		for _, text := range texts {
			names = append(names, Word{Text: text, Literal: true})
			if matching && globs(text) {
				names = append(names, Word{Text: text, Glob: true})
			}
			if below := strings.TrimLeft(text, "/"); strings.HasPrefix(below, ".") {
				names = append(names, Word{Text: "~/" + below, Literal: true})
			}
		}
	}
	return names
}

// CodeWrites are the texts that could name a file, in code of c that seems to
// write or delete some.
func (c *Command) CodeWrites() (names []string) {
	if isAwk(ownName(c.Program())) {
		return nil // [Command.Written] has them
	}
	for _, code := range c.code() {
		if writesFiles().MatchString(code) {
			names = append(names, codeTexts(code)...)
		}
	}
	return names
}

// writesFiles is what code needs to change a file.
var writesFiles = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)write|append|unlink|remove|rename|replace|delete|rmtree|rmdir|truncate|copy|move|touch|dump|save|put_contents|['"][wax]b?\+?['"]|['"]\s*\+?>|['"]r\+b?['"]`)
})

var (
	// starters call another program, with the texts that follow.
	starters = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:system|popen|Popen|spawn\w*|\bexec\w*|\brun|\bcall|check_output|check_call|getoutput|getstatusoutput|Command|passthru|proc_open|shell_exec|execute|\bcmd|shell-command\S*|call-process\S*|start-process|run-program)` +
			`[\s(\[{]*((?:[rbfuRBFU]{0,2}(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")[\s,\[\]()]*)+)`)
	})
	quotedWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(\bq[qxw]?|%[xwWiq])\s*[({\[<|/!]([^)}\]>|/!]*)[)}\]>|/!]`)
	})
	backquoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`([^`\n]*)`") })
	singleText = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"`)
	})
	// startsProgram is what code needs to start a program at all.
	startsProgram = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`system|[pP]open|spawn|exec|subprocess|Command|\bcmd\b|-command|-process|run-program|passthru|proc_open|pty|\bqx\b|%x|do shell script|\|\s*["']|["']\s*\|`)
	})
)

// startedBy are the commands that code evidently runs; each is a text for a shell,
// or the words of one command.
func startedBy(code, name string) (commands [][]string) {
	for _, m := range starters().FindAllStringSubmatch(code, maxCodeCommands) {
		var words []string
		for _, text := range singleText().FindAllStringSubmatch(m[1], -1) {
			if word := decodeANSI(text[1] + text[2]); word != "" { // three quotes begin with two
				words = append(words, word)
			}
		}
		commands = append(commands, words)
	}
	for _, m := range quotedWords().FindAllStringSubmatch(code, maxCodeCommands) {
		if strings.Contains(m[1], "x") {
			commands = append(commands, []string{m[2]})
		} else if strings.Contains(strings.ToLower(m[1]), "w") {
			commands = append(commands, strings.Fields(m[2]))
		}
	}
	var single *regexp.Regexp
	switch {
	case backquotes(name):
		single = backquoted()
	case isAwk(name):
		single = awkPiped()
	default:
		return commands
	}
	for _, m := range single.FindAllStringSubmatch(code, maxCodeCommands) {
		commands = append(commands, []string{strings.Join(m[1:], "")})
	}
	return commands
}

// interpreted records what the code of the command at index may run. What it
// evidently runs counts as that; a text that merely stands in code which can run
// programs is [Command.Mentioned].
func (r *reader) interpreted(index int) {
	c := r.line.Commands[index]
	name := strings.TrimRight(ownName(c.Program()), "0123456789.")
	for _, code := range c.code() {
		known := map[string]bool{}
		for _, words := range startedBy(code, name) {
			for i := range words {
				known[words[i]] = true
			}
			r.perhapsWords(index, words, false)
		}
		if isAwk(name) && actsByAwk(code) {
			// A text may be the program by way of a variable.
		} else if !startsProgram().MatchString(code) && !(backquotes(name) && strings.Contains(code, "`")) {
			continue
		}
		for _, text := range codeTexts(code) {
			if !known[text] && programText().MatchString(text) {
				r.perhapsWords(index, []string{text}, true)
			}
		}
	}
}

// backquotes reports a language that runs what stands in them.
func backquotes(name string) bool { return listed("perl ruby php bun julia", name) }

// programText is a text that begins like a command.
var programText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w./~-]{2,}(?:\s+\S|$)`) })

// perhapsWords records a command of some code, of which only so many are looked
// at: no list of them is complete.
func (r *reader) perhapsWords(index int, texts []string, mentioned bool) {
	if r.line.guesses >= maxCodeCommands || len(texts) == 0 {
		return
	}
	from := len(r.line.Possible)
	words := make([]Word, len(texts))
	for i, text := range texts {
		words[i] = literal(text)
	}
	r.perhaps(index, words)
	for i := from; i < len(r.line.Possible); i++ {
		r.line.Possible[i].mentioned = mentioned
	}
}

// Mentioned reports whether nothing but a text in the code of an interpreter
// reads like c: it may as well be talk.
func (c *Command) Mentioned() bool { return c.mentioned }

// feed gives the texts that a pipe, or a substitution in its words, brings to an
// interpreter as its input.
func (r *reader) feed(index int) {
	c := &r.line.Commands[index]
	_, codes := codeOptions(c.Program())
	if _, console := consoles[ownName(c.Program())]; !codes && !console {
		return
	}
	c.input = slices.Clip(c.input)
	for i := range r.line.Commands {
		o := &r.line.Commands[i]
		piped := c.pipeline != 0 && i < index && o.pipeline == c.pipeline && o.parent == c.parent
		if !piped && o.parent != index+1 {
			continue
		}
		if listed("echo printf", base(o.Program())) {
			for _, text := range texts(o.Words[1:]) {
				c.input = append(c.input, decodeANSI(text))
			}
		}
		c.input = append(c.input, o.input...)
	}
}
