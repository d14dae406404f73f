package acp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// How long an agent gets to leave: after its input is closed, after it was
// asked to, and after it was killed.
const (
	leaveGrace = 300 * time.Millisecond
	termGrace  = 2 * time.Second
	killGrace  = time.Second
)

// maxStderr is how many lines of its standard error are kept, and maxErrLine
// how long each may be, in bytes.
const (
	maxStderr  = 20
	maxErrLine = 4 << 10
)

// A Process is an agent's program, in a process group of its own together
// with all that it starts, unless that leaves the group; see [Process.Close].
type Process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	stderr *os.File
	exited chan struct{} // closed when the program and its group are gone

	mu      sync.Mutex
	closing bool
	last    []string
	err     error
}

// StartProcess starts cmd with pipes for its input and output. Lines of its
// standard error go to stderr, if that isn't nil, from one goroutine.
func StartProcess(cmd *exec.Cmd, stderr func(line string)) (*Process, error) {
	p := &Process{cmd: cmd, exited: make(chan struct{})}
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
	}()
	var err error
	pipe := func(ours, their **os.File, write bool) {
		r, w, e := os.Pipe()
		if err = errors.Join(err, e); e != nil {
			return
		}
		if *ours, *their = r, w; write {
			*ours, *their = w, r
		}
		theirs = append(theirs, *their)
	}
	var in, out, diag *os.File
	pipe(&p.stdin, &in, true)
	pipe(&p.stdout, &out, false)
	pipe(&p.stderr, &diag, false)
	if err == nil {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, diag
		ownGroup(cmd)
		err = cmd.Start()
	}
	if err != nil {
		p.closePipes()
		return nil, err
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		p.readStderr(stderr)
	}()
	go p.wait(read)
	return p, nil
}

func (p *Process) closePipes() {
	for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
		if f != nil {
			f.Close()
		}
	}
}

// wait takes the program's exit, and then ends what it left behind: a process
// that keeps the pipes open would else keep the connection open for ever.
func (p *Process) wait(stderrRead <-chan struct{}) {
	defer close(p.exited)
	err := p.cmd.Wait()
	endGroup(p.cmd.Process.Pid)
	select { // what it said last belongs to the error
	case <-stderrRead:
	case <-time.After(leaveGrace):
		p.stderr.Close()
		<-stderrRead
	}
	p.stderr.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closing || err == nil:
	case len(p.last) > 0:
		p.err = fmt.Errorf("the agent ended: %w; it said last: %s", err, strings.Join(p.last, "\n"))
	default:
		p.err = fmt.Errorf("the agent ended: %w", err)
	}
}

func (p *Process) readStderr(each func(string)) {
	r := bufio.NewReaderSize(p.stderr, maxErrLine)
	for {
		line, long, err := r.ReadLine()
		if err != nil {
			return
		}
		text := string(line)
		for long && err == nil { // the rest of a long line is dropped
			_, long, err = r.ReadLine()
		}
		p.mu.Lock()
		p.last = append(p.last, text)
		if len(p.last) > maxStderr {
			p.last = p.last[1:]
		}
		p.mu.Unlock()
		if each != nil {
			each(text)
		}
	}
}

// ID is the program's process id.
func (p *Process) ID() int { return p.cmd.Process.Pid }

// Stdin and Stdout are the program's pipes; closing them is allowed.
func (p *Process) Stdin() io.WriteCloser { return p.stdin }

// Stdout is what the program writes.
func (p *Process) Stdout() io.ReadCloser { return p.stdout }

// Done is closed when the program and its process group are gone.
func (p *Process) Done() <-chan struct{} { return p.exited }

// Err says how the program ended, with its last words; nil while it runs,
// when it ended well and after [Process.Close].
func (p *Process) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Close ends the program and its process group, asking first, and returns when
// they are gone. On Linux that is also what it has started in groups of their
// own, but nothing that was made to outlive its parent.
func (p *Process) Close() error {
	p.mu.Lock()
	p.closing = true
	p.mu.Unlock()
	apart := groupsApart{}
	defer apart.end()
	apart.note(p.ID())
	p.stdin.Close()
	for _, step := range []struct {
		signal func(pid int)
		grace  time.Duration
	}{{func(int) {}, leaveGrace}, {termGroup, termGrace}, {killGroup, killGrace}} {
		step.signal(p.ID())
		ctx, cancel := context.WithTimeout(context.Background(), step.grace)
		select {
		case <-p.exited:
			cancel()
			p.stdout.Close()
			return nil
		case <-ctx.Done():
			cancel()
		}
		apart.note(p.ID())
	}
	p.stdout.Close()
	p.stderr.Close()
	<-p.exited
	return nil
}

// endGroup ends what is left of a group whose leader has ended.
func endGroup(pid int) {
	if waitGroupGone(pid, 0) {
		return
	}
	termGroup(pid)
	if waitGroupGone(pid, termGrace) {
		return
	}
	killGroup(pid)
	waitGroupGone(pid, killGrace)
}

// waitGroupGone looks at short intervals, since nothing tells when processes
// that aren't our children end.
func waitGroupGone(pid int, limit time.Duration) bool {
	deadline := time.Now().Add(limit)
	for groupAlive(pid) {
		if !time.Now().Before(deadline) {
			return false
		}
		time.Sleep(5 * time.Millisecond)
	}
	return true
}
