// Package settingsfile looks at one settings file as a whole, before it is
// saved and when a person asks: what is wrong with its form, its rules and its
// keys. It has a person edit one, too.
package settingsfile

// New is what a file that isn't there yet is begun with.
const New = `# Settings of blitz-approve. "blitz-approve settings schema" lists them all.

[permissions]
allow = []
ask = []
deny = []
`
