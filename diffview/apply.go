package diffview

import "bytes"

// Apply returns the new version of the file with only those hunks that keep
// accepts; elsewhere the old lines stay. With all hunks it is exactly
// File.After. Line endings, byte order mark and final newline are those of
// After, and binary content is taken or kept as a whole.
func (d *Diff) Apply(keep func(hunk int) bool) []byte {
	var kept []edit
	all := true
	for i := range d.Hunks {
		if !keep(i) {
			all = false
			continue
		}
		for _, b := range d.Hunks[i].blocks {
			if !b.same {
				kept = append(kept, b.edit)
			}
		}
	}
	if all || d.Binary {
		return d.File.After
	}
	if d.replaced {
		return d.File.Before
	}
	var out bytes.Buffer
	if d.new.cut > 0 {
		out.Write(bom)
	}
	ending := d.ending()
	write := func(t *text, from, to int) {
		for i := from; i < to; i++ {
			out.Write(t.line(i))
			out.WriteString(ending)
		}
	}
	at := 0
	for _, e := range kept {
		write(d.old, at, e.old)
		write(d.new, e.new, e.new+e.newN)
		at = e.old + e.oldN
	}
	write(d.old, at, d.old.lines())
	if d.new.lines() > 0 && !d.new.final {
		return bytes.TrimSuffix(out.Bytes(), []byte(ending))
	}
	return out.Bytes()
}

// ending is how the lines of a partly applied diff end.
func (d *Diff) ending() string {
	uniform := d.new.crs
	if uniform && (d.new.crlf > 0 || d.new.lf == 0 && d.old.crlf > 0) {
		return "\r\n"
	}
	return "\n"
}
