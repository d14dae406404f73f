package sandbox

import "strings"

// seatbelt writes the policy as a profile for macOS's sandbox-exec. Later
// rules win. Paths must be free of links, as the system compares them so.
func (p Policy) seatbelt() string {
	var b strings.Builder
	b.WriteString("(version 1)\n(allow default)\n(deny file-write*)\n")
	rule := func(head string, paths []string) {
		for _, path := range paths {
			b.WriteString(head + " (subpath " + schemeString(p.abs(path)) + "))\n")
		}
	}
	rule("(allow file-write*", append([]string{p.Workspace}, p.Write...))
	for _, device := range []string{"/dev/null", "/dev/zero", "/dev/tty", "/dev/ptmx", "/dev/dtracehelper"} {
		b.WriteString("(allow file-write* (literal " + schemeString(device) + "))\n")
	}
	b.WriteString(`(allow file-write* (regex #"^/dev/ttys[0-9]+$"))` + "\n")
	rule("(deny file-write*", p.Protect)
	// A folder above a protected entry must not be moved away.
	for _, dir := range p.above() {
		b.WriteString("(deny file-write-unlink (literal " + schemeString(dir) + "))\n")
	}
	rule("(deny file-read*", p.ReadDeny)
	rule("(deny network-outbound", p.ReadDeny) // sockets
	if p.NoNetwork {
		b.WriteString("(deny network*)\n")
	}
	b.WriteString("(deny process-info* (target others))\n(deny signal (target others))\n(allow signal (target same-sandbox))\n")
	return b.String()
}

// above are the folders between the workspace or another folder that may be
// written and the protected entries in it.
func (p Policy) above() []string {
	var roots, dirs []string
	for _, root := range append([]string{p.Workspace}, p.Write...) {
		roots = append(roots, p.abs(root))
	}
	seen := map[string]bool{}
	for _, path := range p.Protect {
		for dir := parent(p.abs(path)); coversAny(roots, dir) && !seen[dir]; dir = parent(dir) {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

func parent(path string) string {
	i := strings.LastIndexByte(path, '/')
	if i <= 0 {
		return "/"
	}
	return path[:i]
}

// schemeString quotes for the profile's language.
func schemeString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
