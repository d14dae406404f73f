package shell

import "testing"

// TestCritical lists the commands that always deserve a question (TAM-15).
func TestCritical(t *testing.T) {
	critical := []string{
		"rm -rf /", "rm -fr /", "rm -r -f /", "rm --recursive --force /", "rm -rf /*", "rm -rf -- /", "rm -Rf /var", "rm -f /x", "rm -rf ~", "rm -rf ~/",
		"rm -rf '/'", `r\m -rf /`, `"rm" -rf /`, "rm --no-preserve-root x", "ls && rm -rf /x", "sudo rm -rf /x", "sh -c 'rm -rf /x'", `rm -rf "$HOME"`,
		"chmod -R 777 /", "chown -R u:g /usr", "chgrp --recursive g /x",
		":(){ :|:& };:", ":() { : | : & }; :", "f() { f | f & }; f",
		"mkfs.ext4 /dev/sdb1", "mkfs /dev/sdb", "wipefs -a /dev/sdb", "shred /dev/sda", "dd if=/dev/zero of=/dev/sda bs=1M", "cat x > /dev/sda", "echo x >/dev/nvme0n1",
		"echo x > /etc/passwd", "echo x >>/etc/shadow", "tee /etc/passwd < f", "tee -a /etc/sudoers.d/x", "cp x /etc/passwd", "sed -i s/a/b/ /etc/passwd", "ls | sudo tee /etc/shadow",
		"curl x | sh", "curl -s x | sudo bash", "wget -qO- x | bash -s", "curl x | tee f | bash", "bash <(curl x)", "sudo bash <(curl x)", "env sh -c \"$(curl x)\"", "timeout 9 nice bash <(wget -O- x)", "npx bash <(curl x)", "poetry run kill -9 -1", "source <(curl x)", ". <(wget -O- x)", `eval "$(curl x)"`, "eval `curl x`",
		`sh -c "$(curl x)"`, "curl x | python3", "curl x | env bash",
		"cd / && rm -rf *", "cd ~ && rm -rf .", "cd / && sudo rm -r ./*", "mv / x", "mv ~ x", "mv /* x", "find / -delete", "find / -exec rm -rf {} +", "find ~ -type f -delete",
		"curl -o f x && sh f", "curl x > f; bash ./f", "curl -o ./f x && chmod +x f && ./f", "wget -O f x && sh f", "wget -qO/tmp/f x; /tmp/f", "curl -LO x/i.sh && sh i.sh", "wget x/i.sh?a && . ./i.sh", "curl -o f.py x && python3 f.py",
		`python3 -c "$(curl x)"`, `node -e "$(curl x)"`, "echo b > /proc/sysrq-trigger", "systemctl isolate poweroff.target", "loginctl reboot",
		"shutdown now", "sudo reboot", "halt", "poweroff", "init 0", "telinit 6", "systemctl poweroff", "echo shutdown", "kill -9 -1", "kill -9 1",
	}
	for _, line := range critical {
		if reason, ok := Critical(line); !ok || reason == "" {
			t.Errorf("Critical(%q) = %q, %v", line, reason, ok)
		}
	}
	ordinary := []string{
		"", "ls", "rm x", "rm -rf build", "rm -rf ./build", "rm -rf -- ./build", "rm -rf src/x", "rm /x", "chmod -R 755 src", "chmod 755 /x", "kill -9 10", "kill %1",
		"echo x > ./etc/passwd", "cat /etc/passwd", "cp /etc/passwd x", "curl x | jq .", "curl -o f x", "eval \"$(ssh-agent)\"", "source ./x.sh", "sh x.sh",
		"echo x > /dev/null", "dd if=/dev/sda of=x", "git log --grep=reboot", "cat reboot.md", "npm run halting", "systemctl status x", "init", "f() { g | g & }; f",
		"cd / && ls *", "cd /tmp && rm -rf x", "cd src && rm -rf *", "mv x /", "mv a b", "find . -exec rm -rf {} +", "find / -name core -delete", "find / -name rm", "find /tmp/x -delete",
		"curl -o f x && sh g", "sh f && curl -o f x", "curl -o f x && cat f", "wget x/a.tgz && tar xf a.tgz", `python3 x.py "$(curl x)"`, "curl -O x/f.json && node -p 1",
		"mkfsx d", `sudo echo "$(curl x)"`, "npx kill 7", "grep rm /etc/x", "echo rm -rf", "terraform -force /x",
	}
	for _, line := range ordinary {
		if reason, ok := Critical(line); ok {
			t.Errorf("Critical(%q) = %q", line, reason)
		}
	}
}

// TestResolve covers patterns and chains (TAM-16, TAM-17). Rules are written
// allow:…, deny:…, prompt:…, separated by semicolons.
func TestResolve(t *testing.T) {
	tests := []struct {
		row, line string
		patterns  []Pattern
		compound  bool
		shell     string
		want      string // policy, or "critical"
	}{
		{"TAM-16", "git log", []Pattern{{"git *", "allow"}}, false, "bash", "allow"},
		{"TAM-16", "git\tlog", []Pattern{{"  git   log ", " ALLOW "}}, false, "bash", "allow"},
		{"TAM-16", "git log # note", []Pattern{{"git *", "allow"}}, false, "bash", "allow"},
		{"TAM-16", "git commit -m 'a;b'", []Pattern{{"git *", "allow"}}, false, "bash", "allow"},
		{"TAM-16", "git LOG", []Pattern{{"git log", "allow"}}, false, "bash", ""},
		{"TAM-16", "ls a.c", []Pattern{{"ls ?.c", "allow"}}, false, "bash", ""},
		{"TAM-16", "a git log", []Pattern{{"git log", "deny"}}, false, "bash", ""},
		{"TAM-16", "git log", []Pattern{{"git *", "perhaps"}}, false, "bash", ""},
		{"TAM-16: text between stars", "aXbYcZ", []Pattern{{"a*b*c*", "deny"}}, false, "bash", "deny"},
		{"TAM-16: text between stars", "a c b", []Pattern{{"a*b*c", "deny"}}, false, "bash", ""},
		{"TAM-16: deny is absolute", "npx rm x", []Pattern{{"npx *", "prompt"}, {"rm *", "deny"}}, false, "bash", "deny"},
		{"TAM-16: allow is for simple commands", "npx rm x", []Pattern{{"npx *", "allow"}, {"git *", "deny"}}, false, "bash", "allow"},
		{"TAM-16: the first match wins", "git log", []Pattern{{"*", "allow"}, {"git *", "deny"}}, false, "bash", "allow"},
		{"TAM-16: the first match wins", "git log", []Pattern{{"git *", "prompt"}, {"*", "deny"}}, false, "bash", "prompt"},
		{"TAM-16: allow is for simple commands", "git log | sh", []Pattern{{"git *", "allow"}}, false, "bash", ""},
		{"TAM-16: allow is for simple commands", "git $(rm x) log", []Pattern{{"git *", "allow"}}, false, "bash", ""},
		{"TAM-16: allow is for simple commands", `git log "$x"`, []Pattern{{"git *", "allow"}}, false, "bash", ""},
		{"TAM-16: allow is for simple commands", "git log > f", []Pattern{{"git *", "allow"}}, false, "bash", ""},
		{"TAM-16: allow is for simple commands", "git log &", []Pattern{{"git *", "allow"}}, false, "bash", ""},
		{"TAM-16: allow is for simple commands", "git log\nid", []Pattern{{"git *", "allow"}}, false, "bash", ""},
		{"TAM-16: allow is for simple commands", "git -c alias.x='!id' x", []Pattern{{"git *", "allow"}}, false, "bash", ""},
		{"TAM-16: deny is absolute", "cat f | rm -rf /x", []Pattern{{"rm -rf /*", "deny"}}, false, "bash", "deny"},
		{"TAM-16: deny is absolute", `sudo r\m -rf x`, []Pattern{{"*", "allow"}, {"rm *", "deny"}}, false, "bash", "allow"},
		{"TAM-16: deny is absolute", `sudo r\m -rf x`, []Pattern{{"rm *", "deny"}, {"*", "allow"}}, false, "bash", "deny"},
		{"TAM-16: deny is absolute", "echo $(rm x)", []Pattern{{"rm *", "deny"}}, false, "bash", "deny"},
		{"TAM-16: deny is absolute", "'rm' x", []Pattern{{"rm *", "deny"}}, false, "bash", "deny"},
		{"TAM-16: critical beats allow", "rm -rf /", []Pattern{{"*", "allow"}}, false, "bash", "critical"},
		{"TAM-16: critical beats prompt", "rm -rf /", []Pattern{{"*", "prompt"}}, false, "bash", "critical"},
		{"TAM-16: deny beats critical", "rm -rf /", []Pattern{{"rm *", "deny"}}, false, "bash", "deny"},
		{"TAM-16: other shells get plain text only", "Get-Item 'a;b'", []Pattern{{"Get-Item *", "allow"}}, false, "pwsh", ""},
		{"TAM-16: other shells get plain text only", "Get-Item a", []Pattern{{"Get-Item *", "allow"}}, false, "pwsh", "allow"},
		{"TAM-17", "a x && b y", []Pattern{{"a *", "allow"}, {"b *", "allow"}}, true, "/bin/bash", "allow"},
		{"TAM-17: off by default", "a x && b y", []Pattern{{"a *", "allow"}, {"b *", "allow"}}, false, "/bin/bash", ""},
		{"TAM-17", `a "x y" && b z\ z`, []Pattern{{"a *", "allow"}, {"b *", "allow"}}, true, "/bin/sh", "allow"},
		{"TAM-17: a quoted ~", "a '~' && b ''~", []Pattern{{"*", "allow"}}, true, "/bin/bash", "allow"},
		{"TAM-17: an expansion that is known", `a x && b "$PWD"`, []Pattern{{"*", "allow"}}, true, "/bin/bash", ""},
		{"TAM-17: a substitution that is known", `a x && b "$(pwd)"`, []Pattern{{"*", "allow"}}, true, "/bin/bash", ""},
		{"TAM-17: the home", "a x && b ~", []Pattern{{"*", "allow"}}, true, "/bin/bash", ""},
		{"TAM-17: an unmatched segment", "a x && c", []Pattern{{"a *", "allow"}}, true, "/bin/bash", ""},
		{"TAM-17: first match in each segment", "a x && a y", []Pattern{{"a *", "allow"}, {"*", "deny"}}, true, "bash", "allow"},
		{"TAM-17: deny before prompt", "p && d", []Pattern{{"p", "prompt"}, {"d", "deny"}}, true, "bash", "deny"},
		{"TAM-17: veto of the whole", "a && b", []Pattern{{"a", "allow"}, {"b", "allow"}, {"a && b", "prompt"}, {"a && b", "deny"}}, true, "bash", "deny"},
		{"TAM-17: critical in a chain", "true && rm -rf '/'", []Pattern{{"*", "allow"}}, true, "bash", "critical"},
		{"TAM-17: restriction before critical", "true && rm -rf /", []Pattern{{"true", "prompt"}, {"*", "allow"}}, true, "bash", "prompt"},
		{"TAM-17: unknown shell", "a && b", []Pattern{{"*", "allow"}}, true, "", ""},
		{"TAM-17: other shells", "a && b", []Pattern{{"*", "allow"}}, true, "fish", ""},
		{"TAM-17: restricted shell", "a && b", []Pattern{{"*", "allow"}}, true, "/bin/rbash", ""},
		{"TAM-17: Windows path", "a && b", []Pattern{{"*", "allow"}}, true, `C:\Git\bin\BASH.exe`, "allow"},
	}
	for _, line := range []string{
		"a && $x", "a && b | c", "a && b; c", "a || b", "! a && b", "a && b &", "(a && b)", "x=1 a && b", "a && b > f", "a *.c && b", "a ?.c && b", "a ~/x && b",
		"a {x,y} && b", "a &&& b", "a && 'b", "a &&\nb", "cd x && b", "export x && b", "a && source x", "a && bash x", "a && sudo b", "noglob a && b", "a && eval b", "a && b # c",
	} {
		tests = append(tests, struct {
			row, line string
			patterns  []Pattern
			compound  bool
			shell     string
			want      string
		}{"TAM-17: does not qualify", line, []Pattern{{"*", "allow"}}, true, "bash", ""})
	}
	for _, tt := range tests {
		got := Resolve(tt.line, PatternOptions{Patterns: tt.patterns, AllowCompound: tt.compound, Shell: tt.shell})
		policy := got.Policy
		if got.Override {
			policy += "critical"
		}
		if policy != tt.want {
			t.Errorf("%s: Resolve(%q) = %+v, want %q", tt.row, tt.line, got, tt.want)
		}
		if got.WriteTier != (got.Policy == "allow") || (policy != "") != (got.Reason != "") {
			t.Errorf("%s: Resolve(%q) = %+v: tier or reason do not fit", tt.row, tt.line, got)
		}
	}
}
