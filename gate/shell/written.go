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
	case "wget":
		found, _ := wget.scan(c.Words, false)
		for _, o := range found {
			if o.hasValue && listed("O output-document P directory-prefix", o.name) {
				paths = append(paths, o.value)
			}
		}
	case "tar", "bsdtar", "gtar", "unzip":
		paths = append(paths, c.unpacked()...)
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

// unpacked is the folder that an archive's files go to, where an option says so.
func (c *Command) unpacked() (folders []string) {
	for i, w := range c.Words[:max(len(c.Words)-1, 0)] {
		unzip := ownName(c.Program()) == "unzip"
		if w.Text == "-C" && !unzip || w.Text == "--directory" || w.Text == "-d" && unzip {
			folders = append(folders, c.Words[i+1].Text)
		}
	}
	return folders
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
func (c *Command) targetFolders() (folders []string) {
	o := options{values: "tSmog", longValues: "target-directory suffix mode owner group", abbreviate: true}
	found, _ := o.scan(c.Words, false)
	for _, f := range found {
		if f.hasValue && (f.name == "t" || f.name == "target-directory") {
			folders = append(folders, f.value)
		}
	}
	return folders
}
