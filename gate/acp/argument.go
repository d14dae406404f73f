package acp

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// Rules judge targets, and a target is made of few arguments. Whatever else a
// tool is given may change what it does: an environment, another shell, a
// second command under another name. So the arguments that change nothing are
// listed here, and any other has a person asked.

// shellArguments change nothing about what a shell tool runs.
var shellArguments = names("timeout", "timeout_ms", "initial_wait", "justification", "yield_time_ms",
	"max_output_tokens", "run_in_background", "is_background")

// readArguments narrow down what a read or a search finds, or how it is told.
var readArguments = names("offset", "limit", "pages", "view_range", "start_line", "end_line", "line", "pattern",
	"query", "case_sensitive", "output_mode", "head_limit", "multiline", "type", "-A", "-B", "-C", "-n", "-i",
	"respect_git_ignore")

// globArguments narrow down a search as well, unless they lead elsewhere.
var globArguments = names("glob", "include", "exclude", "ignore")

// fetchArguments are about what becomes of a page that was fetched.
var fetchArguments = names("format", "prompt", "timeout", "max_length", "start_index", "raw")

// wholeTexts and textPairs are the arguments in which edit tools take what
// they write: all of a file, or a piece and what replaces it.
var (
	wholeTexts = []string{"content", "file_text", "contents", "text"}
	textPairs  = [][2]string{{"old_string", "new_string"}, {"oldString", "newString"}, {"old_str", "new_str"}}
)

// fromNames and toNames are the arguments in which tools take a move's ends.
var (
	fromNames = []string{"from", "source", "old_path", "oldPath", "source_path", "sourcePath"}
	toNames   = []string{"to", "destination", "new_path", "newPath", "destination_path", "destinationPath"}
)

var dirNames = []string{"cwd", "workdir", "working_directory", "directory"}

func names(list ...string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, n := range list {
		set[n] = true
	}
	return set
}

// overlooked are the names of the arguments that nothing looks at, in their
// order: those that known doesn't take, and second ones of the same name,
// since nobody knows which of the two a tool goes by.
func (r reading) overlooked(known func(member) bool) (list []string) {
	if whole := (member{value: r.call.RawInput}); r.input == nil && !whole.empty() {
		return []string{"arguments without names"}
	}
	seen := map[string]bool{}
	for _, m := range r.arguments {
		if seen[m.name] || !m.empty() && !known(m) {
			list = append(list, m.name)
		}
		seen[m.name] = true
	}
	return list
}

// forceAsk has a person asked about a request with arguments that nothing
// looks at. That holds in yolo too: deny and ask rules do, and such an argument
// can do what they are there to stop. No tier but exec covers what isn't
// understood.
func forceAsk(q *gate.Request, overlooked []string) {
	if len(overlooked) > 0 {
		forceReason(q, "it has arguments that no rule looks at: "+shortList(overlooked))
	}
}

func forceReason(q *gate.Request, reason string) {
	q.Declared = gate.Declaration{Tier: gate.Exec, Policy: gate.PolicyPrompt, Reason: reason}
	q.Key, q.KeyLabel = "", ""
}

// shortList is a list of the agent's words that fits on a line.
func shortList(list []string) string {
	const most = 6
	var short []string
	for _, name := range list[:min(len(list), most)] {
		short = append(short, fmt.Sprintf("%.40s", name))
	}
	if more := len(list) - most; more > 0 {
		short = append(short, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(short, ", ")
}

// empty reports an argument that says nothing. False is not empty: it may be
// what switches a sandbox off.
func (m member) empty() bool {
	switch string(m.value) {
	case "", "null", `""`, "[]", "{}":
		return true
	}
	return false
}

func (m member) text() (string, bool) { return unquote(m.value) }

// scalar reports a value without parts.
func (m member) scalar() bool { return len(m.value) > 0 && m.value[0] != '{' && m.value[0] != '[' }

// scalars is the value's text, or that of each of its elements; false for
// anything with names in it.
func (m member) scalars() (list []string, ok bool) {
	items := []json.RawMessage{m.value}
	if !m.scalar() && json.Unmarshal(m.value, &items) != nil {
		return nil, false
	}
	for _, item := range items {
		if e := (member{value: item}); !e.scalar() {
			return nil, false
		}
		list = append(list, strings.Trim(string(item), `"`))
	}
	return list, true
}

// common takes the arguments that mean the same to every tool: what the call
// is for, and the one directory in which it runs.
func (r reading) common(m member) bool {
	switch {
	case m.name == "description":
		return quoted(m.value)
	case slices.Contains(dirNames, m.name):
		s, ok := m.text()
		return ok && r.resolveDir(s) == r.dir()
	}
	return false
}

// inPlace takes the arguments of a command that the request shows where they
// belong.
func (r reading) inPlace(input object) func(member) bool {
	return func(m member) bool {
		switch m.name {
		case "command", "cmd", "commands":
			return true // a second command was looked for
		case "args":
			return input.takesArgs()
		}
		return r.common(m)
	}
}

func shellArgument(m member) bool {
	// Claude Code says so where it leaves its sandbox on.
	return shellArguments[m.name] && m.scalar() || m.name == "dangerouslyDisableSandbox" && string(m.value) == "false"
}

func (r reading) readArgument(m member) bool {
	list, ok := m.scalars()
	switch {
	case slices.Contains(pathNames, m.name):
		return ok && m.scalar() && m.value[0] == '"'
	case globArguments[m.name]:
		return ok && !slices.ContainsFunc(list, leadsElsewhere)
	}
	if m.name == "pattern" && strings.EqualFold(r.tool(), "glob") {
		return ok && !slices.ContainsFunc(list, r.patternLeadsElsewhere)
	}
	return ok && readArguments[m.name] || r.common(m)
}

// patternLeadsElsewhere reports a pattern for names of files that may find some
// outside the folder that is searched, and outside the workspace.
func (r reading) patternLeadsElsewhere(pattern string) bool {
	if rest, ok := strings.CutPrefix(pattern, r.workspace+"/"); ok {
		pattern = rest
	}
	return leadsElsewhere(plainChoice.ReplaceAllString(pattern, "x"))
}

// plainChoice is a choice in a pattern from which no path can be made.
var plainChoice = regexp.MustCompile(`\{[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*\}`)

func leadsElsewhere(glob string) bool {
	return strings.HasPrefix(glob, "/") || strings.HasPrefix(glob, "~") || strings.Contains(glob, "..") || strings.ContainsAny(glob, `\:{`)
}

func (r reading) fetchArgument(m member) bool {
	if m.name == "url" || m.name == "urls" {
		_, ok := m.scalars()
		return ok
	}
	return fetchArguments[m.name] && m.scalar() || r.common(m)
}

// fileArguments takes what is known of a call that changes files.
func (r reading) fileArguments() func(member) bool {
	input := r.input
	known := forms(input)
	is := func(m member, text string) bool { s, _ := m.text(); return s == text }
	return func(m member) bool {
		switch kind := r.call.Kind; {
		case slices.Contains(pathNames, m.name):
			return quoted(m.value)
		case kind == "move" && slices.Contains(fromNames, m.name):
			return is(m, input.text(fromNames...))
		case kind == "move" && slices.Contains(toNames, m.name):
			return is(m, input.text(toNames...))
		case kind != "move" && kind != "delete" && editArgument(m, input, known):
			return true
		}
		return r.common(m)
	}
}

func editArgument(m member, input object, forms []string) bool {
	switch m.name {
	case "replace_all", "replaceAll":
		return string(m.value) == "true" || string(m.value) == "false"
	case "diff", "patch":
		s, text := m.text()
		other := input.text("diff")
		patches, err := parsePatch(s)
		return text && (m.name == "diff" || other == "" || other == s) && err == nil && len(patches) > 0
	}
	return quoted(m.value) && slices.Index(forms, formOf(m.name)) == 0
}

// formOf is the form of an edit that an argument belongs to: its own name for
// a whole text, the pair's first for a piece. Empty is none.
func formOf(name string) string {
	if slices.Contains(wholeTexts, name) {
		return name
	}
	for _, pair := range textPairs {
		if name == pair[0] || name == pair[1] {
			return pair[0]
		}
	}
	return ""
}

// forms are the forms in which an edit says what it writes. One that takes
// two is understood in the first only.
func forms(input object) (list []string) {
	for _, name := range wholeTexts {
		if quoted(input[name]) {
			list = append(list, name)
		}
	}
	for _, pair := range textPairs {
		if quoted(input[pair[0]]) || quoted(input[pair[1]]) {
			list = append(list, pair[0])
		}
	}
	return list
}
