package gate

import (
	"maps"
	"slices"
	"testing"
)

// APR-13, APR-15: what the code for an interpreter evidently runs is held
// against the rules that deny it, and files that it names are asked about, in
// every mode. Talk is no command.
func TestRulesReachCode(t *testing.T) {
	deny := []string{"shell(rm)", "shell(curl)", "read(.env)", "read(~/.ssh/)", "write(go.mod)"}
	want := map[string]Effect{
		`python3 -c "import os; os.system('rm -rf x')"`:                                    Deny,
		`python3.12 -Wignore -c "import subprocess as s; s.run(['rm', '-rf', 'x'])"`:       Deny,
		`python3 -c "import subprocess as s; s.check_call(('/bin/rm', '-rf'))"`:            Deny,
		`python3 -c "import os; os.execvp('rm', ['rm', '-rf', 'x'])"`:                      Deny,
		`python3 -c "import subprocess as s; c = 'rm -rf x'; s.run(c, shell=True)"`:        Ask,
		`python3 -c "import subprocess as s; s.run(['sh', '-c', 'rm -rf x'])"`:             Deny,
		`elixir -e 'System.cmd("rm", ["x"])'`:                                              Deny,
		`erl -noshell -eval 'os:cmd("rm x")'`:                                              Deny,
		`emacs --batch --eval '(shell-command "rm x")'`:                                    Deny,
		`sbcl --eval '(run-program "rm" (list "x"))'`:                                      Deny,
		"julia -e 'run(`rm x`)'":                                                           Deny,
		`ghc -e 'System.Process.system "rm x"'`:                                            Deny,
		`mongosh --eval 'run("rm","x")'`:                                                   Deny,
		`tclsh <<< 'exec rm x'`:                                                            Deny,
		`lftp -c '!rm x'`:                                                                  Deny,
		`lldb -o 'platform shell rm x'`:                                                    Deny,
		"python3 <<'E'\nimport os\nos.system('rm -rf x')\nE":                               Deny,
		"python3 - x <<E\nimport os\nos.system('rm -rf x')\nE":                             Allow, // its input is data
		"python3 <<< \"import os; os.system('rm -rf x')\"":                                 Deny,
		`echo "import os; os.system('rm -rf x')" | python3`:                                Deny,
		`env python3 -c "import os; os.system('rm -rf x')"`:                                Deny,
		`uv run python -c "import os; os.system('rm -rf x')"`:                              Deny,
		`node -e "require('child_process').execSync('rm -rf x')"`:                          Deny,
		`node -e "require('child_process').spawn('rm', ['-rf', 'x'])"`:                     Deny,
		`node -pe "require('child_process').execSync('rm -rf x')"`:                         Deny,
		`perl -e 'system("rm -rf x")'`:                                                     Deny,
		`perl -e 'system(qw(rm -rf x))'`:                                                   Deny,
		"perl -e 'print `rm -rf x`'":                                                       Deny,
		"perl -e 'print qx{rm -rf x}'":                                                     Deny,
		"ruby -e 'puts %x(rm -rf x)'":                                                      Deny,
		`ruby -e 'system "rm", "-rf", "x"'`:                                                Deny,
		`php -r 'exec("rm -rf x");'`:                                                       Deny,
		`lua -e 'os.execute("rm -rf x")'`:                                                  Deny,
		`osascript -e 'do shell script "rm -rf x"'`:                                        Ask,
		`awk 'BEGIN{system("rm -rf x")}'`:                                                  Deny,
		`awk 'BEGIN{"rm -rf x" | getline}'`:                                                Deny,
		`awk '{print | "rm x"}' a`:                                                         Deny,
		`python3 -c "print(open('.env').read())"`:                                          Ask,
		`python3 -c "print(open('.e' + 'nv').read())"`:                                     Ask,
		`python3 -c 'print(open("\x2eenv").read())'`:                                       Ask,
		`python3 -c "import os; print(open(os.environ['HOME'] + '/.ssh/id').read())"`:      Ask,
		`python3 -c "from pathlib import Path; print((Path.home()/'.ssh'/'a').read_text()`: Ask,
		`node -p "require('fs').readFileSync('.env')+''"`:                                  Ask,
		`node --eval="require('fs').readFileSync('.env')"`:                                 Ask,
		`perl -e 'open(F, "<.env"); print <F>'`:                                            Ask,
		`perl -ne 'print' .env`:                                                            Ask,
		"perl -e 'print `cat .env`'":                                                       Ask,
		`deno eval "Deno.readTextFileSync('.env')"`:                                        Ask,
		`ruby -e 'puts File.read(".env")'`:                                                 Ask,
		`awk 'BEGIN{while ((getline l < ".env") > 0) print l}'`:                            Ask,
		`awk 'BEGIN{ARGV[1] = ".env"; ARGC = 2} {print}'`:                                  Ask,
		`awk -v f=.env 'BEGIN{getline l < f; print l}'`:                                    Ask,
		`awk 'BEGIN{f = ".e" "nv"; getline l < f; print l}'`:                               Ask,
		`awk 'BEGIN{getline l < ENVIRON["F"]; print l}'`:                                   Ask,
		`awk 'BEGIN{ARGV[1] = x; ARGC = 2} {print}'`:                                       Ask,
		`awk '{print > "go.mod"}' a`:                                                       Deny,
		`awk '{print "a;b" >> "go.mod"}' a`:                                                Deny,
		`awk '{print > $1}' a`:                                                             Ask,
		`sed -n '$r .env' a`:                                                               Ask,
		`sed 's/a/b/w go.mod' a`:                                                           Deny,
		`python3 -c "open('go.mod', 'w').write('x')"`:                                      Ask,
		`node -e "require('fs').writeFileSync('go.mod', '')"`:                              Ask,
		`docker run x sh -c 'cat .env'`:                                                    Ask,
		`python3 -c "print(open('go.mod').read())"`:                                        Allow,
		`python3 -c "print('rm -rf x is bad')"`:                                            Allow,
		`python3 -c "import json; print(json.load(open('a.json')))"`:                       Allow,
		`node -e "console.log('curl')"`:                                                    Allow,
		`awk '$1 > 5 {print $2 " > " $3}' a`:                                               Allow,
		`awk '{print > "out"}' a`:                                                          Allow,
		`python3 a.py -c .envrc`:                                                           Allow,
	}
	for _, line := range slices.Sorted(maps.Keys(want)) {
		s := setup{mode: Yolo, deny: deny}
		if v := s.check(t, shellRun(line)); v.Effect != want[line] {
			t.Errorf("%s: %s by %s (%s), want %s", line, v.Effect, v.Step, v.Reason, want[line])
		}
	}
	none := setup{mode: Yolo}
	if v := none.check(t, shellRun(`python3 -c "import os; os.system('rm -rf x')"`)); v.Effect != Allow {
		t.Errorf("without rules: %s, %s", v.Effect, v.Reason)
	}
}
