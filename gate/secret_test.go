package gate_test

import (
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// TestLooksSecret knows credentials from words about them (BEY-12).
func TestLooksSecret(t *testing.T) {
	for text, want := range map[string]bool{
		"curl -H 'Authorization: Bearer abcdef0123456789'": true,
		"git clone https://me:hunter2@example.com/x.git":   true,
		"export API_KEY=abcdef123456":                      true,
		"shell(git push origin main)":                      false,
		"grep -rn token src":                               false,
		"export TOKEN=$OTHER_TOKEN":                        false,
		"":                                                 false,
	} {
		if got := gate.LooksSecret(text); got != want {
			t.Errorf("%q: looks secret %t, want %t", text, got, want)
		}
	}
}
