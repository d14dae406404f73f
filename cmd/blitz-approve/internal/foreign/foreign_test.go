package foreign_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/foreign"
	"github.com/blitz-approve/blitz-approve/gate"
)

// said is what an import carries over and leaves out, one a line.
func said(im *foreign.Import) string {
	var b strings.Builder
	for _, r := range im.Rules {
		fmt.Fprintln(&b, r.Effect, r.Text)
	}
	if im.Mode != "" {
		fmt.Fprintln(&b, "mode", im.Mode)
	}
	for _, l := range im.Left {
		fmt.Fprintln(&b, map[bool]string{false: "left", true: "LEFT"}[l.Restricts], l.From)
	}
	return b.String()
}

func claude(project bool) func([]byte) (*foreign.Import, error) {
	return func(data []byte) (*foreign.Import, error) { return foreign.Claude(data, project) }
}

func codexRules(data []byte) (*foreign.Import, error) { return foreign.CodexRules(data), nil }

func TestImport(t *testing.T) { // APR-15, BEY-01
	for _, tt := range []struct {
		name string
		read func([]byte) (*foreign.Import, error)
		text string
		want string
	}{
		{"claude: commands", claude(false), `{"permissions":{"allow":["Bash(npm run:*)","Bash(git status)","Bash(go test *)","Bash(git * main)","Bash(echo 'a b')","Bash(a && b)","Bash(ls?)"],"deny":["Bash(rm -rf:*)","Bash(sudo *)"],"ask":["Bash(git push)"]}}`,
			`deny shell(rm -rf)
deny shell(sudo *)
ask shell(git push)
allow shell(npm run)
allow shell(/git status/)
allow shell(go test *)
allow shell(git * main)
left allow Bash(echo 'a b')
left allow Bash(a && b)
left allow Bash(ls?)
`},
		{"claude: an exception that can't be kept", claude(false), `{"permissions":{"allow":["Bash(git add:*)","Bash(git:*)","Bash(ls)","Read"],"deny":["Bash(git add . && git push)"]}}`,
			`allow shell(/ls/)
LEFT deny Bash(git add . && git push)
left allow Read
left allow Bash(git add:*)
left allow Bash(git:*)
`},
		{"claude: files", claude(true), `{"permissions":{"allow":["Edit(src/**)","Edit(*.md)","Edit(/docs/)","Write","Edit(//tmp/x)"],"deny":["Read(.env)","Read(./secrets/**)","Edit(~/.ssh/)"],"ask":["Read(x)"]}}`,
			`deny read(**/.env)
deny read(**/.env/**)
deny read(secrets/**)
deny write(~/.ssh/)
deny delete(~/.ssh/)
allow write(src/**)
allow write(**/*.md)
allow write(docs/)
allow write(**)
allow write(/tmp/x)
LEFT ask Read(x)
`},
		{"claude: the rest", claude(false), `{"permissions":{"defaultMode":"acceptEdits","additionalDirectories":["../x"],"allow":["WebFetch(domain:go.dev)","WebFetch(domain:*.go.dev)","mcp__github","mcp__github__get_me","WebSearch","Skill(pdf)","Edit(/src/**)"],"deny":["WebFetch","mcp__db__drop_*","Task"]},"hooks":{"Stop":[]}}`,
			`deny web(*)
deny mcp(db:drop_*)
deny agent(*)
allow web(go.dev)
allow mcp(github:*)
allow mcp(github:get_me)
allow WebSearch
allow skill(pdf)
mode accept-edits
left allow WebFetch(domain:*.go.dev)
left allow Edit(/src/**)
left additionalDirectories ../x
left hooks
`},
		{"claude: bypass", claude(false), `{"permissions":{"defaultMode":"bypassPermissions","allow":["Bash(curl -H 'Authorization: Bearer abcdefghijklmnopq')","Bash(TOKEN=x npm publish)"]}}`,
			"left allow Bash(curl -H 'Authorization: Bearer abcdefghijklmnopq')\nleft allow Bash(TOKEN=x npm publish)\nleft defaultMode bypassPermissions\n"},
		{"codex: modes", foreign.Codex, "approval_policy = \"on-request\"\nsandbox_mode = \"workspace-write\"\n[mcp_servers.db]\ndisabled_tools = [\"drop\"]\n", "deny mcp(db:drop)\nmode accept-edits\nleft approval_policy on-request, sandbox_mode workspace-write\n"},
		{"codex: untrusted", foreign.Codex, "approval_policy = \"untrusted\"\n", "mode default\n"},
		{"codex: never", foreign.Codex, "approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n", "left approval_policy never, sandbox_mode danger-full-access\n"},
		{"codex: rules", codexRules, `# mine
prefix_rule(pattern = ["git", ["push", "fetch"]], decision = "prompt", match = [["git", "push"]], justification = "it's seen")
prefix_rule(pattern=["ls"])
prefix_rule(pattern = ['rm', '-rf'], decision = 'forbidden',)
prefix_rule(pattern=["grep", "a b"])
prefix_rule(pattern=["echo", "*"])
network_rule(host="evil.example", protocol="https", decision="forbidden")
network_rule(host="go.dev", protocol="https", decision="allow")
`, `ask shell(git push)
ask shell(git fetch)
allow shell(ls)
deny shell(rm -rf)
allow shell(grep 'a b')
deny web(evil.example)
left line 6: prefix_rule allow [echo *]
left line 8: network_rule
`},
		{"codex: a program", codexRules, "prefix_rule(pattern=[\"ls\"])\ndef f():\n  pass\nprefix_rule(pattern=[\"rm\"], decision=\"forbidden\")\n", "LEFT from line 2 it can't be read\nleft line 1: prefix_rule allow [ls]\n"},
		{"gemini", foreign.Gemini, `{ // mine
"general":{"defaultApprovalMode":"auto_edit"},
"tools":{"allowed":["run_shell_command(git status)","ShellTool(npm)","read_file","write_file","run_shell_command(a && b)"],"exclude":["run_shell_command(rm)","google_web_search"],},
"mcpServers":{"db":{"trust":true,"excludeTools":["drop"]}},"mcp":{"excluded":["bad"]}}`,
			`deny shell(rm)
deny google_web_search
allow shell(git status)
allow shell(npm)
allow write(**)
deny mcp(bad:*)
deny mcp(db:drop)
allow mcp(db:*)
mode accept-edits
left tools.allowed read_file
left tools.allowed run_shell_command(a && b)
`},
		{"gemini: policies", foreign.GeminiPolicy, `[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git log", "git show"]
decision = "allow"
priority = 100
[[rule]]
toolName = "run_shell_command"
commandRegex = "rm .*-rf"
decision = "deny"
[[rule]]
mcpName = "db"
decision = "ask_user"
[[rule]]
toolName = "*"
decision = "allow"
modes = ["yolo"]
[[rule]]
toolName = ["replace", "write_file"]
decision = "allow"
argsPattern = "docs/"
[[rule]]
toolName = "web_fetch"
decision = "deny"
`, `allow shell(git log)
allow shell(git show)
deny shell(/.*(?:rm .*-rf).*/)
ask mcp(db:*)
deny web(*)
left rule 4: allow *
left rule 5: allow [replace write_file]
`},
		{"gemini: a restriction in a form that isn't known", foreign.GeminiPolicy, "[[rule]]\ntoolName = 'run_shell_command'\ncommandPrefix = [['git', 'push']]\ndecision = 'deny'\n[[rule]]\ntoolName = 'run_shell_command'\ncommandPrefix = 'git'\ndecision = 'allow'\n",
			"LEFT rule 1: deny run_shell_command\nleft rule 2: allow run_shell_command git\n"},
		{"opencode", foreign.OpenCode, `{"permission":{"*":"ask","bash":{"*":"ask","git *":"allow","git push *":"deny","rm *":"deny","ls":"allow"},"edit":{"*":"deny","docs/*.md":"allow"},"webfetch":"allow","read":{"*.env":"deny","*":"allow"},"external_directory":"ask","skill":{"pdf":"allow"}},"tools":{"write":false}}`,
			`deny write(/**)
deny delete(/**)
allow shell(git *)
deny shell(git push *)
deny shell(rm *)
allow shell(/ls/)
allow write(docs/*.md)
allow web(*)
deny read(**/*.env)
deny read(**/*.env/**)
allow skill(pdf)
left permission * ask
left bash "*": ask
left edit "*": deny
left read "*": allow
left external_directory "*": ask
`},
		{"opencode: lifted", foreign.OpenCode, `{"permission":{"bash":{"git *":"ask","git status":"allow","npm *":"allow"}}}`,
			"ask shell(git *)\nallow shell(npm *)\nleft bash \"git status\": allow\n"},
		{"opencode: all", foreign.OpenCode, `{"permission":"allow"}`, "left permission * allow\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			im, err := tt.read([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := said(im); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			for _, r := range im.Rules {
				if _, err := gate.ParseRule(r.Effect, r.Text, gate.Source{}); err != nil {
					t.Error(err)
				}
			}
			for _, l := range im.Left {
				if l.Why == "" {
					t.Errorf("%s is left out without a reason", l.From)
				}
			}
		})
	}
}

// What the other agent would not take, or narrows in a way of its own, comes out
// no looser here (APR-15).
func TestImportOfOddSettings(t *testing.T) {
	for _, tt := range []struct {
		name string
		read func([]byte) (*foreign.Import, error)
		text string
		want string
	}{
		{"claude: modes of this gate", claude(false), `{"permissions":{"defaultMode":"yolo"}}`, "left defaultMode yolo\n"},
		{"claude: bypass", claude(true), `{"permissions":{"defaultMode":"bypass"}}`, "left defaultMode bypass\n"},
		{"claude: its own", claude(true), `{"permissions":{"defaultMode":"acceptEdits"}}`, "mode accept-edits\n"},
		{"codex: a decision that is no word", codexRules, `prefix_rule(pattern=["rm"], decision=["forbidden"])`, "LEFT line 1: prefix_rule\n"},
		{"codex: an argument that may narrow it", codexRules, `prefix_rule(pattern=["rm"], decision="allow", only_in=["/tmp"])`, "LEFT line 1: prefix_rule\n"},
		{"gemini: trust of a server that it doesn't have", foreign.Gemini, `{"mcp":{"allowed":["a"]},"mcpServers":{"a":{"trust":true},"b":{"trust":true}}}`, "allow mcp(a:*)\nLEFT mcp.allowed a\nleft trust of b\n"},
		{"gemini: part of a word", foreign.Gemini, `{"tools":{"exclude":["run_shell_command(git pus*)"],"allowed":["run_shell_command(git sta*)","run_shell_command(go *)"]}}`, "deny shell(git pus*)\nallow shell(git sta)\nallow shell(go)\n"},
		{"opencode: what only one agent may not", foreign.OpenCode, `{"permission":{"bash":{"make":"allow"}},"agent":{"plan":{"permission":{"bash":"deny"}},"x":{}},"mode":{"build":{"tools":{"bash":false}}}}`,
			"LEFT agent plan\nLEFT mode build\nleft bash \"make\": allow\n"},
		{"opencode: tools of servers", foreign.OpenCode, `{"tools":{"gh_delete_*":false},"permission":{"fs_*":"deny"}}`,
			"deny gh_delete_*\ndeny mcp(gh:delete_*)\ndeny mcp(gh_delete:*)\ndeny fs_*\ndeny mcp(fs:*)\n"},
	} {
		im, err := tt.read([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if got := said(im); got != tt.want {
			t.Errorf("%s:\n%swant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestImportRefusesWhatIsBroken(t *testing.T) {
	for name, read := range map[string]func([]byte) (*foreign.Import, error){
		"claude": claude(false), "codex": foreign.Codex, "gemini": foreign.Gemini, "policy": foreign.GeminiPolicy, "opencode": foreign.OpenCode,
	} {
		if _, err := read([]byte(`{"permissions": {"allow": 3}`)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A command that the other agent would not let pass by itself does not pass
// here: exact commands stay exact, prefixes end with a word (APR-15).
func TestImportIsNotWider(t *testing.T) {
	im, err := foreign.Claude([]byte(`{"permissions":{"allow":["Bash(npm install)","Bash(go test:*)","Edit(*.md)","WebFetch(domain:go.dev)"]}}`), false)
	if err != nil || len(im.Rules) != 4 {
		t.Fatal(im, err)
	}
	for _, tt := range []struct {
		sample string
		rule   int
		want   bool
	}{
		{"npm install", 0, true}, {"npm install evil", 0, false}, {"npm installer", 0, false},
		{"go test", 1, true}, {"go test ./...", 1, true}, {"go testx", 1, false}, {"go test && rm x", 1, false},
		{"a/b.md", 2, true}, {"b.md", 2, true}, {"/etc/b.md", 2, false},
		{"https://go.dev/x", 3, true}, {"https://sub.go.dev", 3, false},
	} {
		r, err := gate.CheckRule(gate.Allow, im.Rules[tt.rule].Text, tt.sample, t.TempDir(), "")
		if err != nil || *r.Applies != tt.want {
			t.Errorf("%s to %s: %v, %v", im.Rules[tt.rule].Text, tt.sample, r.Applies, err)
		}
	}
}

// Whatever a file holds, it is read to an end, and every rule is one that the
// gate takes.
func FuzzImport(f *testing.F) {
	for _, s := range []string{`{"permissions":{"allow":["Bash(x)"]}}`, `{"permission":{"bash":{"*":"ask"}}}`, "[[rule]]\ntoolName='x'\ndecision='allow'", `prefix_rule(pattern=["a",["b"]])`, `{"a":/*`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, read := range []func([]byte) (*foreign.Import, error){claude(true), foreign.Codex, codexRules, foreign.Gemini, foreign.GeminiPolicy, foreign.OpenCode} {
			im, err := read(data)
			if err != nil {
				continue
			}
			for _, r := range im.Rules {
				if _, err := gate.ParseRule(r.Effect, r.Text, gate.Source{}); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
