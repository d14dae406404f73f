// Package agenthook reads the hook events of coding agents and writes the
// answers that each of them understands.
//
// [Agent.ReadEvent] reads one event, [Event.Requests] are the actions for the
// gate, and an [Answer] is written for the event with [Event.Write]. An agent is
// one file: how its events are read, what its tools do, what it is answered, and
// where it is told of its hook.
//
// # Which events
//
// Agents have two kinds: one comes before every call, the other when they would
// ask the person themselves. Of others nothing is said.
//
// # What fails
//
// Agents let a call go on when their hook fails, takes too long, or writes what
// they don't know; only exit code 2, or a denial in the right form, stops it. So
// an error of this package has to end the program with exit code 2, who asks a
// person has to answer before the hook's time is over, and an answer holds no
// field that its agent doesn't know.
package agenthook
