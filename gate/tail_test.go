package gate

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/publicsuffix"
	"pgregory.net/rapid"
)

// harmlessThenNot are ordinary commands, and what turns them into something
// else: into running another program, loading code from elsewhere, or writing
// what is protected.
var harmlessThenNot = map[string][]string{
	"go test ./...|go test ./pager|go test -race ./a ./b":  {"-exec /tmp/x", "-exec=/tmp/x", "--exec=/tmp/x", "-toolexec ./x", "-vettool=./x", "-overlay=x.json", "-C /tmp/x", "-o .git/hooks/pre-commit", "-ldflags=-extld=/tmp/x", "-modfile=/tmp/go.mod"},
	"go build ./cmd/x|go vet ./...":                        {"-toolexec=/tmp/x", "-o .husky/pre-commit", "-o=.envrc", "-vettool /tmp/x"},
	"cargo test|cargo build --release|cargo check -q":      {"--config target.x.runner='/tmp/x'", "--config=/tmp/x.toml", "--manifest-path /tmp/x/Cargo.toml", "-C /tmp/x"},
	"npm test|npm run lint|npm run build":                  {"--script-shell=/tmp/x", "--script-shell /tmp/x", "--prefix /tmp/x", "-C /tmp/x", "--node-options=--require=/tmp/x"},
	"pnpm test|pnpm run lint":                              {"-C /tmp/x", "--dir=/tmp/x", "--script-shell /tmp/x"},
	"yarn test|yarn run lint":                              {"--cwd /tmp/x"},
	"make test|make check lint":                            {"-f /tmp/x.mk", "-f/tmp/x.mk", "-kf /tmp/x.mk", "--file=/tmp/x", "--makefile x", "--fil=/tmp/x", "-C /tmp/x", "--eval='$(shell x)'", "--ev=x", "SHELL=/tmp/x", "GO='sh x'", "CC=/tmp/x"},
	"pytest tests|python -m pytest tests|uv run pytest -q": {"-p evil", "-pevil", "-c /tmp/x.ini", "--rootdir=/tmp", "-o addopts=-pevil", "--override-ini=python_files=*", "--basetemp=src", "--baset src"},
	"eslint src|npx eslint src":                            {"-c /tmp/x.js", "--config=/tmp/x.js", "-f ./evil.js", "--format=./evil.js", "--rulesdir /tmp/x", "--plugin x", "--parser /tmp/x", "-o .envrc"},
	"prettier --check src|prettier src":                    {"--plugin=/tmp/x.js", "--config /tmp/x.js"},
	"jest src|vitest src|vitest run src":                   {"--config=/tmp/x.js", "-c /tmp/x.js", "--globalSetup=/tmp/x.js", "--runner /tmp/x"},
	"mypy src":                                             {"--config-file=/tmp/x.ini", "--python-executable /tmp/x", "--python-exec=/tmp/x"},
	"deno test|deno check main.ts":                         {"-A", "--allow-run", "--allow-all", "--config=/tmp/x"},
	"git fetch|git fetch origin|git pull":                  {"--upload-pack=/tmp/x", "--upload-pack /tmp/x", "--upload-p=/tmp/x"},
	"git grep x|git ls-remote origin":                      {"-O/tmp/x", "--open-files-in-pager=/tmp/x", "--open-f=/tmp/x", "--upload-pack=/tmp/x", "--exec=/tmp/x"},
	"git init|git init sub":                                {"--template=/tmp/x", "--templ /tmp/x"},
	"rspec spec|rubocop lib":                               {"-r /tmp/x", "--require=/tmp/x", "-r./x"},
	"phpunit tests":                                        {"--bootstrap=/tmp/x.php", "-c /tmp/x.xml"},
	"tar tf a.tar|tar -xf a.tar":                           {"--to-command=/tmp/x", "--use-compress-program=/tmp/x", "-I /tmp/x", "--checkpoint-action=exec=/tmp/x", "--checkp=1 --checkpoint-a=exec=x"},
	"gradle test|./gradlew test":                           {"-I /tmp/x.gradle", "--init-script=/tmp/x", "-p /tmp/x", "-b /tmp/x.gradle"},
	"mvn test|mvn -q test":                                 {"-f /tmp/x", "-s /tmp/x.xml", "--file=/tmp/x"},
	"sed -n 1p f|sed s/a/b/ f":                             {"-e 1ex", "--expression=1ex", "-f /tmp/x", "-es/a/b/wx"},
	"awk 1 f":                                              {"-f /tmp/x", "-l x", "-i /tmp/x"},
	"git rebase main":                                      {"-x /tmp/x", "--exec=/tmp/x", "-x/tmp/x"},
	"git clone u":                                          {"-c core.fsmonitor=/tmp/x", "-u /tmp/x"},
	"sort a b":                                             {"--compress-program=/tmp/x", "-o .envrc", "--output=.git/config"},
}

// BEY-08, BEY-14: no rule that is offered for an ordinary command, or suggested
// from many of them, lets pass what the same words become with a dangerous
// option at their end.
func TestNoRuleReachesDangerousTails(t *testing.T) {
	var rows [][2]string
	for commands, tails := range harmlessThenNot {
		for command := range strings.SplitSeq(commands, "|") {
			for _, tail := range tails {
				rows = append(rows, [2]string{command, command + " " + tail})
				rows = append(rows, [2]string{command, command + " -q -- x " + tail + " y"})
			}
		}
	}
	g, err := New(Options{Workspace: "/w", Home: "/home/u", Mode: Default, Approver: always(Answer{}), Site: publicsuffix.EffectiveTLDPlusOne})
	if err != nil {
		t.Fatal(err)
	}
	offered := 0
	for _, row := range rows {
		rules := rulesOf(g.Widths(CommandRequest("/w", "bash", row[0])))
		h := History{Past: []Past{{Request: CommandRequest("/w", "bash", row[0]), Calls: 9, Approved: 9, Last: time.Unix(1, 0)}}}
		h.Past[0].Request.Origin.Workspace = "/w"
		suggested, err := h.Suggest("/w", Policy{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range suggested {
			rules = append(rules, s.Rule.Text)
		}
		offered += len(rules)
		for _, rule := range rules {
			trial, err := g.Try(rule)
			if err != nil {
				t.Fatal(err)
			}
			if trial.Passes(CommandRequest("/w", "bash", row[1])) {
				t.Errorf("%s, for %s, lets pass %s", rule, row[0], row[1])
			}
		}
	}
	if offered == 0 {
		t.Error("nothing was offered")
	}
}

// The same for whole lines: nothing that is added to an offered command by the
// shell, or put before it, passes by a rule for it.
func TestNoRuleReachesAround(t *testing.T) {
	g, err := New(Options{Workspace: "/w", Home: "/home/u", Mode: Default, Approver: always(Answer{}), Site: publicsuffix.EffectiveTLDPlusOne})
	if err != nil {
		t.Fatal(err)
	}
	commands := []string{"go test ./...", "npm run lint", "make check", "eslint src", "pytest tests", "git fetch origin", "cargo test", "tool sub a", "eslint src && pytest tests", "cd src && make check", "timeout 9 go test"}
	rapid.Check(t, func(t *rapid.T) {
		command := rapid.SampledFrom(commands).Draw(t, "command")
		around := rapid.SampledFrom([]string{
			"PATH=/tmp/x %", "LD_PRELOAD=./x %", "env NODE_OPTIONS=-r./x %", "env -C /tmp %", "% > .git/config", "% >> ~/.bashrc", "%; rm x", "% && sh x", "% | sh", "% & rm x",
			"% $(rm x)", "% `rm x`", "cd /tmp && %", "cd .. ; %", "sudo %", "xargs %", "%\nrm x", "(% ; rm x)", "% <(rm x)", "if %; then rm x; fi", "% || rm x", "/tmp/%", "./%", "../%", "! % || rm x", "alias x=y; %", "f() { rm x; }; %", "eval '%'", "nohup % > x", "% $X", "% {-x,-y}", "% -*",
		}).Draw(t, "around")
		line := strings.Replace(around, "%", command, 1)
		for _, rule := range rulesOf(g.Widths(CommandRequest("/w", "bash", command))) {
			trial, err := g.Try(rule)
			if err != nil {
				t.Fatal(err)
			}
			if trial.Passes(CommandRequest("/w", "bash", line)) {
				t.Fatalf("%s lets pass %s", rule, line)
			}
		}
	})
}

// Asking too often is a fault as well: usual options pass by a rule that leaves
// them open, and those of the first list by one that names them.
func TestUsualOptionsPass(t *testing.T) {
	for _, row := range [][2]string{
		{"go test", "go test -run X -v -count=1 -race ./..."}, {"go build", "go build -ldflags '-X main.v=1' -o bin/x ./cmd/x"}, {"go vet", "go vet -tags exec ./..."},
		{"make *", "make -j8 -k test V=1"}, {"pytest", "pytest -ra -q -k 'not slow' -vv -x tests"}, {"pytest *", "pytest -mcopy -npro tests"}, {"npm test", "npm test -- --watch=false"},
		{"npm run *", "npm run build --if-present --silent -w web"}, {"cargo test", "cargo test --release -p core -- --nocapture"}, {"mvn", "mvn -ntp -q test -DskipITs"},
		{"gradle", "gradle test -Pprofile=ci -x integ --info"}, {"git commit", "git commit -am 'Fix: Other -O2'"}, {"git commit", "git commit -m exec"}, {"git add", "git add -A src"},
		{"git log *", "git log -S'Old' -GO"}, {"jest", "jest -t crash --reporters=default --env=jsdom --ci"}, {"tar *", "tar -czf a.tgz src"}, {"tar *", "tar xzf a.tgz -C src"},
		{"eslint", "eslint --fix -f json --format stylish src"}, {"golangci-lint run", "golangci-lint run -Egosec ./..."}, {"sort", "sort -k1,1 -u a"}, {"rspec", "rspec -e 'crops' spec"},
		{"cmake", "cmake -S . -B build -DPERF=ON"}, {"find *", "find . -name '*.go' -type f -print"}, {"deno test", "deno test --no-check"}, {"prettier", "prettier --write src"},
		{"cp *", "cp a b"}, {"tool", "tool --exec x -f y -c z SHELL=1"},

		{"go test -exec", "go test -exec /tmp/x ./..."}, {"make -f *", "make -f ci.mk test"}, {"find * -delete", "find build -delete"}, {"pytest -c x.ini *", "pytest -c x.ini tests"},
		{"/go test -exec y/", "go test -exec y"},
	} {
		s := setup{mode: Default, allow: []string{"shell(" + row[0] + ")"}, defaults: true}
		if v := s.check(t, shellRun(row[1])); v.Effect != Allow {
			t.Errorf("%s under %s: %s (%s)", row[1], row[0], v.Effect, v.Reason)
		}
	}
}

// BEY-08: no offered rule covers another thing to do than the one that was
// asked for: another script, another target, another sub-command.
func TestNoRuleReachesOtherWork(t *testing.T) {
	g, err := New(Options{Workspace: "/w", Home: "/home/u", GateHome: "/home/u/.blitz", Mode: Default, Approver: always(Answer{}), Site: publicsuffix.EffectiveTLDPlusOne})
	if err != nil {
		t.Fatal(err)
	}
	write := func(path string) Request { return WriteRequest("/w", "edit", Change{Path: path, After: []byte("x")}) }
	run := func(command string) Request { return CommandRequest("/w", "bash", command) }
	for _, row := range []struct{ asked, other Request }{
		{run("npm run build"), run("npm run deploy")}, {run("pnpm run build"), run("pnpm run deploy")}, {run("yarn run build"), run("yarn run clean")},
		{run("npm run-script build"), run("npm run-script deploy")}, {run("yarn build"), run("yarn build:deploy")},
		{run("make test"), run("make test deploy")}, {run("just test"), run("just test deploy")}, {run("rake spec"), run("rake spec db:drop")},
		{run("gradle test"), run("gradle test publish")}, {run("./gradlew test"), run("./gradlew test publish")}, {run("mvn test"), run("mvn test deploy")}, {run("task a"), run("task a b")},
		{run("terragrunt --version"), run("terragrunt destroy")}, {run("pulumi --help"), run("pulumi destroy")}, {run("rails -h"), run("rails db:drop")},
		{run("flyctl apps list"), run("flyctl apps destroy x")}, {run("vault secrets list"), run("vault secrets disable x")}, {run("tool -C x plan"), run("tool -C x destroy")},
		{run("doctl compute list"), run("doctl compute delete")}, {run("thing noun list"), run("thing noun delete x")}, {run("mysql-tool db list"), run("mysql-tool db drop")},
		{run("dropdb --help"), run("dropdb x")}, {run("ansible all --list-hosts"), run("ansible all -m shell -a x")}, {run("vercel list"), run("vercel list x")},
		{run("composer show"), run("composer show x")}, {run("vite-node --version"), run("vite-node x.js")}, {run("go version"), run("go env -w X=y")},

		{write(".vscode/settings.json"), write(".vscode/tasks.json")}, {write(".git/info/exclude"), write(".git/hooks/pre-commit")}, {write(".claude/x/y"), write(".claude/settings.json")},
		{write(".github/workflows/a.yml"), write(".github/workflows/b.yml")}, {write("/home/u/.ssh/known_hosts"), write("/home/u/.ssh/authorized_keys")},
		{write("/home/u/.blitz/workspaces/x"), write("/home/u/.blitz/settings.toml")}, {write(".github/a.md"), write(".github/workflows/b.yml")},
		{write("/etc/hosts"), write("/etc/passwd")}, {write("/etc/motd.d/x"), write("/etc/motd.d/y")}, {write("/x"), write("/y")}, {write("/usr/local/bin/x"), write("/usr/local/bin/ls")},
		{write("/home/u/.config/app/x"), write("/home/u/.config/app/y")}, {write("/home/u/.local/bin/x"), write("/home/u/.local/bin/ls")}, {write("/proc/self/x"), write("/proc/self/mem")},
		{write("../x"), write("../y/z")}, {write("src/../../x"), write("/y")}, {write("a/b"), write("a/../.git/config")}, {write("a/b"), write("a/.envrc")}, {write("a/b"), write("/a/b")},

		{FetchRequest("f", "https://a.github.io"), FetchRequest("f", "https://b.github.io")}, {FetchRequest("f", "https://x.com"), FetchRequest("f", "https://x.com.evil.net")},
		{FetchRequest("f", "https://x.com"), FetchRequest("f", "https://x.com@evil.net")}, {FetchRequest("f", "https://x.com"), FetchRequest("f", `https://evil.net\@x.com`)},
		{FetchRequest("f", "https://x.com"), FetchRequest("f", "https://evilx.com")}, {FetchRequest("f", "http://10.0.0.1"), FetchRequest("f", "http://10.0.0.2")},
		{FetchRequest("f", "http://[::1]:80"), FetchRequest("f", "http://127.0.0.1")}, {FetchRequest("f", "https://a.b.s3.amazonaws.com"), FetchRequest("f", "https://c.s3.amazonaws.com")},
		{FetchRequest("f", "https://a.127.0.0.1.nip.io"), FetchRequest("f", "https://1.2.3.4.nip.io")}, {FetchRequest("f", "https://a.co.uk"), FetchRequest("f", "https://b.co.uk")},
	} {
		for _, rule := range rulesOf(g.Widths(row.asked)) {
			trial, err := g.Try(rule)
			if err != nil {
				t.Fatal(err)
			}
			if trial.Passes(row.other) {
				t.Errorf("%s, for %q, lets pass %q", rule, row.asked.Targets, row.other.Targets)
			}
		}
	}
}

// BEY-08, BEY-14: "exactly this command" is not another one that reads alike
// when quotes are left out: a name with a wildcard in it is one file.
func TestExactlyThisCommand(t *testing.T) {
	g, err := New(Options{Workspace: "/w", Home: "/home/u", Mode: Default, Approver: always(Answer{})})
	if err != nil {
		t.Fatal(err)
	}
	spellings := []string{
		"zap 'a*'", "zap a*", "zap 'a' '*'", "zap a *", "zap 'a *'", "zap '~/x'", "zap ~/x", "zap '[ab]'", "zap [ab]", "zap a?", "zap 'a?'", "zap '{a,b}'", "zap {a,b}", "zap a b", "zap 'a b'", "zap '$X'", "zap $X", `zap a\*`,
		"zap a\\ b", "zap '' a", "zap  a", "zap 'a;b'", "zap 'a' ';b'", `zap "'a'"`, "zap '`x`'", "zap -- 'a*'", "zap '~'", "zap ~", "zap ~root", "zap '~root'", "zap =x", "zap '!x'", "zap '#x'", "zap \"$HOME\"/x",
	}
	same := map[string]string{`zap a\*`: "zap 'a*'", "zap a\\ b": "zap 'a b'", "zap  a": "zap a", "zap {a,b}": "zap a b", "zap \"$HOME\"/x": "zap ~/x"}
	of := func(command string) string {
		if s, ok := same[command]; ok {
			return s
		}
		return command
	}
	for _, asked := range spellings {
		req := CommandRequest("/w", "bash", asked)
		rules := rulesOf(g.Widths(req))
		h := History{Past: []Past{{Request: req, Calls: 9, Approved: 9, Last: time.Unix(1, 0)}}}
		h.Past[0].Request.Origin.Workspace = "/w"
		suggested, err := h.Suggest("/w", Policy{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range suggested {
			rules = append(rules, s.Rule.Text)
		}
		for _, rule := range rules {
			if !strings.HasPrefix(rule, "shell(/") {
				continue
			}
			trial, err := g.Try(rule)
			if err != nil {
				t.Fatal(err)
			}
			if !trial.Passes(req) {
				t.Errorf("%s doesn't let %s pass", rule, asked)
			}
			for _, other := range spellings {
				if of(other) != of(asked) && trial.Passes(CommandRequest("/w", "bash", other)) {
					t.Errorf("%s, for %s, lets pass %s", rule, asked, other)
				}
			}
		}
	}
}
