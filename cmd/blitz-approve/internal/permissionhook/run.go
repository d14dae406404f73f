package permissionhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/blitz-approve/blitz-approve/gate/review"
)

const (
	// maxOutput is how many bytes a hook may write to its standard output.
	maxOutput = 64 << 10
	// maxStderr is how many bytes of its standard error are kept.
	maxStderr = 4 << 10
	// leftOpen is how long output may stay open after the command has ended.
	leftOpen = 250 * time.Millisecond
)

// ErrOutput is a hook that writes too much.
var ErrOutput = fmt.Errorf("it wrote more than %d bytes", maxOutput)

// run starts the command, gives it the line and returns what it wrote.
func (o Options) run(ctx context.Context, line []byte) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stdout := &outputBuffer{full: func() { cancel(ErrOutput) }}
	stderr := &stderrBuffer{}
	cmd := exec.CommandContext(ctx, "sh", "-c", o.Command)
	cmd.Dir, cmd.Env = o.Dir, o.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(line), stdout, stderr
	cmd.WaitDelay = leftOpen
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start it: %w", err)
	}
	err := cmd.Wait()
	_ = killGroup(cmd)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, exec.ErrWaitDelay):
		return nil, errors.New("something that it started keeps its output open")
	case err != nil && len(stderr.text) > 0:
		return nil, fmt.Errorf("%w: %s", err, review.Sentence(string(stderr.text)))
	case err != nil:
		return nil, err
	}
	return stdout.text, nil
}

// An outputBuffer keeps output up to maxOutput and says when there is more.
type outputBuffer struct {
	text []byte
	full func()
}

func (b *outputBuffer) Write(p []byte) (int, error) {
	if len(b.text)+len(p) > maxOutput {
		b.full()
		return 0, ErrOutput
	}
	b.text = append(b.text, p...)
	return len(p), nil
}

// A stderrBuffer keeps the beginning, and takes the rest so that the command
// isn't held up.
type stderrBuffer struct{ text []byte }

func (b *stderrBuffer) Write(p []byte) (int, error) {
	b.text = append(b.text, p[:min(len(p), maxStderr-len(b.text))]...)
	return len(p), nil
}
