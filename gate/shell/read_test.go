package shell

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// commands lists what a line holds, one string for each command.
func commands(l *Line) (out []string) {
	for i := range l.Commands {
		out = append(out, strings.Join(l.Commands[i].Args(), " "))
	}
	return out
}

// TestReadFindsCommands names every command that could run, wherever it is
// (APR-15: shell rules hold on every sub-command).
func TestReadFindsCommands(t *testing.T) {
	tests := []struct {
		line string
		want []string
	}{
		{"ls", []string{"ls"}},
		{"ls;kill x&&pwd||id|wc & df", []string{"ls", "kill x", "pwd", "id", "wc", "df"}},
		{"(a); { b; }; ! c; time d", []string{"a", "b", "c", "d"}},
		{"if a; then b; elif c; then d; else e; fi", []string{"a", "b", "c", "d", "e"}},
		{"while a; do b; done; until c; do d; done", []string{"a", "b", "c", "d"}},
		{"for x in $(a); do b; done; select x in y; do c; done", []string{"a", "b", "c"}},
		{"case $(a) in b) c;; *) d;; esac", []string{"a", "c", "d"}},
		{"f() { rm x; }; f", []string{"rm x", "f"}},
		{`echo "$(a "$(b)")" ` + "`c`", []string{"echo $(a \"$(b)\") `c`", "a $(b)", "b", "c"}},
		{"diff <(a) >(b)", []string{"diff <(a) >(b)", "a", "b"}},
		{"x=$(a) y", []string{"y", "a"}},
		{"echo ${x:-$(a)} $((1+$(b))) ${x/$(c)/$(d)}", []string{"echo ${x:-$(a)} $((1+$(b))) ${x/$(c)/$(d)}", "a", "b", "c", "d"}},
		{"cat <<EOF\n$(a)\nEOF\nb", []string{"cat", "a", "b"}},
		{"cat <<'EOF'\n$(a)\nEOF\nb", []string{"cat", "b"}},
		{"cat <<< $(a) > $(b)", []string{"cat", "a", "b"}},
		{`r""m -r\f 'a b' "c"d`, []string{"rm -rf a b cd"}},
		{"rm \\\n-rf x", []string{"rm -rf x"}},
		{"{rm,-rf,x}", []string{"rm -rf x"}},
		{"echo a{1..3} {01..03} {a,b{c,d}}", []string{"echo a1 a2 a3 01 02 03 a bc bd"}},
		{"echo {3..1} {a..c} {x} {1,2", []string{"echo 3 2 1 a b c {x} {1,2"}},
		{"[[ $(a) == x ]] && ((1+$(b)))", []string{"[[ $(a) == x ]]", "a", "(( 1+$(b) ))", "b"}},
		{"export x=$(a); local y", []string{"export", "a", "local"}},
		{"coproc a", []string{"a"}},
		{`git commit -m "$(cat <<'EOF'` + "\ntwo $x\nlines\nEOF\n" + `)"`, []string{"git commit -m two $x\nlines", "cat"}},
	}
	for _, tt := range tests {
		got := commands(Read(tt.line))
		for _, want := range tt.want {
			if !slices.Contains(got, want) {
				t.Errorf("Read(%q) = %q, without %q", tt.line, got, want)
			}
		}
		if Read(tt.line).Clear() && len(got) != len(tt.want) {
			t.Errorf("Read(%q) = %q, want %q", tt.line, got, tt.want)
		}
	}
}

// TestReadLooksIntoWrappers shows deny rules what a wrapper runs (APR-15).
func TestReadLooksIntoWrappers(t *testing.T) {
	tests := []struct {
		line  string
		via   string
		clear bool
	}{
		{"sudo rm x", "sudo", true},
		{"sudo -u root -- rm x", "sudo", true},
		{"env rm x", "env", true},
		{"env -i LC_ALL=C rm x", "env", true},
		{"env PATH=y rm x", "env", false},
		{"env -S 'rm x'", "env", false},
		{"nohup nice -n 5 rm x", "nohup nice", true},
		{"timeout -k 5 --signal=KILL 10 rm x", "timeout", true},
		{"timeout --kill-after 5 10s rm x", "timeout", true},
		{"stdbuf -oL rm x", "stdbuf", true},
		{"command rm x", "command", true},
		{"builtin rm x", "builtin", true},
		{"exec rm x", "exec", false},
		{"busybox rm x", "busybox", true},
		{"xargs -0 -n 1 rm x", "xargs", false},
		{"find a -exec rm x ;", "", true},
		{`find a -exec rm x \;`, "find -exec", true},
		{"find a -name b -execdir rm x ';'", "find -execdir", true},
		{"bash -c 'rm x'", "bash -c", true},
		{"bash -lc 'ls && rm x'", "bash -c", true},
		{"bash -euo pipefail -c 'rm x'", "bash -c", true},
		{"sh +e -c 'rm x' name", "sh -c", true},
		{"/bin/sh -c 'rm x'", "sh -c", true},
		{`sh -c "bash -c 'rm x'"`, "sh -c bash -c", true},
		{"eval 'rm x'", "eval", false},
		{"trap 'rm x' EXIT", "trap", false},
		{"su -c 'rm x'", "su -c", false},
		{"bash <<'EOF'\nrm x\nEOF", "bash", false},
		{"bash <<< 'rm x'", "bash", false},
		{"zsh -c 'rm x'", "zsh -c", false},
		{"fish -c 'rm x'", "fish", false},
		{"sudo --what rm x", "sudo", false},
		{"ssh h 'ls; rm x'", "ssh text", false},
		{"watch -n 1 'rm x'", "watch text", false},
		{"su u -c 'rm x'", "su -c", false},
		{"flock f -c 'rm x'", "flock -c text", false},
		{"env - rm x", "env", true},
		{"time -o f rm x", "-o", false},
		{"pwsh -Command rm x", "pwsh", false},
		{"cmd /c rm x", "cmd", false},
		{"timeout --what=3 10 rm x", "timeout", false},
		{"sudo env nohup rm x", "sudo env nohup", true},
	}
	for _, tt := range tests {
		l := Read(tt.line)
		found := tt.via == ""
		for _, c := range l.Commands {
			if slices.Equal(c.Args(), []string{"rm", "x"}) && strings.Join(c.Via, " ") == tt.via {
				found = true
			}
		}
		if !found {
			t.Errorf("Read(%q): no rm x via %q in %q", tt.line, tt.via, commands(l))
		}
		if l.Clear() != tt.clear {
			t.Errorf("Read(%q).Clear() = %v, doubts %v", tt.line, l.Clear(), reasons(l))
		}
	}
}

func reasons(l *Line) (out []string) {
	for _, d := range l.Doubts {
		out = append(out, d.Reason)
	}
	for _, c := range l.Commands {
		for _, d := range c.Doubts {
			out = append(out, d.Reason)
		}
	}
	return out
}

// TestReadDoubts lists what is never clear (APR-15: an unverifiable command
// asks while ask rules exist), together with a deny that is found all the same.
func TestReadDoubts(t *testing.T) {
	lines := []string{
		"ls\x00 ; rm x", "ls\r\nrm x", "ls \v; rm x", "ls \xff; rm x", "ls \u202e; rm x", "ls \u200b; rm x",
		"ls # \\\nrm x", "$'rm' x", `$'\x72\155' x`, `$"rm" x`, "echo $[1]; rm x",
		"cat <<\"A\\\\B\"\nx\nA\\B\nrm x\nA\\\\B", "cat << A\\B\nx\nAB\nrm x", "cat <<EOF\nx\\\nEOF\nrm x\nEOF",
		"ls 'open; rm x", "ls $(rm x", "rm x )", "if true; then rm x", "((ls); rm x)",
		"cat <<EOF\nno end $(rm x)", "f() { rm x; }; f", "eval rm x", "source y; rm x", ". y; rm x", "alias a=b; rm x",
		"coproc rm x", "echo ${x@P}; rm x", "echo ${!x}; rm x", "echo ${x:=$(rm x)} ${PATH:=z}", "echo $((y)); rm x",
		"PATH=y rm x", "PATH=y; rm x", "readonly PATH=y; rm x", "export X=y; rm x", "IFS=x; rm x", "x=y rm x",
		"cd $x; rm x", "cd a; rm x", "pushd a; rm x", "cd a || rm x", "command cd a && rm x",
		"hash -p a b; rm x", "enable -n a; rm x", "shopt -s extglob; rm x", "set -x; rm x", "printf -v a[0] b; rm x",
		"read PATH; rm x", "mapfile -C rm x", "rm x {fd}> y", "cat < /dev/tcp/h/1; rm x", "rm x ~u/y",
		"for PATH in y; do rm x; done", "echo `echo \\`rm x\\``",
	}
	for _, line := range lines {
		l := Read(line)
		if l.Clear() {
			t.Errorf("Read(%q) is clear", line)
		}
		if !slices.ContainsFunc(commands(l), func(s string) bool { return strings.HasPrefix(s, "rm") || strings.Contains(s, "rm x") }) {
			t.Errorf("Read(%q) lost rm: %q", line, commands(l))
		}
	}
	for _, line := range []string{"$x", "${x:-ls}", "l$(a)", "./*.sh", "git log *", "git log $x", `git log "$x"`, `go test "$@"`, "rg $(a) .", "curl x | sh", "sh -s", "sh -c $x"} {
		if Read(line).Clear() {
			t.Errorf("Read(%q) is clear", line)
		}
	}
	if l := Read("ls " + strings.Repeat("x", maxLine)); l.Clear() {
		t.Error("a line of more than 10,000 bytes is clear")
	}
	if l := Read(strings.Repeat("(", 200) + "ls" + strings.Repeat(")", 200)); l.Clear() {
		t.Error("a line of 200 nested groups is clear")
	}
}

// TestReadClear lists ordinary lines that must not ask: asking too often
// teaches people to allow everything (APR-15).
func TestReadClear(t *testing.T) {
	lines := []string{
		"ls 2>&1", "ls 2>/dev/null", "ls >/dev/null", "ls | wc -l && pwd || df; du", "git --no-pager log",
		"cd src && ls", "cd src || exit 1\nls", "(cd src && ls)", "rg -C2 foo ./*", "git diff -- src/*.go", "ls *.go",
		`ls "a;b" 'c|d' e\;f`, "git log main@{yesterday}..", "git show HEAD^{tree}", "ls ~", "cat ~/x", `cat "$HOME/x" "$PWD"`, "ls $HOME/x",
		"LC_ALL=C ls", "GIT_PAGER=cat git log", "grep 'foo$' f", `rg "foo$" src`, `grep "\$HOME" f`, `cat "a $ b"`,
		"rg 'sudo ' docs", "grep -E '^(a|b)$' f", "awk '{print $1}' f", "jq '.a[0]' f", "ls # a comment", "ls {a,b}/*.go",
		"cat <<'EOF' | wc\n$(a) `b`\nEOF", "cat <<EOF\nplain\nEOF", "set -euo pipefail\nls", "echo $? $((1+2))", `echo "$x" $y`,
		"for f in a b; do echo $f; done", "[[ -f x ]] && ls", "npm run build 2>&1 | tail -20", "x=1; echo $x",
		"diff <(git show a) <(cat b)", "go test ./... -run 'A|B'", "find . -name '*.go' -exec gofmt -l {} +",
		"git commit -m 'it; works (now)'", "ls !$ !!", "curl -s https://x | jq .", "bash script.sh", "timeout 60 go test ./...",
	}
	for _, line := range lines {
		if l := Read(line); !l.Clear() {
			t.Errorf("Read(%q) is not clear: %v", line, reasons(l))
		}
	}
}

// TestReadDirectory follows literal changes of directory (APR-15).
func TestReadDirectory(t *testing.T) {
	tests := []struct{ line, program, dir string }{
		{"cd src && ls", "ls", "src"},
		{"cd src && cd ../lib && ls", "ls", "lib"},
		{"cd .. && ls", "ls", ".."},
		{"cd /x && ls", "ls", "/x"},
		{"cd && ls", "ls", "~"},
		{"(cd src && pwd) && ls", "ls", ""},
		{"cd src | pwd && ls", "ls", ""},
		{"cd src && sh -c 'ls'", "ls", "src"},
		{"git -C src status", "git", "src"},
		{"cd a && git -C b -C c status", "git", "a/b/c"},
	}
	for _, tt := range tests {
		for _, c := range Read(tt.line).Commands {
			if c.Program() == tt.program && c.Dir != tt.dir {
				t.Errorf("Read(%q): %s runs in %q, want %q", tt.line, tt.program, c.Dir, tt.dir)
			}
		}
	}
}

// TestReadRedirects says which redirections write a file (APR-15: a
// redirection to a file asks).
func TestReadRedirects(t *testing.T) {
	tests := []struct {
		line   string
		writes bool
	}{
		{"a > f", true}, {"a >> f", true}, {"a >| f", true}, {"a &> f", true}, {"a &>> f", true}, {"a >& f", true},
		{"a <> f", true}, {"a 3> f", true}, {"a {fd}> f", true}, {"> f", true}, {"< a > f", true}, {"a > /dev/tty", true},
		{"a > /dev/null.txt", true}, {"a > >(b)", true}, {"a > $x", true}, {"{ a; } > f", true}, {"(a) >> f", true},
		{"while a; do b; done > f", true}, {"a 2>&1 > f", true}, {"cat <<EOF > f\nx\nEOF", true}, {"a > /dev/tcp/h/1", true},
		{"a >/dev/null", false}, {"a 2>&1", false}, {"a 2>/dev/null", false}, {"a >&2", false}, {"a 2>&-", false},
		{"a < f", false}, {"a <<< f", false}, {"a &>/dev/null", false}, {"a >/dev/stderr", false}, {"a 3<&0", false},
	}
	for _, tt := range tests {
		l := Read(tt.line)
		got := slices.ContainsFunc(l.Commands, func(c Command) bool { return c.Writes() })
		if got != tt.writes {
			t.Errorf("Read(%q) writes: %v, want %v", tt.line, got, tt.writes)
		}
	}
}

// TestReadBounds keeps the work small on lines made to be expensive.
func TestReadBounds(t *testing.T) {
	for _, line := range []string{
		strings.Repeat("sudo -x ", 1000) + "rm x",
		strings.Repeat("{a,b}", 1000),
		strings.Repeat("{", 9000) + ",",
		strings.Repeat("$(", 3000),
		strings.Repeat("(", 9000),
		strings.Repeat("`", 9000),
		strings.Repeat("a;", 100000),
		strings.Repeat("f() { ", 2000),
		strings.Repeat("\"$(", 3000),
		strings.Repeat("bash -c '", 2000),
		strings.Repeat("if a; then ", 900),
	} {
		if l := Read(line); l.Clear() || len(l.Commands) > 2*maxCommands+strings.Count(line, ";") {
			t.Errorf("Read(%.20q…): clear %v, %d commands", line, l.Clear(), len(l.Commands))
		}
	}
}

// FuzzRead holds that nothing makes the package panic, and that what is said
// of a line fits together (APR-15, TAM-15, TAM-16).
func FuzzRead(f *testing.F) {
	for _, line := range awkwardLines {
		f.Add(line)
	}
	for _, line := range []string{"sudo -u x env A=b sh -c 'ls {a,b}' *", "find . -exec rm {} +", "git -c a=b diff --out{,put}=x", "rg -z 'a' < f > g", "[[ a -eq b ]] && ((x[1]))"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if len(line) > 2000 {
			return
		}
		hang := time.AfterFunc(10*time.Second, func() { panic(fmt.Sprintf("it hangs on %q", line)) })
		defer hang.Stop()
		l := Read(line)
		if l.Source != line {
			t.Fatalf("the source became %q", l.Source)
		}
		for i := range l.Commands {
			c := &l.Commands[i]
			c.Operands()
			c.Globs()
			l.Walk(c)
			c.Forms()
			if ok, guard := ReadOnly(c); ok && (guard != "" || len(c.Doubts) > 0 || c.Writes()) {
				t.Errorf("%q is allowed in spite of guard %q or doubts %v", c.Source, guard, c.Doubts)
			}
		}
		out := Resolve(line, PatternOptions{Patterns: []Pattern{{"*", "allow"}}, AllowCompound: true, Shell: "bash"})
		if out.Policy == "allow" && !l.Clear() {
			t.Errorf("a pattern allows %q, which is not clear: %v", line, reasons(l))
		}
	})
}
