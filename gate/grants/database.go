package grants

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// ErrDamaged is a file that is damaged, no database, or a database of a form
// that this version doesn't know. It holds no grants.
var ErrDamaged = errors.New("the saved grants are damaged and count as none; mend the file, or forget all grants to move it away")

const (
	readWait  = 2 * time.Second
	writeWait = 5 * time.Second
)

// form is the version of the table. A file that was filled from a dump has
// none, which SQLite tells as 0.
const form = 1

// The journal is SQLite's plain one: unlike a write-ahead log it leaves no
// files beside the database that hold rows, so that removing the one file
// removes the grants. Old SQLite programs know no STRICT tables.
const schema = `CREATE TABLE grants (
	kind  TEXT NOT NULL CHECK (kind IN ('file', 'folder', 'tree', 'url')),
	path  TEXT NOT NULL,
	tier  TEXT NOT NULL CHECK (tier IN ('read', 'write', 'exec')),
	added TEXT NOT NULL,
	PRIMARY KEY (kind, path)
) WITHOUT ROWID;
PRAGMA user_version = 1`

// read opens the database for one question. Without a file or a table there
// is nothing to ask.
func (s *Store) read(ask func(*sqlite3.Conn) error) (err error) {
	defer s.explain("read", &err)
	if exists, err := s.exists(); err != nil || !exists {
		return err
	}
	// Also a reader may have to undo what a writer that died left half done.
	c, err := open(s.uri(), sqlite3.OPEN_READWRITE, readWait)
	if errors.Is(err, sqlite3.CANTOPEN) {
		c, err = open(s.uri(), sqlite3.OPEN_READONLY, readWait)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed since
	}
	if err != nil {
		return err
	}
	defer c.Close()
	// One transaction, so that all answers come from the same moment.
	tx := c.Begin()
	defer tx.Rollback()
	if has, err := s.hasTable(c); err != nil || !has {
		return err
	}
	return ask(c)
}

// change opens the database for one change, which is done whole or not at
// all. With create set a missing file or table is made; else there is nothing
// to change.
func (s *Store) change(create bool, do func(*sqlite3.Conn) error) (err error) {
	defer s.explain("change", &err)
	for try := 0; ; try++ {
		err := s.changeOnce(create, do)
		// Somebody removed the file after it was opened: what was written
		// would be lost, so it is written to a new one.
		if try < 3 && errors.Is(err, sqlite3.READONLY_DBMOVED) {
			continue
		}
		return err
	}
}

func (s *Store) changeOnce(create bool, do func(*sqlite3.Conn) error) (err error) {
	if create {
		err = s.create()
	}
	if exists, e := s.exists(); err != nil || e != nil || !exists {
		return errors.Join(err, e)
	}
	// The journal gets the mode of the database; SQLite reads a plus sign as
	// itself.
	uri := s.uri() + "?modeof=" + strings.ReplaceAll(url.QueryEscape(s.path), "+", "%20")
	c, err := open(uri, sqlite3.OPEN_READWRITE, writeWait)
	if err != nil {
		return err
	}
	defer c.Close()
	// What was forgotten is not to be read from the file's free space.
	if err := c.Exec(`PRAGMA secure_delete = ON`); err != nil {
		return err
	}
	tx, err := c.BeginImmediate()
	if err != nil {
		return err
	}
	defer tx.End(&err)
	has, err := s.hasTable(c)
	switch {
	case err != nil:
		return err
	case !has && !create:
		return nil
	case !has:
		err = c.Exec(schema)
	default:
		err = verify(c)
	}
	if err != nil {
		return err
	}
	return do(c)
}

// exists reports whether the file is there. Whatever is there instead of a
// file is not opened.
func (s *Store) exists() (bool, error) {
	if s.path == "" {
		return false, errors.New("no file is named")
	}
	info, err := os.Stat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("%w (it is not a file)", ErrDamaged)
	}
	return true, nil
}

// create makes folder and file, both for their owner only.
func (s *Store) create() error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(s.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

func (s *Store) uri() string {
	name := filepath.ToSlash(s.path)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // C:/…
	}
	return (&url.URL{Scheme: "file", Path: name}).String()
}

// open never creates the database.
func open(uri string, how sqlite3.OpenFlag, wait time.Duration) (*sqlite3.Conn, error) {
	c, err := sqlite3.OpenFlags(uri, how|sqlite3.OPEN_URI)
	if err != nil {
		return nil, err
	}
	if err := c.BusyTimeout(wait); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// hasTable reports whether there is a table of grants, and in a form that is
// known. It takes the lock of the transaction that it is called in.
func (s *Store) hasTable(c *sqlite3.Conn) (bool, error) {
	st, _, err := c.Prepare(`SELECT user_version, page_size, EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'grants')
		FROM pragma_user_version, pragma_page_size`)
	if err != nil {
		return false, err
	}
	defer st.Close()
	if !st.Step() {
		return false, st.Err()
	}
	if v := st.ColumnInt(0); v != 0 && v != form {
		return false, fmt.Errorf("%w (its form is %d, known is %d)", ErrDamaged, v, form)
	}
	// SQLite takes what a cut page lacks for zeros.
	if info, err := os.Stat(s.path); err == nil && info.Size()%st.ColumnInt64(1) != 0 {
		return false, fmt.Errorf("%w (its end is missing)", ErrDamaged)
	}
	if !st.ColumnBool(2) {
		return false, nil
	}
	columns, _, err := c.Prepare(`SELECT kind, path, tier, added FROM grants`)
	if err != nil {
		return false, err
	}
	return true, columns.Close()
}

// verify looks through the whole database before anything is written to it.
func verify(c *sqlite3.Conn) error {
	st, _, err := c.Prepare(`PRAGMA quick_check(1)`)
	if err != nil {
		return err
	}
	defer st.Close()
	if !st.Step() {
		return st.Err()
	}
	if found := st.ColumnText(0); found != "ok" {
		return fmt.Errorf("%w (%s)", ErrDamaged, found)
	}
	return nil
}

// explain names the file in an error, and tells damage from other trouble. A
// fault in reading damaged pages must not end the program.
func (s *Store) explain(what string, err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("%w (%v)", ErrDamaged, fault)
	}
	if *err == nil {
		return
	}
	for _, code := range []sqlite3.ErrorCode{sqlite3.CORRUPT, sqlite3.NOTADB, sqlite3.FORMAT, sqlite3.ERROR} {
		if errors.Is(*err, code) && !errors.Is(*err, ErrDamaged) {
			*err = fmt.Errorf("%w (%w)", ErrDamaged, *err)
		}
	}
	*err = fmt.Errorf("%s %s: %w", what, s.path, *err)
}
