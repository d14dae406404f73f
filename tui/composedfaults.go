package tui

// composedFaults are what is wrong with settings files, with answers in forms and
// with an agent that is started, as it is said elsewhere.
var composedFaults = []string{
	"this is not valid TOML: %s",
	"these settings can't be read: %s: everything asks until they can",
	"unknown key %s: did you mean %s?",
	"unknown key %s",
	"unknown value %s for %s: use %s",
	"%s is ignored in a %s file: only your own settings can set it",
	"%s is defined in line %s already: keep one of them",
	"no command is called %s: did you mean %s?",
	"%s more problems from here",
	"starting in mode default, since %s can't be read",
	"%s: what it loosens is not in force until you trust it; look at it with blitz-approve trust",
	"Changes of the settings are not followed: %s",
	"Please choose from the list.",
	"Please give a number.",
	"Please give a whole number.",
	"Please answer this.",
	"Please choose one.",
	"Please choose only one.",
	"Please choose at least %s.",
	"Please choose at most %s.",
	"It must be at least %s.",
	"It must be at most %s.",
	"It must have at least %s characters.",
	"It must have at most %s characters.",
	"It must match %s",
	"it doesn't speak the Agent Client Protocol; some agents speak it only with an option, such as --acp",
	"it ended without a word in the Agent Client Protocol; some agents speak it only with an option, such as --acp",
}
