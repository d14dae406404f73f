package shell

import "strings"

// gitHarmlessSettings are the settings that make no reading command run a
// program or read settings elsewhere. The keys are sections, with .* for one
// with a subsection; a value of * stands for every key.
var gitHarmlessSettings = map[string]string{
	"core": "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf " +
		"quotepath abbrev commentchar commentstring checkstat trustctime untrackedcache splitindex preloadindex compression " +
		"loosecompression bigfilethreshold packedgitlimit packedgitwindowsize deltabasecachelimit sharedrepository whitespace " +
		"hidedotfiles longpaths protectntfs protecthfs sparsecheckout sparsecheckoutcone multipackindex commitgraph fscache " +
		"warnambiguousrefs disambiguate excludesfile attributesfile notesref createobject fsync",
	"remote.*":     "url fetch push prune prunetags tagopt pushurl mirror promisor partialclonefilter skipdefaultupdate skipfetchall followremotehead gh-resolved",
	"remote":       "pushdefault",
	"branch":       "*",
	"branch.*":     "*",
	"user":         "name email signingkey useconfigonly",
	"author":       "name email",
	"committer":    "name email",
	"pull":         "*",
	"push":         "*",
	"fetch":        "prune prunetags all parallel output recursesubmodules unpacklimit writecommitgraph showforcedupdates fsckobjects negotiationalgorithm",
	"rebase":       "autosquash autostash updaterefs stat forkpoint rebasemerges missingcommitscheck abbreviatecommands",
	"merge":        "ff conflictstyle log renames renamelimit stat autostash directoryrenames verbosity branchdesc tool",
	"init":         "defaultbranch",
	"color":        "*",
	"color.*":      "*",
	"column":       "*",
	"diff":         "renames renamelimit algorithm mnemonicprefix noprefix srcprefix dstprefix colormoved colormovedws context interhunkcontext indentheuristic ignoresubmodules suppressblankempty statgraphwidth statnamewidth wserrorhighlight relative wordregex autorefreshindex dirstat tool",
	"diff.*":       "xfuncname funcname binary wordregex algorithm",
	"log":          "date decorate abbrevcommit follow graphcolors mailmap showroot initialdecorationset excludedecoration diffmerges",
	"status":       "short branch showstash showuntrackedfiles relativepaths renames renamelimit aheadbehind displaycommentprefix",
	"submodule":    "active recurse fetchjobs propagatebranches alternatelocation alternateerrorstrategy",
	"submodule.*":  "url active branch path ignore fetchrecursesubmodules shallow",
	"extensions":   "objectformat compatobjectformat refstorage worktreeconfig partialclone noop preciousobjects relativeworktrees",
	"advice":       "*",
	"gc":           "auto autopacklimit autodetach pruneexpire worktreepruneexpire reflogexpire reflogexpireunreachable aggressivedepth aggressivewindow packrefs writecommitgraph bigpackthreshold logexpiry cruftpacks",
	"pack":         "*",
	"index":        "*",
	"feature":      "*",
	"maintenance":  "*",
	"lfs":          "repositoryformatversion locksverify",
	"lfs.*":        "access locksverify",
	"commit":       "gpgsign verbose cleanup status template",
	"tag":          "gpgsign sort forcesignannotated",
	"gpg":          "format",
	"http":         "postbuffer version sslverify extraheader",
	"http.*":       "postbuffer version sslverify extraheader",
	"rerere":       "enabled autoupdate",
	"i18n":         "commitencoding logoutputencoding",
	"versionsort":  "suffix",
	"worktree":     "guessremote userelativepaths",
	"checkout":     "defaultremote guess workers",
	"apply":        "whitespace ignorewhitespace",
	"blame":        "coloring date showroot showemail blankboundary markignoredlines markunblamablelines",
	"gitflow.*":    "*",
	"gui":          "wmstate geometry",
	"safe":         "directory",
	"receive":      "denycurrentbranch denynonfastforwards denydeletes",
	"transfer":     "fsckobjects",
	"credential":   "username",
	"credential.*": "username",
}

// gitHarmlessValues are settings that are harmless with some values only.
var gitHarmlessValues = map[string]string{
	"core.fsmonitor":          "false no off 0",
	"log.showsignature":       "false no off 0",
	"diff.submodule":          "short",
	"submodule.*.update":      "checkout rebase merge none",
	"blame.ignorerevsfile":    ".git-blame-ignore-revs",
	"status.submodulesummary": "false no off 0",
}

// parts cuts the name into the section, with .* for one with a subsection,
// and the key.
func (s gitSetting) parts() (section, key string) {
	first, last := strings.IndexByte(s.name, '.'), strings.LastIndexByte(s.name, '.')
	if first == last {
		return s.name[:first], s.name[last+1:]
	}
	return s.name[:first] + ".*", s.name[last+1:]
}

// general is the name with * for a subsection, to show to a person.
func (s gitSetting) general() string {
	section, key := s.parts()
	return section + "." + key
}

func (s gitSetting) harmless() bool {
	section, key := s.parts()
	if values, ok := gitHarmlessValues[section+"."+key]; ok {
		return s.hasValue && !s.quoted && (s.value == "" || listed(values, strings.ToLower(s.value)))
	}
	keys := gitHarmlessSettings[section]
	return keys == "*" || listed(keys, key)
}
