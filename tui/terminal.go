package tui

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

var (
	// ErrNoTerminal means that there is no terminal to ask a person on.
	ErrNoTerminal = errors.New("no terminal to ask on")
	// ErrBackground means that another job has the terminal. To draw on it
	// then would stop this process, and who waits for its answer, for ever.
	ErrBackground = errors.New("the terminal belongs to another job")
	// ErrNotResumable means that no shell is there to resume this process
	// after it was suspended.
	ErrNotResumable = errors.New("can't be suspended: there is no shell that could resume it")
)

// A Terminal is the terminal that the process was started on, taken for one
// screen, or for one [Plain], whatever stdin and stdout carry (APR-40a: it has
// one reader). Nothing that was typed before it was opened is ever read.
//
// A program that a signal ends returns without an answer, which denies.
type Terminal struct {
	tty     *os.File // for input, and on most systems for output
	out     *os.File
	state   terminalState
	lines   bool // read line by line
	signals chan os.Signal
	closing chan struct{}
	watcher sync.WaitGroup
	once    sync.Once
	closed  error
	deaf    atomic.Bool // it took no output when the program was to end

	mu     sync.Mutex
	caught os.Signal
}

// OpenTerminal takes the terminal: input is no longer echoed, and what was
// typed ahead is dropped. It fails with [ErrNoTerminal] or [ErrBackground]
// and never waits. Who opens it calls [Terminal.Close].
func OpenTerminal() (*Terminal, error) { return openTerminal(false) }

// OpenLineTerminal takes the terminal for a [Plain]: the terminal itself echoes
// and edits the line that is typed, and Ctrl+C is a part of it, not a signal.
// Otherwise it is as [OpenTerminal].
func OpenLineTerminal() (*Terminal, error) { return openTerminal(true) }

func openTerminal(lines bool) (*Terminal, error) {
	t := &Terminal{lines: lines, signals: make(chan os.Signal, 4), closing: make(chan struct{})}
	if err := t.open(); err != nil {
		return nil, err
	}
	t.notify()
	return t, nil
}

// ProgramOptions make a program run on the terminal and leave signals to it.
func (t *Terminal) ProgramOptions() []tea.ProgramOption {
	return []tea.ProgramOption{tea.WithInput(t.tty), tea.WithOutput(t.out), tea.WithoutSignalHandler()}
}

// QuitOnSignal calls quit when the terminal hangs up or the process is told to
// end; also when that happened since the terminal was opened. Output that the
// terminal doesn't take, as over a connection that hangs, is then dropped, so
// that the program isn't kept from ending. At a second signal it gives the
// terminal back at once and lets the signal end the process.
func (t *Terminal) QuitOnSignal(quit func()) {
	t.watcher.Add(1)
	go func() {
		defer t.watcher.Done()
		select {
		case s := <-t.signals:
			t.mu.Lock()
			t.caught = s
			t.mu.Unlock()
		case <-t.closing:
			return
		}
		quit()
		t.unblock()
	}()
}

const (
	// longestReply is how long a terminal may take to answer a query, as through
	// a slow connection, before it is given back without waiting more.
	longestReply = 300 * time.Millisecond
	// patience is how long a terminal may take output that a program has for it
	// in the end, before what waits is dropped.
	patience = longestReply
	// unblockEvery is how often that is looked at.
	unblockEvery = 10 * time.Millisecond
	// pieceSize is as much as is written at a time, before it is looked whether
	// the terminal still takes something. Terminals hold about as much.
	pieceSize = 4 << 10
)

// unblock sees to it, until the terminal is closed, that nothing waits for the
// terminal to take output, and lets a second signal end the process.
func (t *Terminal) unblock() {
	look := time.NewTimer(patience)
	defer look.Stop()
	for {
		select {
		case s := <-t.signals:
			t.die(s)
		case <-t.closing:
			return
		case <-look.C:
			t.dropOutput()
			look.Reset(unblockEvery)
		}
	}
}

// Signal is the signal that ended the program, or nil.
func (t *Terminal) Signal() os.Signal {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.caught
}

// Lend gives the terminal back as it was while f runs, for an editor or a
// shell, and takes it again. The program must not read or draw meanwhile. What
// was typed for f and not read by it is dropped.
func (t *Terminal) Lend(f func() error) error {
	t.drain()
	if err := t.restore(); err != nil {
		return err
	}
	return errors.Join(f(), t.hold(t.tty))
}

// lend is [Terminal.Lend] where there is a terminal to lend.
func (t *Terminal) lend(f func() error) error {
	if t == nil {
		return f()
	}
	return t.Lend(f)
}

// Read reads what is typed, as far as Enter on a line terminal.
func (t *Terminal) Read(p []byte) (int, error) { return t.tty.Read(p) }

// Write writes to the terminal. After a signal it drops what a terminal doesn't
// take.
func (t *Terminal) Write(p []byte) (written int, err error) {
	for written < len(p) && err == nil && !t.deaf.Load() {
		n := 0
		n, err = t.out.Write(p[written:min(len(p), written+pieceSize)])
		written += n
	}
	if err == nil {
		written = len(p)
	}
	return written, err
}

// Discard drops what was typed and not read yet.
func (t *Terminal) Discard() error { return t.discard() }

// Size is the number of columns and rows; 0 when the terminal doesn't say.
func (t *Terminal) Size() (columns, rows int) {
	columns, rows, err := term.GetSize(t.out.Fd())
	if err != nil {
		return 0, 0
	}
	return columns, rows
}

// Close gives the terminal back as it was. Call it after the program ended:
// it first reads what the terminal still has to say to the program's queries,
// for at most 300 ms, so that it doesn't become input of whoever comes next.
func (t *Terminal) Close() error {
	t.once.Do(func() {
		if !t.lines { // else nothing was asked of the terminal
			t.drain()
		}
		t.closed = t.restore()
		// Signals are caught until here, so that none can end the process
		// between the program and the restored state.
		t.stopNotify()
		close(t.closing)
		t.watcher.Wait()
		t.closed = errors.Join(t.closed, t.tty.Close())
		if t.out != t.tty {
			t.closed = errors.Join(t.closed, t.out.Close())
		}
	})
	return t.closed
}
