package demo

import (
	"fmt"
	"os"
	"path"
)

// Prompt is what a person would ask this agent for. Any first prompt starts
// the script.
const Prompt = "The pager shows 2 pages for 25 items, 10 on a page. Find out why, fix it and add a test."

// demoSettings are such that the script meets an allow rule, a deny rule and
// requests that no rule answers.
const demoSettings = `# These settings are the demo's own; yours are not touched.
[blitz]
permission_mode = "default"

[permissions]
allow = ["shell(cksum)"]
ask = ["write(go.mod)", "shell(git push)"]
deny = ["delete(keys/**)", "write(keys/**)", "shell(git push --force)"]
`

// The files of the project that the script works on, and its words in them.
const (
	readmeFile = "README.md"
	notesFile  = "NOTES.md"
	backupFile = "NOTES.bak"
	pagerFile  = "pager/pager.go"
	testFile   = "pager/pager_test.go"
	keyFile    = "keys/old-deploy.pem"
)

const (
	faultyLine = "\treturn p.Total / p.Size\n"
	fixedLines = "\tif p.Size <= 0 {\n\t\treturn 0\n\t}\n\treturn (p.Total + p.Size - 1) / p.Size\n"
)

var project = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.26\n",
	readmeFile: `# shop

A list of things to buy, a page at a time.

    go test ./...
`,
	notesFile: `# Notes

- 25 items on pages of 10 should be 3 pages; the last 5 items can't be reached
- what about a list without items?
`,
	pagerFile: `// Package pager cuts a list into pages.
package pager

// A Pager knows how long a list and a page are.
type Pager struct {
	Total int // items in the list
	Size  int // items on a page
}

// Pages is the number of pages that hold all items.
func (p Pager) Pages() int {
` + faultyLine + `}

// Bounds are the first item of a page and the one after its last. Pages and
// items count from 0.
func (p Pager) Bounds(page int) (from, to int) {
	from = page * p.Size
	return from, min(from+p.Size, p.Total)
}
`,
	keyFile: "This stands for a key that nobody should delete by accident.\n",
}

// Prepare writes a small project into dir, which is made if need be, and
// returns the text of a settings file to show it with. It never overwrites:
// a file that is there already is an error.
func Prepare(dir string) (settingsText string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("prepare the demo: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("prepare the demo: %w", err)
	}
	defer root.Close()
	for name, text := range project {
		if err := create(root, name, text); err != nil {
			return "", fmt.Errorf("prepare the demo: %w", err)
		}
	}
	return demoSettings, nil
}

func create(root *os.Root, name, text string) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
