package trust

import (
	"errors"
	"fmt"
	"slices"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
	"github.com/blitz-approve/blitz-approve/settings"
)

// An Offer of trust is what was shown, and only that is accepted.
type Offer struct {
	Files []*settings.File
	Store *settings.TrustStore
}

// Count is how many settings wait.
func (o Offer) Count() (n int) {
	for _, f := range o.Files {
		n += len(settings.Loosening(f))
	}
	return n
}

// Accept trusts exactly what was shown. A file that has changed since is not
// trusted, and the error is [settings.ErrChanged] for it; nor is one with a
// mistake, and the error is its first [settings.Problem]. The others are.
func (o Offer) Accept() error {
	var errs []error
	for _, f := range o.Files {
		if mistakes := Unfit(f); len(mistakes) > 0 {
			errs = append(errs, fmt.Errorf("not trusted before it is mended: %w", mistakes[0]))
			continue
		}
		errs = append(errs, o.Store.TrustShown(f))
	}
	return errors.Join(errs...)
}

// Unfit are the mistakes because of which a file is not trusted: what they were
// meant to be is nowhere to be read.
func Unfit(f *settings.File) []settings.Problem {
	return slices.DeleteFunc(settingsfile.Problems(settings.Path{Name: f.Name, Layer: f.Layer}, f.Content), func(p settings.Problem) bool {
		return p.Severity != settings.Error
	})
}
