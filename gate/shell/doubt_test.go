package shell

import (
	"slices"
	"strings"
	"testing"
)

// doubts are those of the line and of the commands that are sure to be in it.
func doubts(l *Line) (reasons []string) {
	for _, d := range l.Doubts {
		reasons = append(reasons, d.Reason)
	}
	for i := range l.Commands {
		for _, d := range l.Commands[i].Doubts {
			reasons = append(reasons, d.Reason)
		}
	}
	return reasons
}

// APR-15: what the shell decides only when it runs is doubted, with a reason
// that a person can check; what it can't decide otherwise isn't.
func TestReadSaysWhyItDoubts(t *testing.T) {
	tests := []struct{ line, doubt string }{
		{"echo ${x:1:2} ${a[@]} ${a[*]} ${a[1]}", ""},
		{"echo ${x:y}", "arithmetic on variables"},
		{"echo ${a[i]}", "arithmetic on variables"},
		{"echo ${ ls; }", "a substitution that runs in this shell"},
		{"echo ${!x}", "an indirect expansion"},
		{"echo ${x@P}", "an expansion that evaluates its value"},
		{"echo ${PATH:=y}", "an expansion that sets a variable"},
		{"echo ${x:=y}", ""},
		{"echo `echo \\`ls\\``", "a backslash between backquotes"},

		{"((-1 + (2)))", ""},
		{"((x))", "arithmetic on variables"},
		{"let x=1", "arithmetic on variables"},
		{"for ((i=0;i<3;i++)); do ls; done", "arithmetic on variables"},
		{"for ((;;)); do ls; done", ""},
		{"[[ ( a ) && 1 -eq 2 && ! -f b ]]", ""},
		{"[[ x -eq y ]]", "arithmetic on variables"},
		{"[[ -v x ]]", "a test of a variable"},
		{"test -v a", "a test of a variable"},
		{"[ -v a ]", "a test of a variable"},
		{"test $x y", "a test of a variable"},
		{"[ ! $x 'a[1]' ]", "a test of a variable"},
		{`[ -n a -a "$x" 'a[1]' ]`, "a test of a variable"},
		{`[ "$x" = a -o ! "$y" != b ] && [ -n "$x" ] && [ "$x" ] && test "$x" -a "$y" -gt 1`, ""},
		{"declare -n x=y", "a declaration with options"},
		{"a=(x $(id))", ""},
		{"printf -v $x y", "it sets a variable"},
		{"read 'a[1]'", "it sets a variable that is known only when it runs"},

		{"cd x && ls", ""},
		{"cd -L x && ls", ""},
		{"cd -P x && ls", "the directory is not certain here"},
		{strings.Repeat("cd a && ", maxDir) + "ls", "the directory is not certain here"},
		{"git" + strings.Repeat(" -C a", maxDir) + " status", "the directory is not certain here"},
		{"for i in 1 2; do ls; cd x; done", "the directory is not certain here"},
		{"for i in *; do ls; cd x && ls; done", "the directory is not certain here"},
		{"while ls; do cd x; done", "the directory is not certain here"},
		{"until cd x; do ls; done", "the directory is not certain here"},
		{"for ((;;)); do ls; cd x || exit; done", "the directory is not certain here"},
		{"for d in a b; do (cd $d && ls); done", ""},
		{"! cd x; ls", "the directory is not certain here"},
		{"case a in a) cd x;; esac; ls", "the directory is not certain here"},
		{"f() { cd x; }; ls", "the directory is not certain here"},

		{"ls <&3 >&-", ""},
		{"ls <&$x", "a redirection to a descriptor that is known only when it runs"},
		{"cat <<'EOF'\nEOF", ""},
		{"cat <<E\"O\"F\nx\nEOF", "an odd delimiter of a here-document"},
		{"echo a#b # c\\\nls", "a comment that ends in a backslash"},
		{"a#b#c d # x", ""},
		{"echo @(a|b)", "an extended pattern"},
		{"coproc x { ls; }", "a coprocess"},

		{"bash - x.sh", ""},
		{"bash -i x.sh", "a shell that reads its start-up file"},
		{"bash --rcfile f", "a shell that reads its start-up file"},
		{"bash -Z x", "an option of bash that is not known"},
		{"bash <<EOF\nrm $x\nEOF", "a script that is known only when it runs"},
		{"env -Z x ls", "an option of env that is not known"},
		{"http_proxy=x ls", "it sets http_proxy"},
		{"LANG='a;b' ls", "it sets LANG"},
		{"LANG=de_DE.UTF-8 ls", ""},

		{"echo " + strings.Repeat("{a,b}", 12), "a brace expansion"},
		{"echo {1..100000}", "a brace expansion"},
		{"echo {1..5..x} {b..1}", ""}, // bash prints them as they are
		{strings.Repeat("eval ", maxNested+5) + "ls", "scripts nest too deep"},
	}
	for _, tt := range tests {
		got := doubts(Read(tt.line))
		switch {
		case tt.doubt == "" && len(got) > 0:
			t.Errorf("Read(%.60q) doubts %q", tt.line, got)
		case tt.doubt != "" && !slices.Contains(got, tt.doubt):
			t.Errorf("Read(%.60q) doubts %q, not %q", tt.line, got, tt.doubt)
		}
	}
}

// Deny rules see what a quotation hides, whatever bash's form of it is.
func TestReadDecodes(t *testing.T) {
	tests := []struct{ line, want string }{
		{`$'\x72\155' -rf`, "rm -rf"},
		{`$'\u0072m' $'\U0000002dr'`, "rm -r"},
		{`echo $'\a\b\e\E\f\n\r\t\v'`, "echo \a\b\x1b\x1b\f\n\r\t\v"},
		{`echo $'\ca\q\'`, `echo `}, // not ended
		{`echo $'\cA\q\\'`, "echo \x01q\\"},
		{`echo $'\xzz\400'`, "echo zz\u0100"},
		{"echo {1..5..2} {5..1..-2}", "echo 1 3 5 5 3 1"},
		{"echo {x..z}{1,2}", "echo x1 x2 y1 y2 z1 z2"},
		{"echo \"a\\\nb\"", "echo ab"},
	}
	for _, tt := range tests {
		if got := commands(Read(tt.line)); len(got) == 0 || !strings.HasPrefix(got[0], tt.want) {
			t.Errorf("Read(%q) = %q, want %q", tt.line, got, tt.want)
		}
	}
}

func TestCriticalShutdown(t *testing.T) {
	for _, line := range []string{"shutdown -h now", "sudo reboot", "halt", "env poweroff", "systemctl poweroff", "init 0"} {
		if _, critical := Critical(line); !critical {
			t.Errorf("%q isn't critical", line)
		}
	}
}
