package shell

import "strings"

// unclear are the builtins after which the rest of a line may mean something
// else, or which run text that no one can see here.
var unclear = map[string]string{
	"source":   "it runs a file in this shell",
	".":        "it runs a file in this shell",
	"eval":     "it runs text as a command",
	"exec":     "it replaces the shell",
	"trap":     "it runs a command later",
	"alias":    "it defines an alias",
	"unalias":  "it changes aliases",
	"enable":   "it changes builtins",
	"hash":     "it changes where programs are found",
	"shopt":    "it changes how the shell reads a line",
	"complete": "it sets a completion", "compgen": "it runs a completion", "compopt": "it sets a completion",
	"bind":    "it binds keys",
	"fc":      "it runs a line of the history",
	"history": "it changes the history",
	"pushd":   "it changes the directory in a stack", "popd": "it changes the directory in a stack",
	"coproc": "a coprocess", "logout": "it ends the shell",
	"noglob": "a zsh prefix", "nocorrect": "a zsh prefix", "-": "a zsh prefix",
	"autoload": "it loads a function", "zmodload": "it loads a module",
	"and": "a fish statement", "or": "a fish statement", "not": "a fish statement",
	"begin": "a fish statement", "end": "a fish statement", "string": "a fish builtin",
	"let": "arithmetic on variables",
}

// setters are the builtins that store into the variables named by their
// operands, whose subscripts are evaluated.
var setters = map[string]bool{
	"read": true, "unset": true, "getopts": true, "mapfile": true, "readarray": true, "wait": true,
	"printf": true, "test": true, "[": true,
	"export": true, "declare": true, "typeset": true, "local": true, "readonly": true, "nameref": true,
}

// indifferent are the programs for which no word, an option or not, can do
// harm: a word that is known only when it runs is no reason to ask.
var indifferent = map[string]bool{
	"echo": true, "true": true, "false": true, ":": true, "printf": true, "exit": true, "return": true,
	"sleep": true, "basename": true, "dirname": true, "test": true, "[": true, "[[": true, "((": true,
}

// indifferentToNames are the programs that have no option by which the name of
// a file, taken for an option, could do harm.
var indifferentToNames = map[string]bool{
	"cat": true, "ls": true, "head": true, "tail": true, "stat": true, "df": true,
	"grep": true, "file": true, "which": true,
}

// judge records what is unclear about c itself.
func (r *reader) judge(c *Command) {
	if r.where.unsure {
		c.doubt(uncertainDir)
	}
	for _, a := range c.Assigns {
		if !a.Harmless && (len(c.Words) > 0 || !localName(a.Name)) {
			c.doubt("it sets " + a.Name)
		}
	}
	c.judgeFiles()
	if len(c.Words) == 0 {
		return
	}
	program := c.Words[0]
	if !program.Literal {
		c.doubt("the name of the program is known only when it runs")
	}
	if reason, ok := unclear[program.Text]; ok && !(program.Text == "exec" && len(c.Words) == 1) {
		c.doubt(reason)
	}
	if startsOption(program.Text) {
		c.doubt("a program whose name looks like an option")
	}
	if strings.ContainsAny(program.Text, "=[]") && len(program.Text) > 2 {
		c.doubt("a program whose name looks like an assignment")
	}
	c.judgeWords(program.Text)
}

func (c *Command) judgeWords(program string) {
	for _, w := range c.optionWords()[1:] {
		if !w.MaybeOption || indifferent[program] || !w.dynamicOption() && indifferentToNames[program] {
			continue
		}
		c.doubt("a word that may become an option when it runs")
	}
	switch {
	case program == "set":
		c.judgeSet()
	case setters[program]:
		c.judgeSetter(program)
	}
}

// dynamicOption reports whether more than a file name decides what w is.
func (w Word) dynamicOption() bool { return !w.Glob || strings.ContainsAny(w.Text, "$`") }

// judgeSet accepts the flags that scripts begin with, and nothing else.
func (c *Command) judgeSet() {
	for _, w := range c.Words[1:] {
		switch w.Text {
		case "-e", "-u", "-eu", "-ue", "-o", "pipefail", "-euo", "-eo", "-uo", "+e", "+u", "errexit", "nounset":
		default:
			c.doubt("it changes the shell's own settings")
		}
	}
}

func (c *Command) judgeSetter(program string) {
	for i, w := range c.Words[1:] {
		switch {
		case program == "test" || program == "[":
			if w.Text == "-v" || w.Text == "-R" || c.testsUnknown(i+1) {
				c.doubt("a test of a variable")
			}
		case program == "printf":
			if i == 0 && (strings.HasPrefix(w.Text, "-v") || w.MaybeOption) {
				c.doubt("it sets a variable")
			}
		case !w.Literal || strings.ContainsAny(w.Text, "[]"):
			c.doubt("it sets a variable that is known only when it runs")
		case strings.HasPrefix(w.Text, "-C") || strings.HasPrefix(w.Text, "-c"):
			c.doubt("it may run a command for each line")
		case program != "wait" && !startsOption(w.Text) && !localName(w.Text):
			c.doubt("it sets " + w.Text)
		}
	}
}

// testsUnknown reports whether word i of a test may become the operator -v, which
// evaluates the subscript of the name behind it.
func (c *Command) testsUnknown(i int) bool {
	if c.Words[i].Literal || i+1 >= len(c.Words) || i > 1 && !listed("! ( -a -o", c.Words[i-1].Text) {
		return false
	}
	return !listed("] ) -a -o = == != < > =~ -eq -ne -lt -le -gt -ge -nt -ot -ef", c.Words[i+1].Text)
}
