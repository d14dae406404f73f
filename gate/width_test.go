package gate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/publicsuffix"
	"pgregory.net/rapid"
)

func rulesOf(widths []Width) (rules []string) {
	for _, w := range widths {
		rules = append(rules, w.Rule)
	}
	return rules
}

// BEY-08: what may be saved, narrowest first, word by word; for what is
// dangerous only exactly what is asked. BEY-12: nothing with a credential.
func TestWidths(t *testing.T) {
	ask := func(command string) Request { return CommandRequest("/w", "bash", command) }
	write := func(paths ...string) Request {
		var changes []Change
		for _, p := range paths {
			changes = append(changes, Change{Path: p, After: []byte("x")})
		}
		return WriteRequest("/w", "edit", changes...)
	}
	outside := ask("go test")
	outside.Dir = "/elsewhere"
	forced := ask("go test")
	forced.Declared.Override = true
	hidden := write("a/b")
	hidden.Unrevealed = true
	for _, row := range []struct {
		name string
		req  Request
		want string // one rule a line
	}{
		{"words", ask("go test ./pager"), `shell(/go test \./pager/)
			shell(go test ./pager *)
			shell(go test *)`},
		{"no sub-command", ask("eslint ./src"), `shell(/eslint \./src/)
			shell(eslint ./src *)
			shell(eslint *)`},
		{"quotes", ask("grype 'a b'"), `shell(/grype 'a b'/)
			shell(grype 'a b')
			shell(grype *)`},
		{"a wildcard in a word stands for itself only in the exact rule", ask("eslint 'a*'"), `shell(/eslint 'a\*'/)
			shell(eslint *)`},
		{"what is covered already needs no rule", ask("git status && go vet ."), `shell(/go vet \./)
			shell(go vet . *)
			shell(go vet *)`},
		{"two commands need two rules", ask("go vet && eslint x"), `shell(/go vet/)
			shell(/eslint x/)
			shell(go vet *)
			shell(eslint x *)
			shell(go vet *)
			shell(eslint *)`},
		{"what is dangerous stays exact beside another", ask("npm install x && rm -rf y"), `shell(/npm install x/)
			shell(/rm -rf y/)`},
		{"a cd is one of the commands", ask("cd src && npm run lint"), `shell(/cd src/)
			shell(/npm run lint/)
			shell(cd *)
			shell(npm run lint *)`},
		{"a folder elsewhere", ask("cd /x && go vet"), ""},
		{"one that redirects", ask("go vet && eslint x > out"), ""},
		{"options", ask("npm run lint -- --fix"), `shell(/npm run lint -- --fix/)
			shell(npm run lint *)`},
		{"a wrapper that changes nothing", ask("timeout 60 go test ./a"), `shell(/timeout 60 go test \./a/)
			shell(timeout 60 go test ./a *)
			shell(timeout 60 go test *)`},
		{"one word", ask("make"), "shell(/make/)"},
		{"rm", ask("rm -rf build"), `shell(/rm -rf build/)`},
		{"sudo", ask("sudo go test"), "shell(/sudo go test/)"},
		{"a shell", ask("sh -c 'go vet'"), `shell(/sh -c 'go vet'/)
			shell(/go vet/)
			shell(/sh -c 'go vet'/)
			shell(go vet *)`},
		{"an interpreter with its version", ask("/usr/bin/python3.12 x.py"), `shell(//usr/bin/python3\.12 x\.py/)`},
		{"curl", ask("curl example.com"), `shell(/curl example\.com/)`},
		{"git push", ask("git push origin main"), `shell(/git push origin main/)`},
		{"git in another folder", ask("git -C x fetch"), ""},
		{"a redirection asks each time", ask("go vet > out"), ""},
		{"a doubt asks each time", ask("go vet $(cat x)"), ""},
		{"another folder", outside, ""},
		{"forced", forced, ""},
		{"unrevealed", hidden, ""},
		{"a credential", ask("deploy --token=abcdefghijk now"), ""},
		{"a credential whose dots are escaped", ask("deploy eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl"), ""},
		{"a hidden sign", ask("eslint 'a\u202eb'"), ""},

		{"a file", write("internal/pager/pager.go"), `write(internal/pager/pager.go)
			write(internal/pager/*)
			write(internal/pager/)
			write(internal/)`},
		{"a file at the top", write("go.mod"), `write(go.mod)
			write(*)`},
		{"files of one folder", write("a/x", "a/y"), `write(a/*)
			write(a/)`},
		{"files of two folders", write("a/b/x", "a/c/y"), `write(a/)`},
		{"files with nothing in common", write("a/x", "b/y"), ""},
		{"a file elsewhere", write("/srv/x/y"), `write(/srv/x/y)
			write(/srv/x/*)`},
		{"a file in the home", write("/home/u/notes"), `write(/home/u/notes)`},
		{"a protected file", write(".git/config"), `write(.git/config)`},
		{"a name with a wildcard", write("a/*"), ""},
		{"a deletion", DeleteRequest("/w", "delete", "a/b/c"), `delete(a/b/c)
			delete(a/b/*)`},
		{"a rename takes two rules", WriteRequest("/w", "edit", Change{Path: "a/x", From: "a/y"}), ""},

		{"a host", FetchRequest("fetch", "https://a.docs.example.com/x"), `web(a.docs.example.com)
			web(*.a.docs.example.com)
			web(*.docs.example.com)
			web(*.example.com)`},
		{"under a public suffix", FetchRequest("fetch", "https://me.github.io"), `web(me.github.io)
			web(*.me.github.io)`},
		{"a public suffix itself", FetchRequest("fetch", "https://co.uk"), `web(co.uk)`},
		{"an address", FetchRequest("fetch", "http://127.1/"), `web(127.0.0.1)`},

		{"MCP", MCPRequest("gh", "read"), `mcp(gh:read)
			mcp(gh:*)`},
		{"a tool", Request{Tool: "notes", Declared: Declaration{Tier: Write}}, "notes"},
		{"a tool that runs code", Request{Tool: "notes"}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			g, err := New(Options{Workspace: "/w", Home: "/home/u", Mode: Default, Approver: always(Answer{}), Site: publicsuffix.EffectiveTLDPlusOne})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(rulesOf(g.Widths(row.req)), "\n")
			if want := strings.ReplaceAll(row.want, "\t", ""); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// BEY-08: the rules for a part of a line say which part, and the widest why there
// is nothing wider; where none is offered, that is said.
func TestWidthsSayWhy(t *testing.T) {
	g, err := New(Options{Workspace: "/w", Home: "/home/u", Mode: Default, Approver: always(Answer{}), Policy: allowing(t, "shell(go test)", "shell(cd src)")})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ line, rules, of, why string }{
		{"make c && go test", "shell(/make c/)", "make c", "with other words make may run, send or destroy anything"},
		{"make c && make d", "shell(/make c/)\nshell(/make d/)", "", "with other words make may run, send or destroy anything"},
		{"make c && make c", "shell(/make c/)", "", "with other words make may run, send or destroy anything"},
		{"make c && make d && ls", "shell(/make c/)\nshell(/make d/)", "make c, make d", "with other words make may run, send or destroy anything"},
		{"git push origin", "shell(/git push origin/)", "", "with other words git push may run, send or destroy something else"},
		{"cd src && go vet", "shell(/go vet/) shell(go vet *)", "go vet", "a wider rule would let go do something else"},
		{"cd lib && go test", "shell(/cd lib/) shell(cd *)", "cd lib", "that is every folder"},
		{"go vet > out", "", "", "it writes a file by redirection"},
		{"cd /x && go vet", "", "", "it runs in /x, outside of the workspace"},
		{"eval x", "", "", "it can't be read for sure: it runs text as a command"},
		{"zap --token=abcdefghijk", "", "", "it holds what looks like a secret"},
	} {
		widths, why := g.widths(CommandRequest("/w", "bash", row.line))
		of := ""
		if len(widths) > 0 {
			of, why = widths[0].Of, widths[len(widths)-1].Widest
		}
		if got := strings.Join(rulesOf(widths), " "); got != row.rules || of != row.of || why != row.why {
			t.Errorf("%s\ngot  %q of %q (%s)\nwant %q of %q (%s)", row.line, got, of, why, row.rules, row.of, row.why)
		}
	}
}

// BEY-08, APR-12: the rules for a line are saved together, all or none, and the
// line passes then.
func TestAnswerSavesSeveralRules(t *testing.T) {
	var p Policy
	var g *Gate
	fail := errors.New("disk full")
	save := func(place RulePlace, rules ...string) error {
		if fail != nil {
			return fail
		}
		for _, rule := range rules {
			if err := p.AddRule(Allow, rule, Source{Layer: string(place), File: "settings.toml", Line: len(p.Rules) + 1}); err != nil {
				return err
			}
		}
		g.SetPolicy(p)
		return nil
	}
	asked := 0
	person := ApproverFunc(func(_ context.Context, p Prompt) (Answer, error) {
		asked++
		return p.Saving(p.Widths[len(p.Widths)-1]).Answer, nil
	})
	g, _ = New(Options{Workspace: "/w", Home: "/home/u", Mode: Default, Approver: person, SaveRules: save})
	line := CommandRequest("/w", "bash", "cd src && go test ./pager && make lint")
	if v := g.Decide(t.Context(), line); !v.Allowed() || v.Warning != "approved, but none of the rules shell(cd *) and shell(go test *) and shell(/make lint/) is saved: disk full" {
		t.Errorf("a failed save: %s, %q", v.Cause, v.Warning)
	}
	fail = nil
	for range 2 {
		if v := g.Decide(t.Context(), line); v.Effect != Allow || v.Warning != "" {
			t.Errorf("%s, %q", v.Cause, v.Warning)
		}
	}
	if asked != 2 || len(p.Rules) != 3 || p.Rules[2].Text != "shell(/make lint/)" {
		t.Errorf("asked %d times, saved %v", asked, p.Rules)
	}
}

// BEY-08: the label of a rule for MCP tools says all that it covers: nobody knows
// what the other tools of a server do, nor which it will have.
func TestWidthsOfAServerSaySo(t *testing.T) {
	g, err := New(Options{Workspace: "/w", Home: "/home/u", Mode: Default, Approver: always(Answer{})})
	if err != nil {
		t.Fatal(err)
	}
	want := []Width{
		{Rule: "mcp(db:query)", Label: "this tool of db, whatever it is called with"},
		{Rule: "mcp(db:*)", Label: "every tool of db, also one that deletes, and those that it gets later", Widest: "that is all of the server"},
	}
	if got := g.Widths(MCPRequest("db", "query")); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

// BEY-08: every offered rule lets the request pass, a wider one all that the
// narrower does, and none loosens a deny or a forced ask.
func TestWidthsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := someGate(t)
		g.opts.Site = publicsuffix.EffectiveTLDPlusOne
		req := someRequest(t)
		if rapid.Bool().Draw(t, "plain") {
			req = rapid.SampledFrom([]Request{
				CommandRequest("/w", "bash", "go test ./a b"), edit("a/b/c"), edit("x"), FetchRequest("f", "https://x.y.example.com"), MCPRequest("gh", "read"),
			}).Draw(t, "request")
		}
		widths := g.Widths(req)
		other := rapid.SampledFrom([]Request{
			req, someRequest(t), CommandRequest("/w", "bash", "go test ./a b c"), CommandRequest("/w", "bash", "go test"), CommandRequest("/w", "bash", "go vet"),
			edit("a/b/d"), edit("a/d"), edit("a/.git/config"), edit("y"), FetchRequest("f", "https://y.example.com"), MCPRequest("gh", "write"),
		}).Draw(t, "other")
		before := g.Check(context.Background(), other)
		passed := false
		for _, w := range widths {
			trial, err := g.Try(w.Rule)
			if err != nil {
				t.Fatalf("%s can't be read: %v", w.Rule, err)
			}
			if !trial.Passes(req) {
				t.Fatalf("%s doesn't let its own request pass", w.Rule)
			}
			passes := trial.Passes(other)
			if passed && !passes {
				t.Fatalf("%q: a narrower rule than %s lets pass what it doesn't: %v", other.Targets, w.Rule, rulesOf(widths))
			}
			if passes && (before.Effect == Deny && before.Cause != CauseModePlan && before.Cause != CauseModeDontAsk && before.Cause != CauseNoApprover || before.Forced) {
				t.Fatalf("%s lets pass what is %s (%s)", w.Rule, before.Effect, before.Cause)
			}
			passed = passes
		}
	})
}

// BEY-08, APR-15: the chosen rule is saved where the person says, and applies
// as the file's rule and not as the session's. APR-12: a save that fails
// approves once and says so.
func TestAnswerSavesARule(t *testing.T) {
	type saved struct {
		place RulePlace
		rule  string
	}
	var all []saved
	var g *Gate
	fail := error(nil)
	save := func(place RulePlace, rules ...string) error {
		if fail != nil {
			return fail
		}
		rule := rules[0]
		all = append(all, saved{place, rule})
		var p Policy
		if err := p.AddRule(Allow, rule, Source{Layer: string(place), File: "settings.toml", Line: 3}); err != nil {
			return err
		}
		g.SetPolicy(p)
		return nil
	}
	answer := Answer{Decision: Always, Rule: "shell(go test *)", Place: WorkspaceRules}
	var shown Prompt
	person := ApproverFunc(func(_ context.Context, p Prompt) (Answer, error) { shown = p; return answer, nil })
	approvals := KeepApprovals()
	g, _ = New(Options{Workspace: "/w", Home: "/home/u", Mode: Default, Approver: person, SaveRules: save, Approvals: approvals})
	req := CommandRequest("/w", "bash", "go test ./pager")

	fail = errors.New("disk full")
	if v := g.Decide(t.Context(), req); v.Effect != Allow || v.Cause != CauseUserAlways || !strings.Contains(v.Warning, "disk full") {
		t.Errorf("a failed save: %s · %s, %q", v.Effect, v.Cause, v.Warning)
	}
	fail = nil
	if v := g.Decide(t.Context(), req); v.Cause != CauseUserAlways || v.Warning != "" {
		t.Errorf("%s, %q", v.Cause, v.Warning)
	}
	if !slices.Equal(all, []saved{{WorkspaceRules, "shell(go test *)"}}) || len(approvals.List()) != 0 {
		t.Errorf("saved %v and %d keys", all, len(approvals.List()))
	}
	if !shown.Offers(Always) || !slices.Contains(rulesOf(shown.Widths), answer.Rule) {
		t.Errorf("offered %v", shown.Widths)
	}
	v := g.Decide(t.Context(), CommandRequest("/w", "bash", "go test ./other"))
	if v.Cause != CauseRuleAllow || v.Rule == nil || v.Rule.Source.Line != 3 {
		t.Errorf("the next: %s by %v", v.Cause, v.Rule)
	}
	g.SetPolicy(Policy{}) // the rule is taken out of the file
	answer = Answer{}
	if v := g.Decide(t.Context(), req); v.Cause != CauseUserRefused {
		t.Errorf("after that: %s", v.Cause)
	}
	// A rule that isn't offered is never saved.
	all = nil
	for _, rule := range []string{"shell(*)", "shell(go *)", "write(**)"} {
		answer = Answer{Decision: Always, Rule: rule, Place: GlobalRules}
		if v := g.Decide(t.Context(), req); v.Cause != CauseUserOnce || v.Warning == "" {
			t.Errorf("%s: %s, %q", rule, v.Cause, v.Warning)
		}
	}
	if len(all) > 0 {
		t.Errorf("saved %v", all)
	}
}
