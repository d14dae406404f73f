package permissionhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/gate"
)

// ErrInexact is a request that holds bytes which are not text: JSON would
// carry others in their place, and the hook would judge something else.
var ErrInexact = errors.New("the request holds bytes that aren't text, so it can't be given to a hook exactly")

// A wireRequest is a request as hooks read it.
type wireRequest struct {
	Version    int          `json:"version"`
	ID         string       `json:"id,omitempty"`
	Tool       string       `json:"tool,omitempty"`
	Kind       gate.Kind    `json:"kind,omitempty"`
	Tier       string       `json:"tier"`
	Server     string       `json:"server,omitempty"`
	Targets    []string     `json:"targets,omitempty"`
	Detail     string       `json:"detail,omitempty"`
	Fields     []wireField  `json:"fields,omitempty"`
	Changes    []wireChange `json:"changes,omitempty"`
	Unrevealed bool         `json:"unrevealed,omitempty"`
	Digest     string       `json:"digest"`
	Dir        string       `json:"dir,omitempty"`
	Workspace  string       `json:"workspace,omitempty"`
	Agent      string       `json:"agent,omitempty"`
	Session    string       `json:"session,omitempty"`
	Protocol   string       `json:"protocol,omitempty"`
	Mode       string       `json:"mode,omitempty"`
}

type wireField struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

type wireChange struct {
	Path string `json:"path"`
	From string `json:"from,omitempty"`
}

// requestLine is the request as one line of JSON.
func (o Options) requestLine(req gate.Request) ([]byte, error) {
	w := wireRequest{
		Version: 1, ID: req.ID, Tool: req.Tool, Kind: req.Kind, Tier: req.Declared.Tier.String(), Server: req.Server,
		Targets: req.Targets, Detail: req.Detail, Unrevealed: req.Unrevealed, Digest: req.Digest(), Dir: req.Dir,
		Workspace: req.Origin.Workspace, Agent: req.Origin.Agent, Session: req.Origin.Session, Protocol: req.Origin.Protocol,
	}
	texts := append([]string{w.Tool, string(w.Kind), w.Server, w.Detail, w.Dir, w.Workspace}, w.Targets...)
	for _, f := range req.Fields {
		w.Fields = append(w.Fields, wireField(f))
		texts = append(texts, f.Label, f.Value)
	}
	for _, c := range req.Diff {
		w.Changes = append(w.Changes, wireChange{Path: c.Path, From: c.From})
		texts = append(texts, c.Path, c.From)
	}
	for _, t := range texts {
		if !utf8.ValidString(t) {
			return nil, ErrInexact
		}
	}
	if o.Mode != nil {
		w.Mode = o.Mode().String()
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // so that a script may compare text with what it reads
	err := enc.Encode(w)
	return b.Bytes(), err
}
