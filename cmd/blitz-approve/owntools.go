package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/gate/desk"
	"github.com/blitz-approve/blitz-approve/gate/mcp"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// connected starts the agent, and gives it tools for what it lacks. Without
// them it works too.
func (s *session) connected(o acp.Options) (*acp.Host, error) {
	if s.lacks == (acp.Lacks{}) {
		return s.connect(o)
	}
	socket, err := s.offerTools(&o)
	if err != nil {
		o.Events(acp.Notice{Severity: acp.Warning, Text: "the agent gets no tools for questions, plans and tasks: " + err.Error()})
		return s.connect(o)
	}
	host, err := s.connect(o)
	if err != nil {
		_ = socket.Close()
		return nil, err
	}
	go serveTools(socket, host, s.toolsOf(host), warning(o.Events))
	return host, nil
}

// offerTools has the agent start this program as a server, which passes
// everything on to a socket of this session. The agent's requests name the
// server only, so that it gets a name which nobody could know before.
func (s *session) offerTools(o *acp.Options) (*desk.Socket, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	socket, err := desk.Listen(s.machine.deskFolder(), "tools-")
	if err != nil {
		return nil, err
	}
	o.MCPServers = append(o.MCPServers, acp.MCPServer{
		Name: "blitz" + strings.ToLower(rand.Text())[:12], Own: true,
		Command: program, Args: []string{"mcp", "--relay", socket.Path()},
	})
	return socket, nil
}

// warning shows what went wrong among the agent's events.
func warning(events func(acp.Event)) func(error) {
	return func(err error) {
		if events != nil {
			events(acp.Notice{Severity: acp.Warning, Text: err.Error()})
		}
	}
}

// maxServers is how often the agent may have started the server at a time.
const maxServers = 64

// serveTools serves the agent, as often as it starts the server, until it has
// gone.
func serveTools(socket *desk.Socket, host *acp.Host, tools mcp.Tools, tell func(error)) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		<-host.Done()
		stop()
		_ = socket.Close()
	}()
	socket.Serve(maxServers, func(conn *net.UnixConn) { _ = mcp.Serve(ctx, conn, conn, version(), tools) }, func(why error) {
		tell(fmt.Errorf("the agent gets no tools for questions, plans and tasks: %w", why))
	})
}

// toolsOf are the tools for what the agent lacks.
func (s *session) toolsOf(host *acp.Host) (tools mcp.Tools) {
	if s.lacks.Questions {
		tools.Ask = host.AskUserQuestion
	}
	if s.lacks.Plans {
		tools.ExitPlan = host.ExitPlanMode
		if s.machine.settings.PlanReview.Value == prompts.AgentDecides {
			tools.EnterPlan = host.EnterPlanMode
		}
	}
	if s.lacks.Todos {
		tools.Todo = host.SetTodos
	}
	return tools
}
