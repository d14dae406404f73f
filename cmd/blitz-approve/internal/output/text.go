package output

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// Printable makes text from files, agents and logs safe to print.
func Printable(s string) string { return diffview.Escape(s) }

// ShortPath writes the home folder as ~.
func ShortPath(path string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(home, path); err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
		return filepath.Join("~", rel)
	}
	return path
}

// Counted is a number with its noun.
func Counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}
