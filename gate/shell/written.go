package shell

import (
	"path"
	"strings"
)

// Removed lists the files and folders that c seems to delete or move away,
// relative to c.Dir.
func (c *Command) Removed() []string {
	_, operands := c.flagged("", "")
	switch ownName(c.Program()) {
	case "rm", "rmdir", "unlink", "shred":
		return operands
	case "mv":
		if len(c.targetFolders()) > 0 {
			return operands
		}
		return operands[:max(len(operands)-1, 0)]
	}
	return nil
}

// Written lists the files that c seems to write, replace or delete: by
// redirection, by the operands of the few programs that are there for it, or by
// what usually names an output. They are relative to c.Dir. What else programs
// write isn't known.
func (c *Command) Written() (paths []string) {
	for _, r := range c.Redirects {
		if r.Writes {
			paths = append(paths, r.Target.path())
		}
	}
	_, operands := c.flagged("", "")
	switch ownName(c.Program()) {
	case "tee", "truncate", "touch", "mkdir", "rm", "rmdir", "unlink", "shred":
		return append(paths, operands...)
	case "mv":
		return append(append(paths, operands...), c.received(operands)...)
	case "cp", "install", "ln", "rsync":
		return append(paths, c.received(operands)...)
	case "sed", "gsed", "perl":
		if isSed(ownName(c.Program())) {
			_, script := c.sedScripts()
			paths = append(paths, script.writes...)
		}
		if inPlace, _ := c.flagged("i", "in-place"); inPlace {
			return append(paths, operands...)
		}
	case "awk", "gawk", "mawk", "nawk":
		paths = append(paths, c.awkWritten()...)
	case "wget":
		paths = append(paths, c.valuesOf(&wget, "O output-document P directory-prefix")...)
	case "tar", "bsdtar", "gtar":
		paths = append(paths, c.valuesOf(&options{values: "C", longValues: "directory", abbreviate: true}, "C directory")...)
	case "unzip":
		paths = append(paths, c.valuesOf(&options{values: "d"}, "d")...)
	case "dd":
		for _, o := range operands {
			if of, ok := strings.CutPrefix(o, "of="); ok {
				paths = append(paths, of)
			}
		}
	}
	return append(paths, c.outputs()...)
}

// outputs are the values of -o and --output, which for most programs name what
// they write.
func (c *Command) outputs() (files []string) {
	for i, w := range c.Words {
		name, value, joined := strings.Cut(w.Text, "=")
		long := strings.HasPrefix(name, "--out") || name == "-output" || name == "--o"
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
	return files
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
