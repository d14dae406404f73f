package gate

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestFolderThatGoesAway looks on disk for what a deleted or moved folder
// takes along: rules with a wildcard and protected names count for it (APR-13,
// APR-15).
func TestFolderThatGoesAway(t *testing.T) {
	w, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fileTree(t, w, "plain/a/b.txt", "keyed/a/b.key", "module/sub/.git/config", "npm/deep/.npmrc", "secret/a/.env")
	rename := func(from string) Request {
		r := WriteRequest(w, "move", Change{Path: filepath.Join(w, "elsewhere"), From: filepath.Join(w, from)})
		return r
	}
	remove := func(name string) Request { return DeleteRequest(w, "delete", filepath.Join(w, name)) }
	rows := []struct {
		name   string
		req    Request
		effect Effect
		cause  string
	}{
		{"a plain folder", remove("plain"), Allow, "mode-accept-edits"},
		{"a moved plain folder", rename("plain"), Allow, "mode-accept-edits"},
		{"denied by a wildcard", remove("keyed"), Deny, CauseRuleDeny},
		{"moved, denied by a wildcard", rename("keyed"), Deny, CauseRuleDeny},
		{"a repository in it", remove("module"), Ask, CauseAsked},
		{"a protected file in it", remove("npm"), Ask, CauseAsked},
		{"moved with a protected file", rename("npm"), Ask, CauseAsked},
		{"what may not be read in it", rename("secret"), Ask, CauseAsked},
		{"one file", remove("plain/a/b.txt"), Allow, "mode-accept-edits"},
		{"nothing there", remove("none"), Allow, "mode-accept-edits"},
	}
	var p Policy
	for _, rule := range []string{"delete(**/*.key)", "read(**/.env)"} {
		if err := p.AddRule(Deny, rule, Source{}); err != nil {
			t.Fatal(err)
		}
	}
	g, err := New(Options{Workspace: w, Home: "/nobody", Mode: AcceptEdits, Policy: p, Approver: newPerson()})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if v := g.Check(t.Context(), row.req); v.Effect != row.effect || v.Cause != row.cause {
			t.Errorf("%s: %s by %s (%s), want %s by %s", row.name, v.Effect, v.Cause, v.Reason, row.effect, row.cause)
		}
	}
}

// TestFolderThatIsTooFull is asked about in every mode (APR-15).
func TestFolderThatIsTooFull(t *testing.T) {
	w := t.TempDir()
	var names []string
	for i := range maxBelow {
		names = append(names, fmt.Sprintf("full/%d", i))
	}
	fileTree(t, w, names...)
	g, err := New(Options{Workspace: w, Mode: Yolo, Approver: newPerson()})
	if err != nil {
		t.Fatal(err)
	}
	if v := g.Check(t.Context(), DeleteRequest(w, "delete", "full")); v.Effect != Ask || !v.Forced {
		t.Errorf("%s by %s, forced %t", v.Effect, v.Cause, v.Forced)
	}
}

// A folder is never read whole to find out that it is too full, and a pipe that
// took the place of a folder doesn't hold the decision up.
func TestListingIsBounded(t *testing.T) {
	w := t.TempDir()
	var names []string
	for i := range 2000 {
		names = append(names, fmt.Sprintf("full/%d", i))
	}
	fileTree(t, w, names...)
	for limit, fits := range map[int]bool{1999: false, 10: false, 0: false, -5: false, 2000: true, 5000: true} {
		list, err := listSome(filepath.Join(w, "full"), limit)
		if (err == nil) != fits || len(list) > max(limit, 0)+1 {
			t.Errorf("at most %d: %d, %v", limit, len(list), err)
		}
	}
	if list, err := listSome(filepath.Join(w, "gone"), 9); err == nil || len(list) > 0 {
		t.Error(list, err)
	}
	pipe := filepath.Join(w, "pipe")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip("no pipes in folders here:", err)
	}
	if _, err := listSome(pipe, 9); err == nil {
		t.Error("a pipe is listed")
	}
}
