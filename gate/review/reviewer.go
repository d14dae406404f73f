package review

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A request for which one of these is the error was not sent.
var (
	// ErrTooLarge is a request that would have to be cut to be shown: a diff
	// of more than 8,000 characters, or too many or too long targets (APR-14a).
	ErrTooLarge = errors.New("the request is too large to be reviewed whole")
	// ErrUnrevealed is a request that doesn't tell what will happen.
	ErrUnrevealed = errors.New("the agent doesn't reveal what would happen, so it can't be reviewed")
	// ErrUnreadable is a change of content that isn't text.
	ErrUnreadable = errors.New("a change of binary content can't be reviewed")
)

// Options say which model reviews, and what it is told beside the request.
type Options struct {
	// Model is the model's name at the service.
	Model string
	// BaseURL is the address up to, and without, /chat/completions or
	// /messages. Empty means the public service that the model's name tells:
	// claude… is Anthropic's, gpt… and o1, o3… are OpenAI's.
	BaseURL string
	// API is the protocol; the zero value takes it from the address.
	API API
	// APIKeyEnv is the environment variable with the key. Empty means
	// [KeyVariable]; a host other than the public ones may then do without.
	APIKeyEnv string
	// Environment is what the person says about their machine and services,
	// up to 8,000 characters.
	Environment string
	// Conversation returns the latest messages, oldest first; the last six are
	// sent. It is called from many goroutines; nil sends none.
	Conversation func() []Message
	// Client is used for the connection, but without its redirects and
	// cookies; nil means one with the proxy of the environment.
	Client *http.Client
}

// A Message is one thing that the person or the agent said.
type Message struct {
	From Speaker
	Text string
}

// A Speaker is who said a message. The zero Speaker is the agent, whose word
// counts for less.
type Speaker uint8

const (
	Agent Speaker = iota
	Person
)

func (s Speaker) String() string {
	if s == Person {
		return "person"
	}
	return "agent"
}

// Usage is what the reviews of a [Reviewer] have cost. Tokens are as the
// service counts them, also for answers that were no verdict.
type Usage struct {
	Requests     int64
	InputTokens  int64
	OutputTokens int64
}

// A Reviewer asks a model about requests. Use [New].
type Reviewer struct {
	opts    Options
	service *service

	mu    sync.Mutex
	usage Usage
}

var _ gate.Reviewer = (*Reviewer)(nil)

// New makes a reviewer. It connects to nothing. Its error is that of an
// address that isn't safe to send a key to, a missing key, a model without an
// address, or an environment text that is too long.
func New(opts Options) (*Reviewer, error) {
	if n := utf8.RuneCountInString(opts.Environment); n > maxEnvironment {
		return nil, fmt.Errorf("the environment text for the reviewer has %d characters; up to %d are possible", n, maxEnvironment)
	}
	s, err := newService(opts)
	if err != nil {
		return nil, fmt.Errorf("set up the reviewer: %w", err)
	}
	return &Reviewer{opts: opts, service: s}, nil
}

// Review puts req before the model. An error means that there is no verdict;
// see [ErrTooLarge], [ErrUnrevealed], [ErrUnreadable], [ErrNoVerdict] and
// [StatusError].
func (r *Reviewer) Review(ctx context.Context, req gate.Request) (gate.Review, error) {
	var talk []Message
	if r.opts.Conversation != nil {
		talk = r.opts.Conversation()
	}
	q, err := ask(ctx, req, talk, r.opts.Environment)
	if err != nil {
		return gate.Review{}, err
	}
	answer, err := r.service.exchange(ctx, q)
	r.count(answer.usage)
	if err != nil {
		return gate.Review{}, fmt.Errorf("the reviewer %s: %w", r.opts.Model, err)
	}
	return parseVerdict(answer.text)
}

// Usage returns what has been used so far (APR-14a).
func (r *Reviewer) Usage() Usage {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.usage
}

func (r *Reviewer) count(u Usage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.usage.Requests++
	// A service that counts backwards must not hide what was used.
	r.usage.InputTokens += max(0, u.InputTokens)
	r.usage.OutputTokens += max(0, u.OutputTokens)
}
