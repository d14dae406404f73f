package diffview

import (
	"bytes"
	"cmp"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// hunkHeader is "@@ -1,2 +3,4 @@ what it belongs to"; a count of 1 may be
// left out.
var hunkHeader = lazyRegexp(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$`)

func isHunk(line []byte) bool {
	return bytes.HasPrefix(line, []byte("@@ -")) && hunkHeader().Match(line)
}

func parseHunk(line []byte) Hunk {
	m := hunkHeader().FindSubmatch(line)
	number := func(b []byte) int {
		if len(b) == 0 {
			return 1
		}
		n, _ := strconv.Atoi(string(b)) // at most nine digits
		return n
	}
	return Hunk{OldStart: number(m[1]), OldLines: number(m[2]), NewStart: number(m[3]), NewLines: number(m[4]), Heading: string(m[5])}
}

// A patchHeader is what the lines before a file's first hunk say.
type patchHeader struct {
	old, new         string // as written after --- and +++, or after diff --git
	git              bool
	from, to         string // of a rename or a copy
	copied           bool
	created, deleted bool
	oldMode, newMode fs.FileMode
	binary           bool
	data             bool // lines of a binary patch follow
}

// headerWords begin the lines that git writes between its "diff" line and the
// hunks.
var headerWords = []string{
	"index ", "old mode ", "new mode ", "deleted file mode ", "new file mode ", "copy from ", "copy to ", "rename from ",
	"rename to ", "similarity index ", "dissimilarity index ", "Binary files ", "GIT binary patch", "--- ", "+++ ",
}

// read takes one line; false means that it belongs to something else.
func (h *patchHeader) read(line []byte, first bool) bool {
	text := string(line)
	if names, ok := strings.CutPrefix(text, "diff --git "); ok {
		if first {
			h.git = true
			h.old, h.new = gitNames(names)
		}
		return first
	}
	if h.data { // up to the next file, as no other line begins with "diff --git "
		return true
	}
	for _, word := range headerWords {
		if rest, ok := strings.CutPrefix(text, word); ok && (h.git || word == "--- " || word == "+++ ") {
			h.fact(strings.TrimSpace(word), rest)
			return true
		}
	}
	return false
}

func (h *patchHeader) fact(word, rest string) {
	switch word {
	case "---":
		h.old = patchName(rest)
	case "+++":
		h.new = patchName(rest)
	case "rename from", "copy from":
		h.from, h.copied = patchName(rest), word == "copy from"
	case "rename to", "copy to":
		h.to = patchName(rest)
	case "old mode":
		h.oldMode = GitMode(rest)
	case "new mode":
		h.newMode = GitMode(rest)
	case "new file mode":
		h.created, h.newMode = true, GitMode(rest)
	case "deleted file mode":
		h.deleted, h.oldMode = true, GitMode(rest)
	case "Binary files":
		h.binary = true
	case "GIT binary patch":
		h.binary, h.data = true, true
	}
}

// GitMode reads a mode as git writes it, such as 100755; 0
// stands for one that can't be read.
func GitMode(s string) fs.FileMode {
	n, _ := strconv.ParseUint(s, 8, 32)
	mode := fs.FileMode(n) & 0o777
	switch n & 0o170000 {
	case 0o120000:
		mode |= fs.ModeSymlink
	case 0o160000:
		mode |= fs.ModeDir
	}
	return mode
}

// patchName is a name as it is written in a patch: quoted, or up to a tab,
// behind which there is a time.
func patchName(s string) string {
	if strings.HasPrefix(s, `"`) {
		if name, err := strconv.Unquote(s); err == nil {
			return name
		}
	}
	name, _, _ := strings.Cut(s, "\t")
	return strings.TrimSuffix(name, "\x1b[m") // a name that holds this is quoted
}

// gitNames are the two names of a "diff --git" line. Names with spaces aren't
// quoted, so the line is cut where both halves say the same.
func gitNames(s string) (old, new string) {
	if strings.HasPrefix(s, `"`) {
		if quoted, err := strconv.QuotedPrefix(s); err == nil {
			return patchName(quoted), patchName(strings.TrimPrefix(s[len(quoted):], " "))
		}
	}
	for i := range len(s) {
		if s[i] == ' ' && bare(s[:i]) == bare(s[i+1:]) {
			return s[:i], s[i+1:]
		}
	}
	old, new, _ = strings.Cut(s, " ")
	return old, patchName(new)
}

// bare is a name without its folder at the top.
func bare(name string) string {
	_, rest, ok := strings.Cut(name, "/")
	if !ok {
		return name
	}
	return rest
}

const nowhere = "/dev/null"

// file names the file.
func (h *patchHeader) file() File {
	old, new := h.old, h.new
	if h.git {
		// "a/" and "b/", or whatever else the settings have put there, differ.
		// Where they don't, there is none.
		if old == nowhere || new == nowhere || len(old) > 1 && len(new) > 1 && old[1] == '/' && new[1] == '/' && old[0] != new[0] {
			old, new = unprefixed(old), unprefixed(new)
		}
	}
	f := File{Path: cmp.Or(h.to, new), From: h.from, BeforeMode: h.oldMode, AfterMode: h.newMode}
	h.created = h.created || old == nowhere
	h.deleted = h.deleted || new == nowhere
	if h.deleted && new == nowhere {
		f.Path = old
	}
	if !h.git && !h.created && !h.deleted && old != new {
		f.From = old
	}
	return f
}

func unprefixed(name string) string {
	if len(name) > 1 && name[1] == '/' {
		return name[2:]
	}
	return name
}

// notes say what is no line of the diff.
func (h *patchHeader) notes(d *Diff) []string {
	f := d.File
	var notes []string
	switch {
	case h.copied:
		notes = append(notes, "copied from "+Escape(f.From))
	case f.From != "" && f.From != f.Path:
		notes = append(notes, "renamed from "+Escape(f.From))
	case h.created:
		notes = append(notes, "new file")
	case h.deleted:
		notes = append(notes, "deletes the file")
	}
	f.Before, f.After = []byte{}, []byte{}
	if h.created {
		f.Before = nil
	}
	if h.deleted {
		f.After = nil
	}
	notes = append(notes, modeNotes(f)...)
	if h.binary {
		return append(notes, "binary: the patch doesn't say what changes")
	}
	for _, note := range textNotes(d.File, d.old, d.new) {
		// All that the patch doesn't hold is unknown.
		if !strings.HasPrefix(note, "line endings change") && !strings.HasPrefix(note, "byte order mark") {
			notes = append(notes, note)
		}
	}
	if d.new.crs && d.old.crlf+d.new.crlf > 0 {
		notes = append(notes, "line endings are CRLF")
	}
	if len(notes) == 0 && len(d.Hunks) == 0 {
		notes = append(notes, "no change of lines")
	}
	return notes
}

// lazyRegexp compiles an expression when it is first used: most starts of the
// program read no patch.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
