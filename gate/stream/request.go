package stream

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A Request is one action as a program writes it. Command, Path, URL, and
// Server with Tool fill Targets and the key of what is remembered; Targets, when
// they are given, are what rules look at instead; a command can only have itself.
type Request struct {
	Tool    string    `json:"tool"`
	Kind    gate.Kind `json:"kind"`
	Tier    string    `json:"tier"`
	Command *string   `json:"command"`
	Path    string    `json:"path"`
	URL     string    `json:"url"`
	Server  *string   `json:"server"`
	Targets []string  `json:"targets"`
	Dir     string    `json:"dir"`
	// Title is what the agent says about it, Detail what will run beyond the
	// targets, Reason the tool's own.
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Reason string `json:"reason"`
	// Declared is what the tool says about itself, in any form (TAM-13).
	Declared json.RawMessage `json:"declared"`
	Diff     []Change        `json:"diff"`
	// Editable says that the program runs what the verdict says was edited.
	Editable bool `json:"editable"`
}

// A Change is what a request does to one file. Without Before it is read from
// the disk; After is what the file will hold, and without it the file is
// deleted.
type Change struct {
	Path   string  `json:"path"`
	From   string  `json:"from"`
	Before *[]byte `json:"before_b64"`
	After  *[]byte `json:"after_b64"`
}

// maxFile is how large a file may be that a request changes, in bytes.
const maxFile = 64 << 20

var errKind = errors.New("unknown kind: use run_command, write_file, delete_file, network, mcp_tool or none")

var errTwoCommands = errors.New("command and targets say different things: give one of them")

// gate builds the request that is decided on.
func (r *Request) gate(workspace string, from gate.Origin) (gate.Request, error) {
	if !r.Kind.Valid() {
		return gate.Request{}, errKind
	}
	req, err := r.byKind(workspace)
	if err != nil {
		return req, err
	}
	if r.Targets != nil {
		if r.Command != nil && !slices.Equal(r.Targets, []string{*r.Command}) {
			return req, errTwoCommands
		}
		req.Targets = r.Targets
		req.Key, req.KeyLabel = "", "" // it may cover something else
	}
	req.Title, req.Dir, req.Editable, req.Origin = r.Title, r.Dir, r.Editable, from
	if r.Detail != "" {
		req.Detail = r.Detail
	}
	r.declare(&req)
	return req, r.changes(&req, workspace)
}

func (r *Request) byKind(workspace string) (gate.Request, error) {
	missing := func(field string) (gate.Request, error) {
		return gate.Request{}, fmt.Errorf("a request of kind %s needs %s", r.Kind, field)
	}
	switch r.Kind {
	case gate.RunCommand:
		if r.Command == nil {
			return missing("command")
		}
		return gate.CommandRequest(workspace, r.Tool, *r.Command), nil
	case gate.Network:
		if r.URL == "" {
			return missing("url")
		}
		return gate.FetchRequest(r.Tool, r.URL), nil
	case gate.MCPTool:
		if r.Server == nil {
			return missing("server")
		}
		return gate.MCPRequest(*r.Server, r.Tool), nil
	case gate.WriteFile, gate.DeleteFile:
		paths := r.paths()
		if len(paths) == 0 && len(r.Targets) == 0 {
			return missing("path or diff")
		}
		if r.Kind == gate.DeleteFile {
			return gate.DeleteRequest(workspace, r.Tool, paths...), nil
		}
		req := gate.WriteRequest(workspace, r.Tool)
		req.Targets = paths
		return req, nil
	}
	return gate.Request{Tool: r.Tool, Targets: r.paths()}, nil
}

// paths are what a request touches, each once.
func (r *Request) paths() []string {
	var paths []string
	if r.Path != "" {
		paths = append(paths, r.Path)
	}
	for _, c := range r.Diff {
		for _, p := range []string{c.From, c.Path} {
			if p != "" && (len(paths) == 0 || p != r.Path) {
				paths = append(paths, p)
			}
		}
	}
	return paths
}

func (r *Request) declare(req *gate.Request) {
	if len(r.Declared) > 0 {
		req.Declared = gate.ParseDeclaration(r.Declared)
	}
	if r.Tier != "" {
		req.Declared.Tier, _ = gate.ParseTier(r.Tier) // an unknown one is exec (TAM-01)
	}
	if r.Reason != "" {
		req.Declared.Reason = r.Reason
	}
}

// changes reads the files that will be changed as they are now.
func (r *Request) changes(req *gate.Request, workspace string) error {
	for _, c := range r.Diff {
		change := gate.Change{Path: c.Path, From: c.From}
		if c.After != nil {
			change.After = append([]byte{}, *c.After...)
		}
		if c.Before != nil {
			change.Before = append([]byte{}, *c.Before...)
		} else {
			now := c.Path
			if c.From != "" {
				now = c.From
			}
			var err error
			if change.Before, err = content(workspace, r.Dir, now); err != nil {
				return err
			}
		}
		req.Diff = append(req.Diff, change)
	}
	// An edit that doesn't say what it writes can be approved only once.
	req.Unrevealed = r.Kind == gate.WriteFile && len(r.Diff) == 0
	return nil
}

// content is what a file holds; nil when there is none.
func content(workspace, dir, path string) ([]byte, error) {
	if !filepath.IsAbs(path) {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(workspace, dir)
		}
		path = filepath.Join(dir, path)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return nil, fmt.Errorf("%s: not a file of at most %d MB", path, maxFile>>20)
	}
	data, err := os.ReadFile(path)
	if data == nil {
		data = []byte{}
	}
	return data, err
}
