// Package agenthook reads the hook events of Claude Code and writes the
// answers that it understands.
//
// [ReadEvent] reads one event, [Event.Requests] are the actions for the gate,
// and an [Answer] is written for the event with [Event.Write].
//
// Two events are for the gate: PreToolUse, which comes before every call, and
// PermissionRequest, which comes when Claude Code itself would ask. Both say
// what is called in the same way. Of other events nothing is said.
//
// # What fails
//
// Claude Code lets a call go on when its hook fails, takes too long, or writes
// what it doesn't know; only exit code 2, or a denial in the right form, stops
// it. So an error of this package has to end the program with exit code 2, and
// who asks a person has to answer before the hook's time is over.
package agenthook
