// Package demo is the agent of `blitz-approve demo`. It follows a script
// instead of a model, but it speaks the Agent Client Protocol as any agent
// does, and what is approved really happens: in a scratch folder that
// [Prepare] fills, and nowhere else. What is refused doesn't happen.
//
// [Serve] is the agent; the caller connects it to a host with two pipes,
// applies the settings that Prepare returned, and sends [Prompt].
package demo
