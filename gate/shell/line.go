package shell

// A Line is what is known about one command line.
type Line struct {
	// Source is the line as it was given; these bytes are what may run.
	Source string
	// Commands is every command that could run, in source order, those inside
	// substitutions, functions, wrappers and nested scripts included.
	Commands []Command
	// Possible are commands that one of those may run, such as npx or docker
	// run, without being sure to. Only deny and ask rules look at them.
	Possible []Command
	// Doubts says why the list of commands may be wrong. Empty means sure,
	// as far as the single commands have no doubts of their own.
	Doubts []Doubt

	forkBomb bool
	guesses  int
	unrolled int // rounds of loops that were read one by one
}

// Clear reports whether neither the line nor any of its commands has a doubt.
// An allow rule may only be used on a clear line.
func (l *Line) Clear() bool {
	if len(l.Doubts) > 0 {
		return false
	}
	for i := range l.Commands {
		if len(l.Commands[i].Doubts) > 0 {
			return false
		}
	}
	return true
}

// FirstDoubt is the reason to show to a person who asks why the line is not
// clear; ok is false when it is.
func (l *Line) FirstDoubt() (d Doubt, ok bool) {
	if len(l.Doubts) > 0 {
		return l.Doubts[0], true
	}
	for i := range l.Commands {
		if len(l.Commands[i].Doubts) > 0 {
			return l.Commands[i].Doubts[0], true
		}
	}
	return Doubt{}, false
}

// A Doubt is one reason why a reading can't be trusted to be complete.
type Doubt struct {
	Reason string // a short plain phrase for a person
	Pos    int    // byte offset in the line's Source
}

// A Command is one simple command: a program and its words, or a statement of
// the shell that has assignments or redirections only.
type Command struct {
	// Source is the part of the line, as written. For a command found in a
	// nested script it is part of that script's text.
	Source string
	// Words are the decoded words; Words[0] is the program. Empty for a bare
	// assignment or redirection.
	Words []Word
	// Assigns are the NAME=value prefixes, or the bare assignments.
	Assigns   []Assign
	Redirects []Redirect
	// Via names the wrappers it was found inside, outermost first ("sudo",
	// "bash -c"); nil for a direct command. Deny and ask rules look at such a
	// command; what the outermost command is allowed never comes from it.
	Via []string
	// Dir is the literal change of directory in force before it, joined as
	// written ("src" after `cd src &&`); empty means the start directory.
	Dir string
	// Doubts says what is unclear about this command.
	Doubts []Doubt

	pos      int
	parent   int // index + 1 of the command in whose words it is nested
	pipeline int // number of the pipeline it is part of, 0 for none
	wrapper  int // index + 1 of the command that runs it, 0 for none

	input     []string // the texts of its here-documents
	mentioned bool
}

// A Word is one decoded word of a command.
type Word struct {
	// Text is the word without its quotes. Parts that are known only when the
	// command runs stand in it as written; a home directory stands as ~.
	Text string
	// Literal says that Text is exactly what the program gets.
	Literal bool
	// Glob says that Text is a pattern which the shell replaces by file names.
	Glob bool
	// MaybeOption says that a dynamic or globbing word could become something
	// that starts with a dash, or several words of which one does.
	MaybeOption bool

	inert bool // dynamic, but neither an option nor the name of a stored file
	tilde bool // a ~ at the beginning is quoted, and so is no home
}

// Bare reports whether Text means the same without quotes: not where it is the
// name of one file, and would be a pattern for several, or the home.
func (w Word) Bare() bool { return !w.tilde && !(w.Literal && globs(w.Text)) }

// path is the word as the name of a file, in which ~ stands for the home only
// where it does for the shell.
func (w Word) path() string {
	if w.tilde {
		return "./" + w.Text
	}
	return w.Text
}

// An Assign is one NAME=value.
type Assign struct {
	Name  string
	Value Word
	// Harmless says that the variable is on the short list of those that
	// can't make a program run, load or write something else.
	Harmless bool
}

// A Redirect is one redirection.
type Redirect struct {
	Op     string // as written without its descriptor: ">", ">>", "<", "<<<", ...
	Target Word
	Writes bool // writes a file; false for /dev/null and for descriptors
	Reads  bool // reads a file
}

// Args are the decoded texts of the words.
func (c *Command) Args() []string {
	args := make([]string, len(c.Words))
	for i, w := range c.Words {
		args[i] = w.Text
	}
	return args
}

// Wrapper is the index of the command that runs c and whose last words c's are;
// ok is false where there is none.
func (l *Line) Wrapper(c *Command) (index int, ok bool) {
	if c.wrapper == 0 || len(c.Words) == 0 {
		return 0, false
	}
	words := l.Commands[c.wrapper-1].Words
	from := len(words) - len(c.Words)
	return c.wrapper - 1, from > 0 && &words[from] == &c.Words[0]
}

// Program is the decoded name of the program, or empty.
func (c *Command) Program() string {
	if len(c.Words) == 0 {
		return ""
	}
	return c.Words[0].Text
}

// Writes reports whether a redirection of c writes a file.
func (c *Command) Writes() bool {
	for _, r := range c.Redirects {
		if r.Writes {
			return true
		}
	}
	return false
}

// The doubts about a line that is too much to read.
const (
	tooDeep         = "wrappers nest too deep"
	scriptsTooDeep  = "scripts nest too deep"
	groupsTooDeep   = "groups nest too deep"
	tooManyCommands = "it has too many commands"
	uncertainDir    = "the directory is not certain here"
	tooMuch         = "it may run more commands than are looked at"
)

func (c *Command) doubt(reason string) {
	for _, d := range c.Doubts {
		if d.Reason == reason {
			return
		}
	}
	c.Doubts = append(c.Doubts, Doubt{reason, c.pos})
}

func (l *Line) doubt(reason string, pos int) {
	for _, d := range l.Doubts {
		if d.Reason == reason {
			return
		}
	}
	l.Doubts = append(l.Doubts, Doubt{reason, pos})
}
