package desk

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// maxVisits is how many agents may be at the desk at a time.
const maxVisits = 512

// A Room is where the person is. Its methods are called from many goroutines.
type Room interface {
	// Seat makes a place for an agent that comes. cancel tells it that the
	// person cancelled its turn; it doesn't wait.
	Seat(a Agent, cancel func()) Seat
	// Dropped tells of a peer that was sent away, and why.
	Dropped(why error)
	// Standing tells of all that the desk keeps for agents' sessions, at each
	// change; what ends first comes first. What ends by its time isn't told. One
	// call comes at a time, and must not wait for the desk.
	Standing(list []gate.Approved)
}

// A Seat is an agent's place at the desk.
type Seat interface {
	gate.Approver
	prompts.GroupPrompter
	// Settled tells what the agent's gate decided, also without the desk. The
	// verdict is in short: it has no diff and no trail.
	Settled(v gate.Verdict)
	// SetTodos shows the agent's list of tasks in place of the one before (APR-43).
	SetTodos(list prompts.TodoList)
	// Leave tells that the agent has gone. What it asked was withdrawn.
	Leave()
}

// A Desk is the one of its folder.
type Desk struct {
	listener *net.UnixListener
	release  func()
	board    board
	visits   sync.WaitGroup
}

// Open opens the desk of a folder, which it makes. Agents can connect from now
// on, and wait until [Desk.Serve] runs. Errors are [ErrTaken], [ErrUnsafe] and
// those of the file system. Call [Desk.Close] when done.
func Open(folder string) (*Desk, error) {
	l, release, err := take(folder)
	if err != nil {
		return nil, err
	}
	return &Desk{listener: l, release: release}, nil
}

// Close ends the desk: who waits is refused, and nothing stands any more.
func (d *Desk) Close() { d.release() }

// Forget takes back all that stands for agents' sessions, also for what waits.
func (d *Desk) Forget() { d.board.forget() }

// Serve gives each agent that comes a seat, until ctx ends or the desk is
// closed. It returns when all have left.
func (d *Desk) Serve(ctx context.Context, room Room) error {
	d.board.shownIn(room)
	ctx, stop := context.WithCancel(ctx)
	defer d.visits.Wait()
	defer stop()
	defer context.AfterFunc(ctx, func() { _ = d.listener.Close() })()
	free := make(chan struct{}, maxVisits)
	for {
		conn, err := d.listener.AcceptUnix()
		switch {
		case errors.Is(err, net.ErrClosed):
			return nil
		case err != nil:
			// Too many open files, for example: those that are here can leave.
			room.Dropped(err)
			select {
			case <-time.After(time.Second):
				continue
			case <-ctx.Done():
				return nil
			}
		}
		select {
		case free <- struct{}{}:
		default:
			room.Dropped(fmt.Errorf("more than %d agents at a time", maxVisits))
			_ = conn.Close()
			continue
		}
		d.visits.Go(func() {
			defer func() { <-free }()
			if err := d.receive(ctx, conn, room); err != nil {
				room.Dropped(err)
			}
		})
	}
}

// receive serves one connection until it ends. The error is why it was ended
// from here.
func (d *Desk) receive(ctx context.Context, conn *net.UnixConn, room Room) error {
	if err := samePerson(conn); err != nil {
		_ = conn.Close()
		return err
	}
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	v := &visit{wire: newWire(conn), board: &d.board, asked: map[uint64]*asked{}}
	defer context.AfterFunc(ctx, func() { v.end(context.Cause(ctx)) })()
	defer v.end(ErrLost)
	if err := v.greet(); err != nil {
		return err
	}
	defer d.board.leave(v)
	v.seat = room.Seat(v.agent, func() { v.tell(answering{Cancel: true}) })
	defer v.seat.Leave()
	defer v.answering.Wait()
	defer leave(errGone) // before it is waited for the answers
	err := v.listen(ctx)
	if errors.Is(err, errGarbage) || errors.Is(err, ErrTooLarge) || errors.Is(err, errTooMany) {
		return fmt.Errorf("%s was sent away: %w", v.agent.Name, err)
	}
	return nil
}
