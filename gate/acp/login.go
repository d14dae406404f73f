package acp

import (
	"errors"
	"fmt"
	"strings"
)

// A Login is one way to log in, for display: it is done with the agent's own
// program.
type Login struct{ ID, Name, Description string }

// loginFault makes [ErrLogin] of an agent's answer that it wants a login first,
// with what the person does about it. Other errors stay as they are.
func (h *Host) loginFault(err error) error {
	var rpc *RPCError
	if !errors.As(err, &rpc) || rpc.Code != CodeAuthRequired {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	var offered []string
	for _, l := range h.logins {
		offered = append(offered, l.Name)
	}
	switch command := h.options.Preset.Login; {
	case command != "":
		return fmt.Errorf("%w: %s; run %s in a terminal, then start this again", ErrLogin, rpc.Message, command)
	case len(offered) > 0:
		return fmt.Errorf("%w: %s; log in with the agent's own program (%s), then start this again", ErrLogin, rpc.Message, strings.Join(offered, ", "))
	}
	return fmt.Errorf("%w: %s; log in with the agent's own program, then start this again", ErrLogin, rpc.Message)
}
