package main

import (
	"encoding/json"
	"io"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// printable makes text from files, agents and logs safe to print.
func printable(s string) string { return diffview.Escape(s) }

// printJSON prints a list as one JSON array.
func printJSON[T any](w io.Writer, list []T) error {
	if list == nil {
		list = []T{}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(list)
}
