package gate

import (
	"strconv"
	"strings"
)

// mcpNameLimit is the longest tool name that models accept.
const mcpNameLimit = 64

// mcpName is the final registered name of an MCP server's tool, under which
// the user's policies name it (TAM-03): mcp__server_tool, both parts reduced
// to lower-case letters, digits and underscores, a repeated server name left
// out, and a name over 64 characters capped at 55 with a hash behind it.
func mcpName(server, tool string) string {
	return joinedName(server, tool, lettersAndDigits)
}

func lettersAndDigits(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }

// legacyMCPNames are the names that an older sanitiser may have made, which
// knew no digits.
func legacyMCPNames(server, tool string) []string {
	letters := func(r rune) bool { return r >= 'a' && r <= 'z' }
	strip := strings.NewReplacer("0", "", "1", "", "2", "", "3", "", "4", "", "5", "", "6", "", "7", "", "8", "", "9", "")
	return []string{joinedName(server, tool, letters), joinedName(strip.Replace(server), strip.Replace(tool), letters)}
}

func joinedName(server, tool string, keep func(rune) bool) string {
	s, t := sanitise(server, "server", keep), sanitise(tool, "tool", keep)
	if rest, ok := strings.CutPrefix(t, s+"_"); ok && rest != "" {
		t = rest
	}
	name := "mcp__" + s + "_" + t
	if len(name) <= mcpNameLimit {
		return name
	}
	hash := strconv.FormatUint(wyhash([]byte(name)), 36)
	return name[:55] + "_" + hash[:min(8, len(hash))]
}

// sanitise keeps what keep takes; each run of anything else becomes one
// underscore, none at the ends.
func sanitise(name, empty string, keep func(rune) bool) string {
	var b strings.Builder
	gap := false
	// The dotted capital I lower-cases to two characters everywhere but in Go.
	for _, r := range strings.ToLower(strings.ReplaceAll(name, "İ", "i\u0307")) {
		if !keep(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		gap = false
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return empty
	}
	return b.String()
}

// mcpServerName is how some programs spell all tools of a server.
func mcpServerName(server string) string {
	return "mcp__" + sanitise(server, "server", lettersAndDigits)
}
