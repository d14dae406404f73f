package shell

import (
	"path"
	"strings"
)

// An output table says which options of a program name what it writes, a file or
// the folder for it, and whose values the others take.
type output struct {
	options
	names string // between spaces
}

// outputOptions are those of the programs that agents use most, besides -o and
// --output, which are taken for one in every program.
var outputOptions = func() map[string]*output {
	known := map[string]*output{
		"curl": {options{values: "AbcCdDeEFhHKmoPQrtTuUwxXyYz", abbreviate: true,
			longValues: "cookie-jar dump-header trace trace-ascii trace-config stderr etag-save hsts alt-svc libcurl output output-dir"},
			"c D cookie-jar dump-header trace trace-ascii stderr etag-save hsts alt-svc libcurl output-dir"},
		"wget": {options{values: "OoaPiBtTwQeUARDIX", abbreviate: true,
			longValues: "output-document directory-prefix output-file append-output save-cookies warc-file hsts-file rejected-log"},
			"O P a output-document directory-prefix output-file append-output save-cookies warc-file hsts-file rejected-log"},
		"rsync": {options{values: "efTBM", longValues: "exclude include filter exclude-from include-from files-from rsh block-size " +
			"log-file write-batch only-write-batch backup-dir temp-dir partial-dir"},
			"T log-file write-batch only-write-batch backup-dir temp-dir partial-dir"},
		"tar": {options{values: "CfbTXgHKLNVI", abbreviate: true, longValues: "directory file one-top-level index-file listed-incremental"},
			"C g directory one-top-level index-file listed-incremental"},
		"unzip": {options{values: "d"}, "d"},
		"go": {options{single: true, longValues: "coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir pkgdir"},
			"coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir pkgdir"},
		"cargo": {options{longValues: "target-dir artifact-dir root"}, "target-dir artifact-dir root"},
		"pip": {options{values: "trceidw", longValues: "target prefix root log report dest wheel-dir"},
			"t d w target prefix root log report dest wheel-dir"},
		"sort": {options{values: "kotST", longValues: "temporary-directory", abbreviate: true}, "T temporary-directory"},
		"ssh":  {options{values: "BbcDEeFIiJLlmOoPpQRSWw"}, "E"},
		"less": {options{values: "bhjkoOpPtTxyzD", longValues: "log-file LOG-FILE"}, "O log-file LOG-FILE"},
		"git": {options{longValues: "prefix index-output export-marks output-directory separate-git-dir", abbreviate: true},
			"prefix index-output export-marks separate-git-dir"},
	}
	for name, same := range map[string]string{"tar": "bsdtar gtar", "pip": "pip3"} {
		for other := range strings.FieldsSeq(same) {
			known[other] = known[name]
		}
	}
	return known
}()

// outputs are the values of -o and --output, which for most programs name what
// they write, and of the options that a program has for it besides.
func (c *Command) outputs() (files []string) {
	for i, w := range c.Words {
		name, value, joined := strings.Cut(w.Text, "=")
		long := strings.HasPrefix(name, "--out") || listed("-output -out --o", name)
		switch {
		case !startsOption(w.Text):
		case joined && (long || name == "-o"):
			files = append(files, value)
		case (long || strings.HasSuffix(w.Text, "o")) && i+1 < len(c.Words):
			files = append(files, c.Words[i+1].Text)
		case strings.HasPrefix(w.Text, "-o"):
			files = append(files, w.Text[2:])
		}
	}
	files = append(files, c.ownOutputs()...)
	switch ownName(c.Program()) {
	case "tar", "bsdtar", "gtar":
		files = append(files, c.packed()...)
	case "git":
		files = append(files, c.gitWritten()...)
	}
	return files
}

// ownOutputs are the values of the options of which only this program is known to
// write what they name.
func (c *Command) ownOutputs() []string {
	if o := outputOptions[ownName(c.Program())]; o != nil {
		return c.valuesOf(&o.options, o.names)
	}
	return nil
}

// Valued are the values that stand behind the = of an option, of which nobody
// knows whether they name what is written. What names files to leave out, and all
// of programs that only read, is none.
func (c *Command) Valued() (values []string) {
	if c.readsOperands() {
		return nil
	}
	for _, w := range c.Words[min(1, len(c.Words)):] {
		name, value, joined := strings.Cut(w.Text, "=")
		if joined && value != "" && startsOption(name) && !strings.Contains(name, "excl") && !strings.Contains(name, "ignore") {
			values = append(values, value)
		}
	}
	return values
}

// packed is the archive that tar writes, and the folder that it goes to in
// tar's oldest way to write options.
func (c *Command) packed() (files []string) {
	writes, _ := c.flagged("cruA", "create append update concatenate catenate delete")
	letters := c.word(1)
	if !startsOption(letters) && len(c.Words) > 2 { // tar cf x.tar
		writes = writes || strings.ContainsAny(letters, "cruA")
		at := 2
		for _, letter := range letters {
			switch {
			case letter == 'f' && writes, letter == 'C', letter == 'g':
				files = append(files, c.word(at))
			case !strings.ContainsRune("fbTXHKLNVI", letter):
				continue
			}
			at++
		}
	}
	if writes {
		files = append(files, c.valuesOf(&outputOptions["tar"].options, "f file")...)
	}
	return files
}

// gitWritten are the files and folders that git makes, changes or takes away
// where its operands say so.
func (c *Command) gitWritten() (files []string) {
	sub, _, _ := gitCommand(c.Words)
	if sub == 0 {
		return nil
	}
	own := Command{Words: c.Words[sub:]}
	_, operands := own.flagged("", "")
	last := func(least int) []string { return operands[min(max(len(operands)-1, least), len(operands)):] }
	switch c.Words[sub].Text {
	case "rm":
		return c.gitRemoved()
	case "mv":
		return append(operands, own.received(operands)...)
	case "init":
		return last(0)
	case "clone":
		return last(1)
	case "bundle", "worktree": // what follows a new name is revisions
		switch {
		case len(operands) < 2:
		case listed("create add", operands[0]):
			return operands[1:2]
		case operands[0] == "move":
			return operands[1:]
		}
	}
	return nil
}

// gitRemoved are the files that git deletes or moves away.
func (c *Command) gitRemoved() []string {
	sub, _, _ := gitCommand(c.Words)
	if sub == 0 {
		return nil
	}
	own := Command{Words: c.Words[sub:]}
	cached, operands := own.flagged("", "cached")
	switch name := c.Words[sub].Text; {
	case name == "rm" && !cached:
		return operands
	case name == "mv" && len(operands) > 0:
		return operands[:len(operands)-1]
	}
	return nil
}

// received are the places where operands are copied to: the last one, or the
// folder of an option, and in case it is a folder what lands in it.
func (c *Command) received(operands []string) (paths []string) {
	if len(operands) == 0 {
		return nil
	}
	to := []string{operands[len(operands)-1]}
	if ownName(c.Program()) != "rsync" {
		to = append(to, c.targetFolders()...)
	}
	for _, folder := range to {
		paths = append(paths, folder)
		for _, from := range operands {
			paths = append(paths, path.Join(folder, path.Base(from)))
		}
	}
	return paths
}

// targetFolders are the values of -t and --target-directory.
func (c *Command) targetFolders() []string {
	o := options{values: "tSmog", longValues: "target-directory suffix mode owner group", abbreviate: true}
	return c.valuesOf(&o, "t target-directory")
}

// valuesOf are the values of some options of c, whose others o tells apart.
func (c *Command) valuesOf(o *options, names string) (values []string) {
	opts, _ := o.scan(c.Words, false)
	for _, f := range opts {
		if f.hasValue && listed(names, f.name) {
			values = append(values, f.value)
		}
	}
	return values
}
