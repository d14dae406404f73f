// Package mcp is the server by which agents that speak the Model Context
// Protocol reach the person: it offers the tools of package prompts, and the
// one with which Claude Code asks for permissions.
//
// A program says in [Tools] what becomes of a call, and serves one client:
//
//	err := mcp.Serve(ctx, os.Stdin, os.Stdout, version, mcp.Tools{
//		Ask: func(ctx context.Context, a prompts.AskArgs) (prompts.AskResult, error) {
//			return prompts.Ask(ctx, host, a)
//		},
//	})
//
// # What a call gets
//
// A result is one text that holds JSON. What went wrong is a result too, marked
// as an error, with words for the model. Only the tool for permissions always
// answers in its own form, which is a refusal when anything went wrong: the
// zero [Answer] refuses.
//
// # Concurrency
//
// Calls are served side by side, and a call's context ends when the client
// takes it back or goes away.
package mcp
