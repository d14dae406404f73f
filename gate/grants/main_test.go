package grants_test

import (
	"os"
	"testing"
)

// TestMain is also the program that tests start as another process.
func TestMain(m *testing.M) {
	if role := os.Getenv("GRANTS_TEST_ROLE"); role != "" {
		os.Exit(play(role, os.Args[1:]))
	}
	os.Exit(m.Run())
}
