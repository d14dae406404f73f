package gate

import (
	"regexp"
	"strings"
	"sync"
)

// secretShapes are the shapes of credentials that must not be kept (BEY-12),
// and what each is called in the log.
var secretShapes = [...]struct{ name, shape string }{
	{"AWS access key", `\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`},
	{"GitHub token", `\bgh[pousr]_[0-9A-Za-z]{20,}|\bgithub_pat_[0-9A-Za-z_]{20,}`},
	{"GitLab token", `\bglpat-[0-9A-Za-z_\-]{16,}`},
	{"Slack token", `\bxox[abposr]-[0-9A-Za-z\-]{10,}`},
	{"model provider's key", `\bsk-[0-9A-Za-z_\-]{16,}`},
	{"Google key", `\bAIza[0-9A-Za-z_\-]{30,}`},
	{"signed token", `\beyJ[0-9A-Za-z_\-]{10,}\.[0-9A-Za-z_\-]{10,}\.[0-9A-Za-z_\-]+`},
	{"private key", `-----BEGIN [A-Z ]*PRIVATE KEY-----`},
	{"password in a URL", `://[^/\s:@]+:[^/\s@]+@`},
	{"bearer token", `\bbearer\s+[0-9A-Za-z._\-]{12,}`},
	{"password or token", `\b[a-z_]*(?:password|passwd|secret|token|api_?key)[a-z_]*\s*[=:]\s*["']?[^\s"'$]{6,}`},
}

// secrets has one group for each shape. It is compiled when it is first
// needed: every start would pay for it otherwise.
var secrets = sync.OnceValue(func() *regexp.Regexp {
	var groups []string
	for _, s := range secretShapes {
		groups = append(groups, "("+s.shape+")")
	}
	return regexp.MustCompile("(?i)" + strings.Join(groups, "|"))
})

// LooksSecret reports whether s holds what looks like a credential: what does
// is not saved (BEY-12). It knows common shapes and may miss others.
func LooksSecret(s string) bool { return secrets().MatchString(s) }

// redactedMark stands for a credential that was left out.
const redactedMark = "[redacted]"

// redact replaces credentials and names what they were.
func redact(s string) (clean string, what []string) {
	for _, at := range secrets().FindAllStringSubmatchIndex(s, -1) {
		for i, shape := range secretShapes {
			if at[2*i+2] >= 0 {
				what = append(what, shape.name)
				break
			}
		}
	}
	if len(what) == 0 {
		return s, nil
	}
	return secrets().ReplaceAllString(s, redactedMark), what
}
