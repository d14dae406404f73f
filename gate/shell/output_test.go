package shell

import (
	"slices"
	"strings"
	"testing"
)

// APR-13, APR-15: what a program writes is found in every way to name it, and
// what it only reads isn't taken for it.
func TestWritten(t *testing.T) {
	for line, want := range map[string]string{
		"curl -D h u": "h", "curl -sD h u": "h", "curl --dump-header=h u": "h", "curl --dump-h h u": "h", "curl -c jar -b jar2 u": "jar", "curl --trace-ascii t u": "t",
		"curl --stderr e --hsts s --libcurl c.c u": "e s c.c", "curl -O --output-dir d u": "d", "curl -d @x -T y u": "",
		"wget -a log u": "log", "wget --save-cookies j u": "j", "wget -P d u": "d",
		"rsync --log-file=l a b": "b b/a b/b l", "rsync -T t a b": "b b/t b/a b/b t", "scp h:a b": "b b/h:a b/b",
		"tar cf x.tar d": "x.tar", "tar -czf x.tar d": "x.tar", "tar czCf in x.tar d": "in x.tar", "tar xf x.tar": "", "tar tf x.tar -C d": "d",
		"tar -rf x.tar d": "x.tar", "tar xf x.tar --one-top-level=d": "d", "tar --create --file=x.tar d": "x.tar",
		"go test -coverprofile=c ./...": "c", "go test -coverprofile c ./...": "c", "go build -o b .": "b", "go vet ./...": "",
		"cargo build --target-dir t": "t", "pip install -t d x": "d", "pip download -d d x": "d", "pip download --dest=d x": "d", "pip wheel -w d x": "d", "sort -T d f": "d", "ssh -E log h": "log", "less -O log f": "log", "openssl rand -out k 9": "k",
		"git bundle create b HEAD": "b", "git bundle verify b": "", "git worktree add ../w b": "../w", "git worktree move a b": "a b", "git worktree list": "",
		"git clone u": "", "git clone -q u d": "d", "git init d": "d", "git rm -q a b": "a b", "git rm --cached a": "", "git mv a d": "a d d/a d/d",
		"git fast-export --export-marks=m HEAD": "m", "git checkout-index --prefix=d/ -a": "d/", "git -C s read-tree --index-output=i HEAD": "i", "git push origin x": "",
		"ln a b": "a b b/a b/b", "ln -s a b": "b b/a b/b", "mkfifo p": "p", "grep x f | sponge f": "f",
	} {
		l := Read(line)
		got := l.Commands[len(l.Commands)-1].Written()
		slices.Sort(got)
		got = slices.Compact(got)
		expect := strings.Fields(want)
		slices.Sort(expect)
		if !slices.Equal(got, expect) {
			t.Errorf("%s writes %q, want %q", line, got, expect)
		}
	}
	for line, want := range map[string]string{"git rm a": "a", "git mv -f a b d": "a b", "git rm --cached a": "", "git add a": ""} {
		if got := strings.Join(Read(line).Commands[0].Removed(), " "); got != want {
			t.Errorf("%s removes %q, want %q", line, got, want)
		}
	}
}

// APR-15: a file is found within a word that says several things.
func TestOperandsWithinWords(t *testing.T) {
	for _, line := range []string{
		"curl -F 'a=<.env' u", "curl -F 'a=@x,.env' u", "curl -F 'a=@.env;type=text/plain' u", "curl --data-urlencode a@.env u", "curl --variable v@.env u",
		"docker run --mount type=bind,source=.env,target=/x i", "http POST u f@.env",
	} {
		if !slices.Contains(Read(line).Commands[0].Operands(), ".env") {
			t.Errorf("%s: .env is not among the operands", line)
		}
	}
	for _, line := range []string{"git commit -m 'user@x, .env'", "cat a@.env", "echo 'set a=x;.env'", "grep a=.envs,x f"} {
		if slices.Contains(Read(line).Commands[0].Operands(), ".env") {
			t.Errorf("%s: .env is among the operands", line)
		}
	}
}
