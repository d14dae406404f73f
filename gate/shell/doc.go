// Package shell reads a command line and says what could run.
//
// A permission rule must never be matched on the text of a command line:
// quoting, substitutions, wrappers and here-documents make the text say one
// thing and the shell do another. [Read] parses the line and returns facts:
// every command that could run, with its words decoded, its assignments, its
// redirections and its directory; and, as [Doubt]s, every reason why the list
// may be incomplete. The caller matches its rules on those facts (APR-15):
//
//   - an allow rule counts only when the line is [Line.Clear] and every
//     command is allowed;
//   - a deny rule counts as soon as one command matches it, also one found
//     inside a wrapper or in text that could not be read.
//
// Read never fails and never panics. What it does not understand becomes a
// doubt. The zero values are the strict ones: a Line without commands allows
// nothing, a Word that is not Literal is known only when it runs.
//
// [ReadOnly] holds the built-in rules for commands that only read, [Resolve]
// the shell tool's own patterns and [Critical] the commands that always
// deserve a question. [GitConfigRuns] looks for programs that a repository's
// own configuration would run.
//
// All functions are safe for concurrent use. A Line is not changed after Read
// returned it.
package shell
