package gate

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// HostOf is the host that a URL would contact, or the host itself when that
// is what is given: without user, port and trailing dot, in lower case, in
// punycode, and with IP addresses in their usual spelling. It is the target as
// it stands when no host can be read from it.
func HostOf(target string) string {
	host, _ := readHost(target)
	return host
}

// readHost also reports whether it is sure. What programs read differently,
// such as a backslash or a single slash behind the scheme, isn't.
func readHost(target string) (host string, ok bool) {
	if isPlainHost(target) {
		return target, true
	}
	host = target
	if _, err := netip.ParseAddr(strings.Trim(target, "[]")); err != nil {
		address := target
		switch {
		case strings.Contains(target, "://"):
		case strings.Contains(target, ":/") || strings.HasPrefix(target, "/"):
			return target, false
		default:
			address = "http://" + target
		}
		// Without a mark of an address this is a name, such as a search
		// provider's, which may hold blanks.
		if address == target || strings.ContainsAny(target, addressMarks) || strings.ContainsFunc(target, unicode.IsControl) {
			u, err := url.Parse(address)
			if err != nil || u.Hostname() == "" || strings.ContainsAny(u.Host, " %") {
				return target, false
			}
			host = u.Hostname()
		}
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if ip, ok := looseIP(host); ok {
		return ip.String(), true
	}
	if strings.ContainsAny(host, ":[]") || host == "" || strings.HasSuffix(host, ".") {
		return target, false // only addresses hold these, and no name is empty
	}
	for _, p := range []*idna.Profile{idna.Lookup, looseNames} {
		ascii, err := p.ToASCII(host)
		switch {
		case err != nil || ascii == "" || strings.HasSuffix(ascii, "."):
		case strings.ContainsAny(ascii, addressMarks): // of letters that pass for them
			return target, false
		default:
			return ascii, true
		}
	}
	return host, host != "" && !strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII })
}

// addressMarks are the signs at which a host ends in an address, or is written in
// another way.
const addressMarks = "/\\@:?#%"

// looseNames takes the underscores that real host names have.
var looseNames = idna.New(idna.MapForLookup(), idna.StrictDomainName(false))

// isPlainHost reports a host that is spelt as usual, which most are.
func isPlainHost(s string) bool {
	if s == "" || len(s) > 253 || s[0] < 'a' || s[0] > 'z' || s[len(s)-1] == '.' || strings.Contains(s, "xn--") {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '-' {
			return false
		}
	}
	return true
}

// looseIP reads an address as the C library does: also 127.1, hexadecimal,
// octal and single numbers.
func looseIP(host string) (netip.Addr, bool) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap(), true
	}
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var n uint64
	for i, p := range parts {
		v, err := strconv.ParseUint(octalPrefix(p), 0, 32)
		if err != nil || p == "" || strings.ContainsAny(p, "_+-") {
			return netip.Addr{}, false
		}
		last := i == len(parts)-1
		if !last && v > 255 {
			return netip.Addr{}, false
		}
		if last {
			bits := 8 * (4 - i)
			if v >= 1<<bits {
				return netip.Addr{}, false
			}
			n = n<<bits | v
		} else {
			n = n<<8 | v
		}
	}
	return netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}), true
}

// octalPrefix makes Go read 08-free digits after a zero as octal, as C does.
func octalPrefix(s string) string {
	if s == "0x" {
		return "0"
	}
	if len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '7' {
		return "0o" + s[1:]
	}
	return s
}

// gatedURL reports whether reading a URL needs a grant in ask-and-remember
// (TAM-09): web addresses on this machine or a private network, or which
// programs read differently, and internal schemes. Names are not resolved. Other
// schemes that leave the machine are not reads of this kind.
func gatedURL(raw string) bool {
	scheme, _, ok := strings.Cut(strings.ToLower(raw), "://")
	if !ok {
		return true
	}
	switch scheme {
	case "http", "https", "ws", "wss":
		host, sure := readHost(raw)
		return !sure || privateHost(host)
	case "ftp", "ftps", "sftp", "git", "ssh":
		return false
	}
	return true
}

// Internal reports whether a host is on this machine or a private network, as
// far as its name or address tells: names are not resolved (TAM-09).
func Internal(host string) bool { return host != "" && privateHost(host) }

func privateHost(host string) bool {
	if ip, ok := looseIP(host); ok {
		return privateIP(ip) || privateIP(carried(ip))
	}
	return !strings.Contains(host, ".") || host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal")
}

// notPublic are the ranges of private networks that netip counts to no kind:
// shared by providers, site-local, and for translation within a network.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("fec0::/10"), netip.MustParsePrefix("64:ff9b:1::/48"),
}

func privateIP(ip netip.Addr) bool {
	return ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() || ip.IsLinkLocalMulticast() ||
		slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// carriers are the ranges of IPv6 whose addresses hold one of IPv4, and at
// which byte.
var carriers = []struct {
	netip.Prefix
	at int
}{
	{netip.MustParsePrefix("::/96"), 12},
	{netip.MustParsePrefix("64:ff9b::/96"), 12},
	{netip.MustParsePrefix("2002::/16"), 2},
}

// carried is the IPv4 address that ip stands for, or ip itself.
func carried(ip netip.Addr) netip.Addr {
	for _, c := range carriers {
		if c.Contains(ip) {
			b := ip.As16()
			return netip.AddrFrom4([4]byte(b[c.at : c.at+4]))
		}
	}
	return ip
}

// NormalURL is the form by which a URL is granted, and in which a [GrantStore]
// holds it (TAM-10).
func NormalURL(raw string) string {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return raw
	}
	u.Scheme = strings.ToLower(u.Scheme)
	port := u.Port()
	if u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		port = ""
	}
	if u.Host != "" {
		u.Host = HostOf(raw)
		if port != "" {
			u.Host += ":" + port
		}
	}
	if u.Path == "" && u.Host != "" {
		u.Path = "/"
	}
	u.User, u.Fragment = nil, ""
	return u.String()
}
