package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/gate/desk"
	"github.com/blitz-approve/blitz-approve/gate/mcp"
)

func mcpCommand(f *flags) *cobra.Command {
	var relay string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve questions, plans, tasks and approvals to an agent that speaks MCP",
		Long: `Serve an agent that speaks the Model Context Protocol, on standard input and
output. Its tools ask at the desk (blitz-approve without a command):

  ask_user_question   puts questions before you
  enter_plan_mode     begins to plan, with plan_review = "agent-decides" only
  exit_plan_mode      hands in a plan
  todo                shows a task list
  approve             decides on tool calls, for Claude Code's headless runs

  claude -p "…" --mcp-config gate.json --permission-prompt-tool mcp__gate__approve

where gate.json is {"mcpServers":{"gate":{"command":"blitz-approve","args":["mcp"]}}}.
"blitz-approve run" gives these tools by itself to agents that lack them.

Without a desk questions are answered with an error, and approve refuses what
rules and modes don't let pass.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if relay != "" {
				return relayTo(cmd.Context(), relay, cmd.InOrStdin(), cmd.OutOrStdout())
			}
			tellWaiting(cmd, "agent")
			return f.serveMCP(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&relay, "relay", "", "pass everything on to the socket of a session, which serves it")
	_ = cmd.Flags().MarkHidden("relay") // run starts it so
	return cmd
}

// serveMCP serves one client with the desk as its person.
func (f *flags) serveMCP(ctx context.Context, in io.Reader, out, problems io.Writer) error {
	ctx, leave := untilLeft(ctx)
	defer leave()
	m, err := f.load()
	if err != nil {
		return err
	}
	t := &deskTools{machine: m, follow: func(s *session) { s.follow(ctx, telling(problems)) }}
	defer t.close()
	return mcp.Serve(ctx, io.NopCloser(in), writeCloser{out}, version(), t.tools())
}

// A writeCloser is an output that stays open.
type writeCloser struct{ io.Writer }

func (writeCloser) Close() error { return nil }

// relayTo connects an agent with the session that serves it, until one of them
// has gone.
func relayTo(ctx context.Context, path string, in io.Reader, out io.Writer) error {
	conn, err := desk.Connect(ctx, path)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	go func() {
		_, _ = io.Copy(conn, in)
		_ = conn.CloseWrite()
	}()
	_, err = io.Copy(out, conn)
	return err
}
