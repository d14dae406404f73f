package shell

import (
	"slices"
	"testing"
)

// APR-15: what a program is told to start, by an option, by a line of its own
// language or on its input, is found for deny and ask rules.
func TestStartedPrograms(t *testing.T) {
	for _, line := range []string{
		"vim -c '!rm x'", "vim '+!rm x' a", "ed <<< '!rm x'", "gdb -ex 'shell rm x' -batch", "sqlite3 a '.shell rm x'", "sqlite3 a <<< '.system rm x'",
		`psql -c '\! rm x'`, "mysql -e 'system rm x'", "expect -c 'spawn rm x; interact'", "at now <<< 'rm x'", "echo 'rm x' | at now",
		"crontab - <<< '* * * * * rm x'", "make -f - <<< 'a:;rm x'",
		"man -P 'rm x' a", "tar xf a --to-command='rm x'", "tar cf a b --checkpoint-action=exec='rm x'", "tar -I 'rm x' -xf a", "rsync -e 'rm x' a h:",
		"zip a b -TT 'rm x'", "go run -exec 'rm x' .", "go test -toolexec='rm x' .", "make SHELL='rm x'", "make --eval='$(shell rm x)'",
		`cargo --config 'target.x.runner="rm x"' run`, "npm --script-shell 'rm x' run a", "apt-get -o A::Pre-Invoke::='rm x' update",
		"git config alias.q '!rm x'", "git config core.pager 'rm x'", "git clone --upload-pack 'rm x' a", "git ls-remote 'ext::rm x'", "git -c core.pager='rm x' log",
		"nodemon --exec 'rm x'", "concurrently ls 'rm x'", "npx concurrently 'rm x'", "ansible all -a 'rm x'", "xterm -e rm x", "gnome-terminal -- rm x", "wsl rm x",
		"sed 's/.*/rm x/e' a", `awk 'BEGIN{c = "rm x"; system(c)}'`, "bun -e 'await $`rm x`'", `python3 -c 'import os; os.system("""rm x""")'`,
		"python3 <(echo \"import os; os.system('rm x')\")",
	} {
		if l := Read(line); !mayRun(l, "rm x") {
			t.Errorf("%s: rm x is not found in %v", line, l.Possible)
		}
	}
	for _, line := range []string{
		"git commit -m 'rm x'", "echo 'rm x' | cat", "psql -c \"select 'rm x'\"", "make CC='gcc' x", "vim 'rm x'", "python3 a.py 'rm x'",
		"python3 -c \"print('rm x')\"", "node -e 'console.log(`rm x`)'", "sed 's/.*/rm x/' a", `awk '{print "rm x"}'`, "gh pr create --title 'rm x'",
	} {
		if l := Read(line); mayRun(l, "rm x") {
			t.Errorf("%s doesn't run rm: %v", line, l.Possible)
		}
	}
}

// A text that only stands in code is told apart from what the code runs.
func TestMentionedCommands(t *testing.T) {
	for line, want := range map[string]bool{
		`python3 -c "import os; os.system('rm x')"`:              false,
		`python3 -c "import os; c = 'rm x'; os.system(c)"`:       true,
		`node -e "spawn('ls'); console.log('rm x')"`:             true,
		"perl -e 'print `rm x`'":                                 false,
		`awk 'BEGIN{"rm x" | getline}'`:                          false,
		`ruby -e 'exec "rm x"; puts "rm x"'`:                     false,
		`python3 -c "import pty; pty.spawn(['rm', 'x'])"`:        false,
		`python3 -c "from subprocess import run; run(\"rm x\")"`: false,
	} {
		l := Read(line)
		i := slices.IndexFunc(l.Possible, func(c Command) bool { return joinText(c.Words) == "rm x" })
		if i < 0 || l.Possible[i].Mentioned() != want {
			t.Errorf("%s: %v", line, l.Possible)
		}
	}
}

// APR-13: the files that such a program is told to read are operands.
func TestNamesInCode(t *testing.T) {
	for _, line := range []string{
		"vim -es -c 'r .env' -c q", `printf 'r .env\np\n' | ed`, "sqlite3 a '.read .env'", "sqlite3 a \"select readfile('.env')\"", `psql -c "\copy t from '.env'"`,
		"expect -c 'spawn cat .env'", "tclsh <<< 'puts [read [open .env]]'", "php -d a=1 -r 'readfile(\".env\");'", "perl -we 'open F, \".env\"'",
		"python3 -Bc 'open(\".env\")'", "python3 -c'open(\".env\")'", "emacs --batch --eval '(find-file \".env\")'", "python3 <<E\nopen('.env')\nE", "cat <<E | python3\nopen('.env')\nE",
	} {
		l := Read(line)
		if !slices.ContainsFunc(l.Commands, func(c Command) bool { return slices.Contains(c.Operands(), ".env") }) {
			t.Errorf("%s: .env isn't found", line)
		}
	}
	if c := Read(`python3 -c "import glob; glob.glob('.e*')"`).Commands[0]; !slices.Contains(c.Globs(), ".e*") {
		t.Errorf("patterns %v", c.Globs())
	}
	if c := Read(`python3 -c "print('.e*')"`).Commands[0]; slices.Contains(c.Globs(), ".e*") {
		t.Errorf("no pattern: %v", c.Globs())
	}
}
