// Package rulebook fills the screen of rules and settings, one page a file:
// the rules, what is remembered, the settings, and what of a project waits for
// trust. It changes settings files only in place and only those of the person's
// own, and what was changed holds from the next decision on.
package rulebook
