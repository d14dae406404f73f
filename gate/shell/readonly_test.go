package shell

import (
	"slices"
	"testing"
)

// readOnly reports whether the defaults let a whole line pass, and the first
// guard that it trips.
func readOnly(line string) (bool, string) {
	l := Read(line)
	all, guard := l.Clear() && len(l.Commands) > 0, ""
	for i := range l.Commands {
		ok, g := ReadOnly(&l.Commands[i])
		all = all && ok
		if guard == "" {
			guard = g
		}
	}
	return all, guard
}

// TestReadOnlyAllows lists what the defaults let pass (APR-15).
func TestReadOnlyAllows(t *testing.T) {
	lines := []string{
		"ls", "pwd", "cat f", "head -5 f", "tail -n 3 f", "wc -l f", "stat f", "du -sh .", "df -h", "which go", "grep -rn x .",
		"rg x", "diff -u a b", "git status", "git log -3", "git show HEAD:a", "git diff a...b", "git blame f", "git rev-parse HEAD",
		"git diff --text", "git --no-pager log", "git --no-optional-locks status", "git -C sub log", "git log -p", "git diff -- --output", "git log x -- --output=y",
		"git log --grep=--output=x", "git diff --output-indicator-new=x", "git log --no-ext-diff", "rg -e --pre x", "rg -- --pre src", "rg --pre-glob '*.x' a",
		"rg -g '!x' --type go y", "ls | wc -l", "cat < f", "ls 2>&1 | head", "diff <(cat a) <(cat b)", "cd src && ls", "LC_ALL=C ls",
		"! grep -q x f", "(ls)", "{ ls; }", "if grep -q x f; then ls; fi", "ls ./*", "cat *.md", `\ls`, "cat <<EOF\nx\nEOF", "grep -- -z f",
		"df --output=size", "cd a/.. && ls", "git log --format=%h?", "git log --pretty=format:%h*x", "cat /proc/cpuinfo", "cat a/proc/self/f", "git log -- ':!f'", `for f in *.go; do cat "$f"; done`, "for f in a b; do git log -- $f | head -3; done", "for i in {1..3}; do cat f$i; done", "git log -- *.go", "git log --oneline -5 -- *.go", "wc -l -- *.go", "rg -n x -- *.md", "du -sh -- *", `ls "$(pwd)"`, `cat "$(pwd)/f"`, "ls &", "cat < $?", "ls $? $#", "grep -z x f", "rg -ez f", "rg -A3 z",
	}
	for _, line := range lines {
		if ok, guard := readOnly(line); !ok {
			l := Read(line)
			t.Errorf("%q is not allowed: guard %q, doubts %v", line, guard, reasons(l))
		}
	}
}

// TestReadOnlyGuards lists the spellings that trip a guard (APR-15).
func TestReadOnlyGuards(t *testing.T) {
	tests := []struct{ line, guard string }{
		{"git diff --output=x", "git … --output"},
		{"git diff --output x", "git … --output"},
		{"git diff --outp=x", "git … --output"},
		{"git diff --o x", "git … --output"},
		{"git diff --output{=,}x", "git … --output"},
		{`git diff "--out"put=x`, "git … --output"},
		{"git log -S -- --output=x", "git … --output"},
		{"git --no-pager log --output=x", "git … --output"},
		{"git log -p --ext-diff", "git … --ext-diff"},
		{"git show --ext''-diff", "git … --ext-diff"},
		{"git show --textconv x", "git … --textconv"},
		{"git log --help", "git … --help"},
		{"git diff --submodule=diff", "git … --submodule"},
		{"git log --show-signature", "git … --show-signature"},
		{"git log '--format=%G?'", "git … %G"},
		{"git log --format=%G?", "git … %G"},
		{"git show --pretty='format:%h %-GK'", "git … %G"},
		{"git -c a.b=c status", "git -c"},
		{"git -ca.b=c status", "git -c"},
		{"git -p log", "git -p"},
		{"git --paginate log", "git --paginate"},
		{"git --exec-path=x log", "git --exec-path"},
		{"git --git-dir x log", "git --git-dir"},
		{"git --work-tree=x log", "git --work-tree"},
		{"git --config-env=a=b log", "git --config-env"},
		{"git -C ../x log", "git -C"},
		{"git -C /x log", "git -C"},
		{"cd a && git -C ../../x log", "git -C"},
		{"rg --pre x y", "rg … --pre"},
		{"rg --pre=x y", "rg … --pre"},
		{"rg y --p''re x", "rg … --pre"},
		{"rg --hostname-bin x y", "rg … --hostname-bin"},
		{"rg -z y", "rg … -z"},
		{"rg -nz y", "rg … -z"},
		{"rg --search-zip y", "rg … --search-zip"},
		{"wc --files0-from=x", "wc … --files0-from"},
		{"du --files0=x", "du … --files0-from"},
		{"diff -l a b", "diff … -l"},
		{"diff --pag a b", "diff … --paginate"},
		{"/usr/bin/rg --pre x y", "rg … --pre"},
	}
	for _, tt := range tests {
		if ok, guard := readOnly(tt.line); ok || guard != tt.guard {
			t.Errorf("%q: allowed %v, guard %q, want %q", tt.line, ok, guard, tt.guard)
		}
	}
}

// TestReadOnlyLeaves lists what the defaults say nothing about (APR-15).
func TestReadOnlyLeaves(t *testing.T) {
	lines := []string{
		"rm x", "git push", "git grep x", "git ls-files", "git show-ref", "git", "git -v", "git x", "find .", "sort f", "sed p f", "./ls", "/bin/ls", "~/bin/cat x",
		"ls > f", "cat < a > b", "cat $x", "ls $HOME/x", `cat "$1"`, `cat "./$x"`, "head -n $N f", "cat .e*", "ls $(pwd)", "PATH=. ls", "x=y ls", "FOO=bar", "LC_ALL=C",
		"sudo ls", "env ls", "bash -c ls", "xargs ls", "command ls", "time sort f", "git diff *", "rg x *", "cd ..", "cd /x", "cd $x", "cd -",
		"ls > >(cat)", "cat < $x", "", "#", "   ", "git -C link/.. status", "cd link && git -C .. status", "git -C link -C ../x status", "cd -P link/..", "cd -P link && ls", "cd link && cd -P ..", "cd '~'", "cd \\~/x",
		"cat /proc/self/cwd/.env", "cat //proc/./thread-self/cwd/f", "cat /proc/12/cwd/f", "cat /dev/fd/../../cwd/f", "cat /etc/../proc/self/cwd/f", "cat /proc/s*/cwd/f", "cat /proc/[0-9]*/cwd/f", "cat /p*c/self/cwd/f",
		"cat ../../../proc/self/cwd/f", "cat < /proc/self/cwd/f", "grep -f/proc/self/cwd/f x", "grep --file=/proc/self/cwd/f x", "git log --forma=%h?", "git log --format*",
		"git --bare log", "gitx status", "l[s]",
		"git diff --out$!put=x", "git diff $!--output=x", "git diff \"$!\"--output=x", "git diff <()--output=x", "rg --pr$!e=./x y", "git log --output$!=x",
		"for f in *.go; do cat $f; done", `for f in *.go; do wc -l "$f"; done`, "for f in -o; do git diff --output=$f; done", "for f in --output=x; do git diff $f; done", "for f in a; do ls; done; cat $f",
		"git log -S -- *.go", "git log --author -- *.go", "rg -A -- *.md", "rg -nA -- *.md", "rg -e -- *", "rg --foo -- *", "rg $x -- *.md", "du -B -- *", "git log *.go --", `cat "$(pwd)"x/f`, "ls $(pwd)",
		"cat .env$!", "cat .env<()", "cat secrets/k$?", "cat secrets/k$#", "cat < .env$!", "head -n1 .en$!v", `cat "$PWD"2/f`, `cat "$HOME"x/f`,
	}
	for _, line := range lines {
		if ok, _ := readOnly(line); ok {
			t.Errorf("%q is allowed", line)
		}
	}
}

// TestOperands finds the files that a command reads, in every spelling, so
// that a read rule can refuse them (APR-15).
func TestOperands(t *testing.T) {
	const secret = ".env"
	for _, line := range []string{
		"cat .env", "cat -- .env", "head -n1 .env", "rg . .env", "grep -f .env x", "grep -f.env x y", "grep --file=.env x", "grep --file .env x",
		"grep -nf.env x", "git diff --no-index -- /dev/null .env", "cat < .env", "cat 0< .env", "git show HEAD:.env", "git show :.env", "dd if=.env",
		"curl -d @.env x", "curl --data=@.env x", "wc -l<.env", "sort -o x .env", "diff a .env", "grep -e x .env", "rg --files .env", "rg -f .env",
		"grep x -A 3 .env", "rg --max-count 3 x .env", "cat '.env'", `cat ".en"v`, "cat {a,.env}", "git blame --contents .env f",
		"git show :0:.env", "git show 'HEAD^{/x:y}:.env'", "git log -p -- ':/.env'", "git log -p -- ':(top).env'", "git log -p -- ':(glob)**/.env'",
		"git log -p -- ':(top,glob)/**/**/.env'", "git log -L1,1:.env", "git show @:.env", "rg --ignore-file=.env x",
	} {
		found := false
		for _, c := range Read(line).Commands {
			found = found || slices.Contains(c.Operands(), secret)
		}
		if !found {
			t.Errorf("%q: .env is not among the operands", line)
		}
	}
	for _, line := range []string{"grep .env f", "rg .env", "rg -n .env src", "grep -rn --include '*.go' .env ."} {
		for _, c := range Read(line).Commands {
			if slices.Contains(c.Operands(), secret) {
				t.Errorf("%q: the pattern .env counts as an operand", line)
			}
		}
	}
	for _, line := range []string{"git diff -- ':!.env'", "git diff -- ':^.env'", "git diff -- ':(exclude).env'"} {
		for _, c := range Read(line).Commands {
			if slices.Contains(c.Operands(), secret) {
				t.Errorf("%q: what is left out counts as an operand", line)
			}
		}
	}
	for line, want := range map[string]string{
		"cat '~/.env'": "./~/.env", `cat \~/.env`: "./~/.env", `cat "~"/.env`: "./~/.env", `cat ''~/.env`: "./~/.env", "cat < '~/.env'": "./~/.env", "cat ~/.env": "~/.env", `cat "$HOME/.env"`: "~/.env",
		"grep --file=~/.env x": "./~/.env", "cd a/b && git show HEAD:.env": "../../.env",
	} {
		commands := Read(line).Commands
		if got := commands[len(commands)-1].Operands(); !slices.Contains(got, want) {
			t.Errorf("%q: operands %q, without %q", line, got, want)
		}
	}
	c := Read("cat secrets/* a").Commands[0]
	if got := c.Globs(); !slices.Equal(got, []string{"secrets/*"}) {
		t.Errorf("Globs() = %q", got)
	}
}

// TestForms names a command as deny rules should see it (APR-15).
func TestForms(t *testing.T) {
	tests := []struct {
		line string
		want string
	}{
		{"/usr/bin/curl x", "curl x"},
		{"git -C x push --force", "git push --force"},
		{"git --no-pager -c a=b push", "git push"},
		{"/bin/git -C x push", "git push"},
		{"RM -rf x", "rm -rf x"},
		{"rm.exe x", "rm x"},
	}
	for _, tt := range tests {
		c := Read(tt.line).Commands[0]
		found := false
		for _, f := range c.Forms() {
			found = found || joined(f) == tt.want
		}
		if !found {
			t.Errorf("Forms of %q are %q, without %q", tt.line, c.Forms(), tt.want)
		}
	}
}

func joined(words []string) (s string) {
	for i, w := range words {
		if i > 0 {
			s += " "
		}
		s += w
	}
	return s
}
