package gate

import (
	"slices"
	"strings"
	"testing"
)

// BEY-04: where one command of a line can't be read for sure, no other is blamed
// for it, and none passes by itself.
func TestOnlyTheDoubtfulIsBlamed(t *testing.T) {
	const option = "a word that may become an option when it runs"
	for line, want := range map[string][]string{
		"ls $(pwd)":             {"ask " + option, "allow "},
		"pwd && touch x; ls $y": {"allow ", "ask no rule matches", "ask " + option},
		"ls > x; ls $y":         {"ask it writes a file by redirection", "ask " + option},
		"nohup pwd && ls $y":    {"allow ", "allow ", "ask " + option},
		"rm x; ls $y":           {"deny ", "ask " + option},
		"eval x$y; pwd":         {"ask it runs text as a command", "ask it runs text as a command", "allow "},
	} {
		v := setup{mode: Default, allow: []string{"shell(pwd)", "shell(nohup)"}, deny: []string{"shell(rm)"}}.check(t, shellRun(line))
		var got []string
		for _, p := range v.Parts {
			got = append(got, p.Effect.String()+" "+p.Reason)
		}
		if !slices.Equal(got, want) || v.Allowed() {
			t.Errorf("%s: %s, %q", line, v.Effect, got)
		}
	}
}

// A rule that names what a wrapper runs allows both; one for the wrapper alone,
// or for what is inside alone, doesn't (APR-15).
func TestRulesForWrappers(t *testing.T) {
	for _, row := range []struct {
		rule, line string
		want       Effect
	}{
		{"shell(timeout 5 go test)", "timeout 5 go test ./...", Allow},
		{"shell(timeout 5 nice go test)", "timeout 5 nice go test", Allow},
		{"shell(sudo apt *)", "sudo apt update", Allow},
		{"shell(/timeout 5 go test/)", "timeout 5 go test", Allow},
		{"shell(timeout 5 go test)", "timeout 5 go test && go test", Ask},
		{"shell(timeout 5 go test)", "timeout 5 go vet", Ask},
		{"shell(timeout 5 go test)", "timeout 5 go test -exec ./x", Ask},
		{"shell(timeout 5 go test)", "timeout 5 go test > f", Ask},
		{"shell(timeout 5 nice)", "timeout 5 nice go test", Ask},
		{"shell(timeout 5 tee)", "timeout 5 tee .git/config", Ask},
		{"shell(timeout 5 tee .git/config)", "timeout 5 tee .git/config", Allow},
		{"shell(timeout)", "timeout 5 go test", Ask},
		{"shell(timeout 5)", "timeout 5 go test", Ask},
		{"shell(timeout *)", "timeout 5 go test", Ask},
		{"shell(/timeout 5 .*/)", "timeout 5 go test", Ask},
		{"shell(go test)", "timeout 5 go test", Ask},
		{"shell(find)", "find . -exec id ;", Ask},
	} {
		v := setup{mode: Default, allow: []string{row.rule}}.check(t, shellRun(row.line))
		if v.Effect != row.want {
			t.Errorf("%s on %s: %s (%s), want %s", row.rule, row.line, v.Effect, v.Reason, row.want)
		}
	}
	g, _ := setup{mode: Default}.gate(t)
	if w := rulesOf(g.Widths(shellRun("timeout 5 go test"))); !slices.Equal(w, []string{"shell(/timeout 5 go test/)", "shell(timeout 5 go test *)"}) {
		t.Errorf("the rules to choose from are %v", w)
	}
	inner := "shell(go test) isn't enough: a rule must begin with timeout 5"
	if v := (setup{mode: Default, allow: []string{"shell(go test)"}}).check(t, shellRun("timeout 5 go test")); v.Parts[0].Reason != inner {
		t.Errorf("the reason is %q", v.Parts[0].Reason)
	}
}

// What a program may run in its last words is denied and asked about, and is no
// reason to ask under a rule for the program (APR-15, APR-13).
func TestRulesForCarriers(t *testing.T) {
	s := setup{mode: Yolo, deny: []string{"shell(rm -rf)"}, ask: []string{"shell(git push)"}, allow: []string{"shell(npx *)", "shell(docker *)"}}
	for line, want := range map[string]Effect{
		"npx rm -rf x": Deny, "docker run -it alpine sh -c 'rm -rf x'": Deny, "ls && poetry run rm -rf x": Deny, "sed '1e rm -rf x' f": Deny,
		"docker exec box git push": Ask, "npx tsc x": Allow, "docker run alpine apk add git": Allow,
	} {
		if v := s.check(t, shellRun(line)); v.Effect != want {
			t.Errorf("%s: %s (%s), want %s", line, v.Effect, v.Reason, want)
		}
		s := s
		s.mode = Default
		if v := s.check(t, shellRun(line)); v.Effect != want {
			t.Errorf("%s in mode default: %s (%s), want %s", line, v.Effect, v.Reason, want)
		}
	}
	if v := s.check(t, shellRun("npx tsc -p rm")); len(v.Parts) != 1 {
		t.Errorf("what is only guessed is no part of the line: %v", v.Parts)
	}
}

// What a script of sed reads is a file like any other (APR-13).
func TestSedReadsBlockedFiles(t *testing.T) {
	s := setup{mode: Yolo, deny: []string{"read(.env)"}}
	for line, want := range map[string]Effect{"sed 'r .env' f": Ask, "sed -e p -e '/x/R .env' f": Ask, "sed '$!d;r f' g": Allow, "sed 'y/r/e/;s/r .env/x/' f": Allow} {
		if v := s.check(t, shellRun(line)); v.Effect != want {
			t.Errorf("%s: %s (%s), want %s", line, v.Effect, v.Reason, want)
		}
	}
}

// Skills, agents and the tools of a server go by their names (APR-15).
func TestRulesForNames(t *testing.T) {
	skill, agent := Request{Tool: "skill", Targets: []string{"pdf"}}, Request{Tool: "task", Targets: []string{"pdf", "explorer"}}
	for _, row := range []struct {
		rule string
		req  Request
		hit  bool
	}{
		{"skill(pdf)", skill, true}, {"skill(p*)", skill, true}, {"skill(x)", skill, false}, {"agent(pdf)", skill, false},
		{"agent(explorer)", agent, true}, {"Task(expl*)", agent, true}, {"skill(explorer)", agent, false},
		{"mcp(gh*)", MCPRequest("ghe", "read"), true}, {"mcp(g?)", MCPRequest("gh", "read"), true}, {"mcp(g?)", MCPRequest("ghe", "read"), false}, {"mcp(gh)", MCPRequest("gh", "read"), true},
	} {
		want := map[bool]Effect{true: Deny, false: Allow}[row.hit]
		if v := (setup{mode: Yolo, deny: []string{row.rule}}).check(t, row.req); v.Effect != want {
			t.Errorf("deny %s: %s (%s), want %s", row.rule, v.Effect, v.Reason, want)
		}
		// An allow needs every target.
		want = map[bool]Effect{true: Allow, false: Ask}[row.hit && len(row.req.Targets) == 1]
		if v := (setup{mode: Default, allow: []string{row.rule}}).check(t, row.req); v.Effect != want {
			t.Errorf("allow %s: %s (%s), want %s", row.rule, v.Effect, v.Reason, want)
		}
	}
}

// TAM-01: to start an agent is exec, though it does nothing that doesn't come to
// the gate by itself: the modes that look at tiers ask, and rules hold.
func TestStartedAgents(t *testing.T) {
	start := Request{Tool: "Agent", Targets: []string{"explorer"}, Gated: true}
	for mode, want := range map[Mode]Effect{
		Default: Allow, AcceptEdits: Allow, Auto: Allow, Plan: Allow, DontAsk: Allow, Yolo: Allow,
		AlwaysAsk: Ask, AlwaysAskCached: Ask, WriteMode: Ask,
	} {
		if v := (setup{mode: mode}).check(t, start); v.Effect != want {
			t.Errorf("%s: %s (%s), want %s", mode, v.Effect, v.Reason, want)
		}
	}
	for tool, rule := range map[string]string{
		"Agent": "agent(explorer)", "Task": "agent(explorer)", "task": "agent(expl*)", "invoke_agent": "agent(explorer)",
		"Skill": "skill(explorer)", "activate_skill": "skill(explorer)",
	} {
		start.Tool = tool
		if v := (setup{mode: Yolo, deny: []string{rule}}).check(t, start); v.Effect != Deny {
			t.Errorf("%s: %s (%s)", tool, v.Effect, v.Reason)
		}
	}
	command := shellRun("make")
	if command.Gated = true; (setup{mode: Default}).check(t, command).Allowed() {
		t.Error("a command passes")
	}
}

// The rule that a refusal names covers what was refused and no more: none is
// named where an agent put a wildcard (APR-11).
func TestRefusalNamesNoWiderRule(t *testing.T) {
	for want, req := range map[string]Request{
		"delete(a)": remove("a"), "write(a)": edit("./a"), "mcp(gh:read)": MCPRequest("gh", "read"), "shell(make x)": shellRun("make x"),
	} {
		if v := (setup{mode: Default, nobody: true}).check(t, req); !strings.Contains(v.Reason, "the rule "+want) {
			t.Errorf("%s isn't named: %s", want, v.Reason)
		}
	}
	for _, req := range []Request{edit("*"), remove("a?"), MCPRequest("gh", "*"), shellRun("rm 'a*'"), fetch("*")} {
		if v := (setup{mode: Default, nobody: true}).check(t, req); v.Effect != Deny || strings.Contains(v.Reason, "the rule ") {
			t.Errorf("%s", v.Reason)
		}
	}
}

// Write and delete rules reach what a command is known to write or delete, by
// redirection or by its words (APR-15).
func TestFileRulesForCommands(t *testing.T) {
	s := setup{mode: Yolo, deny: []string{"write(secrets/**)", "delete(keep/**)"}}
	for line, want := range map[string]Effect{
		"echo x > secrets/k": Deny, "echo x | tee -a secrets/k": Deny, "cp a secrets": Deny, "cp a b secrets/": Deny, "touch secrets/k": Deny,
		"mkdir -p secrets/d": Deny, "cp -t secrets a": Deny, "mv a secrets/k": Deny, "mv secrets/k a": Deny, "sed -i s/a/b/ secrets/k": Deny,
		"sed 's/a/b/w secrets/k' f": Deny, "dd if=a of=secrets/k": Deny, "sort -o secrets/k a": Deny, "curl -so secrets/k u": Deny, "wget -qO secrets/k u": Deny, "wget -P secrets u": Deny,
		"tar xf a -C secrets": Deny, "tar -xCsecrets -f a": Deny, "tar xf a --directory=secrets": Deny, "unzip -dsecrets a": Deny, "wget --directory-prefix secrets u": Deny, "unzip a -d secrets": Deny, "unzip a": Allow, "wget -O- u": Allow,
		"cd secrets && touch k": Deny, "npx tee secrets/k": Allow, "sudo tee secrets/k": Deny, "ln -s /x secrets/k": Deny,
		"rm keep/k": Deny, "rm -r keep": Deny, "mv keep/k a": Deny, "mv -t a keep/k": Deny, "mv --target-directory=a b keep/k": Deny, "mv a keep": Allow, "rmdir keep/d": Deny,
		"echo x > $F": Ask, "echo x > sec*/k": Ask, "echo x > $F/k": Ask,
		"cp secrets/k a": Allow, "cat secrets/k": Allow, "touch keep/k": Allow, "echo x > a": Allow, "ls > /dev/null": Allow, "ls 2>&1": Allow,
	} {
		if v := s.check(t, shellRun(line)); v.Effect != want {
			t.Errorf("%s: %s (%s), want %s", line, v.Effect, v.Reason, want)
		}
	}
	if v := (setup{mode: Yolo}).check(t, shellRun("echo x > $F")); v.Effect != Allow {
		t.Errorf("a name that isn't known is no matter without rules: %s", v.Reason)
	}
}

// BEY-01, TAM-03: what the user says of bash tightens every agent's shell tool, and
// loosens none but that of the name.
func TestBashIsEveryShell(t *testing.T) {
	for _, tool := range []string{"Bash", "run_shell_command", "Shell", "bash"} {
		run := CommandRequest("/w", tool, "make")
		if v := (setup{mode: Yolo, deny: []string{"bash"}}).check(t, run); v.Effect != Deny {
			t.Errorf("deny bash for %s: %s", tool, v.Effect)
		}
		for word, want := range map[string]Effect{"deny": Deny, "prompt": Ask} {
			var p Policy
			p.SetTool("bash", word, Source{Layer: "global"})
			g, err := New(Options{Workspace: t.TempDir(), Home: "/nobody", Mode: Yolo, Policy: p, Approver: always(Answer{})})
			if err != nil {
				t.Fatal(err)
			}
			if v := g.Check(t.Context(), run); v.Effect != want {
				t.Errorf("bash = %s for %s: %s (%s)", word, tool, v.Effect, v.Reason)
			}
		}
		var p Policy
		p.SetTool("bash", "allow", Source{Layer: "global"})
		g, err := New(Options{Workspace: t.TempDir(), Home: "/nobody", Mode: AlwaysAsk, Policy: p, Approver: always(Answer{})})
		if err != nil {
			t.Fatal(err)
		}
		if v := g.Check(t.Context(), run); v.Allowed() != (tool == "bash") {
			t.Errorf("bash = allow for %s: %s", tool, v.Effect)
		}
	}
}
