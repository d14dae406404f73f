package gate

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// A Source says where a rule or a value comes from.
type Source struct {
	// Layer is "built-in", "global", "workspace", "project", "local",
	// "overlay", "flag" or "session".
	Layer string
	File  string
	Line  int // from 1; 0 when there is no file
}

func (s Source) String() string {
	if s.File == "" {
		return s.Layer
	}
	if s.Line == 0 {
		return s.File
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}

// ofProject reports what comes with a project rather than from the user.
func (s Source) ofProject() bool { return s.Layer == "project" || s.Layer == "local" }

// A Rule is one permission rule: an effect, what it matches, and where it
// comes from (APR-15). Make one with [ParseRule].
type Rule struct {
	Effect Effect
	Text   string // as written, such as shell(go test)
	Source Source

	kind    ruleKind
	matcher matcher
}

func (r *Rule) String() string {
	return r.Effect.String() + " " + r.Text + " (" + r.Source.String() + ")"
}

// A ruleKind is what sort of target a rule looks at.
type ruleKind uint8

const (
	ruleTool ruleKind = iota // a bare tool name
	ruleShell
	ruleWrite
	ruleDelete
	ruleRead
	ruleWeb
	ruleMCP
	ruleSkill
	ruleAgent
)

var ruleKindNames = [...]string{
	ruleTool: "tool", ruleShell: "shell", ruleWrite: "write", ruleDelete: "delete", ruleRead: "read",
	ruleWeb: "web", ruleMCP: "mcp", ruleSkill: "skill", ruleAgent: "agent",
}

func (k ruleKind) String() string { return ruleKindNames[k] }

// ruleKinds also holds the request kinds and the spellings that people bring
// from other agents.
var ruleKinds = map[string]ruleKind{
	"shell": ruleShell, "run_command": ruleShell, "Bash": ruleShell,
	"write": ruleWrite, "write_file": ruleWrite, "Edit": ruleWrite, "Write": ruleWrite, "MultiEdit": ruleWrite,
	"delete": ruleDelete, "delete_file": ruleDelete,
	"read": ruleRead, "Read": ruleRead,
	"web": ruleWeb, "network": ruleWeb, "WebFetch": ruleWeb, "WebSearch": ruleWeb,
	"mcp": ruleMCP, "mcp_tool": ruleMCP,
	"skill": ruleSkill, "Skill": ruleSkill, "agent": ruleAgent, "Agent": ruleAgent, "Task": ruleAgent,
}

// ErrRule is wrapped by every error of [ParseRule].
var ErrRule = errors.New("bad rule")

func ruleError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrRule}, args...)...)
}

// bareName reports whether text can be a tool's name, with a * at its end or
// without.
func bareName(text string) bool {
	name := strings.TrimSuffix(text, "*")
	for i, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' && (i == 0 || r != '.' && r != '-') {
			return false
		}
	}
	return name != ""
}

// ParseRule reads kind(pattern) or a bare tool name. The error says what is
// wrong with a rule that can't be read or could match nothing (APR-15).
func ParseRule(effect Effect, text string, source Source) (Rule, error) {
	r := Rule{Effect: effect, Text: strings.TrimSpace(text), Source: source}
	if effect > Allow {
		return Rule{}, ruleError("%q: its effect is none of deny, ask and allow", r.Text)
	}
	kind, pattern, err := splitRule(r.Text)
	if err != nil {
		return Rule{}, err
	}
	r.kind = kind
	if kind == ruleRead && effect != Deny {
		return Rule{}, ruleError("%q: a read rule can only deny; use it under deny, or leave it out", r.Text)
	}
	r.matcher, err = newMatcher(kind, pattern)
	if err != nil {
		return Rule{}, err
	}
	return r, nil
}

func splitRule(text string) (ruleKind, string, error) {
	if text == "" {
		return 0, "", ruleError("it is empty; write kind(pattern), such as shell(go test), or a tool's name")
	}
	open := strings.IndexByte(text, '(')
	if open < 0 {
		return splitBare(text)
	}
	name, pattern := strings.TrimSpace(text[:open]), text[open+1:]
	kind, known := ruleKinds[name]
	if !known {
		return 0, "", ruleError("%q: unknown kind %q; the kinds are shell, write, delete, read, web, mcp, skill and agent", text, name)
	}
	if !strings.HasSuffix(pattern, ")") {
		return 0, "", ruleError("%q: the closing parenthesis is missing", text)
	}
	pattern = strings.TrimSpace(strings.TrimSuffix(pattern, ")"))
	if pattern == "" {
		return 0, "", ruleError("%q: the pattern is empty and would match nothing; to match everything write %s(*)", text, name)
	}
	if strings.ContainsRune(pattern, 0) {
		return 0, "", ruleError("%q: a NUL byte can't be part of a pattern", text)
	}
	switch kind {
	case ruleMCP:
		if server, tool, both := strings.Cut(pattern, ":"); both && (server == "" || tool == "") {
			return 0, "", ruleError("%q: write mcp(server:tool), or mcp(server) for all of its tools", text)
		}
	case ruleWeb:
		pattern = strings.TrimPrefix(pattern, "domain:")
	case ruleShell:
		// Bash(git:*) is another program's spelling of a prefix.
		pattern = strings.TrimSuffix(pattern, ":*")
	}
	return kind, pattern, nil
}

// splitBare reads a rule without parentheses: a tool's name, or one of the
// spellings mcp__server__tool and mcp__server.
func splitBare(text string) (ruleKind, string, error) {
	if rest, ok := strings.CutPrefix(text, "mcp__"); ok {
		if server, tool, ok := strings.Cut(rest, "__"); ok && server != "" && tool != "" {
			return ruleMCP, server + ":" + tool, nil
		}
	}
	if !bareName(text) {
		return 0, "", ruleError("%q: write kind(pattern), such as shell(go test), or a tool's name", text)
	}
	return ruleTool, text, nil
}
