package desk

import (
	"os"
	"runtime"
	"testing"
)

// TestMain puts the files of the tests into /tmp, wherever temporary files are:
// the name of a socket has room for some hundred bytes.
func TestMain(m *testing.M) {
	if runtime.GOOS != "windows" {
		os.Setenv("TMPDIR", "/tmp")
	}
	os.Exit(m.Run())
}
