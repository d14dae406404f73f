package grants

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// companions are the files that SQLite keeps beside a database.
var companions = []string{"-journal", "-wal", "-shm"}

// Forget removes all grants, those of running sessions in whatever process
// included, and returns how many were saved (TAM-12). A
// damaged database is not emptied but moved away, to its name with .damaged
// and the time behind it; how many grants it held is not known, and 0 is
// returned.
func (s *Store) Forget() (n int, err error) {
	if err := s.endEpoch(); err != nil {
		return 0, err
	}
	err = s.change(false, func(c *sqlite3.Conn) error {
		err := c.Exec(`DELETE FROM grants`)
		n = int(c.Changes())
		return err
	})
	if errors.Is(err, ErrDamaged) {
		return 0, s.moveAway()
	}
	if err != nil {
		return 0, err
	}
	return n, nil
}

// moveAway gives the database another name, and its companions with it: they
// may be what it can be mended with, and must not meet the next database.
func (s *Store) moveAway() error {
	aside := s.path + ".damaged-" + time.Now().UTC().Format("20060102T150405.000000000")
	for _, end := range append([]string{""}, companions...) {
		if err := os.Rename(s.path+end, aside+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("move the damaged grants away: %w", err)
		}
	}
	return nil
}
