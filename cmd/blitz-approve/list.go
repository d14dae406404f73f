package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"

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
	enc := jsonEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(value)
}

// jsonEncoder writes JSON in which no text acts on a terminal, or hides on it:
// JSON itself escapes only the C0 controls.
func jsonEncoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(harmlessWriter{w})
	enc.SetEscapeHTML(false)
	return enc
}

// A harmlessWriter takes whole values of JSON.
type harmlessWriter struct{ io.Writer }

func (w harmlessWriter) Write(p []byte) (int, error) {
	var b bytes.Buffer
	for _, r := range string(p) {
		switch {
		case r < 0x7f || unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	if _, err := w.Writer.Write(b.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// counted is a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}
