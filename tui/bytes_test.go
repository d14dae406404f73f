package tui

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// APR-30, TAM-20: what a terminal sends may break off, as over a slow
// connection, and go on later as if a key had been pressed; and a text that is
// pasted may have the end of a paste in it, with keys behind. Neither answers.
func TestBytesThatAreNoKeysDecideNothing(t *testing.T) {
	const pause = "" // longer than a sequence is waited for, and than a letter
	for name, pieces := range map[string][]string{
		"an end within a paste, then ctrl+q":          {"\x1b[200~\x1b[201~\x11\x1b[201~"},
		"an end within a paste, then Enter":           {"\x1b[200~ls\x1b[201~\x15\r\x1b[201~"},
		"an end and a begin, with a letter between":   {"\x1b[200~\x1b[201~y\x1b[200~", pause, "\x1b[201~"},
		"a report of a mode, its last byte late":      {"\x1b[?2026;2$", pause, "y"},
		"the same, much later":                        {"\x1b[?2026;2$", pause, pause, pause, pause, pause, "y"},
		"a button let go, its last byte late":         {"\x1b[<0;10;20", pause, "m"},
		"the keypad's 9, its last byte late":          {"\x1bO", pause, "y"},
		"the terminal's name, its middle alone":       {"\x1bP>|xterm(", pause, "y", pause, "\x1b\\"},
		"a program's own message, its middle alone":   {"\x1b_Gi=1;", pause, "y", pause, "\x1b\\"},
		"an introducer alone, and then what it began": {"\x1b[", pause, "1;5y"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, term, _ := start(t, Options{})
				defer pauseFor(5 * time.Second) // every timer runs out
				defer c.Quit()
				answered := make(chan gate.Answer, 1)
				go func() {
					if a, err := c.Approve(context.Background(), command("ls")); err == nil {
						answered <- a
					}
				}()
				pauseFor(2 * time.Second)
				for _, p := range pieces {
					if term.Type(p); p == pause {
						pauseFor(160 * time.Millisecond)
					}
				}
				pauseFor(2 * time.Second)
				term.Type("\x03") // clears what was typed
				pauseFor(2 * time.Second)
				select {
				case a := <-answered:
					if a.Decision != gate.CancelTurn {
						t.Fatalf("answered %v\n%s", a, term.Screen())
					}
					return // nothing was typed that ctrl+c would have cleared
				default:
				}
				// A key that is one answers soon all the same.
				for range 2 {
					term.Type("\x11")
					pauseFor(2 * time.Second)
				}
				select {
				case a := <-answered:
					if a != once {
						t.Errorf("answered %v", a)
					}
				default:
					t.Errorf("no key answers any more\n%s", term.Screen())
				}
			})
		})
	}
}

// pauseFor lets time pass in a bubble.
func pauseFor(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}
