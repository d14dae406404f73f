package demo

import (
	"errors"
	"io/fs"
	"os/exec"
	"strings"
)

// errChanged keeps an edit from overwriting what nobody was shown.
var errChanged = errors.New("the file was changed meanwhile, so I leave it alone")

func (t *turn) read(title, name string) outcome {
	path := t.path(name)
	return t.use(call{
		title: title, kind: "read", path: path, input: object{"file_path": path},
		do: func() (string, error) { return t.text(name) },
	})
}

// edit replaces part of a file, and is done if there is nothing to replace.
func (t *turn) edit(title, name, part, with string) outcome {
	before, err := t.text(name)
	if err != nil {
		return failed
	}
	if !strings.Contains(before, part) {
		return done
	}
	after := strings.Replace(before, part, with, 1)
	path := t.path(name)
	return t.use(call{
		title: title, kind: "edit", path: path,
		input:   object{"file_path": path, "old_string": part, "new_string": with},
		content: []object{{"type": "diff", "path": path, "oldText": before, "newText": after}},
		do:      func() (string, error) { return "", t.replace(name, &before, after) },
	})
}

// write writes a whole file, and is done if it says the same already.
func (t *turn) write(title, name, after string) outcome {
	path := t.path(name)
	diff := object{"type": "diff", "path": path, "oldText": nil, "newText": after}
	var was *string
	if before, err := t.text(name); err == nil {
		if before == after {
			return done
		}
		was, diff["oldText"] = &before, before
	}
	return t.use(call{
		title: title, kind: "edit", path: path,
		input: object{"file_path": path, "content": after}, content: []object{diff},
		do: func() (string, error) { return "", t.replace(name, was, after) },
	})
}

func (t *turn) remove(title, name string) outcome {
	path := t.path(name)
	return t.use(call{
		title: title, kind: "delete", path: path, input: object{"file_path": path},
		do: func() (string, error) { return "", t.root.Remove(name) },
	})
}

// run runs one program. No shell is involved, so the words must need none.
func (t *turn) run(title string, words ...string) outcome {
	return t.use(call{
		title: title, kind: "execute",
		input: object{"command": strings.Join(words, " "), "description": title},
		do: func() (string, error) {
			cmd := exec.CommandContext(t.ctx, words[0], words[1:]...)
			cmd.Dir = t.dir
			out, err := cmd.CombinedOutput()
			return string(out), err
		},
	})
}

func (t *turn) text(name string) (string, error) {
	b, err := t.root.ReadFile(name)
	return string(b), err
}

// replace writes after, if the file still is what it was; was is nil for a
// file that didn't exist.
func (t *turn) replace(name string, was *string, after string) error {
	now, err := t.text(name)
	switch {
	case was == nil && !errors.Is(err, fs.ErrNotExist), was != nil && (err != nil || now != *was):
		return errChanged
	}
	return t.root.WriteFile(name, []byte(after), 0o644)
}
