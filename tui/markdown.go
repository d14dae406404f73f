package tui

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// markdown draws what an agent writes: headings, lists, quotes, fenced code,
// rules and, inside a line, code and strong words. It drops nothing: marks
// that it doesn't know stay as text.
func markdown(s string, width int, th *theme) []string {
	var rows []string
	fence := ""
	for _, l := range strings.Split(strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n"), "\n") {
		l = strings.TrimRight(l, " \t")
		trimmed := strings.TrimLeft(l, " ")
		mark := fenceMark(trimmed)
		switch {
		case fence != "" && strings.HasPrefix(mark, fence) && strings.TrimSpace(strings.TrimLeft(trimmed, mark[:1])) == "":
			fence = ""
		case fence != "":
			rows = append(rows, beside(th.rule.Render("│"), 2, wrap(l, width-2), th.code)...)
		case mark != "":
			fence = mark
			if name := strings.TrimSpace(trimmed[len(mark):]); name != "" {
				rows = append(rows, th.rule.Render("│ ")+th.muted.Render(short(name, width-2)))
			}
		default:
			rows = append(rows, markdownLine(l, trimmed, width, th)...)
		}
	}
	return rows
}

// fenceMark returns the run of three or more backquotes or tildes that l
// begins with.
func fenceMark(l string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(l) - len(strings.TrimLeft(l, c)); n >= 3 {
			return l[:n]
		}
	}
	return ""
}

func markdownLine(l, trimmed string, width int, th *theme) []string {
	depth := min(len(l)-len(trimmed), 12)
	switch {
	case trimmed == "":
		return []string{""}
	case isRule(trimmed):
		return []string{th.rule.Render(strings.Repeat("─", width))}
	case headingLevel(trimmed) > 0:
		return inline(strings.TrimSpace(trimmed[headingLevel(trimmed):]), width, th, th.heading)
	case strings.HasPrefix(trimmed, ">"):
		return beside(th.rule.Render("▌"), 2, inline(strings.TrimSpace(trimmed[1:]), width-2, th, th.muted), th.text)
	}
	if bullet, rest, ok := listItem(trimmed, th); ok {
		column := depth + ansi.StringWidth(bullet) + 1
		return beside(strings.Repeat(" ", depth)+bullet, column, inline(rest, width-column, th, th.text), th.text)
	}
	return indent(inline(trimmed, width-depth, th, th.text), depth)
}

func isRule(l string) bool {
	l = strings.ReplaceAll(strings.TrimSpace(l), " ", "")
	return len(l) >= 3 && (strings.Trim(l, "-") == "" || strings.Trim(l, "*") == "" || strings.Trim(l, "_") == "")
}

func headingLevel(l string) int {
	n := len(l) - len(strings.TrimLeft(l, "#"))
	if n > 6 || n == len(l) || n > 0 && l[n] != ' ' {
		return 0
	}
	return n
}

// listItem splits a list item into the mark to draw and its text.
func listItem(l string, th *theme) (bullet, rest string, ok bool) {
	digits := len(l) - len(strings.TrimLeft(l, "0123456789"))
	switch {
	case len(l) > 1 && strings.ContainsRune("-*+", rune(l[0])) && l[1] == ' ':
		bullet, rest = th.accent.Render("•"), strings.TrimLeft(l[2:], " ")
		if strings.HasPrefix(rest, "[ ] ") {
			return "○", rest[4:], true
		}
		if strings.HasPrefix(rest, "[x] ") || strings.HasPrefix(rest, "[X] ") {
			return th.good.Render("✓"), rest[4:], true
		}
		return bullet, rest, true
	case digits > 0 && digits < 4 && len(l) > digits+1 && (l[digits] == '.' || l[digits] == ')') && l[digits+1] == ' ':
		return th.accent.Render(l[:digits+1]), strings.TrimLeft(l[digits+2:], " "), true
	}
	return "", "", false
}

// inline escapes a line of text, styles its code and strong words and breaks
// it between words.
func inline(s string, width int, th *theme, base lipgloss.Style) []string {
	var b strings.Builder
	s = line(s)
	for s != "" {
		open, mark, style := nextSpan(s, th)
		if open < 0 {
			break
		}
		inner := s[open+len(mark):]
		end := strings.Index(inner, mark)
		if end <= 0 {
			b.WriteString(base.Render(s[:open+len(mark)]))
			s = inner
			continue
		}
		if open > 0 {
			b.WriteString(base.Render(s[:open]))
		}
		b.WriteString(style.Render(inner[:end]))
		s = inner[end+len(mark):]
	}
	if s != "" {
		b.WriteString(base.Render(s))
	}
	return strings.Split(lipgloss.Wrap(b.String(), max(1, width), " "), "\n")
}

func nextSpan(s string, th *theme) (at int, mark string, style lipgloss.Style) {
	code, strong := strings.Index(s, "`"), strings.Index(s, "**")
	if code >= 0 && (strong < 0 || code < strong) {
		return code, "`", th.code
	}
	return strong, "**", th.strong
}
