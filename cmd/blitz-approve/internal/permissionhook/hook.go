package permissionhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/review"
)

// DefaultTimeout is how long a hook may take when it sets no limit.
const DefaultTimeout = 10 * time.Second

// Options describe one hook.
type Options struct {
	// Name is the hook in reasons and notes, best with file and line; empty
	// means the command.
	Name string
	// Command is run by sh -c.
	Command string
	// Timeout is how long it may take; zero or less means DefaultTimeout.
	Timeout time.Duration
	// Dir is the directory in which it runs; empty means the current one. One
	// that the agent can write to lends the agent every program that the
	// command finds there.
	Dir string
	// Env is its environment as NAME=value; nil means that of this process.
	Env []string
	// Mode tells the mode in force; nil leaves it out of the request.
	Mode func() gate.Mode
}

// ErrTimeout is a hook that took too long.
var ErrTimeout = errors.New("it took longer than its time limit")

// New makes a hook of a command, which is started once per answer. Answers
// carry an error and say nothing whenever there is no verdict.
func New(opts Options) gate.Hook {
	if opts.Timeout <= 0 {
		opts.Timeout = DefaultTimeout
	}
	if opts.Name == "" {
		opts.Name = review.Sentence(opts.Command)
	}
	return gate.Hook{Name: opts.Name, Answer: opts.answer}
}

func (o Options) answer(ctx context.Context, req gate.Request) (gate.HookAnswer, error) {
	line, err := o.requestLine(req)
	if err != nil {
		return gate.HookAnswer{}, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, fmt.Errorf("%w of %s", ErrTimeout, o.Timeout))
	defer cancel()
	output, err := o.run(ctx, line)
	if err != nil {
		return gate.HookAnswer{}, err
	}
	return parseVerdict(output)
}
