//go:build unix

package permissionhook

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// answer runs one hook on an ordinary request. Nothing here waits for its
// time limit unless it says so.
func answer(t *testing.T, o Options) (gate.HookAnswer, error) {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	return New(o).Answer(t.Context(), gate.CommandRequest("/w", "bash", "go test ./..."))
}

const allowLine = `echo '{"decision":"allow","reason":"tests"}'`

// TestHook runs real commands (APR-14a).
func TestHook(t *testing.T) {
	rows := []struct {
		name, command string
		effect        gate.HookEffect
		reason        string
		err           string // part of the error; the answer is silent then
	}{
		{"allow", allowLine, gate.HookAllow, "tests", ""},
		{"deny", `printf %s '{"decision":"deny","reason":"not on\nfridays \u001b[31m"}'`, gate.HookDeny, "not on fridays [31m", ""},
		{"none", `echo '{"decision":"none"}'`, gate.HookSilent, "", ""},
		{"no reason", `printf '{"decision":"deny"}'`, gate.HookDeny, "", ""},
		{"over many lines", `printf '\n{\n"reason" : "x",\n"decision":"allow"\n}\n\n'`, gate.HookAllow, "x", ""},
		{"no output", `true`, gate.HookSilent, "", ""},
		{"reads its input", `grep -q '"targets":\["go test ./..."\]' && ` + allowLine, gate.HookAllow, "tests", ""},
		{"words on standard error", `echo thinking >&2; ` + allowLine, gate.HookAllow, "tests", ""},
		{"very many of them", `yes | head -c 100000 >&2; ` + allowLine, gate.HookAllow, "tests", ""},

		{"exit code", allowLine + `; printf 'no such\nfile' >&2; exit 3`, gate.HookSilent, "", "exit status 3: no such file"},
		{"signal", allowLine + `; kill -TERM $$`, gate.HookSilent, "", "signal"},
		{"not found", `/nowhere/hook`, gate.HookSilent, "", "exit status 127"},
		{"garbage", `echo allow`, gate.HookSilent, "", "not a verdict"},
		{"not an object", `echo '"allow"'`, gate.HookSilent, "", "not a verdict"},
		{"cut off", `printf '{"decision":"allow"'`, gate.HookSilent, "", "not a verdict"},
		{"words before", `echo checking; ` + allowLine, gate.HookSilent, "", "not a verdict"},
		{"words behind", allowLine + `; echo done`, gate.HookSilent, "", "not a verdict"},
		{"two verdicts", allowLine + `; ` + allowLine, gate.HookSilent, "", "follows the verdict"},
		{"twice in one", `echo '{"decision":"deny","Decision":"allow"}'`, gate.HookSilent, "", "twice"},
		{"unknown decision", `echo '{"decision":"Allow"}'`, gate.HookSilent, "", `"Allow" is none of`},
		{"no decision", `echo '{"reason":"allow"}'`, gate.HookSilent, "", "none of"},
		{"unknown member", `echo '{"decision":"allow","unless":"friday"}'`, gate.HookSilent, "", "unless"},
		{"null", `echo null`, gate.HookSilent, "", "none of"},
		{"too much", `yes | head -c 65537`, gate.HookSilent, "", "more than 65536 bytes"},
		{"endless", allowLine + `; yes`, gate.HookSilent, "", "more than 65536 bytes"},
		{"left open", allowLine + `; sleep 1000 &`, gate.HookSilent, "", "keeps its output open"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			a, err := answer(t, Options{Command: row.command})
			if a != (gate.HookAnswer{Effect: row.effect, Reason: row.reason}) {
				t.Errorf("answer %+v", a)
			}
			switch {
			case row.err == "" && err != nil, row.err != "" && err == nil:
				t.Errorf("error %v", err)
			case err != nil && (!strings.Contains(err.Error(), row.err) || strings.ContainsAny(err.Error(), "\n\x1b")):
				t.Errorf("error %q, want %q in it", err, row.err)
			}
		})
	}
}

// TestRequestLine is all that a hook may rely on.
func TestRequestLine(t *testing.T) {
	req := gate.Request{
		ID: "r1", Tool: "edit", Kind: gate.WriteFile, Server: "s", Targets: []string{"a<b&c"}, Detail: "one\ntwo",
		Fields: []gate.Field{{Label: "mode", Value: "0755"}}, Diff: []gate.Change{{Path: "a", From: "b", After: []byte("secret")}},
		Declared: gate.Declaration{Tier: gate.Write}, Dir: "/w/sub", Unrevealed: true, Title: "harmless",
		Origin: gate.Origin{Agent: "gemini", Session: "s1", Protocol: "acp", Workspace: "/w"},
	}
	o := Options{Command: "cat > line; echo more >> line", Dir: t.TempDir(), Timeout: time.Minute, Mode: func() gate.Mode { return gate.AcceptEdits }}
	if _, err := New(o).Answer(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(o.Dir, "line"))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"version":1,"id":"r1","tool":"edit","kind":"write_file","tier":"write","server":"s","targets":["a<b&c"],"detail":"one\ntwo",` +
		`"fields":[{"label":"mode","value":"0755"}],"changes":[{"path":"a","from":"b"}],"unrevealed":true,"digest":"` + req.Digest() + `",` +
		`"dir":"/w/sub","workspace":"/w","agent":"gemini","session":"s1","protocol":"acp","mode":"accept-edits"}` + "\nmore\n"
	if string(got) != want {
		t.Errorf("got  %swant %s", got, want)
	}
	if line, _ := (Options{}).requestLine(gate.Request{Tool: "t"}); !json.Valid(line) || strings.Contains(string(line), "mode") {
		t.Errorf("without a mode: %s", line)
	}
}

// TestInexactRequest: a hook never judges text that isn't what will run.
func TestInexactRequest(t *testing.T) {
	const bad = "a\xff"
	for _, req := range []gate.Request{
		{Targets: []string{bad}}, {Tool: bad}, {Detail: bad}, {Server: bad}, {Dir: bad}, {Fields: []gate.Field{{Value: bad}}},
		{Fields: []gate.Field{{Label: bad}}}, {Diff: []gate.Change{{Path: bad}}}, {Diff: []gate.Change{{From: bad}}},
	} {
		if a, err := New(Options{Command: allowLine}).Answer(t.Context(), req); !errors.Is(err, ErrInexact) || a.Effect != gate.HookSilent {
			t.Errorf("%+v: %+v, %v", req, a, err)
		}
	}
}

// TestLargeRequest: a hook that doesn't read isn't held up by what doesn't
// fit into a pipe.
func TestLargeRequest(t *testing.T) {
	req := gate.Request{Detail: strings.Repeat("x", 1<<20)}
	for command, want := range map[string]gate.HookEffect{allowLine: gate.HookAllow, "[ $(wc -c) -gt 1048576 ] && " + allowLine: gate.HookAllow} {
		a, err := New(Options{Command: command, Timeout: time.Minute}).Answer(t.Context(), req)
		if err != nil || a.Effect != want {
			t.Errorf("%s: %+v, %v", command, a, err)
		}
	}
}

func TestSurroundings(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a, err := answer(t, Options{Command: `printf '{"decision":"deny","reason":"%s %s"}' "$PWD" "$WORD"`, Dir: dir, Env: []string{"WORD=w", "PATH=" + os.Getenv("PATH")}})
	if err != nil || a.Reason != dir+" w" {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := answer(t, Options{Command: allowLine, Dir: filepath.Join(dir, "nowhere")}); err == nil {
		t.Error("runs in a folder that isn't there")
	}
}

// TestTimeout ends a hook with all that it started, also what ignores
// requests to end.
func TestTimeout(t *testing.T) {
	_, err := ended(t, t.Context(), Options{Timeout: 100 * time.Millisecond}, nil)
	if !errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), "100ms") {
		t.Errorf("%v", err)
	}
}

// TestCancelledTurn ends a hook when nobody waits for its answer.
func TestCancelledTurn(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	a, err := ended(t, ctx, Options{Timeout: time.Minute}, func() { cancel(enough) })
	if !errors.Is(err, enough) || a.Effect != gate.HookSilent {
		t.Errorf("%+v, %v", a, err)
	}
}

// ended runs a hook that doesn't end, and whose child holds a pipe open for
// as long as it lives. It returns when both are gone.
func ended(t *testing.T, ctx context.Context, o Options, started func()) (gate.HookAnswer, error) {
	t.Helper()
	o.Dir = t.TempDir()
	fifo := filepath.Join(o.Dir, "alive")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	// The child's output is elsewhere, so that only its own death is seen.
	o.Command = allowLine + `; trap "" TERM INT HUP; (exec sleep 1000) >alive 2>/dev/null & wait; sleep 1000`
	gone := make(chan error, 1)
	go func() {
		f, err := os.Open(fifo) // returns when the child has opened it
		if err == nil {
			if started != nil {
				started()
			}
			_, err = io.ReadAll(f) // ends when the child has
			f.Close()
		}
		gone <- err
	}()
	a, err := New(o).Answer(ctx, gate.Request{Tool: "t"})
	if e := <-gone; e != nil {
		t.Fatal(e)
	}
	return a, err
}

// TestLeftBehind: what a hook leaves running ends with it.
func TestLeftBehind(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "alive")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	gone := make(chan error, 1)
	go func() {
		f, err := os.Open(fifo)
		if err == nil {
			_, err = io.ReadAll(f)
		}
		gone <- err
	}()
	a, err := answer(t, Options{Command: `exec 3>alive; (exec sleep 1000) >/dev/null 2>&1 & ` + allowLine, Dir: dir})
	if err != nil || a.Effect != gate.HookAllow {
		t.Errorf("%+v, %v", a, err)
	}
	if err := <-gone; err != nil {
		t.Error(err)
	}
}

func TestDefaults(t *testing.T) {
	if h := New(Options{Command: "may-i\n --now"}); h.Name != "may-i --now" {
		t.Errorf("name %q", h.Name)
	}
	if h := New(Options{Command: "may-i", Name: "settings.toml:12"}); h.Name != "settings.toml:12" {
		t.Errorf("name %q", h.Name)
	}
}
