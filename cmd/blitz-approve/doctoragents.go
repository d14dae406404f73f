package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/agenthook"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// A foundAgent is a known agent, and what makes it ask.
type foundAgent struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Path is empty when the agent isn't installed.
	Path    string `json:"path"`
	Install string `json:"install,omitempty"`
	// Asks says how "run" and "acp" make the agent ask.
	Asks string `json:"asks"`
	// Hook are the files of its settings in which its hook is set up.
	Hook []string `json:"hook"`
	// Own says what the agent's own settings let pass before it asks anyone.
	Own []string `json:"own"`
}

func findAgents(workspace string) []foundAgent {
	var list []foundAgent
	for _, p := range acp.Presets() {
		a := foundAgent{Name: p.Name, Title: p.Title, Asks: asks(p), Hook: hooksOf(p.Name, workspace), Own: ownAllows(p.Name, workspace)}
		path, err := exec.LookPath(p.Program)
		if a.Path = path; err != nil {
			a.Path, a.Install = "", p.Install
		}
		list = append(list, a)
	}
	return list
}

// hooksOf are the files in which an agent's hook is set up.
func hooksOf(name, workspace string) []string {
	found := []string{}
	agent, ok := agenthook.For(name)
	home, err := os.UserHomeDir()
	if !ok || err != nil {
		return found
	}
	files := []string{agent.Path(home, os.Getenv)}
	if project := agent.ProjectPath(); project != "" {
		files = append(files, filepath.Join(workspace, project))
	}
	for _, path := range files {
		if text, err := os.ReadFile(path); err == nil && agent.Installed(text) {
			found = append(found, path)
		}
	}
	return found
}

func asks(p acp.Preset) string {
	if p.Mode != "" {
		return "run and acp have it ask, in its mode " + p.Mode
	}
	return "run and acp have it ask, by its environment"
}

// ownAllows are the settings of an agent by which it acts without asking: the
// gate never hears of it then.
func ownAllows(agent, workspace string) []string {
	own := []string{}
	for _, here := range []bool{false, true} {
		files, err := settingsOf(agent, workspace, here)
		if err != nil {
			continue // there are none, or they can't be read here
		}
		for _, name := range files {
			im, err := readForeign(agent, name, here)
			if err != nil {
				own = append(own, shortPath(name)+" can't be read")
				continue
			}
			allows := 0
			for _, r := range im.Rules {
				if r.Effect == gate.Allow {
					allows++
				}
			}
			if allows > 0 {
				own = append(own, fmt.Sprintf("allowed by its own settings, before anyone is asked: %d (%s)", allows, shortPath(name)))
			}
		}
	}
	return own
}

func (a *foundAgent) print(w io.Writer) {
	if a.Path == "" {
		fmt.Fprintf(w, "  %-10s missing; to get it: %s\n", a.Name, printable(a.Install))
	} else {
		fmt.Fprintf(w, "  %-10s %s; %s\n", a.Name, printable(shortPath(a.Path)), printable(a.Asks))
	}
	for _, path := range a.Hook {
		fmt.Fprintf(w, "  %-10s   its hook is set up in %s\n", "", printable(shortPath(path)))
	}
	if _, known := agenthook.For(a.Name); known && len(a.Hook) == 0 && a.Path != "" {
		fmt.Fprintf(w, "  %-10s   its hook is not set up: blitz-approve install %s\n", "", a.Name)
	}
	for _, line := range a.Own {
		fmt.Fprintf(w, "  %-10s   %s\n", "", printable(line))
	}
}
