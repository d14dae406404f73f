package gate

import (
	"context"
	"errors"
	"iter"
	"time"
)

// HistoryLimit is how many records [ReadHistory] takes, the newest ones.
const HistoryLimit = 20_000

// A History is what was asked of gates in the past, read from an audit log:
// each distinct request once, with how it was settled. It doesn't change and
// may be used from several goroutines.
type History struct {
	// Past are the distinct requests that can be built again, newest first.
	Past []Past
	// Total is how many calls they stand for.
	Total int
	// Unplayable are the records whose request can't be built again, and
	// Damaged the lines that are no records.
	Unplayable, Damaged int
	// Limited says that [HistoryLimit] left older records out.
	Limited bool

	uses map[string]Use
}

// A Past is one request and how often it came to be settled how.
type Past struct {
	Request Request
	// Calls is how often it came; Approved and Refused are those of them that
	// a person answered, and Denied those that a rule, the tool, a hook or the
	// reviewer denied.
	Calls, Approved, Refused, Denied int
	Last                             time.Time
}

// A Use is how often a rule settled or forced something, and when it last did.
type Use struct {
	Times int
	Last  time.Time
}

// ReadHistory reads the newest records of a log that are not older than
// since; the zero time takes all. A log that doesn't exist is an empty
// history. Records stand in the order of writing, and the first one that is
// older ends the reading.
func ReadHistory(path string, since time.Time) (*History, error) {
	h := &History{uses: map[string]Use{}}
	known := map[string]int{}
	read := 0
	for r, err := range Records(path) {
		if errors.Is(err, ErrDamagedRecord) {
			h.Damaged++
			continue
		}
		if err != nil {
			return nil, err
		}
		if r.Time.Before(since) {
			break
		}
		if read++; read > HistoryLimit {
			h.Limited = true
			break
		}
		h.add(&r, known)
	}
	return h, nil
}

func (h *History) add(r *Record, known map[string]int) {
	if r.Rule != "" {
		u := h.uses[r.Rule]
		if u.Times++; u.Times == 1 {
			u.Last = r.Time
		}
		h.uses[r.Rule] = u
	}
	req, err := r.Rebuild()
	if err != nil {
		h.Unplayable++
		return
	}
	h.Total++
	name := req.Origin.Workspace + "\x00" + req.Digest()
	i, seen := known[name]
	if !seen {
		i = len(h.Past)
		known[name] = i
		h.Past = append(h.Past, Past{Request: req, Last: r.Time})
	}
	h.Past[i].count(r)
}

// saysNo are those whose deny is about the request itself, not about a mode or
// about nobody being there.
var saysNo = map[string]bool{"rule": true, "tool": true, "user-policy": true, "hook": true, "reviewer": true}

func (p *Past) count(r *Record) {
	p.Calls++
	switch r.Cause {
	case CauseUserOnce, CauseUserSession, CauseUserAlways, CauseUserTurn, CauseUserUntil:
		p.Approved++
	case CauseUserRefused:
		p.Refused++
	}
	if r.Verdict == Deny.String() && saysNo[r.Who] {
		p.Denied++
	}
}

// Uses says how often the log names a rule of that effect and text as the one
// that settled a request or forced the ask, and when it last did.
func (h *History) Uses(r *Rule) Use { return h.uses[r.Effect.String()+" "+r.Text] }

// Matches counts the past calls that a rule would have applied to, if it had
// been the only one: for an allow rule those that it would have let pass, for
// a deny or ask rule those that it would have stopped.
func (h *History) Matches(r Rule) (calls, total int) {
	for p := range h.Matching(r) {
		calls += p.Calls
	}
	return calls, h.Total
}

// Matching yields what [History.Matches] counts, newest first. What it yields
// must not be changed.
func (h *History) Matching(r Rule) iter.Seq[*Past] {
	return func(yield func(*Past) bool) {
		alone := Policy{Rules: []Rule{r}, NoReadOnlyDefaults: true, NoReadOnlyGuards: true}
		gates := map[string]*Gate{}
		for i := range h.Past {
			p := &h.Past[i]
			// A delete rule also looks at the old name of a rename.
			if !r.kind.appliesTo(p.Request.Kind) && !(r.kind == ruleDelete && p.Request.Kind == WriteFile) {
				continue
			}
			g := gates[p.Request.Origin.Workspace]
			if g == nil {
				var err error
				if g, err = New(Options{Workspace: p.Request.Origin.Workspace, Policy: alone, Mode: DontAsk}); err != nil {
					continue
				}
				gates[p.Request.Origin.Workspace] = g
			}
			if v := g.Check(context.Background(), p.Request); v.Rule != nil && !yield(p) {
				return
			}
		}
	}
}
