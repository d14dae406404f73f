package main

import (
	"encoding/json"
	"fmt"
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
	return printObject(w, list)
}

func printObject(w io.Writer, value any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(value)
}

// counted is a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}
