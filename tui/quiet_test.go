package tui

import (
	"testing"
	"time"
)

// TAM-20: a key answers only after half a second in which none was pressed.
func TestQuietTime(t *testing.T) {
	if quietTime != 500*time.Millisecond {
		t.Errorf("it is %s", quietTime)
	}
}
