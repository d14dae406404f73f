package shell

import "slices"

// A copier is a program that packs, sends or copies folders without being told
// to by an option.
type copier struct {
	subs string // the words, among the first ones, that make it do so; between spaces
	last bool   // its last operand is where it copies to
	here bool   // without operands but one it takes the folder that it is in
}

var copiers = map[string]copier{
	"7z": {subs: "u a", here: true}, "7za": {subs: "u a", here: true}, "7zz": {subs: "u a", here: true}, "rar": {subs: "u a", here: true},
	"ditto": {last: true}, "mksquashfs": {last: true}, "genisoimage": {}, "mkisofs": {}, "pax": {subs: "-w"},
	"rclone": {subs: "copy sync move copyto moveto bisync", last: true}, "aws": {subs: "cp sync mv", last: true}, "gsutil": {subs: "cp rsync mv", last: true},
	"gcloud": {subs: "cp rsync mv", last: true}, "s3cmd": {subs: "put sync", last: true}, "mc": {subs: "cp mirror", last: true}, "azcopy": {subs: "copy cp sync", last: true},
	"kubectl": {subs: "cp", last: true}, "oc": {subs: "cp rsync", last: true}, "docker": {subs: "cp", last: true}, "podman": {subs: "cp", last: true},
	"restic": {subs: "backup"}, "borg": {subs: "create"}, "lftp": {subs: "mirror"},
}

// copyWalk takes every operand that is a folder for one that is copied: what is
// no folder has nothing below it.
func (c *Command) copyWalk(name string) (w Walk, ok bool) {
	p, known := copiers[name]
	if !known {
		return w, false
	}
	from := 1
	if p.subs != "" {
		at := slices.IndexFunc(c.Words[:min(len(c.Words), 5)], func(w Word) bool { return listed(p.subs, w.Text) })
		if at < 1 {
			return w, false
		}
		from = at + 1
	}
	var operands []Word
	for _, word := range c.Words[from:] {
		if !startsOption(word.Text) {
			operands = append(operands, word)
		}
	}
	if p.here && len(operands) == 1 {
		operands = append(operands, literal("."))
	}
	if p.last && len(operands) > 0 {
		operands = operands[:len(operands)-1]
	}
	for _, word := range operands {
		w.root(word)
	}
	return w, true
}

var searchOptions = options{values: "ABCGgmpetjf", longValues: "after before context ignore file-search-regex max-count depth type regexp file"}

// searchWalk is that of a program that searches below the current folder unless
// it is told where.
func (c *Command) searchWalk(piped bool) (w Walk, ok bool) {
	name := base(c.Program())
	opts, operands := searchOptions.scan(c.Words, false)
	w.visible, w.Ignores = name == "ag", name == "ag"
	deep := name == "ag" || name == "ack"
	patterned := false
	for _, o := range opts {
		switch {
		case listed("hidden u unrestricted a all-types U skip-vcs-ignores", o.name):
			w.visible, w.Ignores = false, false
		case listed("r R recursive", o.name):
			deep = true
		}
		patterned = patterned || name != "ag" && listed("e regexp f file", o.name)
	}
	w.operands(c, operands, patterned, piped)
	return w, deep
}
