package diffview

import "bytes"

// bom is the UTF-8 byte order mark.
var bom = []byte("\xef\xbb\xbf")

// A text is one version of a file, cut into lines.
type text struct {
	body   []byte
	starts []int // of each line, and the end of the last
	bom    bool  // begins with a byte order mark
	cut    int   // bytes of a byte order mark that are no part of line 0
	lf     int   // lines that end in LF alone
	crlf   int   // lines that end in CR LF
	crs    bool  // whether a CR before LF belongs to the ending, not the line
	final  bool  // the last line is ended
}

// readTexts cuts both versions into lines. A carriage return counts as part
// of the ending only if each version ends all its lines in one way, and a byte
// order mark is taken off only if just one version has it: then these are
// matters for a note, and else they are content like any other.
func readTexts(before, after []byte) (old, new *text) {
	old, new = readText(before), readText(after)
	old.crs = !old.mixed() && !new.mixed()
	new.crs = old.crs
	if old.bom != new.bom {
		old.cut, new.cut = old.bomLen(), new.bomLen()
	}
	return old, new
}

func readText(body []byte) *text {
	t := &text{body: body, bom: bytes.HasPrefix(body, bom)}
	t.starts = make([]int, 1, bytes.Count(body, []byte{'\n'})+2)
	for at := 0; at < len(body); {
		n := bytes.IndexByte(body[at:], '\n')
		if n < 0 {
			at = len(body)
		} else {
			if n > 0 && body[at+n-1] == '\r' {
				t.crlf++
			} else {
				t.lf++
			}
			at += n + 1
			t.final = at == len(body)
		}
		t.starts = append(t.starts, at)
	}
	return t
}

func (t *text) mixed() bool { return t.lf > 0 && t.crlf > 0 }

func (t *text) bomLen() int {
	if t.bom {
		return len(bom)
	}
	return 0
}

// lines is the number of lines; a last one without an ending counts.
func (t *text) lines() int { return max(len(t.starts)-1, 0) }

// line is line i, from 0, without its ending.
func (t *text) line(i int) []byte {
	b := t.body[t.starts[i]:t.starts[i+1]]
	if i == 0 {
		b = b[t.cut:]
	}
	if n := len(b); n > 0 && b[n-1] == '\n' {
		b = b[:n-1]
		if n := len(b); n > 0 && t.crs && b[n-1] == '\r' {
			b = b[:n-1]
		}
	}
	return b
}

// empty counts the empty lines from line i on, up to n.
func (t *text) empty(i, n int) int {
	run := 0
	for run < n && len(t.line(i+run)) == 0 {
		run++
	}
	return run
}

// empties tells whether n lines from line i hold a run of empty lines that is
// drawn as a count.
func (t *text) empties(i, n int) bool {
	for at := 0; at < n; {
		run := t.empty(i+at, n-at)
		if run >= blankLines {
			return true
		}
		at += max(run, 1)
	}
	return false
}
