package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// An Edit is what a person changed in a request before approving it (BEY-05,
// BEY-06). It is decided on like a request of its own, and remembers nothing.
type Edit struct {
	// Command takes the place of the command line of a [RunCommand].
	Command string
	// Files takes the place of what a [WriteFile] would write: the After of
	// the [Change] with that path. Other changes stay as they are.
	Files map[string][]byte
	// LeftOut names in words the parts of the changes that the person refused,
	// such as "pager.go lines 10–14". The agent is told.
	LeftOut []string
}

// clone is e apart from what its maker may do with it later: what is shown is
// what is approved.
func (e Edit) clone() Edit {
	e.Files, e.LeftOut = maps.Clone(e.Files), slices.Clone(e.LeftOut)
	for name, content := range e.Files {
		e.Files[name] = bytes.Clone(content)
	}
	return e
}

var (
	// ErrNotEditable is returned for an edit of a request that can't be edited.
	ErrNotEditable = errors.New("this request can't be edited")
	// ErrEditRefused is wrapped by the error of an edit that the gate refuses.
	ErrEditRefused = errors.New("refused as edited")
)

// MayEdit reports whether a person may edit the request: its connection can
// carry an edit back, and what would happen is known.
func (r *Request) MayEdit() bool {
	if !r.Editable || r.Unrevealed {
		return false
	}
	switch r.Kind {
	case RunCommand:
		return len(r.Targets) == 1
	case WriteFile:
		return slices.ContainsFunc(r.Diff, func(c Change) bool { return c.After != nil }) && !r.changesTwice()
	}
	return false
}

// changesTwice reports several changes of one file: what is made of the file
// can't be told from one of them.
func (r *Request) changesTwice() bool {
	seen := map[string]bool{}
	for _, c := range r.Diff {
		name := path.Clean(filepath.ToSlash(c.Path))
		if seen[name] {
			return true
		}
		seen[name] = true
	}
	return false
}

// edited is the request as a person changed it. What was to be remembered was
// about the request as it came, and goes.
func (r Request) edited(e Edit) (Request, error) {
	if !r.MayEdit() {
		return r, ErrNotEditable
	}
	asked := r.Targets
	r.Key, r.KeyLabel, r.GrantTargets = "", "", nil
	if r.Kind == RunCommand {
		if strings.TrimSpace(e.Command) == "" || len(e.Files) > 0 {
			return r, fmt.Errorf("%w: the edit holds no command", ErrNotEditable)
		}
		r.Targets = []string{e.Command}
		if r.Detail == asked[0] {
			r.Detail = e.Command
		}
		return r, nil
	}
	if e.Command != "" || len(e.Files) == 0 {
		return r, fmt.Errorf("%w: the edit holds no file", ErrNotEditable)
	}
	r.Diff = slices.Clone(r.Diff)
	for _, name := range slices.Sorted(maps.Keys(e.Files)) {
		i := slices.IndexFunc(r.Diff, func(c Change) bool { return c.Path == name && c.After != nil })
		if i < 0 {
			return r, fmt.Errorf("%w: the request doesn't write %s", ErrNotEditable, name)
		}
		r.Diff[i].After = append([]byte{}, e.Files[name]...)
	}
	if !slices.ContainsFunc(r.Diff, changes) {
		return r, fmt.Errorf("%w: nothing would be changed any more; refuse it instead", ErrNotEditable)
	}
	return r, nil
}

func changes(c Change) bool {
	return c.From != "" || (c.Before == nil) != (c.After == nil) || !bytes.Equal(c.Before, c.After)
}

// told says to the agent what the person changed.
func (e *Edit) told(asked *Request) string {
	var s []string
	switch {
	case len(e.LeftOut) > 0:
		s = append(s, "the user refused a part of the changes, which were made without "+strings.Join(e.LeftOut, ", "))
	case len(e.Files) > 0:
		s = append(s, "the user edited "+strings.Join(slices.Sorted(maps.Keys(e.Files)), ", ")+" before approving")
	}
	if e.Command != "" {
		s = append(s, fmt.Sprintf("the user approved another command in place of %q: %q", asked.Targets[0], e.Command))
	}
	return strings.Join(s, "; ")
}

// revise checks an edit and makes the prompt that shows it. The error says why
// the gate refuses it.
func (g *Gate) revise(ctx context.Context, req Request, shown Prompt, r run, e Edit) (Prompt, error) {
	edited, err := req.edited(e)
	if err != nil {
		return shown, err
	}
	_, s := g.current()
	v := g.evaluate(ctx, s, edited, r)
	if v.Effect == Deny {
		text := v.Reason
		if v.Rule != nil {
			text += " · " + v.Rule.String()
		}
		return shown, fmt.Errorf("%w: %s", ErrEditRefused, text)
	}
	if v.Effect == Allow {
		v.Reason = "you edited it; as edited it would pass: " + v.Reason
	}
	v.Effect, v.Cause, v.Step, v.Offers = Ask, CauseAsked, StepAsk, []Decision{Once}
	return Prompt{Request: v.Request, Verdict: v, Since: shown.Since, Revise: shown.Revise, Edit: &e}, nil
}

// approveEdited approves what the person made of the request, if nothing
// denies that.
func (g *Gate) approveEdited(ctx context.Context, req Request, v Verdict, r run, a Answer) Verdict {
	asked := v.Request
	edited, err := req.edited(*a.Edited)
	if err != nil {
		return refused(v, CauseError, "it can't be done as the person edited it: "+err.Error())
	}
	_, s := g.current()
	v = g.evaluate(ctx, s, edited, r)
	v.Asked = &asked
	if v.Message = a.Message; v.Effect == Deny {
		return v
	}
	if v.Message != "" {
		v.Message += ". "
	}
	v.Message += a.Edited.told(&asked)
	v = approved(v, CauseUserOnce, "a person edited it and approved that once")
	if a.Decision != Once || a.Grant != NoGrant {
		v.Warning = "what was edited is approved only once, so nothing was remembered"
	}
	return v
}
