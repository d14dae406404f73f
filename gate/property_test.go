package gate

import (
	"fmt"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate/shell"
	"pgregory.net/rapid"
)

// The pieces are few, so that rules and requests often meet.
var (
	someEffects = rapid.SampledFrom([]Effect{Deny, Ask, Allow})
	someModes   = rapid.SampledFrom(Modes())
	someRules   = rapid.OneOf(
		rapid.SampledFrom([]string{
			"shell(ls)", "shell(git *)", "shell(git push)", "shell(rm -rf)", "shell(/ma?ke .*/)", "shell(*)", "shell(make", "Bash", "Bash(npm run:*)",
			"write(**)", "write(src/**)", "write(src)", "write(.git/config)", "write(*.md)", "write([a]/x)", "delete(src/)", "delete(src", "delete(**)", "edit", "Edit",
			"read(.env)", "read(~/.ssh/**)", "web(*)", "web(*.example.com)", "web(example.com)", "web(a b", "mcp(gh:*)", "mcp(gh)", "mcp__gh", "mcp__gh__read",
			"skill(x)", "agent(*)", "grep", "g*", "",
		}),
		rapid.StringMatching(`(shell|write|delete|read|web|mcp)\([a-z*?/.~:\[\]{}\\'" -]{0,8}\)?`),
	)
	someCommands = rapid.OneOf(
		rapid.SampledFrom([]string{"ls", "git status", "git -C x push", "rm -rf x", "make all", "cat .env", "echo a > src/b", "npm run lint", "cd src && ls", "bash -c 'rm -rf x'", "x=1 ls"}),
		rapid.StringMatching(`[a-z $'"\\|&;<>(){}*~\n/-]{0,16}`),
		rapid.String(),
	)
	somePaths = rapid.OneOf(
		rapid.SampledFrom([]string{"src/a", "src", "a/x", "../x", "/etc/passwd", ".git/config", "~/.ssh/id", "README.md", ".env", "", ".", "src/../.env", "/"}),
		rapid.StringMatching(`[a-z./~*\[\]{}\\:]{0,12}`), rapid.String(),
	)
	someHosts = rapid.OneOf(rapid.SampledFrom([]string{"example.com", "www.example.com", "127.1", "http://a b/", "brave"}), rapid.StringMatching(`[a-z:/@\\.%0-9\[\]]{0,16}`), rapid.String())
)

func someRequest(t *rapid.T) Request {
	tier := rapid.SampledFrom([]Tier{Exec, Write, Read, 7}).Draw(t, "tier")
	policy := rapid.SampledFrom([]ToolPolicy{NoPolicy, NoPolicy, PolicyAllow, PolicyPrompt, "Deny"}).Draw(t, "policy")
	var req Request
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		req = CommandRequest("/w", "bash", someCommands.Draw(t, "command"))
	case 1:
		req = WriteRequest("/w", "edit", Change{Path: somePaths.Draw(t, "path"), After: []byte("x")})
	case 2:
		req = WriteRequest("/w", "edit", Change{Path: somePaths.Draw(t, "to"), From: somePaths.Draw(t, "from")})
	case 3:
		req = DeleteRequest("/w", "delete", somePaths.Draw(t, "path"))
	case 4:
		req = FetchRequest("web_fetch", someHosts.Draw(t, "url"))
	case 5:
		req = MCPRequest(rapid.SampledFrom([]string{"gh", "g", "", "a:b"}).Draw(t, "server"), rapid.SampledFrom([]string{"read", "", "x:y"}).Draw(t, "tool"))
	default:
		req = ReadRequest(rapid.SampledFrom([]string{"grep", "skill", "agent", ""}).Draw(t, "tool"), somePaths.Draw(t, "path"))
	}
	req.Declared.Tier, req.Declared.Policy = tier, policy
	req.Declared.Override = rapid.Bool().Draw(t, "override")
	req.Declared.PolicyKey = rapid.SampledFrom([]string{"", "lsp"}).Draw(t, "policy key")
	req.Unrevealed = rapid.IntRange(0, 9).Draw(t, "unrevealed") == 0
	req.Dir = rapid.SampledFrom([]string{"", "", "src", "/elsewhere", "../x"}).Draw(t, "dir")
	return req
}

func somePolicy(t *rapid.T) Policy {
	p := Policy{NoReadOnlyDefaults: rapid.Bool().Draw(t, "no defaults"), NoReadOnlyGuards: rapid.Bool().Draw(t, "no guards"), AutoApproveCommands: rapid.IntRange(0, 4).Draw(t, "auto") == 0}
	for range rapid.IntRange(0, 5).Draw(t, "rules") {
		_ = p.AddRule(someEffects.Draw(t, "effect"), someRules.Draw(t, "rule"), Source{Layer: "global"})
	}
	for _, name := range []string{"bash", "edit", "lsp", "mcp__gh_read"} {
		p.SetTool(name, rapid.SampledFrom([]string{"", "allow", "deny", "prompt"}).Draw(t, name), Source{})
	}
	return p
}

func someGate(t *rapid.T) *Gate {
	opts := Options{Workspace: "/w", Home: "/home/u", GateHome: "/home/u/.blitz", Policy: somePolicy(t), Mode: someModes.Draw(t, "mode"), Sandboxed: true}
	if rapid.Bool().Draw(t, "reachable") {
		opts.Approver = always(Answer{})
	}
	opts.Approvals = KeepApprovals(SavedKey{Key: "write:/w"}, SavedKey{Key: "cmd:/w\x00ls"})
	g, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// strictness orders verdicts: a forced ask is stricter than an ask that
// something may settle.
func strictness(v Verdict) int {
	switch {
	case v.Effect == Deny:
		return 3
	case v.Effect == Ask && v.Forced:
		return 2
	case v.Effect == Ask:
		return 1
	}
	return 0
}

// TestRestrictionsNeverLoosen: one more deny or ask rule, broken or not, makes
// no verdict looser (APR-15).
func TestRestrictionsNeverLoosen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, req := someGate(t), someRequest(t)
		before := g.Check(t.Context(), req)
		p := g.Policy()
		effect := rapid.SampledFrom([]Effect{Deny, Ask}).Draw(t, "added effect")
		text := someRules.Draw(t, "added")
		_ = p.AddRule(effect, text, Source{Layer: "global"})
		g.SetPolicy(p)
		if after := g.Check(t.Context(), req); strictness(after) < strictness(before) {
			t.Fatalf("%s %s turned %s · %s into %s · %s (%s)", effect, text, before.Effect, before.Cause, after.Effect, after.Cause, after.Reason)
		}
	})
}

// TestMoreCommandsNeverLoosen: a line with something behind it passes no more
// than the line (APR-15).
func TestMoreCommandsNeverLoosen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, command := someGate(t), someCommands.Draw(t, "command")
		more := command + rapid.SampledFrom([]string{"; ", " && ", " | ", " || ", "\n", " & "}).Draw(t, "joint") + someCommands.Draw(t, "more")
		if line := shell.Read(command); len(line.Doubts) > 0 || len(line.Commands) == 0 {
			return // what follows may change how the beginning reads: a quote that it closes, say
		}
		before := g.Check(t.Context(), CommandRequest("/w", "bash", command))
		if after := g.Check(t.Context(), CommandRequest("/w", "bash", more)); after.Effect == Allow && before.Effect != Allow {
			t.Fatalf("%q is %s · %s, but %q is %s · %s", command, before.Effect, before.Cause, more, after.Effect, after.Cause)
		}
	})
}

// TestCheckAndDecideAgree on all but what a person says, and neither panics.
func TestCheckAndDecideAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, req := someGate(t), someRequest(t)
		ctx := t.Context()
		switch rapid.IntRange(0, 3).Draw(t, "run") {
		case 0:
			ctx = Unattended(ctx, func(Request) bool { return true })
		case 1:
			ctx = Headless(ctx)
		case 2:
			ctx = Planning(ctx)
		}
		checked, decided := g.Check(ctx, req), g.Decide(ctx, req)
		if checked.Effect == Ask {
			if decided.Cause != CauseUserRefused {
				t.Fatalf("checked as ask, decided %s · %s", decided.Effect, decided.Cause)
			}
			return
		}
		if checked.Effect != decided.Effect || checked.Cause != decided.Cause || fmt.Sprint(checked.Rule) != fmt.Sprint(decided.Rule) {
			t.Fatalf("checked %s · %s %v, decided %s · %s %v", checked.Effect, checked.Cause, checked.Rule, decided.Effect, decided.Cause, decided.Rule)
		}
	})
}

// TestAnotherRequestAsksAgain: with one thing changed, what was approved for
// a session doesn't pass (APR-02, APR-03, TAM-20).
func TestAnotherRequestAsksAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]Mode{Default, AlwaysAsk, WriteMode}).Draw(t, "mode")
		req := rapid.SampledFrom([]Request{
			CommandRequest("/w", "bash", "make all"), MCPRequest("gh", "read"), {Tool: "deploy", Key: "uc-run:deploy"}, fetch("example.com"),
		}).Draw(t, "request")
		req.Declared.Tier = Exec
		g, err := New(Options{Workspace: "/w", Mode: mode, Approver: always(Answer{Decision: Session})})
		if err != nil {
			t.Fatal(err)
		}
		if v := g.Decide(t.Context(), req); req.Kind != MCPTool && v.Cause != CauseUserSession {
			return
		}
		if v := g.Check(t.Context(), req); v.Effect != Allow {
			t.Fatalf("the same request: %s · %s", v.Effect, v.Cause)
		}
		other := req
		other.Targets = append([]string(nil), req.Targets...)
		switch rapid.SampledFrom([]string{"key", "kind", "server", "tool"}).Draw(t, "change") {
		case "key":
			if mode.byTier() {
				return // there the tool is what was approved
			}
			other.Key = flip(t, req.Key)
		case "kind":
			other.Kind = rapid.SampledFrom([]Kind{NoKind, RunCommand, WriteFile, DeleteFile, Network, MCPTool}).
				Filter(func(k Kind) bool { return k != req.Kind }).Draw(t, "other kind")
		case "server":
			if req.Kind != MCPTool {
				return
			}
			other.Server = flip(t, req.Server)
			other.Targets[0] = other.Server + ":" + req.Tool
		case "tool":
			if !mode.byTier() && req.Kind != MCPTool {
				return // there the key is what was approved
			}
			other.Tool = flip(t, req.Tool)
			if req.Kind == MCPTool {
				other.Targets[0] = req.Server + ":" + other.Tool
			}
		}
		if mode == WriteMode && other.Kind == MCPTool {
			return // the mode itself passes these
		}
		if v := g.Check(t.Context(), other); v.Effect != Ask {
			t.Fatalf("%+v after %+v: %s · %s", other, req, v.Effect, v.Cause)
		}
	})
}

// TestAnotherWorkspaceAsksAgain: what was approved in one workspace, for the
// session or saved, is not approved in another whose name differs in a byte
// (APR-02, APR-21).
func TestAnotherWorkspaceAsksAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const home = "/srv/shop"
		other := flip(t, home)
		build := rapid.SampledFrom([]func(string) Request{
			func(w string) Request { return CommandRequest(w, "bash", "make all") },
			func(w string) Request { return WriteRequest(w, "edit", Change{Path: w + "/a"}) },
			func(w string) Request { return DeleteRequest(w, "delete", w+"/a") },
		}).Draw(t, "request")
		approved := build(home).Key
		g, err := New(Options{Workspace: other, Mode: Default, Approver: always(Answer{}), Approvals: KeepApprovals(SavedKey{Key: approved})})
		if err != nil {
			t.Fatal(err)
		}
		g.Remember(approved)
		if v := g.Check(t.Context(), build(other)); v.Effect == Allow {
			t.Fatalf("%q passes by the approvals of %s: %s", other, home, v.Cause)
		}
		if v := g.Check(t.Context(), build(home)); v.Effect == Allow && v.Request.Kind != RunCommand {
			t.Fatalf("a file of %s passes in %q: %s", home, other, v.Cause)
		}
	})
}

// flip changes one byte.
func flip(t *rapid.T, s string) string {
	b := []byte(s)
	b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= rapid.SampledFrom([]byte{1, 2, 4, 0x20}).Draw(t, "bit")
	return string(b)
}
