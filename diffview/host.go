package diffview

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// lookup maps names the way browsers and resolvers do, and refuses what they
// would refuse.
var lookup = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(), idna.CheckJoiners(true))

// Host returns the host that will be contacted for an address: a URL, or a
// host with or without a port, user or path. It is normalised: lower case,
// punycode for letters beyond ASCII, the usual form of an IP address however
// it was written (127.1, 0x7f000001), without user, port and final dot.
// Changed tells that it isn't what the text seems to say, and should be
// pointed out. The host is empty when none can be made out, and escaped when
// it isn't a valid name; both count as changed.
func Host(raw string) (host string, changed bool) {
	written := authority(strings.Map(dropBreaks, strings.Trim(raw, controlsAndSpace)))
	host, ok := canonical(withoutPort(written[strings.LastIndexByte(written, '@')+1:]))
	if !ok {
		return EscapeWord(host), true
	}
	return host, !plainly(raw, host)
}

// plainly tells whether an address says its host as it is, at its start and
// with nothing before it but a scheme.
func plainly(raw, host string) bool {
	if scheme, after, ok := strings.Cut(raw, "://"); ok && isScheme(scheme) {
		raw = after
	}
	rest, ok := strings.CutPrefix(raw, host)
	if !ok {
		rest, ok = strings.CutPrefix(raw, "["+host+"]")
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	port, _ := strings.CutPrefix(rest, ":")
	return ok && host != "" && strings.Trim(port, "0123456789") == ""
}

// controlsAndSpace is what is dropped around an address.
var controlsAndSpace = func() string {
	var b strings.Builder
	for c := range rune(0x21) {
		b.WriteRune(c)
	}
	return b.String()
}()

// dropBreaks removes what is dropped inside an address too.
func dropBreaks(r rune) rune {
	if r == '\t' || r == '\n' || r == '\r' {
		return -1
	}
	return r
}

// authority cuts user, host and port out of an address. A backslash counts as
// a slash, as it does for browsers.
func authority(s string) string {
	scheme, rest, ok := strings.Cut(s, ":")
	switch {
	case ok && special(scheme):
		s = strings.TrimLeft(rest, `/\`)
	case ok && isScheme(scheme) && strings.HasPrefix(rest, "//"):
		s = rest[2:]
	case strings.HasPrefix(s, "//"):
		s = s[2:]
	}
	if end := strings.IndexAny(s, `/\?#`); end >= 0 {
		s = s[:end]
	}
	return s
}

// special schemes have a host whatever the number of slashes.
func special(scheme string) bool {
	switch strings.ToLower(scheme) {
	case "http", "https", "ws", "wss", "ftp":
		return true
	}
	return false
}

func isScheme(s string) bool {
	for i, c := range []byte(strings.ToLower(s)) {
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(c))) {
			return false
		}
	}
	return s != ""
}

func withoutPort(s string) string {
	if strings.HasPrefix(s, "[") {
		if end := strings.IndexByte(s, ']'); end >= 0 {
			return s[:end+1]
		}
		return s
	}
	host, _, found := strings.Cut(s, ":")
	if found && strings.Count(s, ":") > 1 {
		return s // an IPv6 address without its brackets
	}
	return host
}

// canonical is the one way to write a host; not ok means that it isn't one.
func canonical(s string) (host string, ok bool) {
	if addr, err := netip.ParseAddr(strings.Trim(s, "[]")); err == nil && addr.Is6() {
		return addr.String(), true
	}
	if plain, err := url.PathUnescape(s); err == nil {
		s = plain
	}
	name, err := lookup.ToASCII(s)
	if err != nil {
		return s, false
	}
	name = strings.TrimSuffix(name, ".")
	if name == "" || strings.ContainsAny(name, forbidden) {
		return name, false
	}
	if addr, numeric := ipv4(name); numeric {
		if !addr.IsValid() {
			return name, false
		}
		return addr.String(), true
	}
	return name, true
}

// forbidden can't stand in the name of a host.
const forbidden = "\x00\t\n\r #/:<>?@[\\]^|%\"'`(){},;=!$&*+~\x7f"

// ipv4 reads an address of one to four numbers in decimal, octal or
// hexadecimal, the last of which fills what is left, as resolvers do. Numeric
// tells that it means to be one, even if it isn't valid.
func ipv4(name string) (addr netip.Addr, numeric bool) {
	parts := strings.Split(name, ".")
	last := parts[len(parts)-1]
	if _, err := number(last); err != nil && strings.Trim(last, "0123456789") != "" {
		return netip.Addr{}, false
	}
	if len(parts) > 4 {
		return netip.Addr{}, true
	}
	var sum uint64
	for i, part := range parts {
		n, err := number(part)
		limit := uint64(1) << 8
		if i == len(parts)-1 {
			limit = 1 << (8 * (4 - i))
		}
		if err != nil || n >= limit {
			return netip.Addr{}, true
		}
		if i == len(parts)-1 {
			sum |= n
		} else {
			sum |= n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), true
}

func number(s string) (uint64, error) {
	switch {
	case strings.HasPrefix(s, "0x"):
		if s == "0x" {
			return 0, nil
		}
		return strconv.ParseUint(s[2:], 16, 64)
	case len(s) > 1 && s[0] == '0':
		return strconv.ParseUint(s[1:], 8, 64)
	}
	return strconv.ParseUint(s, 10, 64)
}
