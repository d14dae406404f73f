package gate

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// foldName gives names the same form that a volume which ignores case, and the
// ways to write one accent, takes for the same.
func foldName(name string) string { return norm.NFC.String(strings.ToLower(norm.NFC.String(name))) }
