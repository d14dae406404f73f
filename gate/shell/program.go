package shell

// A program is one of the programs that the read-only defaults know.
type program struct {
	options
	guards  string // options that write, run, or read names from a file; between spaces
	files   string // options whose value names a file to read; between spaces
	filters string // options whose value chooses among files by their names
	pattern string // options that give the pattern; without one the first operand is it
}

// readers are the programs that only read, apart from their guarded options
// (APR-15). Git has its own page.
var readers = map[string]*program{
	"ls":   {options: options{values: "ITw", longValues: "block-size ignore hide tabsize width sort time format color indicator-style quoting-style", abbreviate: true}},
	"pwd":  {},
	"cat":  {options: options{longFlags: "number show-all squeeze-blank", abbreviate: true}},
	"head": {options: options{values: "nc", longValues: "lines bytes", abbreviate: true}},
	"tail": {options: options{values: "ncs", longValues: "lines bytes pid sleep-interval max-unchanged-stats", abbreviate: true}},
	"wc":   {options: options{longValues: "files0-from total", abbreviate: true}, guards: "files0-from", files: "files0-from"},
	"stat": {options: options{values: "cft", longValues: "format printf", abbreviate: true}},
	"du": {options: options{values: "BdtX", longValues: "block-size max-depth threshold exclude-from exclude files0-from", longFlags: "time time-style", abbreviate: true},
		guards: "files0-from", files: "files0-from X exclude-from"},
	"df":    {options: options{values: "Btx", longValues: "block-size type exclude-type", abbreviate: true}},
	"which": {},
	"grep": {options: options{values: "efmABCdD",
		longValues: "regexp file max-count label after-context before-context context binary-files devices directories exclude exclude-from exclude-dir include",
		longFlags:  "extended-regexp fixed-strings files-with-matches files-without-match recursive dereference-recursive", abbreviate: true},
		files: "f file exclude-from", filters: "exclude exclude-dir include", pattern: "e f regexp file"},
	"rg": {options: options{values: "ABCEMTdefgjmrt",
		longValues: "after-context before-context context color colors context-separator dfa-size-limit encoding engine field-context-separator field-match-separator file generate glob hostname-bin hyperlink-format iglob ignore-file max-columns max-count max-depth max-filesize path-separator pre pre-glob regex-size-limit regexp replace sort sortr threads type type-add type-clear type-not"},
		guards: "pre hostname-bin z search-zip", files: "f file ignore-file", filters: "g glob iglob", pattern: "e f regexp file files type-list"},
	"diff": {options: options{values: "CUFIWDxXS",
		longValues: "context unified show-function-line ignore-matching-lines width ifdef exclude exclude-from starting-file from-file to-file label horizon-lines tabsize color palette line-format old-line-format new-line-format unchanged-line-format old-group-format new-group-format unchanged-group-format changed-group-format",
		longFlags:  "paginate", abbreviate: true},
		guards: "l paginate", files: "X exclude-from from-file to-file"},
}
