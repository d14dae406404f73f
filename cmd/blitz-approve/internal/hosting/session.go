package hosting

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"slices"
	"time"

	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/gate/desk"
)

// prefix begins the names of the sockets.
const prefix = "host-"

// maxCall is the longest call that is read, in bytes.
const maxCall = 64 << 20

const (
	// announceTime is how long the agent may take to tell of a call of which its
	// hook knows already, and announceStep how often it is looked for.
	announceTime = 2 * time.Second
	announceStep = 20 * time.Millisecond
	// callTime is how long a hook may take to say what it is about.
	callTime = 10 * time.Second
)

// answer is what a session says.
type answer struct {
	Asked bool `json:"asked"`
}

// An Agent is what a session hosts.
type Agent struct {
	Name string // as in "run NAME"
	// Process is the program that the session started.
	Process int
	// Announced are the calls of one of its sessions that may yet come as a
	// request for permission.
	Announced func(session string) []acp.Call
}

// Listen opens a socket for hooks in a folder. Call [desk.Socket.Close] when the
// agent has gone.
func Listen(folder string) (*desk.Socket, error) { return desk.Listen(folder, prefix) }

// maxHooks is how many hooks are answered at a time. Each may send up to maxCall.
const maxHooks = 64

// Serve answers the hooks of an agent until the socket is closed. A hook that isn't
// let in has no answer, which is a no: it asks the person itself. tell is told of
// the first.
func Serve(s *desk.Socket, a Agent, tell func(error)) {
	s.Serve(maxHooks, a.serve, func(why error) {
		tell(fmt.Errorf("hooks of the agent ask twice, here and by themselves: %w", why))
	})
}

func (a Agent) serve(conn *net.UnixConn) {
	_ = conn.SetDeadline(time.Now().Add(callTime))
	hook, err := desk.PeerProcess(conn)
	if err != nil || !startedByAgent(lineage(hook, a.Process)) {
		return
	}
	var c Call
	if json.NewDecoder(io.LimitReader(conn, maxCall)).Decode(&c) != nil || c.Agent != a.Name {
		return
	}
	_ = json.NewEncoder(conn).Encode(answer{Asked: a.waitsFor(c)})
}

// waitsFor looks for the call among those that the agent has told of: its hook
// may be faster than its word.
func (a Agent) waitsFor(c Call) bool {
	for range int(announceTime / announceStep) {
		if slices.ContainsFunc(a.Announced(c.Session), c.is) {
			return true
		}
		time.Sleep(announceStep)
	}
	return false
}
