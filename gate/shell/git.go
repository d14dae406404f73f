package shell

import "strings"

// gitGlobal are git's options before the subcommand.
var gitGlobal = options{
	values: "cC", flags: "pPhv",
	longValues: "git-dir work-tree namespace super-prefix config-env attr-source",
	longFlags: "exec-path paginate no-pager no-replace-objects no-lazy-fetch no-optional-locks no-advice bare " +
		"literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs html-path man-path info-path list-cmds help version",
}

// gitHarmless are those of them that change no program and no repository.
const gitHarmless = "no-pager P no-replace-objects no-lazy-fetch no-optional-locks no-advice attr-source " +
	"literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs"

// gitGuarded are those that make git run a program, or read another
// repository whose configuration may.
const gitGuarded = "c config-env exec-path git-dir work-tree p paginate namespace super-prefix bare"

// gitReaders are the subcommands that only read (APR-15).
const gitReaders = "status log show diff blame rev-parse"

// gitReading are the options of these subcommands, as far as their values
// matter. Git lets long names be shortened.
var gitReading = program{
	options: options{
		values:   "SGOLnl",
		attached: "UMCBXu",
		longValues: "output output-indicator-new output-indicator-old output-indicator-context word-diff-regex diff-filter anchored inter-hunk-context " +
			"src-prefix dst-prefix line-prefix ws-error-highlight skip-to rotate-to find-object diff-algorithm " +
			"diff-merges max-count skip since after until before author committer grep grep-reflog exclude glob branches date encoding " +
			"decorate-refs decorate-refs-exclude contents ignore-rev ignore-revs-file exclude-hidden default prefix git-path resolve-git-dir",
		longFlags:  "exit-code no-ext-diff no-textconv oneline text",
		abbreviate: true,
	},
	guards: "output ext-diff textconv show-signature submodule help",
	files:  "O contents ignore-revs-file",
}

// gitFlags are common options without a value, after which -- ends the
// options. After any other it could be a value itself.
const gitFlags = "--stat --cached --staged --name-only --name-status --no-index --oneline --follow -p -u --patch -w -b " +
	"--numstat --shortstat --summary --all --graph --no-color --color --no-ext-diff --no-textconv --quiet -q -s --short " +
	"--porcelain -z --raw --minimal --check --word-diff --no-renames -M -C --no-patch --reverse --first-parent --merges " +
	"--no-merges --decorate --full-history --exit-code --binary --full-index --date-order --topo-order -i -E -F"

// gitCommand returns the index of the subcommand's word, or 0. Options before
// it that are not known make it 0 too.
func gitCommand(words []Word) (sub int, global []found, known bool) {
	global, operands := gitGlobal.scan(words, true)
	known = true
	for _, o := range global {
		known = known && o.known
	}
	if len(operands) == 0 {
		return 0, global, known
	}
	return operands[0], global, known
}

// gitGuard names the guard that the options before the subcommand trip; inside
// says that the directory with its -C options joined lies in the workspace.
func gitGuard(global []found, inside bool) string {
	for _, o := range global {
		switch {
		case listed(gitGuarded, o.name):
			return "git " + dashed(o.name)
		case o.name == "C" && !inside:
			return "git -C"
		}
	}
	return ""
}

// gitArguments are the words from the subcommand on, without those that stand
// surely behind the end of the options.
func gitArguments(words []Word) []Word {
	for i := 1; i < len(words); i++ {
		before := words[i-1].Text
		if words[i].Text == "--" && (i == 1 || !startsOption(before) || gitValueless(before)) {
			return words[:i]
		}
	}
	return words
}

// gitValueless reports whether the word after option isn't its value.
func gitValueless(option string) bool {
	attached := len(option) > 2 && strings.IndexByte("SGOnlUMCB", option[1]) >= 0
	return attached || strings.Contains(option, "=") || listed(gitFlags, option) || strings.Trim(option, "-0123456789") == ""
}

// gitWithout are the words of a git command without the options before the
// subcommand, so that a rule for "git push" finds "git -C x push".
func gitWithout(words []Word) []Word {
	sub, global, _ := gitCommand(words)
	if sub == 0 || len(global) == 0 {
		return nil
	}
	return append([]Word{words[0]}, words[sub:]...)
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
