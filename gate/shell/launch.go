package shell

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A launcher is a program that ordinary options turn into another one: they
// name a program to run, code or settings to load, or a folder to take all of
// it from. Options stand between spaces, without dashes.
type launcher struct {
	options
	long, short string
	// paths are options that do so when their value names a file.
	paths string
	// assigns says that NAME=value words are put into what it runs.
	assigns bool
	// bundled says that the first word may hold short options without a dash.
	bundled bool
}

// launchers are those that agents use most. The list is of mistakes worth
// preventing, and can't be complete; what isn't on it is no proof.
var launchers = func() map[string]*launcher {
	known := map[string]*launcher{
		"go":     {long: "exec toolexec vettool overlay modfile C", options: options{single: true}},
		"cargo":  {long: "config manifest-path", short: "CZ", options: options{values: "pFj"}},
		"npm":    {long: "script-shell shell node-options prefix dir userconfig globalconfig git call", short: "Cc", options: options{values: "w"}},
		"yarn":   {long: "cwd script-shell node-options"},
		"bun":    {long: "cwd config preload require", short: "rc", options: options{values: "t"}},
		"make":   {long: "file makefile directory include-dir eval", short: "fCIE", assigns: true, options: options{values: "jlo", abbreviate: true}},
		"pytest": {long: "rootdir confcutdir override-ini pdbcls basetemp config-file", short: "pco", options: options{values: "kmnWr", abbreviate: true}},
		"tox":    {long: "conf override workdir root", short: "cx", options: options{values: "emfpt", abbreviate: true}},
		"mypy":   {long: "config-file python-executable custom-typeshed-dir", options: options{values: "mpc", abbreviate: true}},
		"eslint": {long: "config rulesdir plugin parser resolve-plugins-relative-to", short: "c", paths: "f format"},
		"jest": {long: "config globalSetup globalTeardown setupFiles setupFilesAfterEnv rootDir root dir", short: "cr", options: options{values: "t"},
			paths: "runner testRunner transform reporters reporter resolver testEnvironment env environment globalsetup pool"},
		"prettier": {long: "plugin config plugin-search-dir"},
		"deno": {long: "allow-all allow-run allow-write allow-ffi allow-env allow-net allow-sys allow-import config import-map preload require lock", short: "Acr",
			options: options{values: "L"}},
		"rspec":         {long: "require options default-path", short: "rIO", options: options{values: "eftPE"}},
		"rubocop":       {long: "require config plugin", short: "rc", options: options{values: "fo"}},
		"phpunit":       {long: "bootstrap configuration include-path extension", short: "c", options: options{values: "d"}},
		"golangci-lint": {long: "config", short: "c", options: options{values: "EDjp"}},
		"gradle":        {long: "init-script build-file project-dir settings-file gradle-user-home include-build", short: "Ibpcg", options: options{values: "PDxm"}},
		"mvn":           {long: "f file s settings t global-settings gs toolchains", short: "fst", options: options{single: true}},
		"cmake":         {long: "toolchain", short: "PE", options: options{values: "DGUABSTjt"}},
		"ctest":         {long: "script script-new-process build-and-test", short: "S", options: options{values: "RELjCDTM"}},
		"bazel":         {long: "run_under script_path bazelrc output_user_root"},
		"tar": {long: "to-command use-compress-program checkpoint-action info-script new-volume-script rsh-command rmt-command", short: "IF", bundled: true,
			options: options{values: "fCbTXgHKLNV", abbreviate: true}},
		"rsync": {long: "rsh rsync-path config", short: "e", options: options{values: "fTBM"}},
		"sort":  {long: "compress-program", options: options{abbreviate: true}},
		"fd":    {long: "exec exec-batch", short: "xX", options: options{values: "tdeEcSjo"}},
		"find":  {long: "delete fprint fprint0 fprintf fls", options: options{single: true}},
		"git": {long: "upload-pack receive-pack exec extcmd open-files-in-pager template config ext-diff textconv httpd browser access-hook", short: "O",
			options: options{values: "SGLnlmFCXUBMc", abbreviate: true}},
		"split":   {long: "filter", options: options{abbreviate: true}},
		"install": {long: "strip-program", options: options{abbreviate: true}},
		"pandoc":  {long: "filter lua-filter pdf-engine defaults", short: "FLd", options: options{values: "frtoVMTHBAc", abbreviate: true}},
		"gcc":     {long: "wrapper specs fplugin B", short: "B", paths: "fuse-ld", options: options{single: true}},
		"svn":     {long: "diff-cmd diff3-cmd editor-cmd config-option config-dir"},
		"hg":      {long: "config config-file debugger", options: options{abbreviate: true}},
		"helm":    {long: "post-renderer kubeconfig"},
		"aria2c":  {long: "on-download-start on-download-complete on-download-error on-download-stop on-download-pause on-bt-download-complete conf-path"},
		"dpkg":    {long: "pre-invoke post-invoke"},
		"nc":      {long: "exec sh-exec lua-exec", short: "ec", options: options{values: "iIMmOPpqsTVwXx"}},
		"man":     {long: "pager html config-file", short: "PHC", options: options{values: "LmMSseEpr", abbreviate: true}},
		"zip":     {long: "unzip-command TT", options: options{single: true}},
		"curl":    {long: "config", short: "K", options: options{values: "AbcCdDeEFhHmoPQrtTuUwxXyYz"}},
		"wget":    {long: "config use-askpass execute", short: "e", options: options{values: "oaiBtOTQPUlADRIX"}},
		"kubectl": {long: "kubeconfig"},
		"scp":     {short: "SDF", options: options{values: "ciJloPX"}},
		"sftp":    {short: "SDFb", options: options{values: "BciJloPRsX"}},
		"less":    {long: "lesskey-file lesskey-src lesskey-content cmd", short: "k", options: options{values: "bhjoOpPtTxyzD"}},
		"apt-get": {long: "option", short: "o", options: options{values: "atc"}},
		"pip":     {long: "python config-settings global-option", options: options{values: "rcetif"}},
	}
	for name, same := range map[string]string{
		"gmake": "make", "fdfind": "fd", "apt": "apt-get", "pnpm": "npm", "vitest": "jest", "gradlew": "gradle", "mvnw": "mvn", "gtar": "tar", "bsdtar": "tar",
		"py.test": "pytest", "bazelisk": "bazel", "g++": "gcc", "cc": "gcc", "c++": "gcc", "clang": "gcc", "clang++": "gcc", "ncat": "nc", "netcat": "nc",
	} {
		known[name] = known[same]
	}
	return known
}()

// Launches lists the words of c by which a program that is otherwise harmless
// runs another one, or takes its code from elsewhere, such as -exec of go
// test. An allow rule that leaves them open doesn't mean them.
func (c *Command) Launches() (words []string) {
	switch name := ownName(c.Program()); {
	case isSed(name):
		if scripts, s := c.sedScripts(); s.odd || len(s.runs)+len(s.writes) > 0 {
			words = append(words, scripts...)
		}
	case isAwk(name):
		words = c.awkLaunches()
	case name == "git":
		words = c.gitLaunches()
	case name == "less":
		words = c.lessLaunches()
	default:
		words = c.sshLaunches()
	}
	// The program may stand behind another: npx eslint, python -m pytest.
	for i, w := range c.Words[:min(len(c.Words), 4)] {
		if i > 0 && startsOption(w.Text) {
			continue
		}
		if l := launchers[strings.TrimRight(ownName(w.Text), "0123456789")]; l != nil {
			words = append(words, l.launching(c.Words[i+1:])...)
		}
	}
	return words
}

// lessMoves are the commands that less may begin with by +: they only move in the
// file.
var lessMoves = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\+{1,2}(?:[0-9]*[gGpF%]?|[/?&][^\r\n]*)$`) })

// lessLaunches are the words by which less begins with any other command, such as
// one for a shell.
func (c *Command) lessLaunches() (words []string) {
	for _, w := range c.Words[1:] {
		if strings.HasPrefix(w.Text, "+") && !lessMoves().MatchString(w.Text) {
			words = append(words, w.Text)
		}
	}
	return words
}

// launched records what the values of such words may run.
func (r *reader) launched(index int) {
	c := r.line.Commands[index]
	launches := c.Launches()
	for i, w := range c.Words {
		if i == 0 || !slices.Contains(launches, w.Text) || isSed(ownName(c.Program())) || isAwk(ownName(c.Program())) {
			continue
		}
		_, value, joined := strings.Cut(w.Text, "=")
		rest := c.Words[i+1:]
		switch {
		case listed(sshPrograms, ownName(c.Program())) && strings.ContainsAny(w.Text, "= \t"):
			_, value = sshSetting(w.Text)
			r.perhapsText(index, value)
		case strings.HasPrefix(w.Text, "+"): // less
			if at := strings.IndexAny(w.Text, "!|"); at >= 0 {
				r.perhapsText(index, w.Text[at+1:])
			}
		case joined:
			r.perhapsText(index, value)
			if _, last, more := strings.Cut(value, "="); more { // checkpoint-action=exec=x
				r.perhapsText(index, last)
			}
		case strings.HasPrefix(w.Text, "ext::"):
			r.perhapsText(index, strings.TrimPrefix(w.Text, "ext::"))
		case !startsOption(w.Text): // git config, git submodule foreach
			for _, word := range rest {
				r.perhapsText(index, strings.TrimPrefix(word.Text, "!"))
			}
		default:
			if len(w.Text) > 2 && w.Text[1] != '-' {
				r.perhapsText(index, w.Text[2:])
			}
			if len(rest) > 0 {
				_, setting, _ := strings.Cut(rest[0].Text, "=")
				r.perhapsText(index, rest[0].Text)
				r.perhapsText(index, setting)
			}
		}
	}
}

// perhapsText records a text that may be a command.
func (r *reader) perhapsText(index int, text string) {
	text = strings.ReplaceAll(strings.Trim(text, "'\"` "), "$(shell ", "$(")
	r.perhapsWords(index, []string{text}, false)
}

func (l *launcher) launching(words []Word) (found []string) {
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1].Text
		}
		word := w.Text
		if i == 0 && l.bundled && !startsOption(word) {
			word = "-" + word
		}
		if l.launches(word, next) {
			found = append(found, w.Text)
		}
	}
	return found
}

// launches looks at every word, also behind -- and where it might be a value:
// what a script makes of the words that it is given isn't known.
func (l *launcher) launches(word, next string) bool {
	name, value, joined := strings.Cut(word, "=")
	switch {
	case strings.Contains(word, "extld"):
		return true // the linker of go's -ldflags
	case !startsOption(word):
		return joined && l.assigns && assigning(name, value)
	case strings.HasPrefix(word, "--") || l.single:
		name = strings.TrimLeft(name, "-")
		if !joined {
			value = next
		}
		return l.named(name) || listed(l.paths, name) && looksLikePath(value) || l.attachedPath(word)
	}
	return l.inCluster(word, next)
}

// attachedPath reports a short option of a program without clusters, with the
// name of a file right behind it.
func (l *launcher) attachedPath(word string) bool {
	return len(word) > 2 && strings.Contains(l.short, word[1:2]) && strings.IndexByte("/.~", word[2]) >= 0
}

func (l *launcher) inCluster(word, next string) bool {
	for k := 1; k < len(word); k++ {
		switch letter := word[k : k+1]; {
		case strings.Contains(l.short, letter):
			return true
		case listed(l.paths, letter):
			return looksLikePath(word[k+1:] + next)
		case strings.Contains(l.values, letter):
			return false
		}
	}
	return false
}

// named reports one of the long options, or what it may be short for.
func (l *launcher) named(name string) bool {
	if listed(l.long, name) {
		return true
	}
	if !l.abbreviate || len(name) < 2 {
		return false
	}
	for full := range strings.FieldsSeq(l.long) {
		if strings.HasPrefix(full, name) {
			return true
		}
	}
	return false
}

func looksLikePath(s string) bool { return strings.ContainsAny(s, `/\.`) }

// assigning reports a variable that may become a part of a recipe's commands:
// all but plain values, and every value of those that name a program.
func assigning(name, value string) bool {
	for _, r := range value {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' {
			return true
		}
	}
	return listed("SHELL .SHELLFLAGS MAKEFLAGS MAKEFILES MAKE CC CXX LD AR GO PYTHON NODE NPM RM INSTALL", strings.TrimRight(name, ":+?!"))
}
