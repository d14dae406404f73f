package gate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// TestApprovalsFile has the one form that the specification gives (APR-20).
func TestApprovalsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "home", "approvals.json")
	a, err := OpenApprovals(path)
	if err != nil {
		t.Fatalf("a missing file is empty, got %v", err)
	}
	for _, k := range []string{"write:/w", "cmd:/w\x00ls"} {
		if err := a.Save(k, "label "+k[:3], noon); err != nil {
			t.Fatal(err)
		}
	}
	data, _ := os.ReadFile(path)
	want := `{"version":1,"rules":[
{"key":"cmd:/w\u0000ls","label":"label cmd","added":"2026-05-04T12:00:00Z"},
{"key":"write:/w","label":"label wri","added":"2026-05-04T12:00:00Z"}
]}
`
	if string(data) != want {
		t.Errorf("the file is\n%s, want\n%s", data, want)
	}
	for name, mode := range map[string]os.FileMode{filepath.Dir(path): 0o700, path: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v, want %v", name, info.Mode().Perm(), mode)
		}
	}
	again, err := OpenApprovals(path)
	if err != nil || len(again.List()) != 2 || !again.has("cmd:/w\x00ls") {
		t.Errorf("read back %v, %v", again.List(), err)
	}
}

// TestApprovalsRevoke lists, revokes and clears (APR-21).
func TestApprovalsRevoke(t *testing.T) {
	path := filepath.Join(t.TempDir(), "approvals.json")
	a, _ := OpenApprovals(path)
	for _, k := range []string{"a", "b", "c"} {
		_ = a.Save(k, "", noon)
	}
	if found, err := a.Revoke("b"); err != nil || !found {
		t.Fatalf("revoke: %v, %v", found, err)
	}
	if found, err := a.Revoke("b"); err != nil || found {
		t.Errorf("revoked twice: %v, %v", found, err)
	}
	if n, err := a.Clear(); err != nil || n != 2 {
		t.Errorf("cleared %d, %v", n, err)
	}
	if again, err := OpenApprovals(path); err != nil || len(again.List()) != 0 {
		t.Errorf("left over: %v, %v", again.List(), err)
	}
}

// TestCorruptApprovals are an error with the place, and never overwritten
// (APR-20).
func TestCorruptApprovals(t *testing.T) {
	rows := []struct {
		name, text   string
		line, column int
	}{
		{"cut off", "{\"version\":1,\n\"rules\":[{\"key\":", 2, 16},
		{"no JSON", "hello", 1, 1},
		{"empty", "", 1, 1},
		{"another version", "{\n \"version\": 2, \"rules\": []}", 2, 2},
		{"no version", `{"rules":[]}`, 1, 1},
		{"rules of another kind", `{"version":1,"rules":"all"}`, 1, 14},
		{"a rule without a key", `{"version":1,"rules":[{"label":"x"}]}`, 1, 14},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "approvals.json")
			if err := os.WriteFile(path, []byte(row.text), 0o600); err != nil {
				t.Fatal(err)
			}
			a, err := OpenApprovals(path)
			var corrupt *ApprovalsError
			if !errors.As(err, &corrupt) {
				t.Fatalf("got %v, want a corrupt file", err)
			}
			if corrupt.Line != row.line || corrupt.Column != row.column || !strings.Contains(err.Error(), path) {
				t.Errorf("%v, want line %d, column %d", err, row.line, row.column)
			}
			if err := a.Save("k", "", noon); err == nil {
				t.Error("saving over a corrupt file must fail")
			}
			if data, _ := os.ReadFile(path); string(data) != row.text {
				t.Errorf("the file was changed to %q", data)
			}
		})
	}
}

// TestApprovalsKeepUnknownFields of the file and of its rules (APR-20).
func TestApprovalsKeepUnknownFields(t *testing.T) {
	path := filepath.Join(t.TempDir(), "approvals.json")
	text := `{"version":1,"rules":[{"key":"a","label":"l","added":"2026-05-04T12:00:00Z","by":"me"}],"more":{"x":1}}`
	_ = os.WriteFile(path, []byte(text), 0o600)
	a, err := OpenApprovals(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Save("b", "", noon); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	for _, kept := range []string{`"by":"me"`, `"more":{"x":1}`} {
		if !strings.Contains(string(data), kept) {
			t.Errorf("%s was lost from %s", kept, data)
		}
	}
}

// TestApprovalsTogether loses no key of several writers (APR-20).
func TestApprovalsTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "approvals.json")
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			a, err := OpenApprovals(path)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 25 {
				if err := a.Save(fmt.Sprintf("k%d-%d", w, i), "", noon); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	a, err := OpenApprovals(path)
	if err != nil || len(a.List()) != 100 {
		t.Errorf("%d keys, %v; want 100", len(a.List()), err)
	}
}

// TestApprovalsBehindALink replaces the file and keeps the link (APR-20).
func TestApprovalsBehindALink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "dotfiles.json"), filepath.Join(dir, "approvals.json")
	_ = os.WriteFile(real, []byte(`{"version":1,"rules":[]}`), 0o600)
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	a, _ := OpenApprovals(link)
	if err := a.Save("k", "", noon); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced by a file")
	}
	if data, _ := os.ReadFile(real); !strings.Contains(string(data), `"k"`) {
		t.Errorf("the file behind the link holds %s", data)
	}
}

// TestFailedSaveIsReported approves for the session and says so (APR-12).
func TestFailedSaveIsReported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "approvals.json")
	a, _ := OpenApprovals(path)
	if err := os.WriteFile(path, []byte("broken meanwhile"), 0o600); err != nil {
		t.Fatal(err)
	}
	v := decideOne(t, Options{Mode: Default, Approver: always(Answer{Decision: Always}), Approvals: a}, edit("a"))
	if !v.Allowed() || !strings.Contains(v.Warning, "saving the approval failed") {
		t.Errorf("%s, warning %q", v.Effect, v.Warning)
	}
}

// TestSecretsAreNotSaved in a key (BEY-12).
func TestSecretsAreNotSaved(t *testing.T) {
	a := KeepApprovals()
	for _, command := range []string{
		"export API_TOKEN=abcdef123456", "curl -u me https://me:hunter22@example.com/", "git push https://ghp_0123456789abcdefghijklmnop@github.test/x",
	} {
		key, label := CommandKey("/w", command)
		if err := a.Save(key, label, noon); !errors.Is(err, ErrSecretKey) {
			t.Errorf("%q: %v, want it refused", command, err)
		}
	}
	if key, label := CommandKey("/w", "go test -run Token"); a.Save(key, label, noon) != nil {
		t.Error("an ordinary command must be saved")
	}
}
