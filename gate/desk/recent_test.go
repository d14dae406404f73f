package desk

import "testing"

// A request that waits for long keeps what was shown first and of late
// (APR-15a).
func TestRecent(t *testing.T) {
	var r recent[string]
	for renewal := range 3 * keptShown {
		r.add(renewal, "old")
		r.add(renewal, "new")
	}
	for renewal, want := range map[int]bool{0: true, 1: false, 2*keptShown - 1: false, 2 * keptShown: true, 3*keptShown - 1: true, 3 * keptShown: false} {
		if got, ok := r.at(renewal); ok != want || ok && got != "new" {
			t.Errorf("%d: %v, %q", renewal, ok, got)
		}
	}
	if len(r.values) != 1+keptShown {
		t.Errorf("%d are kept", len(r.values))
	}
}
