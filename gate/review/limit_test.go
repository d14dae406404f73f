package review

import "testing"

// APR-14a: a reviewer is shown changes of at most 8,000 characters.
func TestDiffLimit(t *testing.T) {
	if maxDiff != 8000 {
		t.Errorf("the limit is %d", maxDiff)
	}
}
