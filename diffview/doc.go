// Package diffview makes text from agents safe to draw, and file changes
// readable.
//
// [Escape] is for one line (a path, a title, a headline), [EscapeLines] for
// many, [EscapeWord] for the name of a program and [Host] for an address.
// What they return holds no control byte, hides nothing, and can be read back
// in one way only: different texts stay different. Nobody else needs to escape
// and nobody should escape twice.
//
// [Compute] compares two versions of a file on their exact bytes and
// [Diff.Rows] draws the result; [Diff.Slice] draws a part of a large one.
//
// All functions may be called from many goroutines at once, and so may the
// methods of a [Diff]. Nothing here fails: what could not be done is said in
// [Diff.Notes]. The bytes given to Compute are kept, not copied, and must not
// be changed while the Diff is in use.
package diffview
