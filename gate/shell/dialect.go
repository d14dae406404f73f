package shell

import "strings"

// POSIXQuoting reports whether the shell at path, or of that name, is known to
// quote as POSIX says (TAM-17). A restricted or unknown shell is not.
func POSIXQuoting(shell string) bool {
	name := shell[strings.LastIndexAny(shell, `/\`)+1:]
	switch strings.TrimSuffix(strings.ToLower(name), ".exe") {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "mksh":
		return true
	}
	return false
}
