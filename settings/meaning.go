package settings

import "slices"

// A meaning says what a setting is for, and its value where no file gives it.
type meaning struct{ key, text, builtIn string }

// meanings are all settings, in the order in which they are shown. A test
// holds the table to what [Parse] reads.
var meanings = []meaning{
	{"permissions.deny", "Rules that refuse. A deny is final, in every mode.", ""},
	{"permissions.ask", "Rules that put a request before you, whatever would allow it.", ""},
	{"permissions.allow", "Rules that let a request pass. In a project's file they wait for trust.", ""},
	{"permissions.read_only_defaults", "Whether commands that only read, such as ls and git log, pass by themselves.", "true"},
	{"permissions.auto", "The model that reviews requests in mode auto. Only your own files set it.", ""},
	{"permissions.auto.model", "The model's name at its service.", ""},
	{"permissions.auto.base_url", "The service's address, without /chat/completions or /messages. Names that begin with claude, gpt or o1 to o4 do without.", ""},
	{"permissions.auto.protocol", "What the service speaks. Not set, the address tells it.", ""},
	{"permissions.auto.key_variable", "The environment variable that holds the service's key.", ""},
	{"permissions.auto.environment", "What the reviewer should know about your machine and services.", ""},
	{"tools.approval_mode", "Another name of blitz.permission_mode.", ""},
	{"tools.auto_approve_commands", "Whether commands pass that no rule stops.", "false"},
	{"tools.approvals_file", "Where remembered approvals are kept; relative to the folder of your settings.", "approvals.json"},
	{"tools.approval", "What happens to a tool, by its name: allow, deny or prompt.", ""},
	{"bash.shell", "The shell that the agent's bash tool runs.", ""},
	{"bash.allow_compound_commands", "Whether patterns may allow plain commands joined by &&.", "false"},
	{"bash.patterns", "The shell tool's own list; the first that matches wins.", ""},
	{"bash.patterns.match", "The whole command line; * stands for any text.", ""},
	{"bash.patterns.approval", "What happens to it.", ""},
	{"blitz.permission_mode", "The mode in which a session starts.", "auto"},
	{"blitz.auto_approve", "Start in bypass, which needs the OS sandbox, when no mode is set. The flag --auto-approve is another thing: it starts in yolo, without one.", "false"},
	{"blitz.plan_review", "Who decides that a plan is made and reviewed.", "user-decides"},
	{"ui.diff_lines", "How many lines of a request are shown before the rest is asked for.", "120"},
	{"ui.answer_keys", "Whether letters answer a request, or only arrows and Enter.", "letters"},
	{"ui.language", "The language of the screen.", "auto"},
	{"ui.notify", "How a request calls you in a window that you don't look at.", ""},
	{"ui.plain", "Lines instead of the full screen.", "false"},
	{"ui.theme", "What the screen's colours are made for.", "auto"},
	{"ui.mouse", "Whether the mouse is used.", ""},
	{"ui.colors", "Colours by what they say, in place of the theme's.", ""},
	{"keys", "Keys by the name of what they do; several with spaces between.", ""},
	{"hooks.permission_request", "Commands that may answer a request. Only your own files set them.", ""},
	{"hooks.permission_request.command", "What is run. It gets the request as JSON and prints its answer.", ""},
	{"hooks.permission_request.timeout", "How long it may take, in seconds or as a text such as \"30s\".", ""},
}

func meaningOf(key string) meaning {
	i := slices.IndexFunc(meanings, func(m meaning) bool { return m.key == key })
	if i < 0 {
		return meaning{key: key}
	}
	return meanings[i]
}
