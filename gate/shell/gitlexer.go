package shell

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// A gitSetting is one setting of a configuration file of git's.
type gitSetting struct {
	name     string // section.subsection.key; section and key in small letters
	value    string
	hasValue bool // false for a key alone, which means true
	quoted   bool // a quote or a backslash stands in the value
}

const maxGitConfig = 1 << 22

// readGitConfig reads a configuration file; one that isn't there holds
// nothing. What git would refuse is an error.
func readGitConfig(file string) ([]gitSetting, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxGitConfig:
		return nil, fmt.Errorf("%s: not a file of settings", file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	settings, err := parseGitConfig(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return settings, nil
}

// A gitLexer reads the text of a configuration file byte by byte, as git does.
type gitLexer struct {
	text []byte
	at   int
}

var (
	errGitHeader = errors.New("a section that can't be read")
	errGitKey    = errors.New("a setting that can't be read")
	errGitValue  = errors.New("a value that can't be read")
)

func parseGitConfig(text []byte) (settings []gitSetting, err error) {
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, errGitKey // git's names end there
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	lx := &gitLexer{text: bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))}
	section := ""
	for lx.at < len(lx.text) {
		switch c := lx.next(); {
		case gitSpace(c):
		case c == '#' || c == ';':
			lx.line()
		case c == '[':
			if section, err = lx.header(); err != nil {
				return nil, err
			}
		case gitKeyByte(c):
			lx.at--
			s, err := lx.setting(section)
			if err != nil {
				return nil, err
			}
			settings = append(settings, s)
		default:
			return nil, errGitKey
		}
	}
	return settings, nil
}

// next returns the next byte; the end of the text is the end of a line too.
func (lx *gitLexer) next() byte {
	if lx.at++; lx.at > len(lx.text) {
		return '\n'
	}
	return lx.text[lx.at-1]
}

// line skips the rest of the line. A comment goes on over no backslash.
func (lx *gitLexer) line() {
	for lx.next() != '\n' {
	}
}

// header reads what stands between [ and ], with a dot before a subsection.
func (lx *gitLexer) header() (string, error) {
	var name []byte
	for {
		switch c := lx.next(); {
		case c == ']':
			return string(name), nil
		case c == '\n' || lx.at > len(lx.text):
			return "", errGitHeader
		case gitSpace(c):
			return lx.subsection(name)
		case gitKeyByte(c) || c == '.':
			name = append(name, lower(c))
		default:
			return "", errGitHeader
		}
	}
}

func (lx *gitLexer) subsection(name []byte) (string, error) {
	c := byte(' ')
	for c != '\n' && gitSpace(c) {
		c = lx.next()
	}
	if c != '"' {
		return "", errGitHeader
	}
	name = append(name, '.')
	for c = lx.next(); c != '"'; c = lx.next() {
		if c == '\\' {
			c = lx.next()
		}
		if c == '\n' {
			return "", errGitHeader
		}
		name = append(name, c)
	}
	if lx.next() != ']' {
		return "", errGitHeader
	}
	return string(name), nil
}

func (lx *gitLexer) setting(section string) (gitSetting, error) {
	var key []byte
	c := lx.next()
	for ; gitKeyByte(c); c = lx.next() {
		key = append(key, lower(c))
	}
	for c == ' ' || c == '\t' {
		c = lx.next()
	}
	s := gitSetting{name: section + "." + string(key)}
	switch c {
	case '\n':
		return s, nil
	case '=':
		s.hasValue = true
		return s, lx.value(&s)
	}
	return s, errGitKey
}

// value reads a value: quotes may begin and end anywhere in it, and a
// backslash before the end of the line goes on in the next.
func (lx *gitLexer) value(s *gitSetting) error {
	var value []byte
	quote, kept := false, 0 // kept is the length without blanks at the end
	for {
		switch c := lx.next(); {
		case c == '\n':
			if quote {
				return errGitValue
			}
			s.value = string(value[:kept])
			return nil
		case gitSpace(c) && !quote:
			if len(value) > 0 {
				value = append(value, c)
			}
			continue
		case !quote && (c == '#' || c == ';'):
			lx.line()
			lx.at-- // its end ends the value
			continue
		case c == '\\':
			s.quoted = true
			switch e := lx.next(); e {
			case '\n':
			case 't', 'b', 'n':
				value = append(value, "\t\b\n"[strings.IndexByte("tbn", e)])
			case '\\', '"':
				value = append(value, e)
			default:
				return errGitValue
			}
		case c == '"':
			quote, s.quoted = !quote, true
		default:
			value = append(value, c)
		}
		kept = len(value)
	}
}

func gitSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func gitKeyByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-'
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
