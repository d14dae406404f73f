package tui

import "time"

// reminderTime is how long a reminder stands, at the least, before a key may take
// it away: it has to be read.
const reminderTime = 2 * time.Second

// A reminder is what didn't happen although the person was told that it would,
// such as the saving of an approval (APR-12). Other than a notice it stays, also
// over what is asked next, until a key is pressed after it was there to be read.
// The transcript keeps it.
type reminder struct {
	text  string
	since time.Time // when it was on the screen; zero before that
}

// remind takes the place of what has been read or not: one row has room for one.
func (m *Model) remind(text string) { m.reminder = reminder{text: text} }

// reminded notes that the present frame has reached the terminal. What was covered
// meanwhile counts anew.
func (m *Model) reminded() {
	switch r := &m.reminder; {
	case !m.frame.reminds:
		r.since = time.Time{}
	case r.since.IsZero():
		r.since = clock()
	}
}

// mind takes the reminder away with a key that comes late enough.
func (m *Model) mind() {
	if r := &m.reminder; !r.since.IsZero() && clock().Sub(r.since) >= reminderTime {
		*r = reminder{}
	}
}

// reminderRow is one row; the transcript has all of it.
func (m *Model) reminderRow() string {
	return "  " + m.theme.warn.Render("! "+short(m.reminder.text, max(8, m.width-6)))
}
