package diffview

import (
	"bytes"
	"path"
	"strings"
)

// Unseen tells whether the file gets content that no row shows: binary content
// stands as a summary. Who approves it has not read it (BEY-03).
func (d *Diff) Unseen() bool {
	return d.Binary && (d.patch || d.File.After != nil && (d.File.Before == nil || !bytes.Equal(d.File.Before, d.File.After)))
}

// binary tells whether version b of a file is no text: it holds many control
// characters, isn't code that a program would run all the same, and is no text
// with a few lines that are odd. An agent could hide a script from view by
// appending what its program never reads.
func binary(file string, b []byte) bool {
	return strange(b) && !isCode(file, b) && !mostlyText(b)
}

// strange tells whether more than one byte in twenty, of those at both ends, is
// a control character that texts don't hold.
func strange(b []byte) bool {
	const sample = 1 << 16
	head, tail := b[:min(len(b), sample)], b[max(min(len(b), sample), len(b)-sample):]
	n := 0
	for _, part := range [][]byte{head, tail} {
		for _, c := range part {
			if isStrange(c) {
				n++
			}
		}
	}
	return n*20 > len(head)+len(tail)
}

func isStrange(c byte) bool {
	return c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b && c != '\b'
}

// isCode tells by its name or its first bytes whether a file is code.
func isCode(file string, b []byte) bool {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	return bytes.HasPrefix(b, []byte("#!")) || languages().Match(name) != nil
}

// mostlyText tells whether lines without such a character make up at least
// half of b.
func mostlyText(b []byte) bool {
	n := 0
	for line := range bytes.Lines(b) {
		if bytes.IndexFunc(line, func(r rune) bool { return r < 0x20 && isStrange(byte(r)) }) < 0 {
			n += len(line)
		}
	}
	return n*2 >= len(b)
}

// binaryNotes stand in for content that is never drawn (P11 of the display
// properties: name, sizes, hashes).
func binaryNotes(f File) []string {
	switch {
	case f.Before == nil:
		return []string{"binary: " + summary(f.After)}
	case f.After == nil:
		return []string{"binary: " + summary(f.Before)}
	case bytes.Equal(f.Before, f.After):
		return []string{"binary, no change: " + summary(f.After)}
	}
	return []string{"binary: " + summary(f.Before) + " → " + summary(f.After)}
}
