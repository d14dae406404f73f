package gate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

type failingLog struct{}

func (failingLog) Record(Record) error { return errors.New("disk full") }

// TestUnwritableAudit turns an allow into a deny; a deny stays (APR-11).
func TestUnwritableAudit(t *testing.T) {
	if v := decideOne(t, Options{Mode: Yolo, Audit: failingLog{}}, edit("a")); v.Allowed() || v.Cause != CauseAuditFailed {
		t.Errorf("%s · %s, want a deny", v.Effect, v.Cause)
	}
	if v := decideOne(t, Options{Mode: DontAsk, Audit: failingLog{}}, edit("a")); v.Cause != CauseModeDontAsk || v.Warning == "" {
		t.Errorf("%s, warning %q, want the deny and a warning", v.Cause, v.Warning)
	}
}

// TestAuditBeforeAnswer has the record in the file when Decide returns
// (APR-11).
func TestAuditBeforeAnswer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "home", "audit.jsonl")
	log, err := OpenAuditLog(path)
	if err != nil {
		t.Fatal(err)
	}
	req := edit("a")
	req.Origin = Origin{Agent: "demo", Session: "s1", Protocol: "acp"}
	v := decideOne(t, Options{Mode: AcceptEdits, Audit: log}, req)
	data, _ := os.ReadFile(path)
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	if r.ID != v.Request.ID || r.Verdict != "allow" || r.Cause != "mode-accept-edits" || r.Who != "mode" || r.Mode != "accept-edits" ||
		r.Agent != "demo" || r.Session != "s1" || r.Workspace != "/w" || r.Digest != v.Request.Digest() || r.Targets[0] != "a" {
		t.Errorf("the record is %+v", r)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("the log has mode %v", info.Mode().Perm())
	}
}

// TestAuditIsHarmless to print: one line, no control or hidden characters, no
// credentials, and reading it back gives the text again (P16, BEY-12).
func TestAuditIsHarmless(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	log, _ := OpenAuditLog(path)
	target := "a\x1b[31m\x7f\u009b\u202e\U000e0041\nb"
	decideOne(t, Options{Mode: DontAsk, Audit: log}, edit(target))
	secret := shellRun("curl -H 'Authorization: Bearer abcdefghijklmnop1234' https://example.com")
	decideOne(t, Options{Mode: DontAsk, Audit: log}, secret)
	data, _ := os.ReadFile(path)
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if len(lines) != 2 {
		t.Fatalf("%d lines, want 2", len(lines))
	}
	for _, r := range string(lines[0]) {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\U000e0041' {
			t.Errorf("%U is in the log as it is", r)
		}
	}
	var r Record
	if err := json.Unmarshal(lines[0], &r); err != nil || r.Targets[0] != target {
		t.Errorf("read back %q, %v", r.Targets, err)
	}
	if strings.Contains(string(lines[1]), "abcdefghijklmnop1234") || !strings.Contains(string(lines[1]), `"redacted":`) {
		t.Errorf("the credential is in the log: %s", lines[1])
	}
}

// TestAuditTogether keeps lines of several writers apart (APR-11).
func TestAuditTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			log, err := OpenAuditLog(path)
			if err != nil {
				t.Error(err)
				return
			}
			for range 50 {
				if err := log.Record(Record{Reason: strings.Repeat("long ", 2000)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	f, _ := os.Open(path)
	defer f.Close()
	n := 0
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var r Record
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		n++
	}
	if n != 200 {
		t.Errorf("%d records, want 200", n)
	}
}

// TestDigest changes with everything that would run (BEY-02).
func TestDigest(t *testing.T) {
	base := func() Request {
		r := edit("a")
		r.Diff = []Change{{Path: "a", Before: []byte("x"), After: []byte("y")}}
		return r
	}
	b := base()
	seen := map[string]string{b.Digest(): "as it is"}
	for name, change := range map[string]func(*Request){
		"target": func(r *Request) { r.Targets = []string{"b"} },
		"bytes":  func(r *Request) { r.Diff[0].After = []byte("z") },
		"gone":   func(r *Request) { r.Diff[0].After = nil },
		"empty":  func(r *Request) { r.Diff[0].After = []byte{} },
		"tool":   func(r *Request) { r.Tool = "other" },
		"dir":    func(r *Request) { r.Dir = "/x" },
		"joined": func(r *Request) { r.Targets = []string{"a", ""} },
		"detail": func(r *Request) { r.Detail = "d" },
	} {
		r := base()
		change(&r)
		if other, ok := seen[r.Digest()]; ok {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[r.Digest()] = name
	}
	again := base()
	if again.Digest() != b.Digest() {
		t.Error("the same request has another digest")
	}
}

// TestRefusalText names who refused (APR-12).
func TestRefusalText(t *testing.T) {
	var p Policy
	_ = p.AddRule(Deny, "write(a)", Source{Layer: "global", File: "s.toml", Line: 3})
	rows := []struct {
		opts Options
		want string
	}{
		{Options{Mode: Default, Approver: always(Answer{Message: "use b"})}, "the user declined edit (a). They say: use b"},
		{Options{Mode: Default, Policy: p}, "s.toml:3"},
		{Options{Mode: DontAsk}, "mode dont-ask"},
		{Options{Mode: Default}, "write(a)"},
	}
	for _, row := range rows {
		v := decideOne(t, row.opts, edit("a"))
		if !strings.Contains(v.Refusal(), row.want) {
			t.Errorf("%q doesn't say %q", v.Refusal(), row.want)
		}
	}
}

// TestUnrecordedIsNotRemembered leaves nothing that lasts of an approval which
// could not be recorded, and so was refused (APR-11, APR-12).
func TestUnrecordedIsNotRemembered(t *testing.T) {
	w := t.TempDir()
	read := ReadRequest("read", filepath.Join(w, "a"))
	answers := map[string]struct {
		mode   Mode
		req    Request
		answer Answer
	}{
		"session":       {Default, CommandRequest(w, "bash", "make"), Answer{Decision: Session}},
		"tool":          {AlwaysAsk, CommandRequest(w, "bash", "make"), Answer{Decision: Session}},
		"always":        {Default, CommandRequest(w, "bash", "make"), Answer{Decision: Always}},
		"session grant": {AlwaysAskCached, read, Answer{Decision: Once, Grant: GrantExact}},
		"saved grant":   {AlwaysAskCached, read, Answer{Decision: Once, Grant: GrantAround, Remember: true}},
	}
	for name, a := range answers {
		t.Run(name, func(t *testing.T) {
			approvals, grants := KeepApprovals(), &memoryGrants{}
			g, err := New(Options{Workspace: w, Mode: a.mode, Approver: always(a.answer), Approvals: approvals, Grants: grants, Audit: failingLog{}})
			if err != nil {
				t.Fatal(err)
			}
			if v := g.Decide(t.Context(), a.req); v.Cause != CauseAuditFailed {
				t.Fatalf("%s: %s", v.Cause, v.Reason)
			}
			if v := g.Check(t.Context(), a.req); v.Effect != Ask {
				t.Errorf("the next one: %s by %s", v.Effect, v.Cause)
			}
			if len(approvals.List())+len(grants.list) > 0 {
				t.Errorf("saved %v, %v", approvals.List(), grants.list)
			}
			g.opts.Audit = nil
			if v := g.Decide(t.Context(), a.req); !v.Allowed() || v.Warning != "" {
				t.Errorf("with a log: %s, warning %q", v.Cause, v.Warning)
			}
			if v := g.Check(t.Context(), a.req); v.Effect != Allow {
				t.Errorf("with a log nothing is remembered: %s", v.Cause)
			}
		})
	}
}

type memoryGrants struct{ list []Grant }

func (m *memoryGrants) Grants() ([]Grant, error) { return m.list, nil }

func (m *memoryGrants) Grant(g ...Grant) error {
	m.list = append(m.list, g...)
	return nil
}

// TestAuditWarns says in the log what keeps an approval from lasting, as far as
// it is known by then (APR-11, APR-12).
func TestAuditWarns(t *testing.T) {
	w := t.TempDir()
	for name, row := range map[string]struct {
		mode      Mode
		req       Request
		answer    Answer
		approvals *Approvals
	}{
		"no file":      {Default, CommandRequest(w, "bash", "make"), Answer{Decision: Always}, nil},
		"a credential": {Default, CommandRequest(w, "bash", "deploy --token ghp_0123456789abcdefghijABCDEFGHIJ012345"), Answer{Decision: Always}, KeepApprovals()},
		"no store":     {AlwaysAskCached, ReadRequest("read", filepath.Join(w, "a")), Answer{Decision: Once, Grant: GrantExact, Remember: true}, nil},
		"another rule": {Default, CommandRequest(w, "bash", "make"), Answer{Decision: Always, Rule: "shell(other)", Place: GlobalRules}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			log := &records{}
			v := decideOne(t, Options{Workspace: w, Mode: row.mode, Approver: always(row.answer), Approvals: row.approvals, Audit: log}, row.req)
			if !v.Allowed() || v.Warning == "" || len(log.list) != 1 || log.list[0].Warning != v.Warning {
				t.Errorf("%s by %s, warning %q; the log holds %+v", v.Effect, v.Cause, v.Warning, log.list)
			}
		})
	}
}
