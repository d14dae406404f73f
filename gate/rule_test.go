package gate

import (
	"errors"
	"testing"
)

// TestCommandRules matches rules on the words of commands (APR-15).
func TestCommandRules(t *testing.T) {
	rows := []struct {
		effect Effect
		rule   string
		line   string
		want   Effect // of the line in mode default
	}{
		{Allow, "shell(go test)", "go test ./...", Allow},
		{Allow, "shell(go test)", "go testx", Ask},
		{Allow, "shell(go test)", "gotest ./...", Ask},
		{Allow, "shell(go test)", "go test", Allow},
		{Allow, "shell(go test)", "./go test", Ask},
		{Allow, "shell(git *)", "git", Allow},
		{Allow, "shell(git *)", "git push -f", Allow},
		{Allow, "shell(make test-*)", "make test-unit", Allow},
		{Allow, "shell(make test-*)", "make test", Ask},
		{Allow, "shell(npm run ?)", "npm run a", Allow},
		{Allow, "shell(npm run ?)", "npm run ab", Ask},
		{Allow, "shell(echo 'a b')", "echo 'a b'", Allow},
		{Allow, "shell(echo a b)", "echo 'a b'", Ask},
		{Allow, "shell(echo a *)", "echo 'a b'", Ask},
		{Allow, "shell(/cargo (check|clippy)( --[a-z-]+)*/)", "cargo clippy --all-targets", Allow},
		{Allow, "shell(/cargo (check|clippy)/)", "cargo clippy --fix", Ask},
		{Allow, "Bash(npm run *)", "npm run lint", Allow},
		{Allow, "Bash(git:*)", "git log", Allow},
		{Allow, "Bash", "anything goes", Allow},
		{Allow, "shell(go test)", "go test && make", Ask},
		{Allow, "shell(go test)", "go test | tee x", Ask},
		{Allow, "shell(go test)", "go test > out", Ask},
		{Allow, "shell(go test)", "go test > /dev/null 2>&1", Allow},
		{Allow, "shell(go test)", "go test $X", Ask},
		{Allow, "shell(go test)", "sudo go test", Ask},
		{Allow, "shell(*)", "make && id", Allow},
		{Deny, "shell(sudo)", "true; sudo id", Deny},
		{Deny, "shell(curl)", "/usr/bin/curl x", Deny},
		{Deny, "shell(git push --force)", "git -C sub push --force", Deny},
		{Deny, "shell(git push)", "git --no-pager push", Deny},
		{Deny, "shell(rm -rf)", "echo $(rm -rf x)", Deny},
		{Deny, "shell(rm -rf)", "bash -c 'rm -rf x'", Deny},
		{Deny, "shell(rm -rf)", `"r"m -rf x`, Deny},
		{Deny, "shell(rm -rf)", "find . -exec rm -rf {} +", Deny},
		{Deny, "shell(/rm .*/)", "rm 'a b'", Deny},
		{Deny, "write(secrets/**)", "echo x > secrets/k", Deny},
		{Ask, "shell(docker *)", "ls && docker ps", Ask},
	}
	for _, row := range rows {
		s := setup{mode: Default}
		switch row.effect {
		case Allow:
			s.allow = []string{row.rule}
		case Ask:
			s.ask, s.allow = []string{row.rule}, []string{"shell(*)"}
		case Deny:
			s.deny, s.allow = []string{row.rule}, []string{"shell(*)"}
		}
		if v := s.check(t, shellRun(row.line)); v.Effect != row.want {
			t.Errorf("%s %s on %q: %s (%s), want %s", row.effect, row.rule, row.line, v.Effect, v.Reason, row.want)
		}
	}
}

// TestReadOnlyDefaults are the built-in rules and their guards (APR-15).
func TestReadOnlyDefaults(t *testing.T) {
	rows := []struct {
		line string
		want Effect
	}{
		{"ls -la | wc -l", Allow}, {"git log --oneline -5", Allow}, {"git status && rg foo", Allow}, {"cd src && ls", Allow},
		{"cat a > b", Ask}, {"git log --output=x", Ask}, {"git -c core.pager=x log", Ask}, {"rg --pre x y", Ask},
		{"cd .. && ls", Ask}, {"ls; make", Ask}, {"./ls", Ask}, {"git push", Ask},
	}
	for _, row := range rows {
		if v := (setup{mode: Default, defaults: true}).check(t, shellRun(row.line)); v.Effect != row.want {
			t.Errorf("%q: %s (%s), want %s", row.line, v.Effect, v.Reason, row.want)
		}
		if v := (setup{mode: Default}).check(t, shellRun(row.line)); v.Effect != Ask {
			t.Errorf("%q without the defaults: %s, want ask", row.line, v.Effect)
		}
	}
	s := setup{mode: Default, defaults: true, allow: []string{"shell(git *)"}}
	if v := s.check(t, shellRun("git log --output=x")); v.Effect != Ask || !v.Forced || v.Rule == nil || v.Rule.Source.Layer != "built-in" {
		t.Errorf("a guard must ask whatever the user allows, and be named: %+v", v.Rule)
	}
	if v := s.check(t, shellRun("cd src && git push")); v.Effect != Ask {
		t.Error("a rule written for the workspace's folder must not reach another one")
	}
}

// TestUnclearCommands forces the ask while a rule might speak against what
// can't be read (APR-15).
func TestUnclearCommands(t *testing.T) {
	line := shellRun("eval \"$x\"")
	if v := (setup{mode: Yolo, deny: []string{"shell(rm)"}}).check(t, line); v.Effect != Ask || !v.Forced {
		t.Errorf("with a deny rule in force: %s forced=%v, want a forced ask", v.Effect, v.Forced)
	}
	if v := (setup{mode: Yolo}).check(t, line); v.Effect != Allow {
		t.Errorf("without any rule: %s, want allow", v.Effect)
	}
}

// TestPathRules matches rules on files (APR-15).
func TestPathRules(t *testing.T) {
	rows := []struct {
		effect Effect
		rule   string
		req    Request
		want   Effect
	}{
		{Allow, "write(src/**)", edit("src/a/b.go"), Allow},
		{Allow, "write(src/**)", edit("src//a.go"), Allow},
		{Allow, "write(src/**)", edit("src/../go.mod"), Ask},
		{Allow, "write(src/**)", edit("srcs/a"), Ask},
		{Allow, "write(src/)", edit("src/a/b"), Allow},
		{Allow, "write(src)", edit("src/a"), Ask},
		{Allow, "write(/w/src/**)", edit("src/a"), Allow},
		{Allow, "write(~/notes/**)", edit("/home/u/notes/a"), Allow},
		{Allow, "write(pages/[id].ts)", edit("pages/[id].ts"), Allow},
		{Allow, "write(src/*.go)", edit("src/a/b.go"), Ask},
		{Allow, "write(**)", edit(".git/hooks/pre-commit"), Ask},
		{Allow, "write(**)", edit("sub/.envrc"), Ask},
		{Allow, "write(.github/workflows/ci.yml)", edit(".github/workflows/ci.yml"), Allow},
		{Allow, "write(.claude/**)", edit(".claude/x"), Allow},
		{Allow, "delete(src/**)", remove("src"), Ask},
		{Allow, "write(src/**)", remove("src/a"), Ask},
		{Allow, "Edit(src/**)", edit("src/a"), Allow},
		{Deny, "write(secrets/**)", edit("src/../secrets/k"), Deny},
		{Deny, "write(secrets)", edit("secrets/k"), Deny},
		{Deny, "write(src/[ab].go)", edit("src/a.go"), Deny},
		{Deny, "delete(src/keep/**)", remove("src"), Deny},
		{Deny, "write(.env*)", edit(".envrc"), Deny},
	}
	for _, row := range rows {
		s := setup{mode: Default, allow: []string{row.rule}}
		if row.effect == Deny {
			s = setup{mode: Yolo, deny: []string{row.rule}}
		}
		if v := s.check(t, row.req); v.Effect != row.want {
			t.Errorf("%s %s on %v: %s (%s), want %s", row.effect, row.rule, row.req.Targets, v.Effect, v.Reason, row.want)
		}
	}
}

// TestNameRules matches rules on hosts, MCP tools and tools (APR-15).
func TestNameRules(t *testing.T) {
	rows := []struct {
		rule string
		req  Request
		want Effect
	}{
		{"web(example.com)", fetch("example.com"), Allow},
		{"web(example.com)", fetch("www.example.com"), Ask},
		{"web(*.example.com)", fetch("www.example.com"), Allow},
		{"web(*.example.com)", fetch("example.com"), Allow},
		{"web(*.example.com)", fetch("badexample.com"), Ask},
		{"web(bücher.de)", fetch("xn--bcher-kva.de"), Allow},
		{"WebFetch(domain:example.com)", fetch("example.com"), Allow},
		{"web(example.com)", fetch("https://example.com@evil.test/"), Ask},
		{"mcp(gh:read_file)", mcp("gh", "read_file"), Allow},
		{"mcp(gh:read_file)", mcp("gh", "read_file2"), Ask},
		{"mcp(gh:read_*)", mcp("gh", "read_file"), Allow},
		{"mcp(gh)", mcp("gh", "anything"), Allow},
		{"mcp__gh__read_file", mcp("gh", "read_file"), Allow},
		{"mcp__gh_read_file", mcp("gh", "read_file"), Allow},
		{"read_file", mcp("evil", "read_file"), Ask},
		{"grep", tool("grep", Declaration{}), Allow},
		{"grep", tool("grep2", Declaration{}), Ask},
	}
	for _, row := range rows {
		if v := (setup{mode: Default, allow: []string{row.rule}}).check(t, row.req); v.Effect != row.want {
			t.Errorf("allow %s on %s %v: %s (%s), want %s", row.rule, row.req.Tool, row.req.Targets, v.Effect, v.Reason, row.want)
		}
	}
}

// A deny or ask rule that is the bare name of a tool finds an MCP tool by what
// its server calls it, and one that is the name of a kind all of that kind; an
// allow rule finds neither (APR-15).
func TestBareNames(t *testing.T) {
	mcp := MCPRequest("gh", "delete_repo")
	named := Request{Tool: "gh_delete", Kind: MCPTool, Targets: []string{"gh:delete_repo"}}
	for _, row := range []struct {
		rule string
		req  Request
		hit  bool
	}{
		{"delete_repo", mcp, true}, {"mcp__gh_delete_repo", mcp, true}, {"mcp__gh", mcp, true}, {"delete_*", mcp, true}, {"gh_delete", named, true}, {"delete_repo", named, true},
		{"mcp", mcp, true}, {"mcp_tool", mcp, true}, {"repo", mcp, false}, {"gh", mcp, false},
		{"shell", shellRun("ls"), true}, {"run_command", shellRun("ls"), true}, {"bash", shellRun("ls"), true}, {"write", shellRun("ls"), false},
		{"write", edit("a"), true}, {"write_file", edit("a"), true}, {"delete", edit("a"), false}, {"delete_file", remove("a"), true},
		{"web", fetch("x.test"), true}, {"network", fetch("x.test"), true},
	} {
		want := map[bool]Effect{true: Deny, false: Allow}[row.hit]
		if v := (setup{mode: Yolo, deny: []string{row.rule}}).check(t, row.req); v.Effect != want {
			t.Errorf("deny %s: %s (%s), want %s", row.rule, v.Effect, v.Reason, want)
		}
		if row.hit {
			want = Ask
		}
		if v := (setup{mode: Yolo, ask: []string{row.rule}}).check(t, row.req); v.Effect != want {
			t.Errorf("ask %s: %s (%s), want %s", row.rule, v.Effect, v.Reason, want)
		}
	}
	for _, rule := range []string{"delete_repo", "gh_delete", "mcp"} {
		for _, req := range []Request{mcp, named} {
			if v := (setup{mode: Default, allow: []string{rule}}).check(t, req); v.Effect != Ask {
				t.Errorf("allow %s: a server may name its tool as it likes: %s", rule, v.Reason)
			}
		}
	}
}

// TestBadRules are refused with a reason, and a restriction among them holds
// its kind at ask (APR-15).
func TestBadRules(t *testing.T) {
	for _, text := range []string{"", "write(src/**", "shell()", "fly(x)", "shell(/(/)", "web(a b)", "web(http://x/)", "two words", "write(a\x00b)",
		// They could match nothing, and so would deny nothing.
		"shell(curl * | sh)", "shell(cd x && make)", "shell(make;)", "shell(make > f)", "shell(make 2>&1)", "shell(X=1 make)", "shell(a&&b)", "shell(//)",
		"mcp(gh:)", "mcp(:x)", "write(~root/x)", "read($TMPDIR/x)", "write(${X}/y)"} {
		if _, err := ParseRule(Deny, text, Source{}); !errors.Is(err, ErrRule) {
			t.Errorf("%q: %v, want a bad rule", text, err)
		}
	}
	for _, text := range []string{"shell(grep -E a|b)", "shell(curl 'a | b')", "shell(rg \"a && b\")", "shell(curl http://x/?a=1&b=2)", "shell(make X=1)", "shell(find . -exec ls {} \\;)", "shell(timeout 5 grep 'a b')", "shell(xargs grep 'a b')",
		"write(~/x)", "write($HOME/x)", "write(~x)", "write($lib/x)", "mcp(gh)", "mcp(gh:*)"} {
		if _, err := ParseRule(Deny, text, Source{}); err != nil {
			t.Error(err)
		}
	}
	if _, err := ParseRule(Allow, "read(x)", Source{}); !errors.Is(err, ErrRule) {
		t.Errorf("a read rule can only deny, got %v", err)
	}
	s := setup{mode: Yolo, deny: []string{"write(src/**"}}
	if v := s.check(t, edit("other")); v.Effect != Ask || !v.Forced {
		t.Errorf("a broken write deny must hold writes at ask: %s", v.Effect)
	}
	if v := s.check(t, mcp("a", "b")); v.Effect != Allow {
		t.Errorf("it must not hold other kinds: %s (%s)", v.Effect, v.Reason)
	}
	s = setup{mode: Default, allow: []string{"write(src/**"}}
	if v := s.check(t, edit("src/a")); v.Effect != Ask || v.Forced {
		t.Errorf("a broken allow allows and holds nothing: %s forced=%v", v.Effect, v.Forced)
	}
}

// TestMCPName registers MCP tools under the names that users write (TAM-03).
func TestMCPName(t *testing.T) {
	rows := []struct{ server, tool, want string }{
		{"github", "create_issue", "mcp__github_create_issue"},
		{"puppeteer", "puppeteer_screenshot", "mcp__puppeteer_screenshot"},
		{"My Server!", "List-All", "mcp__my_server_list_all"},
		{"", "", "mcp__server_tool"}, {"echo", "ECHO_It", "mcp__echo_it"}, {"a", "a_", "mcp__a_a"},
	}
	for _, row := range rows {
		if got := mcpName(row.server, row.tool); got != row.want {
			t.Errorf("%q %q: %s, want %s", row.server, row.tool, got, row.want)
		}
	}
	long := mcpName("server", string(make([]byte, 0, 80))+"t"+repeat("x", 80))
	if len(long) != mcpNameLimit {
		t.Errorf("%s has %d characters, want %d", long, len(long), mcpNameLimit)
	}
	if v := (setup{mode: Yolo, tools: map[string]string{"mcp__serverx_t": "deny"}}).check(t, mcp("server2x", "t9")); v.Effect != Deny {
		t.Error("a name of the older sanitiser passes on its deny")
	}
	if v := (setup{mode: AlwaysAsk, tools: map[string]string{"mcp__serverx_t": "allow"}}).check(t, mcp("server2x", "t9")); v.Effect != Ask {
		t.Error("a name of the older sanitiser must not pass on an allow")
	}
}

func repeat(s string, n int) string {
	out := ""
	for range n {
		out += s
	}
	return out
}

// TestWyhash holds the hash to published values of the algorithm (TAM-03).
func TestWyhash(t *testing.T) {
	for in, want := range map[string]uint64{
		"": 290873116282709081, "a": 2941419223392617777, "abc": 190542993387777138, "abcd": 5251164938674970899,
		"hello world": 7389666205914310003, "0123456789abcdef": 14052610914415071785, "0123456789abcdefg": 13012861896001323413,
		repeat("x", 47): 5569172624185218984, repeat("x", 48): 10889483319867276750, repeat("x", 49): 17550346204783977301,
		repeat("x", 96): 14700198124823648962,
	} {
		if got := wyhash([]byte(in)); got != want {
			t.Errorf("wyhash of %d bytes is %d, want %d", len(in), got, want)
		}
	}
}

// TestHost finds the host that is contacted (TAM-09).
func TestHost(t *testing.T) {
	for in, want := range map[string]string{
		"https://Example.COM./x": "example.com", "https://a@b.test:8080/": "b.test", "http://127.1/": "127.0.0.1",
		"http://0x7f000001/": "127.0.0.1", "http://0177.0.0.1/": "127.0.0.1", "http://2130706433/": "127.0.0.1",
		"http://[::ffff:10.0.0.1]/": "10.0.0.1", "https://bücher.de/": "xn--bcher-kva.de", "brave": "brave",
	} {
		if got := HostOf(in); got != want {
			t.Errorf("HostOf(%s) = %s, want %s", in, got, want)
		}
	}
	for url, gated := range map[string]bool{
		"https://example.com/": false, "http://localhost/": true, "http://10.0.0.5/": true, "http://172.32.0.1/": false,
		"http://[fe80::1]/": true, "http://build:8080/": true, "http://x.internal/": true, "http://nas.local": true,
		"http://[::ffff:8.8.8.8]/": false, "http://100.64.0.1/": true, "http://127.0.0.1@example.com/": false, "xd://lsp": true,
		`http://localhost\@example.com/`: true, `http://example.com\@localhost/`: true, "http://%31%32%37.0.0.1/": true, "http://localhost%00.example.com/": true,
		"https://localhost\uff0f.example.com/": true, "https://localhost\uff03.example.com/": true, "https://localhost\uff1a80.example.com/": true,
		"https://example\uff0ecom/": false,
		"http://[64:ff9b::a00:1]/":  true, "http://[64:ff9b:1::808:808]/": true, "http://[2002:7f00:1::]/": true, "http://[::127.0.0.1]/": true, "http://[fec0::1]/": true,
		"http://[64:ff9b::808:808]/": false, "http://[2002:808:808::]/": false, "http://[2606:4700::1111]/": false, "http://a_b.example.com/": false,
	} {
		if got := gatedURL(url); got != gated {
			t.Errorf("%s gated: %v, want %v", url, got, gated)
		}
	}
}

// TestGrants says what ask-and-remember grants cover (TAM-05, TAM-07, TAM-08,
// TAM-10).
func TestGrants(t *testing.T) {
	at := func(kind GrantKind, path string, tier Tier) GrantTarget {
		return GrantTarget{Kind: kind, Path: path, Tier: tier}
	}
	rows := []struct {
		name   string
		grant  GrantTarget
		target GrantTarget
		want   Effect
	}{
		{"same file", at(GrantFile, "/w/a", Read), at(GrantFile, "a", Read), Allow},
		{"write covers read", at(GrantFile, "/w/a", Write), at(GrantFile, "a", Read), Allow},
		{"read doesn't cover write", at(GrantFile, "/w/a", Read), at(GrantFile, "a", Write), Ask},
		{"folder covers its files", at(GrantFolder, "/w/src", Read), at(GrantFile, "src/a", Read), Allow},
		{"folder doesn't cover below", at(GrantFolder, "/w/src", Read), at(GrantFile, "src/x/a", Read), Ask},
		{"tree covers its search", at(GrantTree, "/w/src", Read), at(GrantTree, "src", Read), Allow},
		{"tree doesn't cover single files below", at(GrantTree, "/w/src", Read), at(GrantFile, "src/x/a", Read), Ask},
		{"either of two files has no key", at(GrantFile, "/home/u/a", Read), at(GrantFile, "$HOME/a", Read), Ask},
		{"a search below a folder is its tree", at(GrantTree, "/w/src", Read), at(GrantFile, "/w/src/**", Read), Allow},
		{"selector peeled", at(GrantFile, "/w/a.go", Read), at(GrantFile, "a.go:120-140", Read), Allow},
		{"dots resolved", at(GrantFolder, "/w/src", Read), at(GrantFile, "src/../go.mod", Read), Ask},
		{"public URL", at(GrantFile, "/w/none", Read), at(GrantURL, "https://example.com/", Read), Allow},
		{"private URL", at(GrantFile, "/w/none", Read), at(GrantURL, "http://localhost:1/x", Read), Ask},
		{"granted URL", at(GrantURL, "http://localhost:80/", Read), at(GrantURL, "HTTP://LOCALHOST", Read), Allow},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := setup{mode: AlwaysAskCached, grants: []Grant{{GrantTarget: row.grant}}}
			req := tool("read", Declaration{Tier: row.target.Tier})
			req.GrantTargets = []GrantTarget{row.target}
			if v := s.check(t, req); v.Effect != row.want {
				t.Errorf("%s (%s), want %s", v.Effect, v.Reason, row.want)
			}
		})
	}
	s := setup{mode: WriteMode, grants: []Grant{{GrantTarget: at(GrantFile, "/w/a", Exec)}}}
	req := tool("x", Declaration{})
	req.GrantTargets = []GrantTarget{at(GrantFile, "/w/a", Exec)}
	if v := s.check(t, req); v.Effect != Ask {
		t.Error("grants count in always-ask-cached only")
	}
}

// TestReasonOfAnAsk names what keeps a rule from allowing a command (BEY-04).
func TestReasonOfAnAsk(t *testing.T) {
	for line, want := range map[string]string{
		"ls > out": "no rule can allow it: it writes a file by redirection",
		"make":     "no rule matches, and mode default asks",
		// A rule can allow this, once it names what makes it another command.
		"find . -delete": "-delete may make it do something else, so that only a rule with it allows that",
	} {
		if v := (setup{mode: Default, allow: []string{"shell(ls)", "shell(find *)"}}).check(t, shellRun(line)); v.Reason != want {
			t.Errorf("%q is asked about because %q, want %q", line, v.Reason, want)
		}
	}
}

// A project may restrict a tool by the device behind it or by the exact name,
// but what it says hides nothing stricter that the user says (TAM-13, APR-15a).
func TestProjectsToolPolicyHidesNothing(t *testing.T) {
	project, user := Source{Layer: "project"}, Source{Layer: "global"}
	for _, row := range []struct {
		key, name string // what is said of the key and of the name
		of        Source // who says the first
		want      Effect
	}{
		{"allow", "deny", user, Allow}, {"prompt", "deny", user, Ask},
		{"prompt", "deny", project, Deny}, {"allow", "deny", project, Deny}, {"allow", "prompt", project, Ask},
		{"prompt", "allow", project, Ask}, {"deny", "allow", project, Deny}, {"prompt", "prompt", project, Ask},
	} {
		var p Policy
		p.SetTool("lsp", row.key, row.of)
		p.SetTool("write", row.name, user)
		g, err := New(Options{Workspace: "/w", Home: "/home/u", Mode: AlwaysAsk, Policy: p, Approver: always(Answer{})})
		if err != nil {
			t.Fatal(err)
		}
		v := g.Check(t.Context(), Request{Tool: "write", Declared: Declaration{Tier: Write, PolicyKey: "lsp"}})
		if v.Effect != row.want {
			t.Errorf("lsp %s by the %s, write %s: %s (%s), want %s", row.key, row.of, row.name, v.Effect, v.Reason, row.want)
		}
	}
	var p Policy
	p.SetTool("mcp__srv1_tool", "prompt", Source{Layer: "local"})
	p.SetTool("mcp__srv_tool", "deny", user)
	g, err := New(Options{Workspace: "/w", Home: "/home/u", Mode: Yolo, Policy: p, Approver: always(Answer{})})
	if err != nil {
		t.Fatal(err)
	}
	if v := g.Check(t.Context(), MCPRequest("srv1", "tool")); v.Effect != Deny {
		t.Errorf("a legacy name of the user's: %s (%s)", v.Effect, v.Reason)
	}
}
