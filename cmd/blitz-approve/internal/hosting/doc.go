// Package hosting proves to an agent's hook that a session of ours hosts the
// agent, and that the session will be asked about the very call that the hook
// is told of. The hook then leaves the question to the session, and the person
// is asked once.
//
// A session listens at a [Socket]; a hook asks with [Asked]. Environment
// variables and files say nothing here, since anybody may set them. What counts:
//
//   - Both ends ask the system which process the other is. The hook wants one of
//     its own ancestors, which runs the same program. The session wants a
//     descendant of the agent that it started.
//   - The hook was started by the agent itself. Between it and what the session
//     started are launchers only, such as node: an agent that the hosted one runs
//     as a tool has the hosted one above it, and that is none.
//   - The agent has told the session of this call, over its own connection, has
//     not asked about it yet, and is in a mode in which it asks.
//
// Where one of these can't be seen, nothing is proven, and the hook asks. That
// is so everywhere but on Linux, and under the OS sandbox.
package hosting
