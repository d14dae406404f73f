package tui

import "github.com/blitz-approve/blitz-approve/gate"

// A Catalogue says in one language what is shown elsewhere than on the screen,
// such as in the dialogs of an editor (BEY-11). It may be used by several
// goroutines at once.
type Catalogue struct{ w wording }

// NewCatalogue reads the texts of a language that [Languages] lists; for any
// other tag they are English.
func NewCatalogue(language string) *Catalogue { return &Catalogue{newWording(language)} }

// Say says a text, whose English is the key, with args as fmt has them.
func (c *Catalogue) Say(text string, args ...any) string { return c.w.tr(text, args...) }

// Count says a text about n things, in the form for one or for more. The number
// is its first argument, as text.
func (c *Catalogue) Count(n int, one, more string, args ...any) string {
	return c.w.n(n, one, more, args...)
}

// Known says a sentence that the gate or the program composed; one that isn't
// known stays as it is.
func (c *Catalogue) Known(sentence string) string { return c.w.known(sentence) }

// Told says a fact that the connection with an agent added to a request; one of
// the agent's stays as it is.
func (c *Catalogue) Told(f gate.Field) gate.Field { return c.w.told(f) }
