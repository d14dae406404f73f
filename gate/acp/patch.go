package acp

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// A filePatch is the part of a unified diff that is about one file.
type filePatch struct {
	from, to string
	hunks    []hunk
}

// A hunk replaces the old lines by the new ones; start is where, from 0.
type hunk struct {
	start          int
	old, new       []string
	oldEnd, newEnd bool // no newline at the end of the file
}

var errPatch = errors.New("not a unified diff")

// parsePatch reads a unified diff, with or without git's headers.
// It fails for lines that it doesn't know, such as git's renames: they may be
// about further files.
func parsePatch(text string) (list []filePatch, err error) {
	lines := strings.Split(text, "\n")
	files := 0 // that git's headers announce
	for i := 0; i < len(lines); i++ {
		switch line := lines[i]; {
		case strings.HasPrefix(line, "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ "):
			list = append(list, filePatch{from: headerPath(line), to: headerPath(lines[i+1])})
			i++
		case strings.HasPrefix(line, "@@ "):
			if len(list) == 0 {
				return nil, errPatch
			}
			h, n, err := parseHunk(lines[i:])
			if err != nil {
				return nil, err
			}
			p := &list[len(list)-1]
			p.hunks = append(p.hunks, h)
			i += n - 1
		case strings.HasPrefix(line, "diff --git "):
			files++
		case !isHeader(line):
			return nil, errPatch
		}
	}
	if files > len(list) {
		return nil, errPatch
	}
	return list, nil
}

// isHeader reports a line before the hunks that does nothing by itself.
func isHeader(line string) bool {
	for _, start := range []string{"index ", "Index: ", "===", "new file mode ", "create file mode ", "deleted file mode "} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return strings.TrimSpace(line) == ""
}

func headerPath(line string) string {
	path, _, _ := strings.Cut(line[4:], "\t")
	path = strings.TrimSpace(path)
	for _, prefix := range []string{"a/", "b/"} {
		if rest, ok := strings.CutPrefix(path, prefix); ok {
			path = rest
			break
		}
	}
	if path == "dev/null" || path == "/dev/null" {
		return ""
	}
	return path
}

// parseHunk reads one hunk and says how many lines it takes. It goes by the
// lines' marks and not by the counts, which some agents get wrong.
func parseHunk(lines []string) (h hunk, n int, err error) {
	fields := strings.Fields(lines[0])
	if len(fields) < 4 || !strings.HasPrefix(fields[1], "-") {
		return h, 0, errPatch
	}
	first, _, _ := strings.Cut(fields[1][1:], ",")
	if h.start, err = strconv.Atoi(first); err != nil {
		return h, 0, errPatch
	}
	h.start = max(h.start-1, 0)
	last := byte(' ')
	for n = 1; n < len(lines); n++ {
		line := lines[n]
		if line == "" || strings.HasPrefix(line, "--- ") && n+1 < len(lines) && strings.HasPrefix(lines[n+1], "+++ ") {
			break
		}
		switch mark := line[0]; mark {
		case ' ':
			h.old, h.new = append(h.old, line[1:]), append(h.new, line[1:])
		case '-':
			h.old = append(h.old, line[1:])
		case '+':
			h.new = append(h.new, line[1:])
		case '\\':
			h.oldEnd = h.oldEnd || last != '+'
			h.newEnd = h.newEnd || last != '-'
			continue
		default:
			return h, n, nil
		}
		last = line[0]
	}
	return h, n, nil
}

func (p filePatch) path() string {
	if p.to != "" {
		return p.to
	}
	return p.from
}

func (p filePatch) deletes() bool { return p.to == "" && p.from != "" }

// apply is the text after the patch; false when it doesn't fit in exactly one
// way.
func (p filePatch) apply(text string) (string, bool) {
	if len(p.hunks) == 0 {
		return "", false
	}
	lines := strings.Split(text, "\n")
	shift := 0
	for _, h := range p.hunks {
		at, ok := h.find(lines, h.start+shift)
		if !ok {
			return "", false
		}
		lines = slices.Concat(lines[:at], h.new, lines[at+len(h.old):])
		shift += len(h.new) - len(h.old)
		switch atEnd := lines[len(lines)-1] == ""; {
		case h.newEnd && !h.oldEnd && atEnd:
			lines = lines[:len(lines)-1]
		case h.oldEnd && !h.newEnd && !atEnd:
			lines = append(lines, "")
		}
	}
	return strings.Join(lines, "\n"), true
}

// find is the place of the old lines: where the hunk says, else the only
// place that has them.
func (h hunk) find(lines []string, want int) (at int, ok bool) {
	fits := func(i int) bool {
		return i >= 0 && i+len(h.old) <= len(lines) && slices.Equal(lines[i:i+len(h.old)], h.old)
	}
	if len(h.old) == 0 {
		if len(lines) == 1 && lines[0] == "" {
			return 0, true
		}
		// "-7,0" inserts after line 7.
		return want + 1, want+1 < len(lines)
	}
	if fits(want) {
		return want, true
	}
	at = -1
	for i := range lines {
		if !fits(i) {
			continue
		}
		if at >= 0 {
			return 0, false
		}
		at = i
	}
	return at, at >= 0
}
