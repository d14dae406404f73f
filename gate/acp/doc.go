// Package acp runs a coding agent that speaks the Agent Client Protocol,
// version 1, and puts everything it wants to do before the gate.
//
// Most programs need [Launch], or [NewHost] for an agent that is reached
// otherwise, and then [Host.Initialize], [Host.NewSession] and
// [Host.Prompt]:
//
//	preset, _ := acp.PresetFor("gemini")
//	h, err := acp.Launch(preset.Argv(), acp.Options{
//		Workspace: dir, Preset: preset,
//		Decide: g.Decide, Prompter: screen, Events: screen.Show,
//	})
//	…
//	defer h.Close()
//
// A [Proxy] stands between an agent and an editor that runs it: see
// [NewProxy].
//
// [Conn] is the connection underneath. It serves the agent's side as well, so
// a program may be an agent with it.
//
// # What is believed
//
// A request is judged by the call's arguments and contents, against the files
// as they are on disk; a title is the model's own words. A request that
// doesn't reveal what will happen is marked so, and can be allowed only once.
// A call is answered with an option of kind allow_once or not at all:
// approvals that last are the gate's, since agents let one "always" cover far
// more than it says. Every other outcome, such as an error, a request of
// another session, an answer that comes too late or an agent that dies,
// allows nothing.
//
// # What the protocol can't say
//
// An answer has no place for words. A person's message is kept until the turn
// has ended and is then sent as the next prompt (APR-30). Files and terminals
// are not offered to agents: they edit and run by themselves either way. An
// editor may offer them, and a Proxy then decides on each use.
//
// # Order
//
// Updates are handled one after another in the order of the wire, before any
// request that follows them. Requests wait for a person side by side, and come
// before them oldest first; an approver or prompter of one's own has that order
// if it calls [gate.InLine].
package acp
