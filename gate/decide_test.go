package gate

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// A setup is what a row of a table decides under.
type setup struct {
	mode                             Mode
	allow, ask, deny                 []string
	tools                            map[string]string
	autoCommands, defaults, sandbox  bool
	saved, session                   []string
	sessionTools                     []toolAtTier
	grants                           []Grant
	nobody                           bool // no approver
	permits                          func(Request) bool
	unattended, headless, isPlanning bool
	workspace, home, gateHome        string // "/w", "/home/u" and none if empty
}

func (s setup) gate(t testing.TB) (*Gate, context.Context) {
	t.Helper()
	p := Policy{NoReadOnlyDefaults: !s.defaults, NoReadOnlyGuards: !s.defaults, AutoApproveCommands: s.autoCommands}
	for effect, list := range map[Effect][]string{Allow: s.allow, Ask: s.ask, Deny: s.deny} {
		for i, text := range list {
			_ = p.AddRule(effect, text, Source{Layer: "global", File: "settings.toml", Line: i + 1})
		}
	}
	for name, word := range s.tools {
		p.SetTool(name, word, Source{Layer: "global"})
	}
	var saved []SavedKey
	for _, k := range s.saved {
		saved = append(saved, SavedKey{Key: k})
	}
	opts := Options{Workspace: cmp.Or(s.workspace, "/w"), Home: cmp.Or(s.home, "/home/u"), GateHome: s.gateHome, Policy: p, Mode: s.mode, Sandboxed: s.sandbox, Approvals: KeepApprovals(saved...)}
	if !s.nobody {
		opts.Approver = ApproverFunc(func(context.Context, Prompt) (Answer, error) { return Answer{}, nil })
	}
	g, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range s.session {
		g.Remember(k)
	}
	for _, tool := range s.sessionTools {
		g.change(func(s *state) { s.session.tools = with(s.session.tools, tool) })
	}
	for _, grant := range s.grants {
		if err := g.Grant(grant.GrantTarget); err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	if s.unattended {
		ctx = Unattended(ctx, s.permits)
	}
	if s.headless {
		ctx = Headless(ctx)
	}
	if s.isPlanning {
		ctx = Planning(ctx)
	}
	return g, ctx
}

func (s setup) check(t testing.TB, req Request) Verdict {
	t.Helper()
	g, ctx := s.gate(t)
	return g.Check(ctx, req)
}

func edit(path string) Request {
	r := Request{Tool: "edit", Kind: WriteFile, Targets: []string{path}, Declared: Declaration{Tier: Write}}
	r.Key, r.KeyLabel = WriteKey("/w")
	return r
}

func remove(path string) Request {
	r := Request{Tool: "delete", Kind: DeleteFile, Targets: []string{path}, Declared: Declaration{Tier: Write}}
	r.Key, r.KeyLabel = DeleteKey("/w")
	return r
}

func shellRun(command string) Request {
	r := Request{Tool: "bash", Kind: RunCommand, Targets: []string{command}}
	r.Key, r.KeyLabel = CommandKey("/w", command)
	return r
}

func fetch(host string) Request {
	r := Request{Tool: "web_fetch", Kind: Network, Targets: []string{host}, Declared: Declaration{Tier: Read}}
	r.Key, r.KeyLabel = WebKey(host)
	return r
}

func mcp(server, tool string) Request {
	r := Request{Tool: tool, Kind: MCPTool, Server: server, Targets: []string{server + ":" + tool}}
	r.Key, r.KeyLabel = MCPKey(server, tool)
	return r
}

func tool(name string, d Declaration) Request { return Request{Tool: name, Declared: d} }

var permitAll = func(Request) bool { return true }

// TestSteps goes through the evaluation order, row by row of the table, and
// through what each row must not reach over (APR-10, APR-11, APR-13, APR-15).
func TestSteps(t *testing.T) {
	critical := Declaration{Tier: Exec, Override: true, Reason: "critical"}
	rows := []struct {
		name  string
		s     setup
		req   Request
		want  Effect
		cause string
	}{
		{"valid: unknown kind", setup{mode: Yolo}, Request{Tool: "x", Kind: "fly"}, Deny, "invalid"},
		{"valid: no tool", setup{mode: Yolo}, Request{}, Deny, "invalid"},
		{"valid: NUL in a command", setup{mode: Yolo}, shellRun("ls\x00"), Deny, "invalid"},
		{"valid: NUL in a path", setup{mode: Yolo}, edit("a\x00b"), Deny, "invalid"},

		{"APR-13 hard policy beats allow and bypass", setup{mode: Bypass, sandbox: true, allow: []string{"shell(cat)"}, deny: []string{"read(.env)"}}, shellRun("cat .env"), Deny, "hard-policy"},
		{"APR-15 read rule blocks a read", setup{mode: Yolo, deny: []string{"read(~/.ssh/**)"}}, Request{Tool: "read", Targets: []string{"/home/u/.ssh/id"}, Declared: Declaration{Tier: Read}}, Deny, "hard-policy"},

		{"TAM-02 tool deny", setup{mode: Yolo}, tool("x", Declaration{Policy: PolicyDeny}), Deny, "tool-deny"},
		{"APR-15 deny rule in every mode", setup{mode: Yolo, deny: []string{"write(a)"}}, edit("a"), Deny, "rule-deny"},
		{"APR-15 deny beats ask and allow", setup{deny: []string{"write(a)"}, ask: []string{"write(a)"}, allow: []string{"write(a)"}}, edit("a"), Deny, "rule-deny"},
		{"APR-15 bare tool deny", setup{mode: Yolo, deny: []string{"edit"}}, edit("a"), Deny, "rule-deny"},
		{"TAM-03 user deny in yolo", setup{mode: Yolo, tools: map[string]string{"edit": "deny"}}, edit("a"), Deny, "user-deny"},
		{"TAM-13 user deny beats the tool's allow", setup{tools: map[string]string{"x": "deny"}}, tool("x", Declaration{Policy: PolicyAllow}), Deny, "user-deny"},

		{"APR-15 ask beats allow, remembered and mode", setup{mode: AcceptEdits, ask: []string{"write(ci/**)"}, allow: []string{"write(**)"}, session: []string{"write:/w"}}, edit("ci/x"), Ask, "asked"},
		{"APR-15 ask in bypass", setup{mode: Bypass, sandbox: true, ask: []string{"write(ci/**)"}}, edit("ci/x"), Ask, "asked"},
		{"APR-15 ask in dont-ask is refused", setup{mode: DontAsk, ask: []string{"write(ci/**)"}}, edit("ci/x"), Deny, "mode-dont-ask"},
		{"APR-15 ask without an approver is refused", setup{nobody: true, ask: []string{"write(ci/**)"}}, edit("ci/x"), Deny, "no-approver"},
		{"TAM-18 safety check in yolo", setup{mode: Yolo}, Request{Tool: "computer", SafetyChecks: []SafetyCheck{{Code: "c"}}}, Ask, "asked"},
		{"TAM-13 override outside yolo", setup{mode: WriteMode, tools: map[string]string{"x": "allow"}}, tool("x", critical), Ask, "asked"},
		{"TAM-15 override ignored in yolo", setup{mode: Yolo}, tool("x", critical), Allow, "mode-yolo"},
		{"TAM-13 override with the tool's own allow", setup{mode: WriteMode}, tool("x", Declaration{Override: true, Policy: PolicyAllow}), Allow, "tool-allow"},
		{"TAM-13 tool prompt in yolo", setup{mode: Yolo, tools: map[string]string{"x": "allow"}}, tool("x", Declaration{Policy: PolicyPrompt}), Ask, "asked"},
		{"TAM-06 user prompt in yolo", setup{mode: Yolo, tools: map[string]string{"x": "prompt"}}, tool("x", Declaration{}), Ask, "asked"},
		{"TAM-13 tool allow beats user prompt", setup{tools: map[string]string{"x": "prompt"}}, tool("x", Declaration{Policy: PolicyAllow}), Allow, "tool-allow"},

		{"APR-10 unattended permitted", setup{unattended: true, permits: permitAll}, edit("a"), Allow, "unattended-permitted"},
		{"APR-10 unattended bypasses allow rules and memory", setup{unattended: true, allow: []string{"write(a)"}, session: []string{"write:/w"}, mode: Yolo}, edit("a"), Deny, "unattended-refused"},
		{"APR-10 unattended keeps deny rules", setup{unattended: true, permits: permitAll, deny: []string{"write(a)"}}, edit("a"), Deny, "rule-deny"},
		{"APR-15 forced ask unattended", setup{unattended: true, permits: permitAll, ask: []string{"write(a)"}}, edit("a"), Deny, "unattended-refused"},

		{"APR-14 plan refuses writes", setup{mode: Plan, allow: []string{"write(a)"}}, edit("a"), Deny, "mode-plan"},
		{"APR-14 plan lets reads pass", setup{mode: Plan}, tool("grep", Declaration{Tier: Read}), Allow, "mode-plan"},
		{"APR-14 plan lets read-only commands pass", setup{mode: Plan, defaults: true}, shellRun("git status"), Allow, "rule-allow"},
		{"APR-14 a planning turn in another mode", setup{mode: Yolo, isPlanning: true}, edit("a"), Deny, "mode-plan"},

		{"TAM-02 tool allow", setup{}, tool("x", Declaration{Policy: PolicyAllow}), Allow, "tool-allow"},
		{"APR-15 allow rule", setup{mode: DontAsk, nobody: true, allow: []string{"write(docs/**)"}}, edit("docs/a"), Allow, "rule-allow"},
		{"APR-15 allow needs every target", setup{mode: Default, allow: []string{"write(docs/**)"}}, Request{Tool: "edit", Kind: WriteFile, Targets: []string{"docs/a", "src/b"}}, Ask, "asked"},
		{"APR-02 no targets match no rule", setup{mode: Default, nobody: true, allow: []string{"write(**)"}}, Request{Tool: "edit", Kind: WriteFile}, Deny, "no-approver"},
		{"APR-15 an empty target is not covered", setup{mode: Default, allow: []string{"write(**)"}}, Request{Tool: "edit", Kind: WriteFile, Targets: []string{"a", ""}}, Ask, "asked"},
		{"TAM-03 user allow", setup{tools: map[string]string{"edit": " ALLOW "}}, edit("a"), Allow, "user-allow"},
		{"TAM-03 an invalid word is ignored", setup{tools: map[string]string{"edit": "allow!"}}, edit("a"), Ask, "asked"},

		{"APR-11 bypass", setup{mode: Bypass, sandbox: true}, mcp("gh", "x"), Allow, "mode-bypass"},
		{"APR-11 auto policy is for commands", setup{mode: Default, autoCommands: true, nobody: true}, shellRun("make"), Allow, "auto-policy"},
		{"APR-11 auto policy is for nothing else", setup{mode: Default, autoCommands: true, nobody: true}, edit("a"), Deny, "no-approver"},
		{"APR-11 session key", setup{mode: Default, session: []string{"write:/w"}}, edit("a"), Allow, "session-rule"},
		{"APR-03 another command's session key", setup{mode: Default, session: []string{"cmd:/w\x00ls -la"}}, shellRun("ls"), Ask, "asked"},
		{"APR-11 saved key", setup{mode: Default, nobody: true, saved: []string{"cmd:/w\x00ls"}}, shellRun("ls"), Allow, "saved-rule"},
		{"APR-11 saved key before accept-edits", setup{mode: AcceptEdits, saved: []string{"write:/w"}}, edit("a"), Allow, "saved-rule"},
		{"TAM-20 session tool at its tier", setup{mode: WriteMode, sessionTools: []toolAtTier{{tool: "x", tier: Exec}}}, tool("x", Declaration{}), Allow, "session-rule"},
		{"TAM-20 not at another tier", setup{mode: AlwaysAsk, sessionTools: []toolAtTier{{tool: "x", tier: Exec}}}, tool("x", Declaration{Tier: Write}), Ask, "asked"},

		{"APR-14 accept-edits inside", setup{mode: AcceptEdits}, edit("src/a"), Allow, "mode-accept-edits"},
		{"APR-14 accept-edits deletes", setup{mode: AcceptEdits}, remove("src/a"), Allow, "mode-accept-edits"},
		{"APR-14 accept-edits outside", setup{mode: AcceptEdits}, edit("../x"), Ask, "asked"},
		{"APR-14 accept-edits runs nothing", setup{mode: AcceptEdits}, shellRun("make"), Ask, "asked"},
		{"APR-14 default asks per host", setup{mode: Default}, fetch("example.com"), Ask, "asked"},
		{"TAM-05 always-ask passes a web read", setup{mode: AlwaysAsk}, fetch("example.com"), Allow, "mode-always-ask"},
		{"TAM-05 write passes writes", setup{mode: WriteMode}, edit("a"), Allow, "mode-write"},
		{"TAM-05 write asks for exec", setup{mode: WriteMode}, shellRun("make"), Ask, "asked"},
		{"TAM-05 yolo", setup{mode: Yolo}, shellRun("make"), Allow, "mode-yolo"},
		{"TAM-01 MCP tools are write", setup{mode: WriteMode}, mcp("a", "b"), Allow, "mode-write"},
		{"TAM-01 MCP tools never read", setup{mode: AlwaysAsk}, Request{Tool: "b", Kind: MCPTool, Server: "a", Targets: []string{"a:b"}, Declared: Declaration{Tier: Read}}, Ask, "asked"},

		{"APR-14 dont-ask", setup{mode: DontAsk}, edit("a"), Deny, "mode-dont-ask"},
		{"APR-11 no approver", setup{mode: Default, nobody: true}, edit("a"), Deny, "no-approver"},
		{"TAM-25 headless runs as yolo", setup{mode: AlwaysAsk, headless: true}, shellRun("make"), Allow, "mode-yolo"},
		{"TAM-25 headless refuses what must be asked", setup{headless: true, tools: map[string]string{"bash": "prompt"}}, shellRun("make"), Deny, "no-approver"},
		{"TAM-25 headless keeps denies", setup{headless: true, tools: map[string]string{"bash": "deny"}}, shellRun("make"), Deny, "user-deny"},
		{"APR-14a auto asks without a reviewer", setup{mode: Auto}, edit("a"), Ask, "asked"},
		{"TAM-04 no settings: always-ask", setup{}, edit("a"), Ask, "asked"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			v := row.s.check(t, row.req)
			if v.Effect != row.want || v.Cause != row.cause {
				t.Errorf("%s · %s (%s), want %s · %s", v.Effect, v.Cause, v.Reason, row.want, row.cause)
			}
		})
	}
}

// TestOrderIsComplete holds the table of steps to the order that the package
// promises.
func TestOrderIsComplete(t *testing.T) {
	want := "valid hard-policy declare deny force unattended plan allow open-mode remembered mode dont-ask hooks review reach ask"
	var names []string
	for _, s := range steps {
		names = append(names, string(s.name))
		if s.does == "" {
			t.Errorf("step %s doesn't say what it does", s.name)
		}
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("steps are\n%s, want\n%s", got, want)
	}
}

// TestOffers shows which answers a person may give (APR-02, APR-03, TAM-11,
// TAM-20).
func TestOffers(t *testing.T) {
	secret := shellRun("curl -H 'Authorization: Bearer abcdefghijklmnop1234' x")
	keyless := shellRun("make")
	keyless.Key = ""
	rows := []struct {
		name string
		s    setup
		req  Request
		want []Decision
	}{
		{"APR-03 with a key", setup{mode: Default}, edit("a"), []Decision{Once, Session, Always}},
		{"APR-02 without a key", setup{mode: Default}, keyless, []Decision{Once}},
		{"TAM-20 without a key in a tier mode", setup{mode: WriteMode}, keyless, []Decision{Once, Session}},
		{"TAM-11 forced", setup{mode: Default, ask: []string{"write(a)"}}, edit("a"), []Decision{Once}},
		{"protected path", setup{mode: Default}, edit(".git/config"), []Decision{Once}},
		{"BEY-12 credential in the key", setup{mode: Default}, secret, []Decision{Once, Session}},
		{"not told what it does", setup{mode: Default}, Request{Tool: "x", Kind: WriteFile, Key: "k", Unrevealed: true}, []Decision{Once}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if v := row.s.check(t, row.req); v.Effect != Ask || !slices.Equal(v.Offers, row.want) {
				t.Errorf("%s offers %v, want %v", v.Effect, v.Offers, row.want)
			}
		})
	}
}

// TestDeclaration reads what tools say of themselves (TAM-01, TAM-02, TAM-13).
func TestDeclaration(t *testing.T) {
	rows := []struct {
		raw  string
		want Declaration
	}{
		{`"read"`, Declaration{Tier: Read}},
		{`"write"`, Declaration{Tier: Write}},
		{`"Read"`, Declaration{}}, {`" read"`, Declaration{}}, {`""`, Declaration{}}, {`null`, Declaration{}},
		{`7`, Declaration{}}, {`["read"]`, Declaration{}}, {`{"tier":1}`, Declaration{}}, {`{broken`, Declaration{}},
		{`{"tier":"write","override":"true"}`, Declaration{Tier: Write}},
		{`{"tier":"write","override":true,"reason":"r","policy":"prompt","policyKey":"k"}`, Declaration{Tier: Write, Override: true, Reason: "r", Policy: PolicyPrompt, PolicyKey: "k"}},
		{`{"tier":"read","policy":"permit"}`, Declaration{Tier: Read}},
		{`{"policy":"allow"}`, Declaration{Policy: PolicyAllow}},
	}
	for _, row := range rows {
		if got := ParseDeclaration(json.RawMessage(row.raw)); got != row.want {
			t.Errorf("%s reads as %+v, want %+v", row.raw, got, row.want)
		}
	}
}

// TestPolicyKey looks a dispatched tool up by its key first (TAM-13).
func TestPolicyKey(t *testing.T) {
	d := Declaration{PolicyKey: "lsp"}
	rows := []struct {
		tools map[string]string
		want  Effect
	}{
		{map[string]string{"write": "deny", "lsp": "allow"}, Allow},
		{map[string]string{"write": "deny", "lsp": "never"}, Deny},
		{map[string]string{"write": "allow"}, Allow},
		{map[string]string{"lsp": "deny", "write": "allow"}, Deny},
	}
	for _, row := range rows {
		if v := (setup{tools: row.tools}).check(t, tool("write", d)); v.Effect != row.want {
			t.Errorf("%v: %s, want %s", row.tools, v.Effect, row.want)
		}
	}
}
