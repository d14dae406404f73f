package gate

import (
	"maps"
	"slices"
	"testing"
)

// asks holds what a gate decides on lines against what is wanted.
func asks(t *testing.T, g *Gate, want map[string]Effect) {
	t.Helper()
	for _, line := range slices.Sorted(maps.Keys(want)) {
		v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", line))
		if v.Effect != want[line] {
			t.Errorf("%s: %s by %s (%s), want %s", line, v.Effect, v.Step, v.Reason, want[line])
		}
	}
}

// APR-13, APR-15: a program that shows, sends or copies files isn't let pass by
// a rule, or by a mode, where it takes their names from a pipe, a list or a
// variable and some of them may not be read. What else is only known when it
// runs is no question.
func TestReadRulesReachWhatIsNotNamed(t *testing.T) {
	allow := []string{"shell(find *)", "shell(cat)", "shell(git *)", "shell(tar *)", "shell(rsync *)", "shell(zip *)", "shell(cpio *)", "shell(sort)",
		"shell(cp)", "shell(curl *)", "shell(sed *)", "shell(mapfile)", "shell(read)", "shell(pax *)", "shell(xargs *)", "shell(fd *)", "shell(fd * -x *)", "shell(7z *)", "shell(printf)",
		"shell(mkdir)", "shell(go test)", "shell(grep)", "shell(ls)", "shell(echo)", "shell(head)", "shell(gh *)"}
	want := map[string]Effect{
		"find . -name X | xargs cat":                      Ask,
		"find . -print0 | xargs -0 cat":                   Ask,
		"git ls-files | xargs grep x":                     Ask,
		`ls | while read f; do cat "$f"; done`:            Ask,
		`ls | while read f; do cat -- "$f"; done`:         Ask,
		`ls | while read -r f; do cat "./$f"; done`:       Ask,
		`for f in $(ls -a); do head "./$f"; done`:         Ask,
		`f=.env; cat "./$f"`:                              Ask,
		`mapfile -t a < <(ls -a); cat -- "${a[@]}"`:       Ask,
		`cat "./$(ls -a | head -3)"`:                      Ask,
		`cat < "$f"`:                                      Ask,
		`while read l; do echo x; done < "$f"`:            Ask,
		`grep x "src/$f"`:                                 Ask,
		`cp "./$f" /tmp/x`:                                Ask,
		`curl -d @"$f" https://example.org`:               Ask,
		`curl -F "f=@$f" https://example.org`:             Ask,
		`curl "file://$f"`:                                Ask,
		`sed "r $f" src/a.go`:                             Ask,
		`git show "HEAD:$f"`:                              Ask,
		`git show "v$v:$f"`:                               Ask,
		`git commit -m "fix: x $y"`:                       Allow,
		`git diff --no-index /dev/null "./$f"`:            Ask,
		"ls -a | tar -cf x.tar -T -":                      Ask,
		"tar cTf list x.tar":                              Ask,
		"tar cf x.tar --files-from=list":                  Ask,
		"ls -a | cpio -o":                                 Ask,
		"ls -a | pax -w":                                  Ask,
		"ls -a | zip x.zip -@":                            Ask,
		"7z a x.7z @list":                                 Ask,
		"rsync --files-from=list . host:":                 Ask,
		"sort --files0-from=list":                         Ask,
		"fd -H . -x cat":                                  Ask,
		"fd -e go -x ls":                                  Allow,
		"tar cf x.tar --file=y src":                       Allow,
		"cpio -i < x":                                     Allow,
		"pax -w src":                                      Allow,
		"rsync -a src host:":                              Allow,
		`mkdir -p "build/$name"`:                          Allow,
		`echo "x $y" "$z"`:                                Allow,
		`printf '%s\n' "$y"`:                              Allow,
		`for f in a b; do cat "$f"; done`:                 Allow,
		`for f in src/*.go; do cat "$f"; done`:            Allow,
		`go test ./"$pkg"`:                                Allow,
		`git commit -m "x $y"`:                            Allow,
		`curl "https://example.org/$id"`:                  Allow,
		`curl -H "Authorization: $T" https://example.org`: Allow,
		`gh pr view "#$n"`:                                Allow,
		`grep -e "x$y" src/a.go`:                          Allow,
		`head -n "1$n" src/a.go`:                          Allow,
		`grep -f "x$y" src/a.go`:                          Ask,
		`grep "x$y" src/a.go`:                             Allow,
		`cat <(ls)`:                                       Allow,
	}
	files := []string{".env", "src/a.go"}
	asks(t, walkable(t, Default, allow, []string{"read(.env)"}, files...), want)
	for line := range want {
		if want[line] != Ask {
			delete(want, line)
		}
	}
	asks(t, walkable(t, Yolo, nil, []string{"read(.env)"}, files...), want)
	// Without such a rule there is nothing to be met.
	asks(t, walkable(t, Yolo, nil, nil, files...), map[string]Effect{`cat -- "./$f"`: Allow, "ls | tar -cf x.tar -T -": Allow})
}
