package shell

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// GitConfigRuns says which setting of the git repository around dir would
// make a command that only reads run a program, or read settings from another
// file (APR-15). It reads the repository's own files, those of worktrees and submodules included, and
// neither the user's nor the system's. why is empty when there is none, or no
// repository. An error means that it could not tell.
func GitConfigRuns(dir string) (why string, err error) {
	gitDir, err := findGit(dir)
	if err != nil || gitDir == "" {
		return "", err
	}
	common := gitDir
	if data, err := os.ReadFile(filepath.Join(gitDir, "commondir")); err == nil {
		common = strings.TrimSpace(string(data))
		if !filepath.IsAbs(common) {
			common = filepath.Join(gitDir, common)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	files := []string{filepath.Join(common, "config"), filepath.Join(gitDir, "config.worktree")}
	// Commands that only read look into submodules, whose settings hold there.
	for _, modules := range []string{"modules/*/config", "modules/*/*/config", "modules/*/modules/*/config"} {
		found, err := filepath.Glob(filepath.Join(common, modules))
		if err != nil {
			return "", err
		}
		files = append(files, found...)
	}
	for _, file := range files {
		if why, err = configRuns(file); why != "" || err != nil {
			return why, err
		}
	}
	return "", nil
}

// findGit returns the git directory that a git command in dir uses, or empty.
func findGit(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		if bare(dir) {
			return dir, nil
		}
		path := filepath.Join(dir, ".git")
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", err
		case info.IsDir():
			return path, nil
		default:
			return linkedGit(dir, path)
		}
		if filepath.Dir(dir) == dir {
			return "", nil
		}
		dir = filepath.Dir(dir)
	}
}

// linkedGit follows a .git file, as worktrees and submodules have one.
func linkedGit(dir, path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir:")
	if !ok {
		return "", fmt.Errorf("%s: not a link to a git directory", path)
	}
	if target = strings.TrimSpace(target); !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	return target, nil
}

// bare reports whether git would take dir itself for a repository.
func bare(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// configRuns looks for such a setting in one configuration file.
func configRuns(file string) (why string, err error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	defer f.Close()
	section := ""
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		// A line that continues a value is read like any other: at worst it
		// is taken for a setting, never the other way round.
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		for strings.HasPrefix(line, "[") {
			end := headerEnd(line)
			if end < 0 {
				return "", fmt.Errorf("%s: a section that can't be read: %s", file, line)
			}
			section = sectionName(line[1:end])
			line = strings.TrimSpace(line[end+1:])
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		name := section + "." + strings.ToLower(strings.TrimSpace(key))
		if runsProgram(name, strings.TrimSpace(value)) {
			return name, nil
		}
	}
	return "", lines.Err()
}

// headerEnd finds the ] that ends a section's header; a quoted subsection may
// hold one.
func headerEnd(line string) int {
	quoted := false
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] == '\\' && quoted:
			i++
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ']' && !quoted:
			return i
		}
	}
	return -1
}

// sectionName is the section in small letters; a subsection, whose name never
// matters here, stands as *.
func sectionName(header string) string {
	name, _, sub := strings.Cut(strings.ToLower(strings.TrimSpace(header)), " ")
	if first, _, dotted := strings.Cut(name, "."); dotted {
		name, sub = first, true
	}
	if sub {
		return name + ".*"
	}
	return name
}

// gitPrograms are the settings whose value names a program or another file of
// settings, for the commands that only read.
var gitPrograms = map[string]bool{
	"core.fsmonitor": true, "core.pager": true, "core.hookspath": true, "core.sshcommand": true, "core.gitproxy": true,
	"core.alternaterefscommand": true, "core.editor": true, "core.askpass": true,
	"diff.external": true, "diff.*.command": true, "diff.*.textconv": true,
	"filter.*.clean": true, "filter.*.smudge": true, "filter.*.process": true,
	"gpg.program": true, "gpg.*.program": true, "gpg.ssh.defaultkeycommand": true, "gpg.*.defaultkeycommand": true,
	"include.path": true, "includeif.*.path": true, "interactive.difffilter": true,
	"uploadpack.packobjectshook": true, "credential.helper": true, "credential.*.helper": true,
	"remote.*.uploadpack": true, "remote.*.vcs": true, "protocol.*.allow": true,
	"trace2.eventtarget": true, "trace2.normaltarget": true, "trace2.perftarget": true, "log.showsignature": true,
}

func runsProgram(name, value string) bool {
	value, _, _ = strings.Cut(strings.Trim(value, `"`), " ")
	switch strings.ToLower(value) {
	case "false", "no", "off", "0":
		return false
	}
	return gitPrograms[name] || strings.HasPrefix(name, "alias.") || strings.HasPrefix(name, "pager.")
}
