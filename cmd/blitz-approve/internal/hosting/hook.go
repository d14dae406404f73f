package hosting

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/blitz-approve/blitz-approve/gate/desk"
)

// answerTime is how long a hook waits for a session. It is longer than the
// session waits for the agent to tell of the call.
const answerTime = announceTime + 2*time.Second

// Asked reports whether a session of ours is sure to be asked about the call by
// the agent that runs this process as its hook. folder is where sessions listen.
func Asked(ctx context.Context, folder string, c Call) bool {
	sockets, _ := filepath.Glob(filepath.Join(folder, prefix+"*.sock"))
	if len(sockets) == 0 {
		return false
	}
	ctx, stop := context.WithTimeout(ctx, answerTime)
	defer stop()
	for _, path := range sockets {
		if askedBy(ctx, path, c) {
			return true
		}
	}
	return false
}

// askedBy asks one session, if it is one above this process.
func askedBy(ctx context.Context, path string, c Call) bool {
	conn, err := desk.Connect(ctx, path)
	if err != nil {
		return false
	}
	defer conn.Close() //nolint:errcheck // what was read counts
	session, err := desk.PeerProcess(conn)
	if err != nil || lineage(os.Getpid(), session) == nil || !sameProgram(session) {
		return false
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if json.NewEncoder(conn).Encode(c) != nil {
		return false
	}
	var a answer
	return json.NewDecoder(conn).Decode(&a) == nil && a.Asked
}
