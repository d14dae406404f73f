package output

import (
	"encoding/json"
	"io"

	"github.com/blitz-approve/blitz-approve/diffview/unseen"
)

// List prints a list as one JSON array.
func List[T any](w io.Writer, list []T) error {
	if list == nil {
		list = []T{}
	}
	return Object(w, list)
}

// Object prints one value.
func Object(w io.Writer, value any) error {
	enc := Encoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(value)
}

// Encoder writes JSON in which no text acts on a terminal, or hides on it:
// JSON itself escapes only the C0 controls.
func Encoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(harmlessWriter{w})
	enc.SetEscapeHTML(false)
	return enc
}

// A harmlessWriter takes whole values of JSON.
type harmlessWriter struct{ io.Writer }

func (w harmlessWriter) Write(p []byte) (int, error) {
	if _, err := w.Writer.Write(unseen.JSON(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}
