package shell

import "testing"

// TestRoutine: what may be offered as a rule, and how wide (BEY-14).
func TestRoutine(t *testing.T) {
	const never = -1
	for line, want := range map[string]int{
		"go test ./...": 2, "go test -run X -coverpkg=./... ./a": 2, "go run ./cmd/x": 0, "cargo clippy": 2, "npm run lint": 3, "npm run": 0, "npm install": 0,
		"pytest tests/a.py": 1, "python -m pytest -k x": 3, "python3 tool.py": 0, "make": 0, "make check": 0, "./build.sh --fast": 0, "git commit -m x": 2, "git fetch": 0,
		"uv run pytest": 3, "node --test": 0,

		"rm x": never, "/bin/rm x": never, "mv a b": never, "find . -delete": never, "sed -i s/a/b/ x": never, "mkfs.ext4 x": never,
		"git push": never, "git push --force": never, "git reset": never, "git clean -fd": never, "git checkout .": never, "git -C x add .": never, "git": never,
		"sudo make": never, "timeout 5 make": never, "env X=1 make": never, "bash -c make": never, "bash x.sh": never, "sh": never,
		"python -c 1": never, "python3.12 -Ic 1": never, "python": never, "node -e 1": never, "perl -ne 1": never, "ruby -e 1": never, "python -": never, "deno eval 1": never,
		"curl example.com": never, "npx cowsay": never, "docker ps": never, "ssh host ls": never, "psql": never,
		"go test -exec=x ./...": never, "go build -o /usr/bin/x": never, "go build -o=../x": never, "go build -o../x": never, "make install PREFIX=/usr": never, "go doc ~/x": never,
		"npm run deploy": never, "npm run clean": never, "npm publish": never, "make --force": never, "go get https://x.test/y": never,
		"go test > x": never, "X=1 go test": never, "go test $PKG": never, "go test *": never, "X=1": never,
	} {
		l := Read(line)
		got, ok := l.Commands[0].Routine()
		if !ok {
			got = never
		}
		if got != want {
			t.Errorf("%s: %d, want %d", line, got, want)
		}
	}
}
