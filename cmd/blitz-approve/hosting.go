package main

import (
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/hosting"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// vouch tells hooks of the agent that this session is asked about its calls,
// until done is closed. Where it can't be told, they ask too; tell is told why.
func (m *machine) vouch(preset acp.Preset, process int, done <-chan struct{}, announced func(session string) []acp.Call, tell func(error)) {
	if preset.Name == "" {
		return // no hook of ours belongs to such an agent
	}
	socket, err := hosting.Listen(m.deskFolder())
	if err != nil {
		return
	}
	go hosting.Serve(socket, hosting.Agent{Name: preset.Name, Process: process, Announced: announced}, tell)
	go func() {
		<-done
		_ = socket.Close()
	}()
}
