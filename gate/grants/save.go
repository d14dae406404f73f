package grants

import (
	"errors"
	"fmt"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/blitz-approve/blitz-approve/gate"
)

// ErrSession refuses to save a grant that is not marked as saved, since it
// ends with its session (TAM-07).
var ErrSession = errors.New("the grant ends with its session and is not saved")

// upsert keeps the broader tier of the two, so that a later read grant never
// takes back a write grant (TAM-08). What is not a tier is replaced.
const upsert = `INSERT INTO grants (kind, path, tier, added) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (kind, path) DO UPDATE SET tier = excluded.tier, added = excluded.added
WHERE CASE excluded.tier WHEN 'exec' THEN 3 WHEN 'write' THEN 2 ELSE 1 END
	> CASE grants.tier WHEN 'exec' THEN 3 WHEN 'write' THEN 2 WHEN 'read' THEN 1 ELSE 0 END`

// Grant saves grants, all or none. Paths must be absolute and clean, and in
// the form in which they will be looked up (TAM-10). The first grant makes
// the file (0600) and its folder (0700). With an error nothing was saved; a
// damaged database stays as it is.
func (s *Store) Grant(grants ...gate.Grant) error {
	if len(grants) == 0 {
		return nil
	}
	for _, g := range grants {
		err := check(g.GrantTarget)
		if err == nil && !g.Saved {
			err = ErrSession
		}
		if err != nil {
			return fmt.Errorf("save grants: %w", err)
		}
	}
	added := time.Now().UTC().Format(time.RFC3339)
	return s.change(true, func(c *sqlite3.Conn) error {
		st, _, err := c.Prepare(upsert)
		if err != nil {
			return err
		}
		defer st.Close()
		for _, g := range grants {
			if err := bindKey(st, g.Kind, g.Path); err != nil {
				return err
			}
			if err := errors.Join(st.BindText(3, g.Tier.String()), st.BindText(4, added)); err != nil {
				return err
			}
			if err := st.Exec(); err != nil {
				return err
			}
		}
		return nil
	})
}

// Revoke removes one grant and reports whether it was there.
func (s *Store) Revoke(kind gate.GrantKind, path string) (found bool, err error) {
	err = s.change(false, func(c *sqlite3.Conn) error {
		st, _, err := c.Prepare(`DELETE FROM grants WHERE kind = ? AND path = ?`)
		if err != nil {
			return err
		}
		defer st.Close()
		if err := bindKey(st, kind, path); err != nil {
			return err
		}
		err = st.Exec()
		found = c.Changes() > 0
		return err
	})
	return found && err == nil, err
}
