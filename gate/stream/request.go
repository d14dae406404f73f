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
	// GrantTargets stand instead of Path and URL for what ask-and-remember looks
	// up and records (TAM-07). Search says what is read of those that are trees.
	GrantTargets []GrantTarget `json:"grant_targets"`
	Search       Search        `json:"search"`
	SafetyChecks []SafetyCheck `json:"safety_checks"`
	Diff         []Change      `json:"diff"`
	// Editable says that the program runs what the verdict says was edited.
	Editable bool `json:"editable"`
}

// A GrantTarget is a file, folder, tree or url; without a tier it has that of
// the request.
type GrantTarget struct {
	Kind string `json:"kind"`
	Path string `json:"path"`
	Tier string `json:"tier"`
}

// A Search is a [gate.Search].
type Search struct {
	NamesOnly bool     `json:"names_only"`
	Only      []string `json:"only"`
	Not       []string `json:"not"`
	NotBelow  []string `json:"not_below"`
	Ignores   bool     `json:"ignores"`
	LeaveOut  string   `json:"leave_out"`
}

// A SafetyCheck is a pending one of the model's provider (TAM-18).
type SafetyCheck struct {
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
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
	if r.Targets != nil && r.Command != nil && !slices.Equal(r.Targets, []string{*r.Command}) {
		return gate.Request{}, errTwoCommands
	}
	d, err := r.description()
	if err != nil {
		return gate.Request{}, err
	}
	req := d.Request(workspace)
	req.Title, req.Dir, req.Editable, req.Origin = r.Title, r.Dir, r.Editable, from
	if r.Detail != "" {
		req.Detail = r.Detail
	}
	return req, r.changes(&req, workspace)
}

func (r *Request) description() (gate.Description, error) {
	d := gate.Description{
		Tool: r.Tool, Kind: r.Kind, Command: r.Command, Paths: r.paths(), URL: r.URL, Server: r.Server, Targets: r.Targets,
		Tier: r.Tier, Reason: r.Reason, Declared: r.Declared, Search: gate.Search(r.Search),
	}
	for _, c := range r.SafetyChecks {
		d.SafetyChecks = append(d.SafetyChecks, gate.SafetyCheck(c))
	}
	for _, t := range r.GrantTargets {
		kind, err := gate.ParseGrantKind(t.Kind)
		if err != nil {
			return d, err
		}
		tier, _ := gate.ParseTier(t.Tier)
		d.GrantTargets = append(d.GrantTargets, gate.GrantTarget{Kind: kind, Path: t.Path, Tier: tier})
	}
	if field := r.missing(); field != "" {
		return d, fmt.Errorf("a request of kind %s needs %s", r.Kind, field)
	}
	return d, nil
}

// missing is what the request's kind needs and isn't there.
func (r *Request) missing() string {
	switch {
	case r.Kind == gate.RunCommand && r.Command == nil:
		return "command"
	case r.Kind == gate.Network && r.URL == "":
		return "url"
	case r.Kind == gate.MCPTool && r.Server == nil:
		return "server"
	case (r.Kind == gate.WriteFile || r.Kind == gate.DeleteFile) && len(r.paths()) == 0 && len(r.Targets) == 0:
		return "path or diff"
	}
	return ""
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
