package gate

import (
	"encoding/json"
	"errors"
	"path"
	"strings"
	"testing"
	"time"
)

// FuzzRule: a rule is read, or refused with a reason; as a deny or an ask it
// loosens nothing, and what its own pattern says is what it is read back as
// (APR-15).
func FuzzRule(f *testing.F) {
	for _, text := range []string{"shell(git *)", "shell(/ma?ke .*/)", "Bash(npm run:*)", "shell('a b' c)", "write(src/[id].ts)", "write(**)", "read(~/.ssh/)", "web(*.example.com)", "mcp(gh:*)", "mcp__gh__x", "edit", "g*", "shell(", "(", ""} {
		f.Add(text, "git push", "src/a")
	}
	f.Fuzz(func(t *testing.T, text, command, file string) {
		if len(text)+len(command)+len(file) > 2000 {
			return
		}
		r, err := ParseRule(Deny, text, Source{})
		if err != nil {
			if !errors.Is(err, ErrRule) || err.Error() == ErrRule.Error() {
				t.Fatalf("%q: %v says nothing", text, err)
			}
			return
		}
		if again, err := ParseRule(Deny, r.Text, Source{}); err != nil || again.kind != r.kind {
			t.Fatalf("%q was read, and then %v", text, err)
		}
		g, _ := New(Options{Workspace: "/w", Home: "/home/u", Mode: AcceptEdits, Approver: always(Answer{})})
		for _, req := range []Request{shellRun(command), edit(file), DeleteRequest("/w", "rm", file), fetch(file), MCPRequest("gh", file), ReadRequest("grep", file)} {
			g.SetPolicy(Policy{})
			before := g.Check(t.Context(), req)
			for _, effect := range []Effect{Deny, Ask} {
				var p Policy
				_ = p.AddRule(effect, text, Source{})
				g.SetPolicy(p)
				if after := g.Check(t.Context(), req); strictness(after) < strictness(before) {
					t.Fatalf("%s %q turned %s into %s for %q", effect, text, before.Effect, after.Effect, req.Targets)
				}
			}
		}
	})
}

// FuzzPath: every form of a path is absolute and clean, and what is in the
// workspace by one reading of .. and outside by another is not inside
// (APR-15, TAM-10).
func FuzzPath(f *testing.F) {
	for _, p := range []string{"src/a", "../x", "a/../../x", "~/.ssh/id", "~", "/w/./x//y", "", ".", "a\x00b", ".git/config", "..."} {
		f.Add(p, "")
		f.Add(p, "../elsewhere")
	}
	at := newPlace("/w", "/home/u", "/home/u/.blitz")
	f.Fuzz(func(t *testing.T, target, dir string) {
		if len(target)+len(dir) > 2000 {
			return
		}
		file := at.file(target, dir)
		if len(file.forms) == 0 {
			t.Fatal("no form")
		}
		for _, form := range file.forms {
			if !path.IsAbs(form) || form != path.Clean(form) {
				t.Fatalf("%q in %q has the form %q", target, dir, form)
			}
			if inside := form != "/w" && isBelow(form, "/w"); !inside && at.inWorkspace(file) {
				t.Fatalf("%q in %q counts as inside, and %q is not", target, dir, form)
			}
		}
		for part := range strings.SplitSeq(file.written(), "/") {
			if protectedFolders[part] && !at.protected(file, false) {
				t.Fatalf("%q is not protected", file.written())
			}
		}
		at.protected(file, true)
	})
}

// FuzzRecord: no line of a log makes its reader panic, and what is built again
// decides without a panic (BEY-09).
func FuzzRecord(f *testing.F) {
	for _, line := range []string{
		`{"time":"2026-01-02T03:04:05Z","tool":"bash","kind":"run_command","targets":["ls"],"workspace":"/w","mode":"default","step":"ask","verdict":"allow"}`,
		`{"tool":"x","kind":"mcp_tool","targets":[],"replay":{"server":"s","tier":"write","changes":[{"path":"a","from":"b","gone":true}],"grants":[{"kind":"url","path":"http://a","tier":"read"}],"safety_checks":3,"run":"headless planning"}}`,
		`{"replay":{"safety_checks":-1}}`, `{"replay":{"safety_checks":999999999999}}`,
	} {
		f.Add([]byte(line))
	}
	g, _ := New(Options{Workspace: "/w", Mode: Default, Approver: always(Answer{})})
	f.Fuzz(func(t *testing.T, line []byte) {
		var r Record
		if json.Unmarshal(line, &r) != nil {
			return
		}
		h := &History{uses: map[string]Use{}}
		h.add(&r, map[string]int{})
		req, err := r.Rebuild()
		if err != nil {
			if !errors.Is(err, ErrUnplayable) {
				t.Fatal(err)
			}
			return
		}
		v := g.Check(r.In(t.Context()), req)
		r.Ruled()
		v.Ruled()
		_, _ = h.Suggest("/w", Policy{}, 0)
	})
}

// FuzzHost: what a host is read as is read again as itself, so that a rule and
// a key that were made from it mean the same (APR-02, TAM-09).
func FuzzHost(f *testing.F) {
	for _, h := range []string{"example.com", "http://user@EXAMPLE.com:80/x", "127.1", "0x7f.1", "[::1]", "http:\\\\a", "bücher.example", "a_b.test", "xn--a", "http://a b/", "brave search", "1e1", "00"} {
		f.Add(h)
	}
	f.Fuzz(func(t *testing.T, target string) {
		start := time.Now()
		host, sure := readHost(target)
		privateHost(host)
		gatedURL(target)
		NormalURL(target)
		if time.Since(start) > 5*time.Second {
			t.Fatal("it takes too long")
		}
		if !sure {
			return
		}
		if again, still := readHost(host); again != host || !still {
			t.Fatalf("%q is %q, which is %q (%v)", target, host, again, still)
		}
	})
}
