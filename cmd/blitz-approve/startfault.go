package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// acpHint is the way out for a program that could speak the protocol and
// doesn't.
const acpHint = "some agents speak it only with an option, such as --acp"

var (
	errNoACP  = errors.New("it doesn't speak the Agent Client Protocol; " + acpHint)
	errMute   = errors.New("it ended without a word in the Agent Client Protocol; " + acpHint)
	errSilent = errors.New("it did not get ready within two minutes; if it doesn't speak the Agent Client Protocol: " + acpHint)
)

// installed reports an agent's program that can't be started, before a screen
// is drawn for it. One with a path is looked for from the workspace.
func installed(argv []string, workspace string, preset acp.Preset) error {
	_, err := exec.LookPath(programPath(argv[0], workspace))
	return startFault(argv[0], workspace, preset, err)
}

func programPath(program, workspace string) string {
	if strings.ContainsRune(program, filepath.Separator) && !filepath.IsAbs(program) {
		return filepath.Join(workspace, program)
	}
	return program
}

// startFault says why a program can't be started, and the way out.
func startFault(program, workspace string, preset acp.Preset, err error) error {
	path := programPath(program, workspace)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound) && preset.Install != "":
		return fmt.Errorf("there is no program %q in $PATH; to get it: %s", program, preset.Install)
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("there is no program %q in $PATH: install it, or give the path of its file", program)
	case errors.Is(err, fs.ErrNotExist):
		if _, statErr := os.Stat(path); statErr == nil {
			return fmt.Errorf("%s can't be started: the program that its first line names, behind #!, isn't there", path)
		}
		return fmt.Errorf("there is no program %s: give the path as it is, or from the workspace", path)
	case isFolder(path):
		return fmt.Errorf("%s is a folder: name the program in it", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s may not be run: chmod +x makes it a program, if it is one", path)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%s is no program for this machine; a script begins with #! and the program that runs it", path)
	}
	return fmt.Errorf("%s can't be started: %w", path, err)
}

// greetFault says why a program that was started is no agent to talk to.
func greetFault(err error) error {
	var rpc *acp.RPCError
	var exit *exec.ExitError
	var odd *json.UnmarshalTypeError
	switch {
	case errors.As(err, &rpc) && rpc.Code == acp.CodeMethodNotFound:
		return errNoACP
	case errors.As(err, &exit):
		return fmt.Errorf("%w\nrun it by itself to see what it needs; %s", err, acpHint)
	case errors.Is(err, acp.ErrClosed):
		return errMute
	case errors.As(err, &odd):
		return fmt.Errorf("it doesn't answer as the Agent Client Protocol has it: %w; %s", err, acpHint)
	}
	return err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
