package gate

import (
	"os"
	"path/filepath"
	"testing"
)

// A world is a workspace on a real disk, reached through a link as well.
type world struct{ root, real, link, home, outside string }

// newWorld makes
//
//	real/            the workspace            link -> real
//	real/secrets/k   real/alias -> secrets    real/out -> ../outside/deep
//	real/dangling -> ../outside/new           real/loop -> loop
//	outside/deep/    outside/k                home -> people/u
func newWorld(t *testing.T) world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(root, name) }
	for _, dir := range []string{"real/secrets", "real/src", "real/.git", "outside/deep", "people/u/.ssh"} {
		if err := os.MkdirAll(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"real/secrets/k", "outside/k", "people/u/.ssh/id"} {
		if err := os.WriteFile(at(file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"link": "real", "real/alias": "secrets", "real/out": "../outside/deep", "real/dangling": "../outside/new", "real/loop": "loop",
		"real/hop": "out/../k", "home": "people/u", "real/hooks": ".git",
	} {
		if err := os.Symlink(target, at(name)); err != nil {
			t.Fatal(err)
		}
	}
	return world{root: root, real: at("real"), link: at("link"), home: at("home"), outside: at("outside")}
}

// check decides in a workspace at dir.
func (w world) check(t *testing.T, dir string, s setup, req Request) Verdict {
	t.Helper()
	s.workspace, s.home, s.gateHome = dir, w.home, filepath.Join(w.home, ".gatehome")
	return s.check(t, req)
}

// TestPathsBehindLinks tries to reach a denied file, or to leave an allowed
// folder, by every spelling that the file system takes for it (APR-13, APR-15).
func TestPathsBehindLinks(t *testing.T) {
	w := newWorld(t)
	deny := func(rules ...string) setup { return setup{mode: Yolo, deny: rules} }
	allow := func(rules ...string) setup { return setup{mode: Default, allow: rules} }
	read := func(path string) Request {
		return Request{Tool: "read", Targets: []string{path}, Declared: Declaration{Tier: Read}}
	}
	in := func(req Request, dir string) Request { req.Dir = dir; return req }
	rows := []struct {
		name string
		dir  string
		s    setup
		req  Request
		want Effect
	}{
		{"deny: a link to the folder", w.real, deny("write(secrets/**)"), edit("alias/k"), Deny},
		{"deny: the real name of a linked workspace", w.link, deny("write(secrets/**)"), edit(w.real + "/secrets/k"), Deny},
		{"deny: the linked name of a real workspace", w.real, deny("write(secrets/**)"), edit(w.link + "/secrets/k"), Deny},
		{"deny: a rule that names a link", w.real, deny("write(alias/**)"), edit("secrets/k"), Deny},
		{"deny: a rule that names a link, from a linked workspace", w.link, deny("write(alias)"), edit(w.real + "/secrets/k"), Deny},
		{"deny: .. behind a link", w.real, deny("write(" + w.outside + "/k)"), edit("out/../k"), Deny},
		{"deny: .. behind a link, by the directory", w.real, deny("write(" + w.outside + "/k)"), in(edit("../k"), "out"), Deny},
		{"deny: .. inside a link", w.real, deny("write(" + w.outside + "/k)"), edit("hop"), Deny},
		{"deny: through a dangling link", w.real, deny("write(" + w.outside + "/**)"), edit("dangling"), Deny},
		{"deny: below a dangling link", w.real, deny("write(" + w.outside + "/**)"), edit("dangling/x"), Deny},
		{"deny: the real home", w.real, deny("read(~/.ssh/**)"), read(w.root + "/people/u/.ssh/id"), Deny},
		{"deny: the linked home", w.real, deny("read(~/.ssh/**)"), read(w.home + "/.ssh/id"), Deny},
		{"deny: a missing file in a link", w.real, deny("write(secrets/**)"), edit("alias/new/x"), Deny},
		{"deny: a line selector", w.real, deny("read(secrets/k)"), read("secrets/k:1-20"), Deny},
		{"deny: a file URL", w.real, deny("read(secrets/k)"), read("file://" + w.real + "/secrets/%6B"), Deny},
		{"deny: the home by its variable", w.real, deny("read(~/.ssh/**)"), read("$HOME/.ssh/id"), Deny},
		{"deny: the home by the person's name", w.real, deny("write(~/.ssh/**)"), edit("~home/.ssh/id"), Deny},
		{"allow: a file URL that leads out", w.real, allow("write(**)"), edit("file:///etc/x"), Ask},
		{"allow: a folder that is named as a variable", w.real, allow("write(**)"), edit("$lib/x"), Allow},
		{"deny: of what lies below", w.real, deny("delete(secrets/k)"), remove("alias"), Deny},
		{"deny: another directory", w.real, deny("write(secrets/**)"), in(edit("../k"), "secrets/deeper"), Deny},

		{"allow: a linked workspace", w.link, allow("write(src/**)"), edit("src/a"), Allow},
		{"allow: the real name of a linked workspace", w.link, allow("write(src/**)"), edit(w.real + "/src/a"), Allow},
		{"allow: a link that leads out", w.real, allow("write(**)"), edit("out/a"), Ask},
		{"allow: .. behind a link that leads out", w.real, allow("write(**)"), edit("out/../a"), Ask},
		{"allow: a dangling link that leads out", w.real, allow("write(**)"), edit("dangling"), Ask},
		{"allow: a loop", w.real, allow("write(**)"), edit("loop"), Ask},
		{"allow: a link to what is protected", w.real, allow("write(**)"), edit("hooks/pre-commit"), Ask},
		{"accept-edits: a loop", w.real, setup{mode: AcceptEdits}, edit("loop/x"), Ask},
		{"accept-edits: a linked workspace", w.link, setup{mode: AcceptEdits}, edit("src/a"), Allow},
		{"accept-edits: a link that leads out", w.real, setup{mode: AcceptEdits}, edit("out/a"), Ask},
		{"accept-edits: .. behind a link", w.real, setup{mode: AcceptEdits}, edit("out/../a"), Ask},
		{"accept-edits: a dangling link", w.real, setup{mode: AcceptEdits}, edit("dangling"), Ask},
		{"accept-edits: the workspace itself", w.real, setup{mode: AcceptEdits}, remove("."), Ask},
		{"accept-edits: a folder above", w.real, setup{mode: AcceptEdits}, remove(".."), Ask},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if v := w.check(t, row.dir, row.s, row.req); v.Effect != row.want {
				t.Errorf("%s · %s (%s), want %s", v.Effect, v.Cause, v.Reason, row.want)
			}
		})
	}
}

// TestProtectedPaths are reached by nothing broad: by no workspace-wide key,
// session tool, folder grant, mode that passes edits, or wildcard.
func TestProtectedPaths(t *testing.T) {
	w := newWorld(t)
	for _, target := range []string{
		".git/config", ".GIT/config", "sub/.git/hooks/x", ".envrc", "sub/.mcp.json", ".github/workflows/ci.yml", ".Github/Workflows/ci.yml",
		w.home + "/.bashrc", w.root + "/people/u/.zshrc", w.home + "/.BashRC", w.home + "/.config/git/config",
		w.home + "/.gatehome/settings.toml", w.root + "/people/u/.gatehome/audit.jsonl", "hooks/pre-commit",
	} {
		req := edit(target)
		req.Key, req.KeyLabel = WriteKey(w.real)
		req.GrantTargets = []GrantTarget{{Kind: GrantFile, Path: target, Tier: Write}}
		folder := GrantTarget{Kind: GrantFolder, Path: filepath.Dir(absoluteIn(w.real, target)), Tier: Exec}
		for name, s := range map[string]setup{
			"session key": {mode: Default, session: []string{req.Key}}, "saved key": {mode: Default, saved: []string{req.Key}},
			"session tool": {mode: AlwaysAsk, sessionTools: []toolAtTier{{tool: "edit", tier: Write}}},
			"accept-edits": {mode: AcceptEdits}, "mode write": {mode: WriteMode}, "wildcard": {mode: Default, allow: []string{"write(/**)"}},
			"bare tool": {mode: Default, allow: []string{"edit"}}, "folder grant": {mode: AlwaysAskCached, grants: []Grant{{GrantTarget: folder}}},
		} {
			if v := w.check(t, w.real, s, req); v.Effect != Ask || len(v.Offers) != 1 {
				t.Errorf("%s on %s: %s · %s, offers %v", name, target, v.Effect, v.Cause, v.Offers)
			}
		}
	}
	// Deleting a folder deletes what it holds.
	for _, target := range []string{".github", w.home, w.root, filepath.Dir(w.home), w.home + "/.config"} {
		if v := w.check(t, w.real, setup{mode: Default, allow: []string{"delete(/**)"}}, remove(target)); v.Effect != Ask {
			t.Errorf("deleting %s: %s · %s", target, v.Effect, v.Cause)
		}
	}
	// The workspace of an agent may itself lie in such a folder.
	inside := filepath.Join(w.real, ".git", "worktree")
	_ = os.MkdirAll(inside, 0o755)
	_ = os.Symlink(inside, filepath.Join(w.root, "tree"))
	for _, dir := range []string{inside, filepath.Join(w.root, "tree")} {
		if v := w.check(t, dir, setup{mode: AcceptEdits}, edit("src/a")); v.Effect != Allow {
			t.Errorf("in %s: %s · %s", dir, v.Effect, v.Cause)
		}
	}
}

// TestProtectedGitDirectories: a folder becomes a git directory by its files,
// and its settings then name programs that git runs.
func TestProtectedGitDirectories(t *testing.T) {
	w := newWorld(t)
	for name, text := range map[string]string{
		"bare/HEAD": "ref: refs/heads/main\n", "bare/objects/x": "", "linked/commondir": "../c\n", "plain/config": "", "plain/refs/x": "",
	} {
		file := filepath.Join(w.real, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(w.real, "symbolic"), 0o755); err != nil {
		t.Fatal(err)
	}
	_ = os.Symlink("refs/heads/main", filepath.Join(w.real, "symbolic", "HEAD"))
	for target, want := range map[string]Effect{
		"b/HEAD": Ask, "HEAD": Ask, "b/commondir": Ask, "b/gitdir": Ask, "b/config.worktree": Ask, "packed-refs": Ask,
		"bare/config": Ask, "bare/objects/ab/cd": Ask, "bare/refs/heads/x": Ask, "bare/hooks/post-index-change": Ask, "linked/config": Ask,
		"linked/hooks/x": Ask, "symbolic/config": Ask, "symbolic/refs": Ask,
		"bare/src/config": Allow, "bare/f": Allow, "plain/config": Allow, "plain/refs/y": Allow, "hookshelf/objects/a": Allow, "src/hooks/use.ts": Allow,
		"src/refs/a": Allow, "config": Allow, "src/HEAD/a": Allow, "src/HEAD.md": Allow,
		".npmrc": Ask, "sub/.gitattributes": Ask, ".gitmodules": Ask, ".pre-commit-config.yaml": Ask,
	} {
		if v := w.check(t, w.real, setup{mode: AcceptEdits}, edit(target)); v.Effect != want {
			t.Errorf("%s: %s · %s, want %s", target, v.Effect, v.Cause, want)
		}
	}
}

func absoluteIn(dir, target string) string {
	if filepath.IsAbs(target) {
		return target
	}
	return filepath.Join(dir, target)
}

// TestRemembered approvals reach no further than what was approved (APR-02,
// APR-03, TAM-20).
func TestRemembered(t *testing.T) {
	elsewhere := func(req Request, dir string) Request { req.Dir = dir; return req }
	unrevealed := edit("src/a")
	unrevealed.Unrevealed = true
	wrongKind := remove("src/a")
	wrongKind.Key, _ = WriteKey("/w")
	otherCommand := shellRun("rm -rf x")
	otherCommand.Key, _ = CommandKey("/w", "ls")
	device := tool("write", Declaration{PolicyKey: "shell"})
	rename := WriteRequest("/w", "edit", Change{From: "a", Path: "b"})
	rows := []struct {
		name string
		s    setup
		req  Request
		want Effect
	}{
		{"an edit in the workspace", setup{mode: Default, session: []string{"write:/w"}}, edit("src/a"), Allow},
		{"an edit outside of it", setup{mode: Default, session: []string{"write:/w"}}, edit("../x"), Ask},
		{"a saved edit outside of it", setup{mode: Default, saved: []string{"write:/w"}}, edit("/etc/passwd"), Ask},
		{"what isn't told", setup{mode: Default, session: []string{"write:/w"}}, unrevealed, Ask},
		{"a deletion by the key of edits", setup{mode: Default, session: []string{"write:/w"}}, wrongKind, Ask},
		{"another command under the same key", setup{mode: Default, session: []string{"cmd:/w\x00ls"}}, otherCommand, Ask},
		{"the command in another place", setup{mode: Default, session: []string{"cmd:/w\x00make"}}, elsewhere(shellRun("make"), "/etc"), Ask},
		{"a rename is a deletion too", setup{mode: Default, session: []string{"write:/w"}}, rename, Ask},
		{"a rename with both", setup{mode: Default, session: []string{"write:/w", "delete:/w"}}, rename, Allow},
		{"the same tool of another server", setup{mode: AlwaysAsk, sessionTools: []toolAtTier{{kind: MCPTool, server: "good", tool: "x", tier: Write}}}, mcp("evil", "x"), Ask},
		{"the same tool of the same server", setup{mode: AlwaysAsk, sessionTools: []toolAtTier{{kind: MCPTool, server: "good", tool: "x", tier: Write}}}, mcp("good", "x"), Allow},
		{"another device of the same tool", setup{mode: AlwaysAsk, sessionTools: []toolAtTier{{tool: "write", tier: Exec}}}, device, Ask},
		{"the same device", setup{mode: AlwaysAsk, sessionTools: []toolAtTier{{tool: "shell", tier: Exec}}}, device, Allow},
	}
	for _, row := range rows {
		if v := row.s.check(t, row.req); v.Effect != row.want {
			t.Errorf("%s: %s · %s (%s), want %s", row.name, v.Effect, v.Cause, v.Reason, row.want)
		}
	}
	if v := (setup{mode: Default}).check(t, edit("../x")); len(v.Offers) != 1 {
		t.Errorf("an edit outside the workspace offers %v", v.Offers)
	}
	a, _ := MCPKey("a:b", "c")
	b, _ := MCPKey("a", "b:c")
	if a == b {
		t.Errorf("two tools share the key %q", a)
	}
}

// TestRenames are a deletion and a write (APR-15).
func TestRenames(t *testing.T) {
	move := WriteRequest("/w", "edit", Change{From: "src/a", Path: "docs/b"})
	drop := WriteRequest("/w", "patch", Change{Path: "src/a", Before: []byte("x")})
	// An adapter may leave the old path out of the targets.
	short := move
	short.Targets = []string{"docs/b"}
	rows := []struct {
		name string
		s    setup
		req  Request
		want Effect
	}{
		{"deny the deletion", setup{mode: Yolo, deny: []string{"delete(src/**)"}}, move, Deny},
		{"deny writing there", setup{mode: Yolo, deny: []string{"write(docs/**)"}}, move, Deny},
		{"deny writing what goes away", setup{mode: Yolo, deny: []string{"write(src/**)"}}, move, Deny},
		{"deny the deletion, old path left out", setup{mode: Yolo, deny: []string{"delete(src/**)"}}, short, Deny},
		{"deny a deletion in a patch", setup{mode: Yolo, deny: []string{"delete(src/a)"}}, drop, Deny},
		{"ask for the deletion", setup{mode: AcceptEdits, ask: []string{"delete(src/**)"}}, move, Ask},
		{"allow the write alone", setup{mode: Default, allow: []string{"write(**)"}}, move, Ask},
		{"allow both", setup{mode: Default, allow: []string{"write(docs/**)", "delete(src/**)"}}, move, Allow},
		{"allow edits of a patch that deletes", setup{mode: Default, allow: []string{"write(**)"}}, drop, Ask},
		{"deny what lies below a moved folder", setup{mode: Yolo, deny: []string{"delete(src/a/keep)"}}, move, Deny},
		{"deny what a moved folder may cover", setup{mode: Yolo, deny: []string{"write(docs/b/keep)"}}, move, Deny},
		{"a broken deletion rule", setup{mode: Yolo, deny: []string{"delete(src"}}, move, Ask},
		{"accept-edits", setup{mode: AcceptEdits}, move, Allow},
	}
	for _, row := range rows {
		if v := row.s.check(t, row.req); v.Effect != row.want {
			t.Errorf("%s: %s · %s (%s), want %s", row.name, v.Effect, v.Cause, v.Reason, row.want)
		}
	}
}

// TestLookalikes are other spellings of what a rule names (APR-15, TAM-03).
func TestLookalikes(t *testing.T) {
	empty := shellRun("")
	empty.Targets = nil
	crossed := mcp("gh", "read")
	crossed.Targets = []string{"other:thing"}
	device := tool("write", Declaration{PolicyKey: "lsp"})
	rows := []struct {
		name string
		s    setup
		req  Request
		want Effect
	}{
		{"a port", setup{mode: Yolo, deny: []string{"web(evil.test)"}}, fetch("evil.test:8080"), Deny},
		{"a path without a scheme", setup{mode: Yolo, deny: []string{"web(evil.test)"}}, fetch("evil.test/x"), Deny},
		{"a user without a scheme", setup{mode: Yolo, deny: []string{"web(evil.test)"}}, fetch("good.test@evil.test"), Deny},
		{"a backslash", setup{mode: Yolo, deny: []string{"web(evil.test)"}}, fetch(`https://evil.test\@good.test/`), Ask},
		{"one slash", setup{mode: Yolo, deny: []string{"web(evil.test)"}}, fetch("https:/evil.test/"), Ask},
		{"a tab", setup{mode: Yolo, deny: []string{"web(evil.test)"}}, fetch("https://ev\til.test/"), Ask},
		{"an escape", setup{mode: Yolo, deny: []string{"web(evil.test)"}}, fetch("https://%65vil.test/"), Ask},
		{"a wide full stop", setup{mode: Yolo, deny: []string{"web(*.evil.test)"}}, fetch("a_b。evil。test"), Deny},
		{"an unreadable host and allow all", setup{mode: Default, allow: []string{"web(*)"}}, fetch("https://a b/"), Ask},
		{"a file by URL", setup{mode: Yolo, deny: []string{"read(/etc/shadow)"}}, FetchRequest("web_fetch", "file:///etc/shadow"), Deny},
		{"a private URL without a grant", setup{mode: AlwaysAskCached}, FetchRequest("web_fetch", "http://localhost:3000/x"), Ask},
		{"a server's tools in one word", setup{mode: Yolo, deny: []string{"mcp__gh"}}, mcp("gh", "delete"), Deny},
		{"a server with underscores in its name", setup{mode: Yolo, deny: []string{"mcp(gh__work:delete)"}}, mcp("gh", "work__delete"), Deny},
		{"a server that ends in one", setup{mode: Yolo, deny: []string{"mcp(gh__work_)"}}, mcp("gh", "work___delete"), Deny},
		{"no server that is named so", setup{mode: Yolo, deny: []string{"mcp(gh__work)", "mcp(gh:delete)"}}, mcp("gh", "work_delete"), Allow},
		{"server and target differ", setup{mode: Yolo, deny: []string{"mcp(gh:read)"}}, crossed, Deny},
		{"a device behind another tool", setup{mode: Yolo, deny: []string{"lsp"}}, device, Deny},
		{"no command at all", setup{mode: Yolo, deny: []string{"shell(rm)"}}, empty, Ask},
		{"no command, commands approved", setup{mode: Default, autoCommands: true, deny: []string{"shell(rm)"}}, empty, Ask},
		{"an assignment as a rule", setup{mode: Default, allow: []string{"shell(A='b')"}}, shellRun("rm -rf x"), Ask},
		{"a prefix in Bash's spelling", setup{mode: Yolo, deny: []string{"shell(rm:*)"}}, shellRun("rm -rf x"), Deny},
		{"a tier out of range", setup{mode: WriteMode}, tool("x", Declaration{Tier: 9}), Ask},
		{"a critical command that its tool allows", setup{mode: WriteMode}, declared(shellRun("rm -rf /"), PolicyAllow), Ask},
		{"read-only commands elsewhere", setup{mode: Default, defaults: true}, at(shellRun("git status"), "/elsewhere"), Ask},
		{"an allowed command elsewhere", setup{mode: Default, allow: []string{"shell(make)"}}, at(shellRun("make"), "/elsewhere"), Ask},
		{"a redirection without a command", setup{mode: Default, defaults: true}, shellRun("</dev/null"), Allow},
		{"a file by way of the agent's own folder", setup{mode: Yolo, deny: []string{"write(keys/**)"}}, edit("/proc/self/cwd/keys/k"), Deny},
		{"a file by way of a process's root", setup{mode: Yolo, deny: []string{"read(.env)"}}, ReadRequest("read", "/proc/12/task/13/root/w/.env"), Deny},
		{"a file by way of both", setup{mode: Yolo, deny: []string{"read(.env)"}}, ReadRequest("read", "/proc/thread-self/root/proc/self/cwd/.env"), Deny},
		{"an edit by way of the agent's own folder", setup{mode: AcceptEdits}, edit("/proc/self/cwd/a"), Ask},
		{"a folder of processes that leads nowhere", setup{mode: Yolo, deny: []string{"write(keys/**)"}}, at(edit("/proc/self/cwd/a"), "/proc/self/cwd"), Allow},
		{"an allowed command below", setup{mode: Default, allow: []string{"shell(make)"}}, at(shellRun("make"), "/w/sub"), Allow},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if v := row.s.check(t, row.req); v.Effect != row.want {
				t.Errorf("%s · %s (%s), want %s", v.Effect, v.Cause, v.Reason, row.want)
			}
		})
	}
}

func at(req Request, dir string) Request {
	req.Dir = dir
	return req
}

func declared(req Request, p ToolPolicy) Request {
	req.Declared.Policy = p
	return req
}

// TestRulesMadeByHand without ParseRule are read when they are used, and hold
// what they may restrict when they can't be (APR-15).
func TestRulesMadeByHand(t *testing.T) {
	for name, row := range map[string]struct {
		rule Rule
		want Effect
	}{
		"a deny":         {Rule{Effect: Deny, Text: "write(a)"}, Deny},
		"a broken deny":  {Rule{Effect: Deny, Text: "write(a"}, Ask},
		"a broken allow": {Rule{Effect: Allow, Text: "write(a"}, Allow},
		"an empty rule":  {Rule{}, Ask},
		"no such effect": {Rule{Effect: 9, Text: "write(a)"}, Ask},
	} {
		g, err := New(Options{Workspace: "/w", Mode: Yolo, Policy: Policy{Rules: []Rule{row.rule}}, Approver: always(Answer{})})
		if err != nil {
			t.Fatal(err)
		}
		if v := g.Check(t.Context(), edit("a")); v.Effect != row.want {
			t.Errorf("%s: %s · %s (%s), want %s", name, v.Effect, v.Cause, v.Reason, row.want)
		}
	}
}
