package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// collectLate puts the first garbage collection off until 16 MB are in use
// instead of 4: a start and most commands end before. From then on memory is
// collected as usual, or as GOGC says.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	before := debug.SetGCPercent(400)
	// Runs when the first collection has found that nobody needs it.
	runtime.AddCleanup(new([]byte), func(percent int) { debug.SetGCPercent(percent) }, before)
}
