// Package filediff prints what differs between two files or folders, or in a
// patch, as requests show it.
package filediff
