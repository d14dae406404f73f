package settings

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A reader turns a document into [Values]. What it asks for by name is what
// may stand in a file: the rest is unknown.
type reader struct {
	doc      *document
	name     string
	layer    Layer
	problems []Problem
	values   Values
	asked    map[string][]string // names asked for, by section
	unknown  []unknown
	held     int
	// shapes is set while the schema of the files is made: the sections are
	// then asked for without a file, and note what they would read.
	shapes *shape
}

type unknown struct {
	section string
	*entry
}

// A section is one table of the file; nil entries when the file hasn't got it.
type section struct {
	r    *reader
	path string
	node *node
	used map[string]bool
	// shape is what the section may hold, while the schema is made.
	shape *shape
}

func (r *reader) source(at int) (gate.Source, int) {
	line, col := r.doc.position(at)
	return gate.Source{Layer: r.layer.String(), File: r.name, Line: line}, col
}

func located[T any](r *reader, at int, value T) Located[T] {
	source, col := r.source(at)
	return Located[T]{Value: value, Source: source, Col: col}
}

func (r *reader) problem(severity Severity, at int, key, message, hint string) Problem {
	line, col := r.doc.position(at)
	p := Problem{Severity: severity, File: r.name, Line: line, Col: col, Key: key, Message: message, Hint: hint}
	r.problems = append(r.problems, p)
	return p
}

// hold keeps everything at ask because of a problem that may hide a
// restriction.
func (r *reader) hold(p Problem) {
	if r.held++; r.held > maxProblems {
		return // one would do
	}
	rule := Rule{Effect: gate.Deny, Err: p}
	rule.Source, rule.Col = gate.Source{Layer: r.layer.String(), File: p.File, Line: p.Line}, p.Col
	r.values.Rules = append(r.values.Rules, rule)
}

func (r *reader) section(path string, n *node) section {
	return section{r: r, path: path, node: n, used: map[string]bool{}}
}

// entry looks for the first of a setting's names and marks them as known.
func (s section) entry(names ...string) *entry {
	s.r.asked[s.path] = append(s.r.asked[s.path], names[0])
	if s.node == nil {
		return nil
	}
	for i, name := range names {
		e := s.node.byName[name]
		if e == nil {
			continue
		}
		s.used[name] = true
		for _, other := range names[i+1:] {
			if twin := s.node.byName[other]; twin != nil {
				s.used[other] = true
				s.r.problem(Error, twin.at, s.key(other), "the key "+s.key(other)+" is another name of "+names[0], "keep one of them")
			}
		}
		return e
	}
	return nil
}

func (s section) key(name string) string { return joinKey(s.path, name) }

// joinKey writes a key below a path as it stands in a file.
func joinKey(path string, names ...string) string {
	for _, name := range names {
		if name == "" || strings.IndexFunc(name, notBare) >= 0 {
			name = strconv.Quote(name)
		}
		if path != "" {
			name = path + "." + name
		}
		path = name
	}
	return path
}

// notBare reports whether a key with this character needs quotes.
func notBare(c rune) bool {
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_')
}

// wrong reports a value of the wrong type.
func (s section) wrong(name string, n *node, want string) Problem {
	return s.r.problem(Error, n.at, s.key(name), fmt.Sprintf("%s is %s", s.key(name), n.describe()), "it must be "+want)
}

func (n *node) describe() string {
	switch n.kind {
	case stringKind:
		if len(n.text) > 40 {
			return "a text"
		}
		return fmt.Sprintf("the text %q", n.text)
	case boolKind:
		return n.text
	case intKind:
		return "the number " + n.text
	case arrayKind:
		return "a list"
	case tableKind:
		return "a table"
	}
	return "the value " + n.text
}

// table is a sub-section.
func (s section) table(name string) section {
	sub := s.r.section(s.key(name), nil)
	if s.shape != nil {
		s.is(shape{Type: "object", Others: false}, name)
		sub.shape = s.shape.Properties[name]
	}
	e := s.entry(name)
	switch {
	case e == nil:
	case e.kind == tableKind:
		sub.node = e.node
	default:
		if p := s.wrong(name, e.node, "a table"); restricts(name) {
			s.r.hold(p)
		}
	}
	return sub
}

// boolean reads true or false. Anything else counts as false, which is the
// strict value of every setting there is.
func (s section) boolean(names ...string) (l Located[bool]) {
	s.is(booleanShape, names...)
	e := s.entry(names...)
	if e == nil {
		return l
	}
	if e.kind != boolKind {
		s.wrong(names[0], e.node, "true or false")
		return located(s.r, e.node.at, false)
	}
	return located(s.r, e.node.at, e.text == "true")
}

// text reads a string that isn't blank.
func (s section) text(names ...string) (l Located[string]) {
	s.is(textShape, names...)
	e := s.entry(names...)
	if e == nil {
		return l
	}
	if e.kind != stringKind {
		s.wrong(names[0], e.node, "a text in quotes")
		return l
	}
	if strings.TrimSpace(e.text) == "" {
		s.r.problem(Error, e.node.at, s.key(e.name), s.key(e.name)+" is empty", "give it a value or delete the line")
		return l
	}
	return located(s.r, e.node.at, e.text)
}

// choice reads one of a few words.
func (s section) choice(name string, words ...string) (l Located[string]) {
	l = s.text(name)
	s.is(oneOf(words...), name)
	if !l.Set() || slices.Contains(words, l.Value) {
		return l
	}
	e := s.node.byName[name]
	s.r.problem(Error, e.node.at, s.key(name), fmt.Sprintf("unknown value %q for %s", l.Value, s.key(name)), "use "+orList(words))
	return Located[string]{}
}

// A spelling is how the text of a setting must be written. The pattern is
// anchored at both ends, and means the same in JSON Schema.
type spelling struct {
	pattern string
	match   func(string) bool
	want    string
}

func spellingOf(pattern, want string) spelling {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
	return spelling{pattern, func(s string) bool { return compiled().MatchString(s) }, want}
}

// spelled reads a text of a certain form. What it says otherwise isn't
// repeated: where the name of a variable should stand it may be a key.
func (s section) spelled(name string, form spelling) (l Located[string]) {
	l = s.text(name)
	s.is(shape{Type: "string", Pattern: form.pattern}, name)
	if !l.Set() || form.match(l.Value) {
		return l
	}
	s.r.problem(Error, s.node.byName[name].node.at, s.key(name), s.key(name)+" can't be read", "it must be "+form.want)
	return Located[string]{}
}

func orList(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// count reads a whole number of at least one.
func (s section) count(name string) (l Located[int]) {
	s.is(countShape, name)
	e := s.entry(name)
	if e == nil {
		return l
	}
	n, ok := e.integer()
	if !ok || n < 1 {
		s.wrong(name, e.node, "a whole number from 1")
		return l
	}
	return located(s.r, e.node.at, n)
}

func (n *node) integer() (int, bool) {
	if n.kind != intKind {
		return 0, false
	}
	i, err := strconv.Atoi(strings.ReplaceAll(n.text, "_", ""))
	return i, err == nil
}

// seconds reads a length of time: a number of seconds, or a text such as 30s.
func (s section) seconds(name string) time.Duration {
	s.is(secondsShape, name)
	e := s.entry(name)
	if e == nil {
		return 0
	}
	if n, ok := e.integer(); ok && n > 0 && n <= 86400 {
		return time.Duration(n) * time.Second
	}
	if e.kind == stringKind {
		if d, err := time.ParseDuration(e.text); err == nil && d > 0 && d <= 24*time.Hour {
			return d
		}
	}
	s.wrong(name, e.node, `a number of seconds, or a text such as "30s", up to a day`)
	return 0
}

// list reads the tables of a [[name]].
func (s section) list(name string) (items []section) {
	if s.shape != nil {
		item := &shape{Type: "object", Others: false}
		s.is(shape{Type: "array", Items: item}, name)
		one := s.r.section(s.key(name), newTable(0))
		one.shape = item
		return []section{one}
	}
	e := s.entry(name)
	if e == nil {
		return nil
	}
	wrong := func(n *node) {
		if p := s.wrong(name, n, "written as [["+s.key(name)+"]]"); restricts(name) {
			s.r.hold(p)
		}
	}
	if e.kind != arrayKind {
		wrong(e.node)
		return nil
	}
	for _, item := range e.items {
		if item.kind != tableKind {
			wrong(item)
			continue
		}
		items = append(items, s.r.section(s.key(name), item))
	}
	return items
}

// required reports names that an entry of a list hasn't got.
func (s section) required(names ...string) {
	if s.shape != nil {
		s.shape.Required = names
	}
	for _, name := range names {
		if s.node.byName[name] == nil {
			s.r.problem(Error, s.node.at, s.key(name), "this entry of "+s.path+" has no "+name, "")
		}
	}
}

// allowed reports whether the layer may set a key. If not, the key is passed
// over with a warning.
func (s section) allowed(name string) bool {
	if s.r.layer.users() {
		return true
	}
	if e := s.entry(name); e != nil {
		s.r.problem(Warning, e.at, s.key(name), fmt.Sprintf("%s is ignored in a %s file", s.key(name), s.r.layer), "only your own settings can set it")
	}
	return false
}

// restricts reports whether what stands under a name may keep something from
// happening, so that misspelling it must not go by.
func restricts(name string) bool {
	switch name {
	case "permissions", "deny", "ask", "tools", "approval", "bash", "patterns":
		return true
	}
	return false
}

// policy reads allow, deny or prompt, trimmed and in any case (TAM-03).
func (n *node) policy() (gate.ToolPolicy, error) {
	if n.kind != stringKind {
		return gate.NoPolicy, errors.New("is " + n.describe())
	}
	switch p := gate.ToolPolicy(strings.ToLower(strings.TrimSpace(n.text))); p {
	case gate.PolicyAllow, gate.PolicyDeny, gate.PolicyPrompt:
		return p, nil
	}
	return gate.NoPolicy, fmt.Errorf("is %q", n.text)
}

// done keeps what nobody asked for; hints need all sections to be read.
func (s section) done() {
	if s.node == nil {
		return
	}
	for _, e := range s.node.entries {
		if !s.used[e.name] {
			s.r.unknown = append(s.r.unknown, unknown{s.path, e})
		}
	}
}
