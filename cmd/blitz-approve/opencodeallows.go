package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/foreign"
)

// openCodeAllows are the places in which opencode may let calls pass by what is
// set for one of its own agents: that holds before what it is started with, and
// is in more files than those that rules are taken from.
func openCodeAllows(workspace string) (own []string) {
	for _, name := range []string{"OPENCODE_PERMISSION", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR"} {
		if os.Getenv(name) != "" {
			own = append(own, "what "+name+" says may let calls pass, before anyone is asked")
		}
	}
	const may = "what is set for an agent of its own may let calls pass, before anyone is asked (%s)"
	if foreign.OpenCodeAgents([]byte(os.Getenv("OPENCODE_CONFIG_CONTENT"))) {
		own = append(own, fmt.Sprintf(may, "OPENCODE_CONFIG_CONTENT"))
	}
	for _, file := range openCodeFiles(workspace) {
		text, err := os.ReadFile(file)
		switch {
		case err != nil:
			own = append(own, shortPath(file)+" can't be read")
		case foreign.OpenCodeAgents(text):
			own = append(own, fmt.Sprintf(may, shortPath(file)))
		}
	}
	return own
}

// openCodeFiles are those there are of the settings of opencode, and of its
// agents, for all folders from the workspace upwards.
func openCodeFiles(workspace string) (files []string) {
	var folders []string
	for at := workspace; ; at = filepath.Dir(at) {
		folders = append(folders, at, filepath.Join(at, ".opencode"))
		if at == filepath.Dir(at) {
			break
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		config := filepath.Join(home, ".config")
		if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
			config = dir
		}
		folders = append(folders, filepath.Join(config, "opencode"), filepath.Join(home, ".opencode"))
	}
	folders = append(folders, "/etc/opencode")
	for _, folder := range folders {
		patterns := []string{"opencode.json", "opencode.jsonc", "config.json"}
		if name := filepath.Base(folder); name == ".opencode" || name == "opencode" {
			for _, kind := range []string{"agent", "agents", "mode", "modes"} {
				patterns = append(patterns, kind+"/*.md", kind+"/*/*.md")
			}
		} else {
			patterns = patterns[:2]
		}
		for _, p := range patterns {
			found, _ := filepath.Glob(filepath.Join(folder, p))
			files = append(files, found...)
		}
	}
	return files
}
