package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/blitz-approve/blitz-approve/diffview/unseen"
)

// readBackLog keeps records as the audit log writes and reads them.
type readBackLog struct{ records []Record }

func (l *readBackLog) Record(r Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	var read Record
	if err := json.Unmarshal(unseen.JSON(line), &read); err != nil {
		return err
	}
	l.records = append(l.records, read)
	return nil
}

// TestRebuiltRequestsDecideAlike: what the log holds of a request is all that
// rules look at (BEY-09).
func TestRebuiltRequestsDecideAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, req := someGate(t), someRequest(t)
		log := &readBackLog{}
		g.opts.Audit = log
		req.SafetyChecks = make([]SafetyCheck, rapid.IntRange(0, 1).Draw(t, "safety checks"))
		if rapid.Bool().Draw(t, "deleted by an edit") && req.Kind == WriteFile {
			req.Diff[0].Before, req.Diff[0].After = []byte("x"), nil
		}
		want := g.Check(t.Context(), req)
		g.Decide(t.Context(), req)
		again, err := log.records[0].Rebuild()
		if err != nil {
			if want.Step != "valid" && log.records[0].Redacted == 0 {
				t.Fatal(err)
			}
			return
		}
		for _, text := range append(req.Targets, req.Tool, req.Dir) {
			if strings.ToValidUTF8(text, "") != text {
				return // JSON holds no other bytes
			}
		}
		if got := g.Check(t.Context(), again); got.Effect != want.Effect || got.Cause != want.Cause || fmt.Sprint(got.Rule) != fmt.Sprint(want.Rule) {
			t.Fatalf("%s · %s (%s), and rebuilt %s · %s (%s)", want.Effect, want.Cause, want.Reason, got.Effect, got.Cause, got.Reason)
		}
	})
}

// TestUnplayable says why a request can't be built again, and takes lines that
// older versions wrote (BEY-09, BEY-12).
func TestUnplayable(t *testing.T) {
	log := &readBackLog{}
	g, _ := New(Options{Workspace: "/w", Mode: DontAsk, Audit: log})
	g.Decide(t.Context(), shellRun("deploy --token=abcdefghij"))
	g.Decide(t.Context(), shellRun("echo \x00"))
	g.Decide(Unattended(t.Context(), nil), shellRun("make"))
	g.Decide(t.Context(), shellRun("grep -F [redacted] notes"))
	for i, want := range []string{"credential", "malformed", "unattended", ""} {
		_, err := log.records[i].Rebuild()
		if want == "" && err != nil || want != "" && (!errors.Is(err, ErrUnplayable) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", log.records[i].Targets, err, want)
		}
	}
	if r := log.records[0]; !slices.Contains(r.Redactions, "targets: password or token") {
		t.Errorf("%d left out, listed as %q", r.Redacted, r.Redactions)
	}
	old := `{"time":"2026-01-02T03:04:05Z","id":"1","verdict":"allow","cause":"user-once","step":"ask","tool":"read","kind":"mcp_tool","tier":"write","targets":["gh:read"],"mode":"default","workspace":"/w"}`
	var r Record
	if err := json.Unmarshal([]byte(old), &r); err != nil {
		t.Fatal(err)
	}
	if req, err := r.Rebuild(); err != nil || req.Server != "gh" || req.Key != "mcp:gh:read" || req.Declared.Tier != Write {
		t.Errorf("an old line is %+v, %v", req, err)
	}
}

// history decides requests and reads them back.
func history(t *testing.T, opts Options, requests ...Request) (*History, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	log, err := OpenAuditLog(path)
	if err != nil {
		t.Fatal(err)
	}
	opts.Workspace, opts.Audit = "/w", log
	g, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range requests {
		g.Decide(t.Context(), r)
	}
	h, err := ReadHistory(path, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return h, path
}

// TestHistory counts what a rule would have applied to, and what rules did
// (BEY-08, BEY-09).
func TestHistory(t *testing.T) {
	var p Policy
	_ = p.AddRule(Allow, "shell(make all)", Source{Layer: "global"})
	_ = p.AddRule(Deny, "web(bad.test)", Source{Layer: "global"})
	h, path := history(t, Options{Mode: Default, Policy: p, Approver: always(Answer{Decision: Once})},
		shellRun("go test ./a"), shellRun("make all"), shellRun("go test ./a"), shellRun("go test ./b && rm -rf x"), shellRun("rm -rf /"),
		edit("docs/a"), fetch("bad.test"), MCPRequest("gh", "read"), WriteRequest("/w", "edit", Change{Path: "b", From: "old"}))
	if len(h.Past) != 8 || h.Total != 9 || h.Past[0].Request.Targets[0] != "old" {
		t.Fatalf("%d requests, %d calls", len(h.Past), h.Total)
	}
	for _, row := range []struct {
		effect Effect
		rule   string
		want   int
	}{
		{Allow, "shell(go test)", 2}, {Deny, "shell(go test)", 3}, {Allow, "shell(*)", 4}, {Ask, "shell(rm)", 2}, {Allow, "write(docs/**)", 1},
		{Allow, "web(bad.test)", 1}, {Allow, "mcp(gh:*)", 1}, {Deny, "delete(old)", 1}, {Deny, "edit", 2},
	} {
		r, err := ParseRule(row.effect, row.rule, Source{})
		if err != nil {
			t.Fatal(err)
		}
		if n, total := h.Matches(r); n != row.want || total != 9 {
			t.Errorf("%s %s would have applied to %d of %d, want %d of 9", row.effect, row.rule, n, total, row.want)
		}
	}
	if u := h.Uses(&p.Rules[0]); u.Times != 1 || u.Last.IsZero() {
		t.Errorf("shell(make all) was used %+v", u)
	}
	if p := h.Past[6]; p.Request.Targets[0] != "go test ./a" || p.Calls != 2 || p.Approved != 2 {
		t.Errorf("what came twice is %+v", p)
	}
	if later, err := ReadHistory(path, time.Now().Add(time.Hour)); err != nil || later.Total != 0 {
		t.Errorf("since an hour from now: %d, %v", later.Total, err)
	}
	if none, err := ReadHistory(filepath.Join(t.TempDir(), "none"), time.Time{}); err != nil || none.Total != 0 {
		t.Errorf("no log: %v", err)
	}
	if _, err := ReadHistory(t.TempDir(), time.Time{}); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
}

// TestRecordsNewestFirst reads lines of any length from the end, with damaged
// ones between and one that is being written (BEY-09).
func TestRecordsNewestFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	log, _ := OpenAuditLog(path)
	sizes := []int{1, readBlock, 10, readBlock - 200, 3 * readBlock, 5, 2}
	for i, n := range sizes {
		if err := log.Record(Record{ID: fmt.Sprint(i), Reason: strings.Repeat("x", n)}); err != nil {
			t.Fatal(err)
		}
	}
	f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	fmt.Fprintf(f, "no record\n\n{\"id\":\"half")
	f.Close()
	var ids string
	damaged := 0
	for r, err := range Records(path) {
		if errors.Is(err, ErrDamagedRecord) {
			damaged++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if ids += r.ID; len(r.Reason) != sizes[r.ID[0]-'0'] {
			t.Errorf("%s has %d bytes", r.ID, len(r.Reason))
		}
	}
	if ids != "6543210" || damaged != 1 {
		t.Errorf("read %s and %d damaged lines", ids, damaged)
	}
}

// TestHistoryIsLimited keeps the newest records (BEY-09).
func TestHistoryIsLimited(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	line := []byte(`{"verdict":"allow","cause":"rule-allow","step":"allow","tool":"bash","kind":"run_command","targets":["make"],"workspace":"/w"}` + "\n")
	if err := os.WriteFile(path, slices.Repeat(line, HistoryLimit+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if h, err := ReadHistory(path, time.Time{}); err != nil || !h.Limited || h.Total != HistoryLimit || len(h.Past) != 1 {
		t.Errorf("%+v, %v", h, err)
	}
}
