package diffview

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// P09: the host that will be contacted, alone and normalised, and whether the
// text says otherwise.
func TestHost_P09(t *testing.T) {
	for _, tt := range []struct {
		raw, host string
		changed   bool
	}{
		{"https://github.com/a?b#c", "github.com", false},
		{"https://github.com:8443/a", "github.com", false},
		{"https://example.com/@scope/name", "example.com", false},
		{"github.com", "github.com", false},
		{"github.com/a/b", "github.com", false},
		{"localhost:8080", "localhost", false},
		{"//cdn.example/x", "cdn.example", true},
		{"HTTPS://github.com", "github.com", false},
		{"https://GITHUB.com./x", "github.com", true},
		{"https://github.com@evil.example/x", "evil.example", true},
		{"https://github.com:443@evil.example", "evil.example", true},
		{"https://evil.example\\@github.com/", "evil.example", true},
		{"https:\\\\evil.example", "evil.example", true},
		{"https:evil.example", "evil.example", true},
		{"https:///evil.example", "evil.example", true},
		{"ht\ntps://evil.example", "evil.example", true},
		{" https://evil.example", "evil.example", true},
		{"git@github.com:a/b.git", "github.com", true},
		{"ssh://git@github.com/a", "github.com", true},
		{"https://g\u0456thub.com", "xn--gthub-n2e.com", true},
		{"https://xn--gthub-n2e.com", "xn--gthub-n2e.com", false},
		{"https://bücher.example", "xn--bcher-kva.example", true},
		{"https://github.com\u3002evil.example", "github.com.evil.example", true},
		{"https://git\u00adhub.com", "github.com", true},
		{"https://ex%61mple.com", "example.com", true},
		{"http://127.0.0.1", "127.0.0.1", false},
		{"http://127.1", "127.0.0.1", true},
		{"http://0x7f.1", "127.0.0.1", true},
		{"http://0177.0.0.1", "127.0.0.1", true},
		{"http://2130706433", "127.0.0.1", true},
		{"http://0x7f000001/", "127.0.0.1", true},
		{"http://127.0.0.1.", "127.0.0.1", true},
		{"http://１２７.0.0.1", "127.0.0.1", true},
		{"http://0", "0.0.0.0", true},
		{"http://[::1]:80/", "::1", false},
		{"::1", "::1", false},
		{"http://[0:0::1]", "::1", true},
		{"http://[::ffff:127.0.0.1]", "::ffff:127.0.0.1", false},
		{"http://256.1.1.1", "256.1.1.1", true},
		{"http://1.2.3.4.5", "1.2.3.4.5", true},
		{"file:///etc/passwd", "", true},
		{"https://", "", true},
		{"", "", true},
		{"https://a b.com", "a b.com", true},
		{"https://a\u202eb.com", `a\u202eb.com`, true},
		{"\x1b]8;;https://evil.example\x07https://good.example", "]8;;https", true},
	} {
		if host, changed := Host(tt.raw); host != tt.host || changed != tt.changed {
			t.Errorf("Host(%+q) = %q, %v, want %q, %v", tt.raw, host, changed, tt.host, tt.changed)
		}
	}
}

// Whatever comes in, what comes out can be drawn and is its own host; and a
// host that Go's client would contact is not another one unless this is said.
func TestHostAgreesWithURLs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := []string{"http", "https", ":", "//", "/", "@", "a.example", "b.example", ".", "\\", "?", "#", "[::1]", "127.1", "0x7f", "%61", "é", ":80", "\t", " "}
		raw := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 7).Draw(t, "parts"), "")
		host, changed := Host(raw)
		checkDrawable(t, host)
		if changed {
			return
		}
		if again, _ := Host(host); again != host {
			t.Fatalf("Host(%q) = %q, and of that %q", raw, host, again)
		}
		u, err := url.Parse(raw)
		if err != nil || u.Host == "" {
			return
		}
		if _, err := netip.ParseAddr(u.Hostname()); err != nil && u.Hostname() != host {
			t.Fatalf("%q is %q, a client contacts %q", raw, host, u.Hostname())
		}
	})
}
