package prompts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

const (
	plansDir = ".blitz/plans"
	maxPlans = 10000 // of one session
)

// savePlan writes the plan to .blitz/plans/<session>-<n>.md, n being the
// first free number, and returns that path (APR-41). The file never replaces
// another, and appears whole or not at all where the file system has links.
// Nothing is written outside the workspace, also when a cloned repository
// brings .blitz as a symlink.
func savePlan(workspace, session, plan string) (file string, err error) {
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return "", err
	}
	defer root.Close()
	for _, dir := range []struct {
		name string
		perm fs.FileMode
	}{{path.Dir(plansDir), 0o755}, {plansDir, 0o700}} {
		if err := root.Mkdir(dir.name, dir.perm); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	if !strings.HasSuffix(plan, "\n") {
		plan += "\n"
	}
	temp, err := writeTemp(root, plan)
	if err != nil {
		return "", err
	}
	defer root.Remove(temp)
	for n := 1; n <= maxPlans; n++ {
		file = fmt.Sprintf("%s/%s-%d.md", plansDir, fileSafe(session), n)
		// A link refuses an existing name, so two processes can't take the
		// same number; nor does the write, for file systems without links.
		err = root.Link(temp, file)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			err = writeNew(root, file, plan)
		}
		if err == nil || !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
	return "", fmt.Errorf("%s holds %d plans of this session already", plansDir, maxPlans)
}

func writeTemp(root *os.Root, plan string) (string, error) {
	for n := range maxPlans {
		name := fmt.Sprintf("%s/.%d-%d.tmp", plansDir, os.Getpid(), n)
		err := writeNew(root, name, plan)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		return name, err
	}
	return "", fmt.Errorf("%s is full of temporary files", plansDir)
}

// writeNew makes a file that must not exist yet.
func writeNew(root *os.Root, name, text string) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return errors.Join(err, root.Remove(name))
	}
	return nil
}

// fileSafe turns a session's id into a part of a file name: letters, digits,
// dashes, underscores and inner dots, at most 64 bytes.
func fileSafe(session string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '-'
	}, session)
	if len(safe) > 64 {
		safe = safe[:64]
	}
	if safe = strings.Trim(safe, "-."); safe == "" {
		return "session"
	}
	return safe
}
