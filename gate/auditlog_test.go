package gate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorded are the IDs in a log, newest first, with "damaged" for a line that is
// no record.
func recorded(t *testing.T, path string) string {
	t.Helper()
	var ids []string
	for r, err := range Records(path) {
		switch {
		case errors.Is(err, ErrDamagedRecord):
			ids = append(ids, "damaged")
		case err != nil:
			t.Fatal(err)
		default:
			ids = append(ids, r.ID)
		}
	}
	return strings.Join(ids, " ")
}

// APR-11: what a crash left in the middle of a line doesn't swallow the next
// record, whose allow would else be in no log.
func TestRecordAfterATornLine(t *testing.T) {
	for _, row := range []struct{ name, end, want string }{
		{"torn", `{"id":"torn","verd`, "next damaged first"},
		{"only its line's end is missing", `{"id":"whole"}`, "next whole first"},
		{"whole", "{\"id\":\"whole\"}\n", "next whole first"},
		{"none", "", "next first"},
	} {
		t.Run(row.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "audit.jsonl")
			if err := os.WriteFile(path, []byte("{\"id\":\"first\"}\n"+row.end), 0o600); err != nil {
				t.Fatal(err)
			}
			log, err := OpenAuditLog(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := log.Record(Record{ID: "next"}); err != nil {
				t.Fatal(err)
			}
			if got := recorded(t, path); got != row.want {
				t.Errorf("the log holds %q, want %q", got, row.want)
			}
		})
	}
}
