//go:build !linux

package acp

// groupsApart are the process groups that an agent's commands have made for
// themselves. On this system they are the agent's to end.
type groupsApart map[int]struct{}

func (groupsApart) note(int) {}
func (groupsApart) end()     {}
