package filediff

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// One file that can't be read keeps none of the others from being shown, and is an
// error all the same.
func TestFoldersWithUnreadableFile(t *testing.T) {
	old := made(t, map[string]string{"a": "one\n", "z": "one\n"})
	new := made(t, map[string]string{"a": "two\n", "z": "two\n"})
	// A regular file that nobody can read, root neither.
	must(t, os.Symlink("/proc/self/mem", filepath.Join(new, "m")))
	text, differs, err := compared(t, old, new)
	if err == nil || !strings.Contains(err.Error(), filepath.Join(new, "m")) || !differs {
		t.Errorf("differs %t, %v", differs, err)
	}
	if !strings.Contains(text, "a  +1 -1\n") || !strings.Contains(text, "z  +1 -1\n") {
		t.Errorf("a file is missing:\n%s", text)
	}
}
