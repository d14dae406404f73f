package foreign

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// Codex reads the approval settings of a config.toml of Codex.
func Codex(data []byte) (*Import, error) {
	var file struct {
		Approval any    `toml:"approval_policy"`
		Sandbox  string `toml:"sandbox_mode"`
		Profile  string `toml:"profile"`
		Servers  map[string]struct {
			Enabled  []string `toml:"enabled_tools"`
			Disabled []string `toml:"disabled_tools"`
		} `toml:"mcp_servers"`
	}
	if err := toml.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	im := &Import{}
	policy, words := file.Approval.(string)
	from := fmt.Sprintf("approval_policy %v, sandbox_mode %s", file.Approval, file.Sandbox)
	switch {
	case file.Approval == nil && file.Sandbox == "":
	case file.Approval != nil && !words:
		im.note("approval_policy", "its parts have no counterpart; choose a mode")
	case policy == "never":
		im.note(from, "nobody is asked there; use mode dont-ask, or an unattended run with --permit")
	case file.Sandbox == "danger-full-access":
		im.note(from, "no mode without a sandbox is made the start; --yolo chooses it for one run")
	case file.Sandbox == "workspace-write" && policy != "untrusted":
		im.Mode = gate.AcceptEdits.String()
		im.note(from, "read as accept-edits: edits in the workspace pass, commands are asked about")
	default:
		im.Mode = gate.Default.String()
	}
	if file.Profile != "" {
		im.note("profile "+file.Profile, "profiles are not read")
	}
	for _, name := range slices.Sorted(maps.Keys(file.Servers)) {
		server := file.Servers[name]
		for _, tool := range server.Disabled {
			im.carry(gate.Deny, "mcp("+name+":"+tool+")", "disabled_tools of "+name, subject{"mcp", name + ":" + tool})
		}
		if len(server.Enabled) > 0 {
			im.leave(gate.Deny, "enabled_tools of "+name, "what is not in the list is asked about, not refused", subject{"mcp", name + ":"})
		}
	}
	return im.settled(), nil
}

// CodexRules reads a .rules file of Codex. Only calls with plain values are
// understood; what else such a program does is not run.
func CodexRules(data []byte) *Import {
	im := &Import{}
	calls, err := readCalls(string(data))
	for _, c := range calls {
		im.call(c)
	}
	if err != nil {
		im.leave(gate.Deny, err.Error(), "what follows may restrict something", subject{})
	}
	return im.settled()
}

func (im *Import) call(c call) {
	from := fmt.Sprintf("line %d: %s", c.line, c.name)
	var decision any = "allow"
	if d, said := c.args["decision"]; said {
		decision = d
	}
	word, _ := decision.(string)
	effect, known := effects[word]
	for arg := range c.args {
		known = known && slices.Contains(codexArguments, arg)
	}
	switch {
	case !known || c.name == "prefix_rule" && c.args["pattern"] == nil:
		im.leave(gate.Deny, from, "it can't be read", subject{})
	case c.name == "prefix_rule":
		im.alternatives(effect, c.args["pattern"], fmt.Sprintf("%s %s %v", from, word, c.args["pattern"]))
	case c.name == "network_rule" && effect != gate.Allow:
		host, _ := c.args["host"].(string)
		im.carry(effect, "web("+host+")", from+" "+word+" "+host, subject{"web", host})
	case c.name == "network_rule":
		im.leave(effect, from, "it is for one protocol, and a rule for the host would allow more", subject{kind: "web"})
	default:
		im.note(from, "it has no counterpart")
	}
}

// codexArguments are the arguments that are understood, or that say nothing
// about what a rule matches. Another might narrow it.
var codexArguments = strings.Fields("pattern decision justification match not_match host protocol")

// maxAlternatives bounds what one rule of Codex may become.
const maxAlternatives = 64

// alternatives carries over a pattern whose words may be lists of words.
func (im *Import) alternatives(effect gate.Effect, pattern any, from string) {
	words, ok := pattern.([]any)
	commands := [][]string{nil}
	for _, w := range words {
		var choices []string
		switch w := w.(type) {
		case string:
			choices = []string{w}
		case []any:
			for _, c := range w {
				s, text := c.(string)
				ok = ok && text
				choices = append(choices, s)
			}
		}
		var longer [][]string
		for _, c := range commands {
			for _, choice := range choices {
				longer = append(longer, append(slices.Clone(c), choice))
			}
		}
		commands = longer
		if len(commands) > maxAlternatives {
			ok = false
			break
		}
	}
	if !ok || len(words) == 0 || len(commands) == 0 {
		im.leave(effect, from, "the pattern can't be read", subject{kind: "shell"})
		return
	}
	for _, c := range commands {
		im.prefix(effect, c, from)
	}
}

// A call is one call of a function in a .rules file.
type call struct {
	name string
	line int
	args map[string]any // strings, and lists of values
}

// readCalls reads the calls of a file, which are all that such files hold in
// practice, until something else stands there.
func readCalls(text string) (calls []call, err error) {
	p := &callReader{text: text}
	for p.skip(); p.at < len(text); p.skip() {
		line := 1 + strings.Count(text[:p.at], "\n")
		c, ok := p.call()
		if !ok {
			return calls, fmt.Errorf("from line %d it can't be read", line)
		}
		c.line = line
		calls = append(calls, c)
	}
	return calls, nil
}

type callReader struct {
	text string
	at   int
}

// skip goes past blanks, line ends and comments.
func (p *callReader) skip() {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '#':
			for p.at < len(p.text) && p.text[p.at] != '\n' {
				p.at++
			}
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *callReader) take(c byte) bool {
	p.skip()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *callReader) name() string {
	p.skip()
	from := p.at
	for p.at < len(p.text) && (p.text[p.at] == '_' || p.text[p.at] >= 'a' && p.text[p.at] <= 'z') {
		p.at++
	}
	return p.text[from:p.at]
}

func (p *callReader) call() (c call, ok bool) {
	c = call{name: p.name(), args: map[string]any{}}
	if c.name == "" || !p.take('(') {
		return c, false
	}
	for !p.take(')') {
		name := p.name()
		if name == "" || !p.take('=') {
			return c, false
		}
		value, ok := p.value(0)
		if _, twice := c.args[name]; !ok || twice {
			return c, false
		}
		c.args[name] = value
		if !p.take(',') && !(p.at < len(p.text) && p.text[p.at] == ')') {
			return c, false
		}
	}
	return c, true
}

func (p *callReader) value(depth int) (any, bool) {
	if p.skip(); p.at >= len(p.text) || depth > 8 {
		return nil, false
	}
	switch p.text[p.at] {
	case '[':
		p.at++
		list := []any{}
		for !p.take(']') {
			v, ok := p.value(depth + 1)
			if !ok {
				return nil, false
			}
			list = append(list, v)
			if !p.take(',') && !(p.at < len(p.text) && p.text[p.at] == ']') {
				return nil, false
			}
		}
		return list, true
	case '"', '\'':
		return p.string()
	}
	return nil, false
}

// string reads a text in quotes with the common escapes; one in three quotes
// isn't read.
func (p *callReader) string() (any, bool) {
	quote := p.text[p.at]
	if strings.HasPrefix(p.text[p.at:], strings.Repeat(string(quote), 3)) {
		return nil, false
	}
	var b strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == quote:
			p.at++
			return b.String(), true
		case c == '\n':
			return nil, false
		case c == '\\':
			p.at++
			escapes := map[byte]byte{'n': '\n', 't': '\t', '\\': '\\', '"': '"', '\'': '\''}
			if p.at >= len(p.text) || escapes[p.text[p.at]] == 0 {
				return nil, false
			}
			b.WriteByte(escapes[p.text[p.at]])
		default:
			b.WriteByte(c)
		}
	}
	return nil, false
}
