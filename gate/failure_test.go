package gate

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// blocked is a folder in which nothing can be made, for root either: one of
// its parents is a file.
func blocked(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(file, "folder")
}

// APR-12, APR-20: approvals that can't be read stop the start, and those that
// can't be saved are told of; neither is passed over.
func TestApprovalsThatFail(t *testing.T) {
	if _, err := OpenApprovals(t.TempDir()); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a folder in their place: %v", err)
	}
	a, err := OpenApprovals(filepath.Join(t.TempDir(), "approvals.json"))
	if err != nil {
		t.Fatal(err)
	}
	a.path = filepath.Join(blocked(t), "approvals.json")
	if err := a.Save("write:/w", "edits", time.Now()); err == nil || a.has("write:/w") {
		t.Errorf("what wasn't saved is remembered: %v", err)
	}
	if err := KeepApprovals(SavedKey{Key: "k"}).Reload(); err != nil {
		t.Errorf("without a file: %v", err)
	}
	broken := filepath.Join(t.TempDir(), "approvals.json")
	for text, offset := range map[string]int64{`{"version":1,"rules":[{"key":7}]}`: 0, `{"version":1,"rules":[`: 22, `{"version":1,"rules":[{"key":"k","added":"never"}]}`: 0} {
		if err := os.WriteFile(broken, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := OpenApprovals(broken)
		var fault *ApprovalsError
		if !errors.As(err, &fault) || fault.Unwrap() == nil {
			t.Errorf("%s: %v", text, err)
		} else if offset > 0 && !strings.Contains(err.Error(), broken) {
			t.Errorf("%s: %v doesn't name the file", text, err)
		}
	}
}

// APR-11: a log that can't be opened stops the start.
func TestAuditLogsThatFail(t *testing.T) {
	if _, err := OpenAuditLog(t.TempDir()); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a folder in its place: %v", err)
	}
	if _, err := OpenAuditLog(filepath.Join(blocked(t), "audit.jsonl")); err == nil {
		t.Error("no error where no folder can be made")
	}
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	log, err := OpenAuditLog(path)
	if err != nil || log.Path() != path {
		t.Fatal(log, err)
	}
	// It is opened anew for each record, and something else stands there now.
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := log.Record(Record{ID: "1"}); err == nil {
		t.Error("a record went nowhere without an error")
	}
	v := decideOne(t, Options{Mode: AcceptEdits, Audit: log}, edit("a"))
	if v.Effect != Deny || v.Cause != CauseAuditFailed {
		t.Errorf("an allow that isn't recorded: %s · %s", v.Effect, v.Cause)
	}
}

// APR-14: a mode that can't be shared is an error, and the session's own holds.
func TestModeFilesThatFail(t *testing.T) {
	f := NewModeFile(filepath.Join(blocked(t), "mode.json"))
	own := SharedMode{Mode: Default, Why: "test"}
	member, got, err := f.Join(own, Lead, false)
	if err == nil || got.Mode != Default {
		t.Errorf("join: %v, %v, %v", member, got, err)
	}
	if err := member.Set(Yolo, "test"); err == nil {
		t.Error("a member set a mode where no file can be")
	}
	if s, ok, err := member.News(); ok || err == nil {
		t.Errorf("news where no file can be: %+v, %v", s, err)
	}
	member.Leave()
	if _, err := f.Keep(Yolo, "test"); err == nil {
		t.Error("a mode was set where no file can be")
	}
	if _, _, err := f.Mode(); err == nil {
		t.Error("a mode was read where no file can be")
	}
	dir := filepath.Join(t.TempDir(), "mode.json")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := NewModeFile(dir).Read(); !errors.Is(err, ErrModeFile) {
		t.Errorf("a folder in its place: %v", err)
	}
}

func TestModesAsText(t *testing.T) {
	for _, m := range Modes() {
		text, err := m.MarshalText()
		var back Mode
		if err != nil || back.UnmarshalText(text) != nil || back != m {
			t.Errorf("%s: %s, %v", m, text, err)
		}
	}
	m := Plan
	if err := m.UnmarshalText([]byte("plann")); err == nil || m == Yolo {
		t.Errorf("%v, %s", err, m)
	}
	if Mode(200).String() != "always-ask" {
		t.Errorf("an unknown mode is %s", Mode(200))
	}
}

// APR-02: the keys of the table, each good for the request that it is made for
// and for no other.
func TestKeysOfTheTable(t *testing.T) {
	search, _ := SearchKey("brave")
	forged, _ := ForgedToolKey("count")
	tests := []struct {
		name string
		req  Request
		want bool
	}{
		{"search", Request{Kind: Network, Key: search, Targets: []string{"brave"}}, true},
		{"another provider", Request{Kind: Network, Key: search, Targets: []string{"bing"}}, false},
		{"forged tool", Request{Key: forged}, true},
		{"forged tool's key for a command", Request{Kind: RunCommand, Key: forged, Targets: []string{"ls"}}, false},
		{"an edit's key for a tool", Request{Key: "write:/w"}, false},
		{"none", Request{}, false},
	}
	for _, tt := range tests {
		if got := tt.req.keyFits(); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// APR-10: what is permitted is what a rule allows, not what else would pass.
func TestPermitsAreRules(t *testing.T) {
	var p Policy
	if err := p.AddRule(Allow, "shell(make)", Source{Layer: "flag"}); err != nil {
		t.Fatal(err)
	}
	permitted, err := Permits("/w", "/home/u", p)
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]bool{"make test": true, "rm x": false, "make && rm x": false} {
		if got := permitted(shellRun(command)); got != want {
			t.Errorf("%s: %t", command, got)
		}
	}
	if permitted(tool("look", Declaration{Tier: Read})) {
		t.Error("a read passes without a rule")
	}
}

// A target that nobody could read is refused before anything looks at it.
func TestHugeTargetsAreRefused(t *testing.T) {
	for _, mode := range []Mode{Default, Yolo} {
		s := setup{mode: mode, allow: []string{"shell(*)"}}
		if v := s.check(t, shellRun("echo "+strings.Repeat("x", maxTarget))); v.Effect != Deny || v.Cause != CauseInvalid {
			t.Errorf("%s: %s · %s", mode, v.Effect, v.Cause)
		}
	}
}

// TAM-09: numbers that no address has are names.
func TestNumbersThatAreNoAddresses(t *testing.T) {
	for host, want := range map[string]bool{
		"1.2.3.4.5": false, "300.1": false, "1.2.3.256": false, "1.99999999": false, "0x.1": true, "010.0.0.1": true, "1_0.1": false,
		"127.1": true, "2130706433": true, "4294967296": false,
	} {
		if _, got := looseIP(host); got != want {
			t.Errorf("%s is an address: %t", host, got)
		}
	}
	for url, want := range map[string]bool{"ftp://localhost/x": false, "ssh://10.0.0.1": false, "skill://x": true, "https://10.0.0.1": true, "https://example.com": false, "x": true} {
		if got := gatedURL(url); got != want {
			t.Errorf("%s is gated: %t", url, got)
		}
	}
}

// BEY-07: what ends first is first in the list, what ends with its turn last.
func TestApprovedIsListedByItsEnd(t *testing.T) {
	g, err := New(Options{Workspace: "/w", Mode: Default})
	if err != nil {
		t.Fatal(err)
	}
	now := g.now()
	for _, a := range []Approved{{Label: "turn", Session: "s"}, {Label: "later", Until: now.Add(time.Hour)}, {Label: "soon", Until: now.Add(time.Minute)}, {Label: "over", Until: now.Add(-time.Minute)}} {
		g.change(func(s *state) { s.session.timed = append(slices.Clone(s.session.timed), a) })
	}
	var got []string
	for _, a := range g.Approved() {
		got = append(got, a.Label)
	}
	if !slices.Equal(got, []string{"soon", "later", "turn"}) {
		t.Errorf("%q", got)
	}
}

// BEY-04: a refusal names who refused, also where little is known.
func TestRefusalsNameWho(t *testing.T) {
	tests := []struct {
		v    Verdict
		want string
	}{
		{Verdict{Cause: CauseUserRefused}, "the user declined the action"},
		{Verdict{Cause: CauseCancelled, Reason: "gone", Request: Request{Tool: "bash"}}, "bash was cancelled: gone"},
		{Verdict{Effect: Allow}, ""},
		{Verdict{Reason: "no"}, "the action was refused: no"},
	}
	for _, tt := range tests {
		if got := tt.v.Refusal(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	for step, who := range map[StepName]string{"hooks": "hook", "review": "reviewer", "unattended": "unattended", "remembered": "person", "plan": "mode", "": "gate"} {
		if got := (Verdict{Step: step}).Who(); got != who {
			t.Errorf("%s: %s", step, got)
		}
	}
	for d, want := range map[Decision]string{Turn: "turn", Until: "until", CancelTurn: "cancel", Refuse: "deny"} {
		if d.String() != want {
			t.Errorf("%d: %s, want %s", d, d, want)
		}
	}
}

// APR-12: without a file for rules a chosen rule is approved once, and said so.
func TestRuleWithoutAFile(t *testing.T) {
	g, _ := New(Options{Workspace: "/w", Mode: Default, Approver: always(Answer{Decision: Always, Rule: "shell(make test)"})})
	v := g.Decide(t.Context(), shellRun("make test"))
	if v.Cause != CauseUserOnce || v.Warning == "" {
		t.Errorf("%s, %q", v.Cause, v.Warning)
	}
	if (*Gate)(nil).Widths(shellRun("ls")) != nil || (*Gate)(nil).Check(t.Context(), shellRun("ls")).Effect != Deny {
		t.Error("no gate offers or allows something")
	}
}
