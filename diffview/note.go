package diffview

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
)

// pathNotes say what happens to the file as such.
func pathNotes(f File) []string {
	var notes []string
	if f.From != "" && f.From != f.Path {
		notes = append(notes, "renamed from "+Escape(f.From))
	}
	switch {
	case f.Before == nil && f.After == nil:
		notes = append(notes, "no content")
	case f.Before == nil && len(f.After) == 0:
		notes = append(notes, "new empty file")
	case f.Before == nil:
		notes = append(notes, "new file")
	case f.After == nil && len(f.Before) == 0:
		notes = append(notes, "deletes an empty file")
	case f.After == nil:
		notes = append(notes, "deletes the file")
	case len(f.After) == 0 && len(f.Before) > 0:
		notes = append(notes, "the file is empty now")
	}
	return append(notes, modeNotes(f)...)
}

// modeNotes say what the file turns into: what can be run, and links, are not
// seen in the lines.
func modeNotes(f File) []string {
	var notes []string
	was, is := f.BeforeMode, f.AfterMode
	created := f.Before == nil && f.After != nil
	if is == 0 || was == 0 && !created {
		return nil
	}
	if kind := fileKind(is); kind != fileKind(was) && (was != 0 || kind != "an ordinary file") {
		notes = append(notes, "it is "+kind+" now")
	}
	switch can, could := is.IsRegular() && is&0o111 != 0, was.IsRegular() && was&0o111 != 0; {
	case can && !could:
		notes = append(notes, "it can be executed now")
	case could && !can && is.IsRegular():
		notes = append(notes, "it can't be executed any more")
	}
	return notes
}

func fileKind(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m.IsDir():
		return "a repository of its own"
	}
	return "an ordinary file"
}

func summary(b []byte) string {
	return fmt.Sprintf("%s sha256 %.8x…", size(len(b)), sha256.Sum256(b))
}

// size is n bytes in the largest unit that fits.
func size(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// textNotes say what changes around the lines.
func textNotes(f File, old, new *text) []string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	created, deleted := f.Before == nil, f.After == nil
	switch {
	case deleted:
	case new.bom && created:
		add("begins with a byte order mark (BOM)")
	case new.bom && !old.bom:
		add("byte order mark (BOM) added")
	case old.bom && !new.bom:
		add("byte order mark (BOM) removed")
	}
	was, is := old.endings(), new.endings()
	detail := is
	if new.mixed() {
		detail = fmt.Sprintf("mixed: %d CRLF, %d LF", new.crlf, new.lf)
	}
	switch {
	case deleted || is == "" || is == was:
	case was != "":
		add("line endings change from %s to %s", was, detail)
	case is != "LF":
		add("line endings are %s", detail)
	}
	switch unended := new.lines() > 0 && !new.final; {
	case deleted:
	case unended && created:
		add("no newline at the end of the file")
	case unended && (old.final || old.lines() == 0):
		add("no newline at the end of the file now")
	case new.final && old.lines() > 0 && !old.final:
		add("newline added at the end of the file")
	}
	if bytes.IndexByte(f.Before, 0) >= 0 || bytes.IndexByte(f.After, 0) >= 0 {
		add("holds NUL bytes (\\u0000): other programs may take it for binary")
	}
	return notes
}

// endings names how the lines end, empty if none does.
func (t *text) endings() string {
	switch {
	case t.mixed():
		return "mixed"
	case t.crlf > 0:
		return "CRLF"
	case t.lf > 0:
		return "LF"
	}
	return ""
}
