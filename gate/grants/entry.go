package grants

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/blitz-approve/blitz-approve/gate"
)

// entry reads the row that st is at. A row that doesn't say exactly one of
// the things that can be granted is no grant: an unknown tier must not be
// taken for the zero tier, which covers everything.
func entry(st *sqlite3.Stmt) (Entry, bool) {
	tier, known := gate.ParseTier(st.ColumnText(2))
	e := Entry{GrantTarget: gate.GrantTarget{Kind: gate.GrantKind(st.ColumnText(0)), Path: st.ColumnText(1), Tier: tier}}
	e.Added, _ = time.Parse(time.RFC3339, st.ColumnText(3))
	return e, known && check(e.GrantTarget) == nil
}

// check says why a target can't be granted.
func check(t gate.GrantTarget) error {
	switch t.Kind {
	case gate.GrantFile, gate.GrantFolder, gate.GrantTree:
		// A relative path would be another file in each workspace.
		if p := filepath.FromSlash(t.Path); !filepath.IsAbs(p) || filepath.ToSlash(filepath.Clean(p)) != t.Path {
			return fmt.Errorf("the path %q is not absolute and clean", t.Path)
		}
	case gate.GrantURL:
		if t.Path == "" {
			return fmt.Errorf("the URL is empty")
		}
	default:
		return fmt.Errorf("unknown kind %q", t.Kind)
	}
	if strings.ContainsRune(t.Path, 0) {
		return fmt.Errorf("the path %q holds a zero byte", t.Path)
	}
	if t.Tier > gate.Read {
		return fmt.Errorf("unknown tier %d", t.Tier)
	}
	return nil
}

func bindKey(st *sqlite3.Stmt, kind gate.GrantKind, path string) error {
	if err := st.BindText(1, string(kind)); err != nil {
		return err
	}
	return st.BindText(2, path)
}
