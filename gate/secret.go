package gate

import (
	"regexp"
	"sync"
)

// secrets are the shapes of credentials that must not be kept (BEY-12). It is
// compiled when it is first needed: every start would pay for it otherwise.
var secrets = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(secretShapes) })

const secretShapes = `(?i)` +
	`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b` +
	`|\bgh[pousr]_[0-9A-Za-z]{20,}|\bgithub_pat_[0-9A-Za-z_]{20,}` +
	`|\bglpat-[0-9A-Za-z_\-]{16,}|\bxox[abposr]-[0-9A-Za-z\-]{10,}` +
	`|\bsk-[0-9A-Za-z_\-]{16,}|\bAIza[0-9A-Za-z_\-]{30,}` +
	`|\beyJ[0-9A-Za-z_\-]{10,}\.[0-9A-Za-z_\-]{10,}\.[0-9A-Za-z_\-]+` +
	`|-----BEGIN [A-Z ]*PRIVATE KEY-----` +
	`|://[^/\s:@]+:[^/\s@]+@` +
	`|\bbearer\s+[0-9A-Za-z._\-]{12,}` +
	`|\b[a-z_]*(?:password|passwd|secret|token|api_?key)[a-z_]*\s*[=:]\s*["']?[^\s"'$]{6,}`

// LooksSecret reports whether s holds what looks like a credential: what does
// is not saved (BEY-12). It knows common shapes and may miss others.
func LooksSecret(s string) bool { return secrets().MatchString(s) }

// redact replaces credentials and counts them.
func redact(s string) (string, int) {
	n := len(secrets().FindAllStringIndex(s, -1))
	if n == 0 {
		return s, 0
	}
	return secrets().ReplaceAllString(s, "[redacted]"), n
}
