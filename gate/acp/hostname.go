package acp

import (
	"net/url"
	"strings"
)

// hostOf is the host of a web address, in lower case; false for anything that
// isn't plainly a web address.
func hostOf(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return "", false
	}
	return strings.ToLower(u.Hostname()), true
}
