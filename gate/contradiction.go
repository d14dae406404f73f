package gate

import "errors"

// contradiction says what of an answer that allows can't be meant together, or
// nothing. One that contradicts itself allows nothing: which half was meant is
// not to be guessed, and neither is lost unseen (APR-12).
func (a Answer) contradiction() error {
	switch {
	case !a.Decision.allows():
		return nil
	case a.Grant != NoGrant && a.Decision != Once:
		return errors.New("a grant comes with once")
	case a.Rule != "" && a.Decision != Always:
		return errors.New("a rule comes with always")
	case a.Place != "" && a.Rule == "":
		return errors.New("it names no rule to save")
	case a.For != 0 && a.Decision != Until:
		return errors.New("a time comes with until")
	}
	return nil
}
