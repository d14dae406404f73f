package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/filediff"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/foreign"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

func importRules(f *flags) *cobra.Command {
	var s scope
	var yes bool
	cmd := &cobra.Command{
		Use: "import claude|codex|gemini|opencode [FILE…]", Short: "Make rules of the permissions that another agent was given",
		Long: `Make rules of the permissions that another agent was given. Nothing becomes
looser: what could only be said in a wider way is left out, with the reason. The
change of your settings is shown, and written when you say so. Without FILE the
agent's own settings are read; with --here, or a bare --workspace at the end,
those that it has in this workspace.`,
		Args: cobra.MinimumNArgs(1), ValidArgsFunction: firstOf([]string{"claude", "codex", "gemini", "opencode"}),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := f.load()
			if err != nil {
				return err
			}
			path, err := m.sources.Path(s.layer())
			if err != nil {
				return err
			}
			files := args[1:]
			if len(files) == 0 {
				if files, err = settingsOf(args[0], m.workspace, s.own); err != nil {
					return err
				}
			}
			i := &ruleImport{path: path.Name, in: cmd.InOrStdin(), out: cmd.OutOrStdout(), yes: yes}
			return i.run(args[0], files, s.own)
		},
	}
	s.register(cmd, false)
	cmd.Flags().BoolVar(&yes, "yes", false, "write without asking")
	return cmd
}

// settingsOf are the files of an agent that are there.
func settingsOf(agent, workspace string, here bool) ([]string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	folder := func(variable, name string) string {
		if dir := os.Getenv(variable); dir != "" {
			return dir
		}
		return filepath.Join(home, name)
	}
	var places []string
	switch agent {
	case "claude":
		places = []string{filepath.Join(folder("CLAUDE_CONFIG_DIR", ".claude"), "settings.json")}
		if here {
			places = []string{filepath.Join(workspace, ".claude/settings.json"), filepath.Join(workspace, ".claude/settings.local.json")}
		}
	case "codex":
		dir := folder("CODEX_HOME", ".codex")
		if here {
			dir = filepath.Join(workspace, ".codex")
		}
		places = []string{filepath.Join(dir, "config.toml"), filepath.Join(dir, "rules/*.rules")}
	case "gemini":
		dir := filepath.Join(home, ".gemini")
		if here {
			dir = filepath.Join(workspace, ".gemini")
		}
		places = []string{filepath.Join(dir, "settings.json"), filepath.Join(dir, "policies/*.toml")}
	case "opencode":
		dir := filepath.Join(folder("XDG_CONFIG_HOME", ".config"), "opencode")
		if here {
			dir = workspace
		}
		places = []string{filepath.Join(dir, "opencode.json"), filepath.Join(dir, "opencode.jsonc")}
	default:
		return nil, unknownAgent(agent)
	}
	var found []string
	for _, p := range places {
		names, err := filepath.Glob(p)
		if err != nil {
			return nil, err
		}
		found = append(found, names...)
	}
	if len(found) == 0 {
		return nil, &codedError{exitRefused, fmt.Errorf("%s has no settings in %s; name a file", agent, strings.Join(places, " or "))}
	}
	return found, nil
}

func unknownAgent(agent string) error {
	return fmt.Errorf("the settings of %q can't be read: use claude, codex, gemini or opencode", agent)
}

// readForeign reads one file of an agent.
func readForeign(agent, name string, here bool) (*foreign.Import, error) {
	content, err := settings.Content(name)
	switch {
	case err != nil:
		return nil, err
	case content == nil:
		return nil, fmt.Errorf("%s: there is no such file", name)
	}
	var im *foreign.Import
	switch ext := filepath.Ext(name); {
	case agent == "claude":
		im, err = foreign.Claude(content, here)
	case agent == "codex" && ext == ".toml":
		im, err = foreign.Codex(content)
	case agent == "codex":
		im = foreign.CodexRules(content)
	case agent == "gemini" && ext == ".toml":
		im, err = foreign.GeminiPolicy(content)
	case agent == "gemini":
		im, err = foreign.Gemini(content)
	case agent == "opencode":
		im, err = foreign.OpenCode(content)
	default:
		err = unknownAgent(agent)
	}
	if odd := (*json.SyntaxError)(nil); errors.As(err, &odd) {
		err = fmt.Errorf("it is no JSON: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return im, nil
}

// A ruleImport brings the permissions of another agent into a settings file.
type ruleImport struct {
	path string
	in   io.Reader
	out  io.Writer
	yes  bool
}

func (i *ruleImport) run(agent string, files []string, here bool) error {
	old, err := settings.Content(i.path)
	if err != nil {
		return err
	}
	content := old
	for _, name := range files {
		im, err := readForeign(agent, name, here)
		if err != nil {
			return err
		}
		fmt.Fprintf(i.out, "%s: %s, %d left out\n", printable(shortPath(name)), counted(len(im.Rules), "rule", "rules"), len(im.Left))
		for _, l := range im.Left {
			i.leftOut(l)
		}
		if content, err = with(i.path, content, im); err != nil {
			return err
		}
	}
	if bytes.Equal(old, content) {
		fmt.Fprintf(i.out, "nothing to add: it is all in %s\n", printable(shortPath(i.path)))
		return nil
	}
	filediff.Change(i.out, i.path, old, content)
	if !i.yes {
		if err := confirmed(i.in, i.out); err != nil {
			return err
		}
	}
	if err := settings.Save(i.path, old, content); err != nil {
		return err
	}
	fmt.Fprintf(i.out, "saved %s\n", printable(i.path))
	return nil
}

func (i *ruleImport) leftOut(l foreign.Left) {
	what := "left out"
	if l.Restricts {
		what = "LEFT OUT, though it restricts"
	}
	fmt.Fprintf(i.out, "  %s: %s\n    %s\n", what, printable(l.From), printable(l.Why))
}

// with adds what was read to the content of a settings file.
func with(path string, content []byte, im *foreign.Import) ([]byte, error) {
	var err error
	for _, effect := range []gate.Effect{gate.Deny, gate.Ask, gate.Allow} {
		for _, r := range im.Rules {
			if r.Effect != effect {
				continue
			}
			if content, err = settings.WithRule(path, content, effect, r.Text); err != nil {
				return nil, err
			}
		}
	}
	if im.Mode == "" {
		return content, nil
	}
	mode, err := gate.ParseMode(im.Mode)
	if err != nil {
		return nil, err
	}
	return settings.WithMode(path, content, mode)
}

// confirmed asks whether to write. Where nobody can be asked, nothing is
// written.
func confirmed(in io.Reader, out io.Writer) error {
	if file, ok := in.(*os.File); ok && !term.IsTerminal(file.Fd()) {
		return &codedError{exitNoTerminal, errors.New("nothing was written: there is no terminal to ask on; --yes writes it")}
	}
	fmt.Fprint(out, "Write it? [y/N] ")
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return &codedError{exitRefused, errors.New("nothing was written")}
	}
	return nil
}
