package shell

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// gitBuiltins are the subcommands that are git's own whatever is configured.
const gitBuiltins = "add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format " +
	"checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config count-objects credential " +
	"credential-cache credential-store describe diagnose diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack " +
	"fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsck-objects gc get-tar-commit-id grep hash-object help hook index-pack init init-db " +
	"interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree mktag mktree " +
	"multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push range-diff read-tree rebase " +
	"receive-pack reflog remote repack replace rerere reset restore rev-list rev-parse revert rm send-pack shortlog show show-branch show-index " +
	"show-ref sparse-checkout stage stash status stripspace switch symbolic-ref tag unpack-file unpack-objects update-index update-ref " +
	"update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version whatchanged worktree write-tree"

// gitPrograms are subcommands that come with git as programs of their own. Where
// one isn't installed, an alias of that name holds.
const gitPrograms = "bisect daemon filter-branch gui citool instaweb mergetool request-pull send-email submodule subtree svn p4 lfs cvsimport quiltimport " +
	"imap-send http-backend http-fetch http-push shell web--browse"

// GitAlias is the subcommand of a git command that isn't git's own, and so may
// be an alias; else it is empty (APR-15). It is shipped where git comes with a
// program of that name.
func (c *Command) GitAlias() (name string, shipped bool) {
	if name = c.gitSubcommand(); listed(gitBuiltins, name) {
		return "", false
	}
	return name, listed(gitPrograms, name)
}

// gitSubcommand is the subcommand of git, or empty.
func (c *Command) gitSubcommand() string {
	if ownName(c.Program()) != "git" {
		return ""
	}
	if sub, _, _ := gitCommand(c.Words); sub > 0 {
		return c.Words[sub].Text
	}
	return ""
}

// errManyAliases is returned for aliases of aliases without an end.
var errManyAliases = errors.New("too many settings that name each other")

// Aliased is what c, a [Command.GitAlias] in dir, stands for: a line for each
// value that its alias has anywhere. There are none where it is another program.
// It reads the settings of the repository, of the person, in home, and of the
// system, with all that they include, whatever the condition.
func (c *Command) Aliased(dir, home string) (lines []*Line, err error) {
	sub, global, _ := gitCommand(c.Words)
	name := strings.ToLower(c.Words[sub].Text)
	settings, top, err := aliasSettings(dir, home)
	if err != nil {
		return nil, err
	}
	for _, o := range global {
		key, value, _ := strings.Cut(o.value, "=")
		if o.name == "c" && o.short {
			settings = append(settings, gitSetting{name: strings.ToLower(key), value: value})
		}
	}
	for _, s := range settings {
		if s.name != "alias."+name && !strings.EqualFold(s.name, "alias."+name+".command") || s.value == "" {
			continue
		}
		if slices.ContainsFunc(lines, func(l *Line) bool { return l.Source == s.value }) {
			continue
		}
		l, err := c.standsFor(s.value, sub, top)
		if err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// standsFor reads the value of an alias: words in place of the subcommand at
// sub, or, behind !, a script that runs at the top of the repository.
func (c *Command) standsFor(value string, sub int, top string) (*Line, error) {
	l := &Line{Source: value}
	pos := 0
	r := &reader{line: l, base: &pos, where: place{dir: c.Dir}, via: append(slices.Clone(c.Via), "git "+c.Words[sub].Text)}
	if script, ok := strings.CutPrefix(value, "!"); ok {
		for _, w := range c.Words[sub+1:] {
			script += " " + quotedWord(w.Text)
		}
		r.where.dir, r.src = top, script
		r.script(script)
		return l, nil
	}
	words, err := gitWords(value)
	if err != nil || len(words) == 0 {
		return nil, fmt.Errorf("an alias that can't be read: %q", value)
	}
	all := slices.Clone(c.Words[:sub])
	for _, w := range words {
		all = append(all, literal(w))
	}
	all = append(all, c.Words[sub+1:]...)
	expanded := Command{Source: joinText(all), Words: all, Dir: c.Dir, Via: r.via, Assigns: c.Assigns, Redirects: c.Redirects}
	r.judge(&expanded)
	l.Commands = append(l.Commands, expanded)
	r.inside(0, nil)
	return l, nil
}

// quotedWord is a word as a shell reads it for just that.
func quotedWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// gitWords splits an alias as git does: at blanks, but for those in quotes or
// behind a backslash.
func gitWords(text string) (words []string, err error) {
	var word strings.Builder
	open, quote := false, byte(0)
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quote == 0 && gitSpace(b):
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
			continue
		case quote == 0 && (b == '\'' || b == '"'):
			quote = b
		case b == quote:
			quote = 0
		case b == '\\' && quote != '\'':
			if i++; i == len(text) {
				return nil, errGitValue
			}
			word.WriteByte(text[i])
		default:
			word.WriteByte(b)
		}
		open = true
	}
	if quote != 0 {
		return nil, errGitValue
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}

// aliasSettings are all settings that may hold in dir, and the top of its
// repository, or dir where there is none.
func aliasSettings(dir, home string) (settings []gitSetting, top string, err error) {
	dirs, err := gitDirs(dir)
	if err != nil {
		return nil, "", err
	}
	top = dir
	files := []string{"/etc/gitconfig"}
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"), filepath.Join(home, ".config/git/config"))
	}
	if set := os.Getenv("XDG_CONFIG_HOME"); set != "" {
		files = append(files, filepath.Join(set, "git/config"))
	}
	for _, d := range dirs {
		common, err := commonDir(d.dir)
		if err != nil {
			return nil, "", err
		}
		if d.tree != "" {
			top = d.tree
		}
		files = append(files, common+"/config", d.dir+"/config", d.dir+"/config.worktree")
	}
	in := gitIncludes{home: home, seen: map[string]bool{}}
	for _, file := range files {
		if err := in.read(file); err != nil {
			return nil, "", err
		}
	}
	return in.settings, top, nil
}

// gitIncludes are settings with those of the files that they include.
type gitIncludes struct {
	home     string
	settings []gitSetting
	seen     map[string]bool
}

// maxGitIncludes is how many files of settings are read for one question.
const maxGitIncludes = 50

func (in *gitIncludes) read(file string) error {
	if in.seen[file] {
		return nil
	}
	if in.seen[file] = true; len(in.seen) > maxGitIncludes {
		return errManyAliases
	}
	settings, err := readGitConfig(file)
	if err != nil {
		return err
	}
	for _, s := range settings {
		in.settings = append(in.settings, s)
		section, key := s.parts()
		if key != "path" || section != "include" && section != "includeif.*" {
			continue
		}
		other := s.value
		if below, ok := strings.CutPrefix(other, "~/"); ok {
			other = filepath.Join(in.home, below)
		} else if !filepath.IsAbs(other) {
			other = filepath.Join(filepath.Dir(file), other)
		}
		if err := in.read(other); err != nil {
			return err
		}
	}
	return nil
}
