package gate

import (
	"fmt"
	"slices"
	"time"
)

// A Recorder keeps a record of every decision. It is called before the answer
// is returned; its error turns an allow into a deny.
type Recorder interface {
	Record(Record) error
}

// A Record is one decision as the audit log holds it.
type Record struct {
	Time      time.Time `json:"time"`
	ID        string    `json:"id"`
	Verdict   string    `json:"verdict"` // allow or deny; ask where it was handed over
	Cause     string    `json:"cause"`
	Step      StepName  `json:"step"`
	Reason    string    `json:"reason"`
	Who       string    `json:"who"`
	Tool      string    `json:"tool,omitempty"`
	Kind      Kind      `json:"kind,omitempty"`
	Tier      string    `json:"tier"`
	Targets   []string  `json:"targets,omitempty"`
	Rule      string    `json:"rule,omitempty"`
	Source    string    `json:"source,omitempty"`
	Mode      string    `json:"mode"`
	Agent     string    `json:"agent,omitempty"`
	Session   string    `json:"session,omitempty"`
	Protocol  string    `json:"protocol,omitempty"`
	Workspace string    `json:"workspace"`
	Digest    string    `json:"digest"`
	Asked     []string  `json:"asked,omitempty"`        // the targets before a person edited them
	AskedHash string    `json:"asked_digest,omitempty"` // and the digest
	Until     time.Time `json:"until,omitzero"`         // the end of the approval that let it pass
	Message   string    `json:"message,omitempty"`
	// Warning is what was known by then to be wrong. Nothing is remembered before
	// it is recorded, so that a disk which then fails to save an approval is told
	// in the [Verdict] only.
	Warning  string   `json:"warning,omitempty"`
	Parts    []string `json:"parts,omitempty"` // one sentence per command of a line
	TookMS   int64    `json:"took_ms"`         // from request to answer
	Redacted int      `json:"redacted,omitempty"`
	// Redactions lists what was left out, as "field: what it was".
	Redactions []string `json:"redactions,omitempty"`
	// Replay is what else rules look at; nil in lines of older versions. See
	// [Record.Rebuild].
	Replay *Replay `json:"replay,omitempty"`
}

// record keeps what was decided on req, which came as r.
func (g *Gate) record(req *Request, r run, v Verdict, d time.Duration) Verdict {
	if g.opts.Audit == nil {
		return v
	}
	record := newRecord(v, g.now(), d)
	record.Replay = record.replay(req, r)
	if err := g.write(record); err != nil {
		if v.Effect == Allow {
			return refused(v, CauseAuditFailed, "the decision could not be written to the audit log, and what can't be recorded is refused: "+err.Error())
		}
		v.Warning = "this refusal could not be written to the audit log: " + err.Error()
	}
	return v
}

// write shields the gate from a log that panics.
func (g *Gate) write(r Record) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the audit log failed: %v", fault)
		}
	}()
	return g.opts.Audit.Record(r)
}

func newRecord(v Verdict, now time.Time, d time.Duration) Record {
	req := &v.Request
	r := Record{
		Time: now.UTC(), ID: req.ID, Verdict: v.Effect.String(), Cause: v.Cause, Step: v.Step, Reason: v.Reason, Who: v.Who(),
		Tool: req.Tool, Kind: req.Kind, Tier: req.Declared.Tier.String(), Mode: v.Mode.String(),
		Agent: req.Origin.Agent, Session: req.Origin.Session, Protocol: req.Origin.Protocol, Workspace: req.Origin.Workspace,
		Digest: req.Digest(), Message: v.Message, Warning: v.Warning, Until: v.Until.UTC(), TookMS: d.Milliseconds(),
	}
	if v.Cause == CauseHandedOver {
		r.Verdict = Ask.String()
	}
	if v.Rule != nil {
		r.Rule, r.Source = v.Rule.Effect.String()+" "+v.Rule.Text, v.Rule.Source.String()
	}
	if v.Asked != nil {
		r.AskedHash = v.Asked.Digest()
		for _, t := range v.Asked.Targets {
			r.Asked = append(r.Asked, r.redacted("asked", t))
		}
	}
	for _, t := range req.Targets {
		r.Targets = append(r.Targets, r.redacted("targets", t))
	}
	for _, p := range v.Parts {
		r.Parts = append(r.Parts, r.redacted("parts", p.String()))
	}
	for _, field := range []struct {
		name string
		text *string
	}{
		{"cause", &r.Cause}, {"reason", &r.Reason}, {"rule", &r.Rule}, {"message", &r.Message}, {"warning", &r.Warning},
		{"tool", &r.Tool}, {"agent", &r.Agent}, {"session", &r.Session},
	} {
		*field.text = r.redacted(field.name, *field.text)
	}
	return r
}

// redacted leaves credentials out of a field, counts them and lists each sort
// once.
func (r *Record) redacted(field, s string) string {
	s, what := redact(s)
	r.Redacted += len(what)
	for _, w := range what {
		if entry := field + ": " + w; !slices.Contains(r.Redactions, entry) {
			r.Redactions = append(r.Redactions, entry)
		}
	}
	return s
}
