package tui

import "time"

// A request that has just appeared must not be answered by a key that was
// meant for something else. These are the limits (APR-30, TAM-20).
const (
	// paintTime is how long a frame is given to reach the terminal.
	paintTime = 50 * time.Millisecond
	// quietTime is how long a request must have been on screen, and how long
	// the keyboard must have been quiet, before keys answer it.
	quietTime = 500 * time.Millisecond
	// armLimit ends the wait for a quiet keyboard, unless something is written.
	armLimit = 1500 * time.Millisecond
	// repeatGap tells a held key from a key pressed again. It is longer than
	// the pause that systems make before the first repeat.
	repeatGap = 750 * time.Millisecond
	// stallTime is how late a timer may come. If it comes later, the screen
	// stood still, and what was typed meanwhile was typed blindly.
	stallTime = 250 * time.Millisecond
)

// arming decides whether keys may answer. It begins unarmed; [arming.restart]
// makes it so again, each time that what is asked looks different.
type arming struct {
	serial  int       // counts restarts: a timer of an earlier one is stale
	painted time.Time // when the request was on the screen; zero before that
	due     time.Time // when the timer that runs should fire
	armed   bool
	dropped string // the last key that came too early

	input time.Time // when the last key came
	last  string    // which key it was
	held  bool      // and that it may repeat the one before
	fast  bool      // and that nobody presses it so fast: it bounces, or is held

	known   bool // the same was armed before, and a sheet lay over it since
	writing bool // something was written since: only a pause ends that
	pasting bool // a paste has begun and not ended
	cut     bool // what a terminal sends broke off: its rest reads as a key
}

// restart disarms. It keeps what it knows of the keyboard.
func (a *arming) restart() {
	*a = arming{serial: a.serial + 1, input: a.input, last: a.last, held: a.held, fast: a.fast, pasting: a.pasting, cut: a.cut}
}

// resume disarms for as long as it takes to draw again what was armed before,
// and to tell the key that closed what lay over it from an answer.
func (a *arming) resume() {
	a.restart()
	a.known = true
}

// paint notes that the request is on the screen and returns how long to wait
// before [arming.tick].
func (a *arming) paint(now time.Time) time.Duration {
	a.painted = now
	return a.wait(now)
}

// tick arms if it is time, and else returns how long to wait for the next
// tick; 0 means that none is needed.
func (a *arming) tick(now time.Time) time.Duration {
	if a.armed || a.painted.IsZero() {
		return 0
	}
	if now.Sub(a.due) > stallTime {
		a.painted, a.known = now, false
	}
	if d := a.wait(now); d > 0 {
		return d
	}
	a.armed, a.dropped = true, ""
	return 0
}

func (a *arming) wait(now time.Time) time.Duration {
	quiet := max(a.painted.Add(quietTime).Sub(now), a.input.Add(quietTime).Sub(now))
	switch {
	case a.pasting:
		quiet = quietTime
	case a.known:
		quiet = a.input.Add(holdTime).Sub(now)
	case !a.writing:
		quiet = min(quiet, a.painted.Add(armLimit).Sub(now))
	}
	d := max(0, quiet)
	a.due = now.Add(d)
	return d
}

// press notes a key and reports whether it may answer: not before the request
// is armed, never when the key is held down, and not when it may be the rest of
// something else. Terminals that can't say that a key is held send the same key
// again and again.
func (a *arming) press(key string, repeat bool, now time.Time) bool {
	same, gap := key == a.last, now.Sub(a.input)
	a.held = repeat || same && gap < repeatGap
	a.fast = repeat || same && gap < holdTime
	a.input, a.last = now, key
	whole := !a.cut
	a.cut = introduces(key)
	return a.armed && !a.held && whole
}

// introduces reports whether a sequence of the terminal's that broke off behind
// its first two bytes reads as this key.
func introduces(key string) bool {
	switch key {
	case "alt+[", "alt+]", "alt+_", "alt+^", "alt+shift+o", "alt+shift+p", "alt+shift+x":
		return true
	}
	return false
}

// pasted notes that a paste has come to its end, or to what looks so: text may
// have such an end in it, and keys of its own behind that. It disarms, and
// returns how long to wait for [arming.tick], or 0.
func (a *arming) pasted(now time.Time) time.Duration {
	a.pasting, a.writing, a.input, a.armed = false, true, now, false
	if a.painted.IsZero() {
		return 0
	}
	a.serial++
	return a.wait(now)
}
