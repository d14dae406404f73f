// Package settings reads settings files: strictly, all mistakes at once, each
// with file, line and column, and without ever loosening anything because of
// a mistake.
//
//	s, problems := settings.Load(settings.Sources{Workspace: dir, Trusted: trust.Holds})
//	start, err := settings.StartingMode(s, gate.AlwaysAsk)
//
// # Layers
//
// Values of a higher layer replace those of a lower one: flags, --config
// overlays, the project's local file, the project's file, the user's own file
// for the workspace, the user's global file, built-in. Rules of all layers add
// up; their effect decides, not their place (APR-15).
//
// A project's files can't set the mode, auto_approve, the reviewer, hooks or
// the approvals file: that is a warning. What else they loosen waits in
// [Settings.Untrusted] until [Sources.Trusted] says that the user knows this
// content; what they restrict holds at once (APR-15a).
//
// # Mistakes
//
// A [Problem] concerns one place, and the rest of the file applies. Where the
// mistake may hide a restriction, such as a misspelt deny list, a key that is
// given twice or a file that isn't TOML, [Values.Rules] gets a rule with Err,
// which the gate takes as broken: everything asks until it is mended.
//
// The rules themselves stay text; [gate.ParseRule] reads them.
//
// # Changes
//
// A [Watcher] follows the files and reports each change, whoever makes it. A file
// that breaks while it is watched goes on to say what it said before.
//
// [AddRule] and [RemoveRule] edit a file in place, byte for byte the same
// outside the edit, and [TrustStore] remembers which content of a project the
// user trusts, with [Loosening] to show what that would allow. Programs may
// save at the same time: each change is read, merged and put in place under a
// lock.
//
// [Save] replaces a whole file, unless it has changed meanwhile, and
// [JSONSchema] is for editors that complete and check files.
//
// All functions may be called from any number of goroutines, and nothing is
// remembered between calls.
package settings
