// Package grants keeps the ask-and-remember grants that outlive a session, in
// a SQLite database that people can read and edit (TAM-07, TAM-12).
//
// Most programs need [Open], and pass the store to the gate:
//
//	saved, err := grants.Open(filepath.Join(home, "approval-cache.db"))
//	…
//	g, err := gate.New(gate.Options{Workspace: dir, Grants: saved})
//
// and [Store.Forget] when a person wants to be asked again.
//
// # The table
//
// The database has one table, grants, with the columns kind (file, folder,
// tree or url), path, tier (read, write or exec) and added (a time in UTC).
// There is one row for each kind and path. Rows that say anything else allow
// nothing.
//
// Nothing is kept open and nothing is held in memory: each question opens the
// file again. So rows that are deleted with any SQLite program, and a file
// that is removed or replaced, count from the next question on. A session's own
// grants end with [Store.Forget] too, in whatever process it is called: see
// [Store.Epoch].
//
// # Failing closed
//
// A missing file means no grants, and so does every error. A damaged database
// is never repaired nor overwritten; [Store.Forget] moves it away.
//
// # Concurrency
//
// A [Store] may be used from any number of goroutines, and the file from any
// number of processes. A change is written whole or not at all. Questions wait
// at most two seconds for somebody's change, changes at most five.
package grants
