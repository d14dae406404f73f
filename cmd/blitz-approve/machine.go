package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// A machine is what settings and flags say for one workspace on this machine.
type machine struct {
	home      string // the gate's own folder
	workspace string
	sources   settings.Sources
	trust     *settings.TrustStore
	settings  *settings.Settings
	problems  []settings.Problem
	policy    gate.Policy
	mode      gate.Mode
	// modeSource is the setting or flag that says so.
	modeSource gate.Source
	modeNote   string // why it isn't the mode that may have been expected
	modeFault  error  // a file names a mode that there isn't
	plain      bool   // the person is asked in lines
	flag       string // the language that a flag names
}

// load reads all settings for what follows them. What is wrong in a file is
// kept as problems: the rest applies, and what may have been a restriction holds
// at ask. An unknown mode is an error.
func (f *flags) load() (*machine, error) {
	home, err := settings.DefaultHome()
	if err != nil {
		return nil, err
	}
	return f.loadFrom(home, f.folder())
}

func (f *flags) loadFrom(home, workspace string) (*machine, error) {
	m, err := f.read(home, workspace)
	if err == nil && m.modeFault != nil {
		return nil, fmt.Errorf("%w\nblitz-approve settings validate lists all that is wrong, blitz-approve settings edit opens the file", m.modeFault)
	}
	return m, err
}

// inspect is load for what looks at settings, or mends them: an unknown mode in
// a file is a problem among others.
func (f *flags) inspect() (*machine, error) {
	home, err := settings.DefaultHome()
	if err != nil {
		return nil, err
	}
	return f.read(home, f.folder())
}

func (f *flags) folder() string { return cmp.Or(f.workspace, ".") }

func (f *flags) read(home, workspace string) (*machine, error) {
	m := &machine{home: home, plain: f.plain || os.Getenv("TERM") == "dumb", flag: f.language}
	if f.language != "" && !slices.Contains(tui.Languages(), f.language) {
		return nil, fmt.Errorf("unknown --language %q: use one of %s", f.language, strings.Join(tui.Languages(), ", "))
	}
	var err error
	if m.workspace, err = filepath.Abs(workspace); err != nil {
		return nil, err
	}
	info, err := os.Stat(m.workspace)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the workspace can't be used: there is no folder %s", m.workspace)
	case err != nil:
		return nil, fmt.Errorf("the workspace can't be used: %w", err)
	case !info.IsDir():
		return nil, fmt.Errorf("the workspace %s is not a folder", m.workspace)
	}
	// Approvals name the workspace as it really is, however it was reached.
	if m.workspace, err = filepath.EvalSymlinks(m.workspace); err != nil {
		return nil, fmt.Errorf("the workspace can't be used: %w", err)
	}
	m.trust = settings.NewTrustStore(m.home)
	m.sources = settings.Sources{
		Home: m.home, Workspace: m.workspace, Overlays: f.config,
		Flags: settings.Flags{Mode: f.mode, Yolo: f.yolo || f.autoApprove}, Trusted: m.trust.Trusted,
	}
	m.settings, m.problems = settings.Load(m.sources)
	if _, err := m.trust.List(); err != nil {
		m.problems = append(m.problems, settings.Problem{File: m.trust.Path(), Message: err.Error(), Hint: "no project is trusted until it is mended"})
	}
	return m, m.apply()
}

func (m *machine) apply() error {
	start, err := settings.StartingMode(m.settings, gate.Auto)
	if err != nil && start.Source.Layer == settings.Flag.String() {
		return err
	}
	m.modeFault = err
	m.mode, m.modeSource, m.modeNote = start.Mode, start.Source, start.Note
	m.plain = m.plain || m.settings.UI.Plain.Or(false)
	p, problems := policy.Of(&m.settings.Values)
	m.policy, m.problems = p, append(m.problems, problems...)
	m.problems = append(m.problems, settingsfile.KeyProblems(&m.settings.Values)...)
	return nil
}

// language is what the screen speaks: as a flag says, as the settings say, or
// as the locale does (BEY-11).
func (m *machine) language() string {
	if m.flag != "" {
		return m.flag
	}
	if tag := m.settings.UI.Language.Or("auto"); tag != "auto" {
		return tag
	}
	return tui.LocaleLanguage(os.Getenv)
}

// words are the texts of that language.
func (m *machine) words() *tui.Catalogue { return tui.NewCatalogue(m.language()) }

// keys are the person's own keys by command.
func (m *machine) keys() map[string]string {
	keys := make(map[string]string, len(m.settings.Keys))
	for name, key := range m.settings.Keys {
		keys[name] = key.Value
	}
	return keys
}

// untrusted says what a project's file waits for.
func untrusted(f *settings.File) string {
	return f.Name + ": what it loosens is not in force until you trust it; look at it with blitz-approve trust"
}

// report prints the problems of the settings.
func (m *machine) report(w io.Writer) {
	for _, p := range m.problems {
		fmt.Fprintf(w, "blitz-approve: %s: %s\n", p.Severity, printable(p.Error()))
	}
	for _, f := range m.settings.Untrusted {
		fmt.Fprintf(w, "blitz-approve: %s\n", printable(untrusted(f)))
	}
}

// approvals opens the saved approvals; a file that can't be understood is an
// error at the start (APR-20).
func (m *machine) approvals() (*gate.Approvals, error) { return gate.OpenApprovals(m.approvalsPath()) }

func (m *machine) approvalsPath() string {
	path := m.settings.ApprovalsFile.Or("approvals.json")
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(m.home, path)
}

// grants are those of ask-and-remember. Nothing is opened before one is saved
// or asked for.
func (m *machine) grants() (*grants.Store, error) {
	return grants.Open(m.grantsPath())
}

func (m *machine) grantsPath() string { return filepath.Join(m.home, "approval-cache.db") }

// workspaceFile is a file of the gate's own for this workspace.
func (m *machine) workspaceFile(name string) string {
	return filepath.Join(m.home, "workspaces", settings.WorkspaceID(m.workspace), name)
}

func (m *machine) auditPath() string { return filepath.Join(m.home, "audit.jsonl") }
