package grants

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// Sessions keep grants of their own in memory, in whatever process they run.
// What makes a person's wish to be asked again reach those too is the epoch:
// a session notes it with its grants, and asks before it uses them whether it
// is over. Nothing has to be running or listening for that.

// ForgottenPath is a file that changes whenever all is forgotten.
func (s *Store) ForgottenPath() string { return s.path + ".forgotten" }

// Epoch names the time in which a session grants something (TAM-12).
func (s *Store) Epoch() (string, error) {
	mark, rows, err := s.moment()
	if err != nil {
		return "", err
	}
	return mark + filled(rows), nil
}

// Forgotten reports whether everything was forgotten since that epoch: by
// [Store.Forget], in whatever process, or by removing the file or all of the
// rows that it had. With an error that can't be told.
func (s *Store) Forgotten(epoch string) (bool, error) {
	mark, rows, err := s.moment()
	if err != nil {
		return false, err
	}
	// Rows that came since then forget nothing.
	return epoch != mark+filled(rows) && epoch != mark+filled(false), nil
}

func filled(rows bool) string {
	if rows {
		return "+"
	}
	return "-"
}

// moment is the mark that the last Forget left, and whether there are rows.
func (s *Store) moment() (mark string, rows bool, err error) {
	text, err := os.ReadFile(s.ForgottenPath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", false, err
	}
	err = s.read(func(c *sqlite3.Conn) error {
		st, _, err := c.Prepare(`SELECT EXISTS (SELECT 1 FROM grants)`)
		if err != nil {
			return err
		}
		defer st.Close()
		rows = st.Step() && st.ColumnBool(0)
		return st.Err()
	})
	return strings.TrimSpace(string(text)), rows, err
}

// endEpoch makes every session's grants forgotten. Where the folder isn't
// there, no session can have noted an epoch.
func (s *Store) endEpoch() error {
	if s.path == "" {
		return nil
	}
	temp, err := os.CreateTemp(filepath.Dir(s.path), "."+filepath.Base(s.ForgottenPath())+".*")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		_, err = temp.WriteString(rand.Text() + "\n")
		err = errors.Join(err, temp.Close())
		if err == nil {
			err = os.Rename(temp.Name(), s.ForgottenPath())
		}
		if err != nil {
			os.Remove(temp.Name())
		}
	}
	if err != nil {
		return fmt.Errorf("forget what sessions were granted: %w", err)
	}
	return nil
}
