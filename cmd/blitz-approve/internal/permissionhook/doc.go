// Package permissionhook lets a command of the person's own answer permission
// requests: one of [[hooks.permission_request]] in the settings.
//
// The call that is needed is [New]; its result goes into [gate.Options]:
//
//	hook := permissionhook.New(permissionhook.Options{Command: "~/bin/may-i", Dir: workspace})
//	g, err := gate.New(gate.Options{Hooks: []gate.Hook{hook}, …})
//
// # Request
//
// The command is run by sh -c for every request that would else be asked
// about. It reads one line of JSON from its standard input; members that are
// empty or false are left out:
//
//	version     1; it changes when a member changes its meaning
//	id          the request's name in the audit log
//	tool        the name under which the agent calls the tool
//	kind        run_command, write_file, delete_file, network or mcp_tool
//	tier        read, write or exec
//	server      the MCP server
//	targets     what rules match: paths, command lines, a host, server:tool
//	detail      what runs, in full, where the targets don't say it all
//	fields      further facts: a list of {"label", "value"}
//	changes     changed files: a list of {"path", "from"}; content isn't sent
//	unrevealed  true when the agent doesn't tell what will happen
//	digest      a hash over all that will run or be written
//	dir         the directory in which it happens
//	workspace   the folder that the agent works in
//	agent       the agent's name, as it gave it
//	session     its session
//	protocol    how it reached the gate
//	mode        the mode in force, when known
//
// # Verdict
//
// It writes at most one JSON object to its standard output and ends with exit
// code 0:
//
//	{"decision": "allow" | "deny" | "none", "reason": "…"}
//
// The reason may be left out; that of a denial is given to the agent. No
// output means none. An allow settles the request, except that denies and
// forced asks are beyond a hook.
//
// # What fails
//
// A failing hook has said nothing, and its error says why: an exit code other
// than 0, no end within the time limit, more than 64 KiB of output, anything
// but exactly one verdict, output that is left open, a request whose text
// JSON can't carry exactly.
//
// When the command ends or its time is over, everything in its process group
// is ended too. To leave something running, start it in a session of its own
// (setsid) with its output elsewhere.
//
// Answers may be asked for from any number of goroutines; each one starts its
// own process.
package permissionhook
