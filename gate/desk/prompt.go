package desk

import (
	"errors"
	"time"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// A prompt is a [gate.Prompt] on its way. The request is carried once.
type prompt struct {
	Request  gate.Request      `json:"request"`
	Verdict  gate.Verdict      `json:"verdict"` // without its request
	Session  string            `json:"session,omitempty"`
	Saves    string            `json:"saves,omitempty"`
	Grants   []gate.GrantOffer `json:"grants,omitempty"`
	CanSave  bool              `json:"can_save,omitempty"`
	Brief    bool              `json:"brief,omitempty"`
	Widths   []gate.Width      `json:"widths,omitempty"`
	Unruled  string            `json:"unruled,omitempty"`
	SavedIn  savedIn           `json:"saved_in,omitempty"`
	Since    time.Time         `json:"since"`
	Editable bool              `json:"editable,omitempty"`
	Renewal  int               `json:"renewal,omitempty"`
}

// A savedIn names the files that answers are saved in.
type savedIn = map[gate.RulePlace]string

// ErrNotText is returned for a request that would look different at the desk
// than it is: one that holds bytes that are no text.
var ErrNotText = errors.New("it holds bytes that are no text, which can't be shown at the desk as they are")

func packPrompt(p gate.Prompt) (*prompt, error) {
	if !isText(&p.Request) {
		return nil, ErrNotText
	}
	v := p.Verdict
	v.Request, v.Asked = gate.Request{}, nil
	return &prompt{
		Request: p.Request, Verdict: v, Session: p.Session, Saves: p.Saves, Grants: p.Grants, CanSave: p.CanSave, Brief: p.Brief,
		Widths: p.Widths, Unruled: p.Unruled, SavedIn: p.SavedIn, Since: p.Since, Editable: p.Revise != nil, Renewal: p.Renewal,
	}, nil
}

// unpack leaves Revise and Renewed to the caller.
func (p *prompt) unpack() gate.Prompt {
	v := p.Verdict
	v.Request = p.Request
	return gate.Prompt{
		Request: p.Request, Verdict: v, Session: p.Session, Saves: p.Saves, Grants: p.Grants, CanSave: p.CanSave, Brief: p.Brief,
		Widths: p.Widths, Unruled: p.Unruled, SavedIn: p.SavedIn, Since: p.Since, Renewal: p.Renewal,
	}
}

// isText looks at all that JSON would carry as text. Contents of files are
// carried byte for byte.
func isText(r *gate.Request) bool {
	texts := append([]string{r.Tool, string(r.Kind), r.Server, r.Title, r.Detail, r.Dir, r.Key}, r.Targets...)
	for _, f := range r.Fields {
		texts = append(texts, f.Label, f.Value)
	}
	for _, c := range r.Diff {
		texts = append(texts, c.Path, c.From)
	}
	for _, s := range texts {
		if !utf8.ValidString(s) {
			return false
		}
	}
	return true
}

// A settled is a decision that the desk lists: what it was about in short, and
// who decided.
type settled struct {
	Verdict gate.Verdict `json:"verdict"`
}

// maxSettled is how much of a target the desk's list gets, in bytes.
const maxSettled = 4 << 10

func packSettled(v gate.Verdict) *settled {
	r := v.Request
	short := gate.Request{ID: r.ID, Tool: r.Tool, Kind: r.Kind, Server: r.Server, Origin: r.Origin}
	for _, t := range r.Targets {
		if len(t) > maxSettled {
			t = t[:maxSettled]
		}
		if short.Targets = append(short.Targets, t); len(short.Targets) == 16 {
			break
		}
	}
	v.Request, v.Asked, v.Trail, v.Parts = short, nil, nil, nil
	return &settled{v}
}

// A question is a [prompts.Question] on its way. What its Check finds is
// found at the client.
type question struct {
	Header      string           `json:"header,omitempty"`
	Text        string           `json:"text"`
	Options     []prompts.Option `json:"options,omitempty"`
	Refusal     int              `json:"refusal,omitempty"`
	MultiSelect bool             `json:"multi_select,omitempty"`
	Closed      bool             `json:"closed,omitempty"`
	Optional    bool             `json:"optional,omitempty"`
	Notes       bool             `json:"notes,omitempty"`
	Document    string           `json:"document,omitempty"`
	Before      string           `json:"before,omitempty"`
	Editable    bool             `json:"editable,omitempty"`
	Position    int              `json:"position,omitempty"`
	Of          int              `json:"of,omitempty"`
	Agent       string           `json:"agent,omitempty"`
}

func packQuestions(qs []prompts.Question) []question {
	packed := make([]question, len(qs))
	for i, q := range qs {
		packed[i] = question{
			q.Header, q.Text, q.Options, q.Refusal, q.MultiSelect, q.Closed, q.Optional, q.Notes, q.Document, q.Before, q.Editable, q.Position, q.Of, q.Agent,
		}
	}
	return packed
}

func unpackQuestions(packed []question) []prompts.Question {
	qs := make([]prompts.Question, len(packed))
	for i, q := range packed {
		qs[i] = prompts.Question{
			Header: q.Header, Text: q.Text, Options: q.Options, Refusal: q.Refusal, MultiSelect: q.MultiSelect, Closed: q.Closed,
			Optional: q.Optional, Notes: q.Notes,
			Document: q.Document, Before: q.Before, Editable: q.Editable, Position: q.Position, Of: q.Of, Agent: q.Agent,
		}
	}
	return qs
}
