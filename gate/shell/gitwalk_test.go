package shell

import (
	"path/filepath"
	"strings"
	"testing"
)

// secrets makes a repository in which .env, and the *.pem below src, hold SECRET
// at every time; only .env differs on disk from what is tracked.
const secrets = `git init -q .; mkdir -p src/deep docs keys; echo SECRET1 >.env; echo SECRET1 >src/deep/ca.pem; echo SECRET >keys/id; echo a >docs/a; echo b >src/b.go
git add -A; git commit -qm one; printf 'SECRET2 \n' >.env; echo SECRET2 >src/deep/ca.pem; echo SECRET2 >keys/id; echo c >docs/a; echo d >src/b.go
touch -d '1 hour ago' src/deep/ca.pem keys/id docs/a src/b.go; git commit -qam two; printf 'SECRET3 \n' >.env; echo e >src/b.go; git stash -q; printf 'SECRET3 \n' >.env; echo f >src/b.go
`

// findTracked is what of .env, keys and *.pem the command may show.
func findTracked(t *testing.T, dir, command string) string {
	t.Helper()
	l := Read(command)
	var w Walk
	var c *Command
	for i := range l.Commands {
		if walk, ok := l.Walk(&l.Commands[i]); ok {
			w, c = walk, &l.Commands[i]
		}
	}
	if w.Git == nil {
		return ""
	}
	file, err := w.Git.Find(t.Context(), filepath.Join(dir, c.Dir), func(file string) bool {
		rel, _ := filepath.Rel(dir, file)
		return rel == ".env" || strings.HasPrefix(rel, "keys/") || strings.HasSuffix(rel, ".pem")
	})
	if err != nil {
		return err.Error()
	}
	return file
}

// TestGitWalksAsGitDoes holds what is said of a git command against what git
// prints: nothing that it shows is missed, and little else is said (APR-13).
func TestGitWalksAsGitDoes(t *testing.T) {
	s := newScratch(t)
	// more is what git doesn't show here, and might elsewhere.
	more := map[string]bool{}
	commands := strings.Split(strings.TrimSpace(shown), "\n")
	for _, command := range strings.Split(strings.TrimSpace(shownElsewhere), "\n") {
		more[command] = true
		commands = append(commands, command)
	}
	// One shell runs them all: to start one for each takes longer than git does.
	script := secrets
	for _, command := range commands {
		script += "printf '\\036'; " + command + " </dev/null 2>&1 || true\n"
	}
	out, err := s.sh(script)
	printed := strings.Split(out, "\x1e")
	if err != nil || len(printed) != len(commands)+1 {
		t.Fatalf("%v, %d: %s", err, len(printed), out)
	}
	for i, command := range commands {
		shows, found := strings.Contains(printed[i+1], "SECRET"), findTracked(t, s.dir, command)
		switch {
		case shows && found == "":
			t.Errorf("%s: git shows what may not be read", command)
		case !shows && found != "" && !more[command]:
			t.Errorf("%s: git doesn't show %s", command, found)
		case !shows && found == "" && more[command]:
			t.Errorf("%s: nothing is said of it", command)
		}
	}
}

// shown are commands of which it is known whether they show a file.
const shown = `
git diff
git diff --stat
git diff --stat -p
git diff --name-only
git diff --name-status
git diff --numstat
git diff --raw
git diff --quiet
git diff -q
git diff --check
git diff HEAD
git diff HEAD~1
git diff HEAD~1 --stat
git diff --cached HEAD~1
git diff docs
git diff docs src/b.go
git diff src
git diff src keys
git diff HEAD~1 src/b.go
git diff HEAD~1 src
git diff HEAD~1 -- src
git diff HEAD~1 -- docs
git diff HEAD~1 -- 'docs/*' 'src/*.go'
git diff HEAD~1 -- '*.go'
git diff HEAD~1 -- 'src/*'
git diff HEAD~1 '*.go'
git diff HEAD~1 '*.pem'
git diff -- ':!.env'
git diff ':!.env'
git diff ':!.env' ':!keys'
git diff HEAD~1 ':!.env' ':!keys' ':!*.pem'
git diff HEAD~1 -- ':!.env' ':!keys' ':!**/*.pem'
git diff HEAD~1 -- ':!.env' ':!keys'
git diff HEAD~1 -- ':(exclude).env' ':^keys/' ':(top,exclude)src/deep'
git diff HEAD~1 -- ':(exclude,icase).ENV' keys docs
git diff HEAD~1 -- ':(icase)SRC/deep/CA.pem'
git diff HEAD~1 -- ':(glob)**/*.pem'
git diff HEAD~1 -- 'src/**/*.pem'
git diff HEAD~1 -- '[.k]*'
git diff HEAD~1 -- .
git diff HEAD~1 -- ./docs
git diff HEAD~1 -- :/docs
git diff HEAD~1 -- src docs ':!src/deep'
git diff HEAD~1 -- src ':!src/deep/'
git diff HEAD~1 -- src ':!src/deep/ca.pem'
git --no-pager diff HEAD~1 -- docs
git --icase-pathspecs diff HEAD~1 -- SRC
git -C src diff HEAD~1
git -C src diff HEAD~1 -- .
git -C src diff HEAD~1 -- b.go
git -C src diff HEAD~1 -- deep
git -C src diff HEAD~1 -- ':!deep'
git -C src diff HEAD~1 -- ':!/keys' ':!/.env' ':!deep'
git -C src diff HEAD~1 -- . ':!deep'
git -C src diff HEAD~1 -- ../docs
git -C src diff HEAD~1 -- ../keys
git -C src diff HEAD~1 -- :/
git -C docs diff HEAD~1 --relative -- .
git -C .git log -p
git log
git log --oneline -5
git log --stat
git log -p
git log -p docs
git log -p -2 -- docs
git log -p --author src -- docs
git log -u
git log -U0
git log --patch-with-raw
git log -c
git log --cc
git log --check
git log --binary
git log --remerge-diff
git log --diff-merges=off
git log --diff-merges none
git log --all --diff-merges=on
git log --name-only
git log --graph --decorate --all
git log -1 -p --format=%H
git log -S SECRET
git log -S SECRET -p
git log -Lfoo,+1:docs/a
git log -L1,1:docs/a
git log -p -SSECRET docs
git whatchanged
git whatchanged -p
git reflog
git reflog -p
git show
git show HEAD
git show HEAD docs
git show HEAD -- docs
git show HEAD -- ':!.env' ':!keys' ':!*.pem'
git show --stat HEAD
git show --stat --oneline HEAD
git show --name-only
git show -s
git show --no-patch
git show -q
git show --format=%B HEAD
git show HEAD:docs/a
git show HEAD:src
git show HEAD:
git show HEAD HEAD:docs/a
git show --oneline HEAD:docs/a
git stash list
git stash list -p
git stash show
git stash show -p
git stash show --stat
git status
git status -s
git status -vv
git add -n .
git grep SECRET
git grep SECRET docs
git grep SECRET -- docs
git grep SECRET src
git grep -n -e SECRET docs
git grep -n -e SECRET src
git grep -A 3 SECRET docs
git grep -nA 3 SECRET docs
git grep -nA 3 SECRET keys
git grep SECRET HEAD
git grep SECRET HEAD -- docs
git grep SECRET HEAD -- ':!.env' ':!keys' ':!*.pem'
git grep SECRET -- '*.go'
git grep --max-depth 1 SECRET docs
git grep -- SECRET keys
git archive HEAD
git archive HEAD docs
git archive HEAD src
git archive HEAD -- docs
git archive --format tar HEAD keys
git archive --format=tar HEAD docs
git archive HEAD:keys
git archive --list
git format-patch --stdout -1
git format-patch --stdout -1 -- docs
git fast-export HEAD
git fast-export HEAD -- docs
git cat-file -p HEAD
git cat-file -t HEAD
git cat-file -p HEAD:docs/a
git cat-file --batch-all-objects --batch-check
git cat-file --batch-all-objects --batch
git cat-file -p $(git rev-parse HEAD:.env)
git diff-tree HEAD
git diff-tree -p HEAD
git diff-tree -p HEAD -- docs
git diff-index HEAD
git diff-index -p HEAD
git diff-files
git diff-files -p
git diff-files -p docs
git rev-parse HEAD
git ls-files
git ls-tree -r HEAD
git branch -a
git rerere
git tag
git blame docs/a
git log --oneline | cat
`

// shownElsewhere are those that don't show a file here and may elsewhere.
const shownElsewhere = `
git diff --cached
git diff HEAD -- keys
git diff --name-only -p
git status -v
git log -p -S nothing
git diff HEAD:docs HEAD:src
git difftool -y -x true HEAD~1
git -C src log -p -- ':!*'
git merge-tree HEAD HEAD HEAD
git commit -v --dry-run
git archive -o x.tar HEAD
git -C docs diff HEAD~1 --relative
git log --dd
git log --diff-merges=on
git log --diff-merges first-parent -- keys
git stash list --diff-merges=separate
git bundle create x.bundle HEAD
git checkout-index --prefix=out/ -a
git format-patch -o docs -1
git add -p
git checkout -p
git stash -p
git reset -p
git --git-dir=.git log -p -- docs
GIT_DIR=.git git log -p -- docs
git grep --untracked SECRET docs
git diff --unif=1 --stat
git diff HEAD~1 -- ':(glob)*.pem'
git --literal-pathspecs diff HEAD~1 -- docs '*.pem'
git -C .git log -p -- docs
git log -p --author src
git log --pat
git grep -- SECRET docs
git archive -o docs HEAD
git bundle create - HEAD -q
`
