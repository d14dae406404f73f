package tui

import "io"

// cook does nothing: on Windows the console's modes are restored by Bubble Tea.
func cook(io.Reader) (restore func()) { return func() {} }
