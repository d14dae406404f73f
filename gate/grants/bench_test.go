package grants_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
)

// BenchmarkAbout is one check of one file: open, look up, close.
func BenchmarkAbout(b *testing.B) {
	bench(b, func(s *grants.Store) ([]gate.Grant, error) { return s.About(file("/srv/5/7", gate.Read)) })
}

// BenchmarkGrants reads all rows instead.
func BenchmarkGrants(b *testing.B) { bench(b, (*grants.Store).Grants) }

func bench(b *testing.B, ask func(*grants.Store) ([]gate.Grant, error)) {
	for _, rows := range []int{0, 10, 10_000} {
		b.Run(fmt.Sprintf("%d rows", rows), func(b *testing.B) {
			s := openStore(b, filepath.Join(b.TempDir(), "approval-cache.db"))
			var all []gate.GrantTarget
			for i := range rows {
				all = append(all, file(fmt.Sprintf("/srv/%d/%d", i%100, i), gate.Read))
			}
			save(b, s, all...)
			for b.Loop() {
				if _, err := ask(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
