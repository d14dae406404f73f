package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	// Adapter is the program that speaks ACP for the agent, if it has one.
	Adapter string `json:"adapter,omitempty"`
	// Asks says how "run" and "acp" make the agent ask.
	Asks string `json:"asks"`
	// Hook are the files of its settings in which its hook is set up, and Stopped
	// says what keeps it from running.
	Hook    []string `json:"hook"`
	Stopped []string `json:"hook_stopped,omitempty"`
	// Own says what the agent's own settings let pass before it asks anyone.
	Own []string `json:"own"`
}

func findAgents(workspace string) []foundAgent {
	var list []foundAgent
	for _, p := range acp.Presets() {
		a := foundAgent{Name: p.Name, Title: p.Title, Asks: asks(p), Own: ownAllows(p.Name, workspace)}
		if p.Program != p.Name {
			a.Adapter = p.Program
		}
		path, err := exec.LookPath(p.Program)
		if a.Path = path; err != nil {
			a.Path, a.Install = "", p.Install
		}
		list = append(list, a)
	}
	for i := range list {
		a := &list[i]
		a.Hook = hooksOf(a.Name, workspace)
		if agent, ok := agenthook.For(a.Name); ok && len(a.Hook) > 0 {
			a.Stopped = stopped(agent, workspace)
		}
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
	if agent == "copilot" {
		own = append(own, copilotAllows()...)
	}
	if agent == "opencode" {
		own = append(own, openCodeAllows(workspace)...)
	}
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

// copilotAllows are the answers that Copilot CLI was told to keep.
func copilotAllows() (own []string) {
	folder := os.Getenv("COPILOT_HOME")
	if home, err := os.UserHomeDir(); err == nil && folder == "" {
		folder = filepath.Join(home, ".copilot")
	}
	path := filepath.Join(folder, "permissions-config.json")
	if text, err := os.ReadFile(path); err == nil && len(bytes.Trim(text, "{} \t\r\n")) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		own = append(own, "answers that it keeps itself let calls pass, before anyone is asked ("+shortPath(path)+")")
	}
	return own
}

func (a *foundAgent) print(w io.Writer) {
	switch {
	case a.Path == "" && a.Install == "" && len(a.Hook) == 0:
		return // neither it nor anything of it is here
	case a.Path == "" && a.Install == "":
		fmt.Fprintf(w, "  %-10s %s\n", a.Name, printable(a.Asks))
	case a.Path == "" && a.Adapter != "":
		fmt.Fprintf(w, "  %-10s %s is missing, the ACP adapter for run %s; to get it: %s\n", a.Name, a.Adapter, a.Name, printable(a.Install))
	case a.Path == "":
		fmt.Fprintf(w, "  %-10s missing; to get it: %s\n", a.Name, printable(a.Install))
	default:
		fmt.Fprintf(w, "  %-10s %s; %s\n", a.Name, printable(shortPath(a.Path)), printable(a.Asks))
	}
	for _, path := range a.Hook {
		fmt.Fprintf(w, "  %-10s   its hook is set up in %s\n", "", printable(shortPath(path)))
	}
	for _, why := range a.Stopped {
		fmt.Fprintf(w, "  %-10s   and doesn't run: %s\n", "", printable(why))
	}
	if _, known := agenthook.For(a.Name); known && len(a.Hook) == 0 && a.Path != "" {
		fmt.Fprintf(w, "  %-10s   its hook is not set up: blitz-approve install %s\n", "", a.Name)
	}
	for _, line := range a.Own {
		fmt.Fprintf(w, "  %-10s   %s\n", "", printable(line))
	}
}
