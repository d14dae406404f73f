// Package tuitest runs Bubble Tea programs against a terminal emulator in the
// same process: what they write are real bytes that become real cells, what
// the test types arrives as the bytes that a terminal would send, and queries
// are answered.
//
// Most tests need [Start], [Term.Key] and [Term.WaitFor]:
//
//	term := tuitest.Start(t, model, 80, 24)
//	term.WaitFor("go test ./...")
//	term.Key("y")
//	term.WaitFor("approved")
//	term.Golden("approved")
//
// A program that something else owns is given [Term.Options] of [NewTerm].
//
// Nothing here sleeps: waiting ends with the output that was waited for, or
// fails the test with the screen as it was. A [Term] may be made inside a
// testing/synctest bubble; there, waiting takes no time at all.
package tuitest
