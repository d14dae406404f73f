package stream

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// MaxMessage is how long one message may be, in bytes.
const MaxMessage = 128 << 20

// Options say how a program is served. The zero Options refuse everything.
type Options struct {
	// Agent and Workspace are the program's name and the folder that it works
	// in.
	Agent, Workspace string
	// Decide is asked for every request; nil denies all.
	Decide func(context.Context, gate.Request) gate.Verdict
	// Prompter shows questions and plans; nil declines them.
	Prompter prompts.Prompter
	// Unattended says that nobody watches: questions and plans are declined.
	Unattended bool
	// DontAsk reports whether the gate's mode withholds plan reviews; nil never
	// does.
	DontAsk func() bool
	// Events takes what the program tells, one at a time, for the screen.
	Events func(Event)
}

// A Server serves one program. Make it with [New].
type Server struct {
	o      Options
	events sync.Mutex // orders them
	line   gate.Line  // orders what is asked
	out    sync.Mutex
	enc    *json.Encoder

	mu      sync.Mutex
	waiting map[string]context.CancelCauseFunc // by id
	plans   map[string]string                  // what was seen last, by session
	stop    context.CancelCauseFunc
}

// New makes a server that writes its answers to out.
func New(out io.Writer, o Options) *Server {
	s := &Server{o: o, enc: json.NewEncoder(out), waiting: map[string]context.CancelCauseFunc{}, plans: map[string]string{}, stop: func(error) {}}
	s.enc.SetEscapeHTML(false)
	return s
}

// Serve reads messages until in ends, answers what still waits, and returns
// nil. When ctx ends, or the output fails, what waits is refused, and the error
// says why. It doesn't wait for a read that hangs, and when ctx has ended only
// for a moment for a program that doesn't read its answers: close in and out for
// that.
func (s *Server) Serve(ctx context.Context, in io.Reader) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.mu.Lock()
	s.stop = cancel
	s.mu.Unlock()
	var answers unsettled
	ended := make(chan error, 1)
	go func() { ended <- s.read(ctx, in, &answers) }()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	return errors.Join(err, settle(ctx, answers.end()), context.Cause(ctx))
}

// lastAnswers is how long the answers may take once everything has ended: to
// record what is refused by that, and to write it.
const lastAnswers = 3 * time.Second

var errUnread = errors.New("the program doesn't read its answers")

// settle waits until all is answered. A program that has stopped reading holds
// the end up no longer than lastAnswers.
func settle(ctx context.Context, answered <-chan struct{}) error {
	select {
	case <-answered:
		return nil
	case <-ctx.Done():
	}
	late := time.NewTimer(lastAnswers)
	defer late.Stop()
	select {
	case <-answered:
		return nil
	case <-late.C:
		return errUnread
	}
}

// Prompt hands the program what the person typed.
func (s *Server) Prompt(text string) { s.write(reply{Type: "prompt", Text: text}) }

// Cancel tells the program that the person ended the turn, and refuses what
// waits.
func (s *Server) Cancel() {
	s.mu.Lock()
	for _, cancel := range s.waiting {
		cancel(gate.ErrTurnCancelled)
	}
	s.mu.Unlock()
	s.write(reply{Type: "cancel"})
}

func (s *Server) read(ctx context.Context, in io.Reader, answers *unsettled) error {
	lines := bufio.NewReader(in)
	for ctx.Err() == nil {
		line, err := readLine(lines, MaxMessage)
		if errors.Is(err, errTooLong) {
			s.write(reply{Type: "error", Error: err.Error()})
			continue
		}
		if len(bytes.TrimSpace(line)) > 0 {
			s.take(ctx, line, answers)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read what the program writes: %w", err)
		}
	}
	return nil
}

var errTooLong = fmt.Errorf("a message of more than %d MB was passed over", MaxMessage>>20)

// readLine reads one line. One of more than most bytes is read to its end and
// not kept.
func readLine(r *bufio.Reader, most int) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > most {
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.ReadSlice('\n')
			}
			return nil, errTooLong
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// take handles one message. What is answered later doesn't hold up the rest.
func (s *Server) take(ctx context.Context, line []byte, answers *unsettled) {
	var m message
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	err := dec.Decode(&m)
	if err == nil {
		if _, more := dec.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("there is more than one JSON value on the line")
		}
	}
	if err == nil {
		err = exactNames(line)
	}
	if err != nil {
		s.refuse(line, err)
		return
	}
	if s.tell(m) {
		return
	}
	answer, ok := map[string]func(context.Context, message) reply{
		"request": s.decide, "question": s.ask, "plan": s.review, "todos": s.todos,
	}[m.Type]
	if !ok {
		s.write(reply{Type: "error", ID: m.ID, Error: fmt.Sprintf("unknown type %q: use request, question, plan, todos, said, turn or withdraw", m.Type)})
		return
	}
	ctx, done, err := s.begin(ctx, m.ID)
	if err != nil {
		s.refuse(line, err)
		return
	}
	ctx, leave := s.line.Join(ctx)
	begun := answers.handle(func() {
		defer done()
		defer leave()
		s.write(answer(ctx, m))
	})
	if !begun {
		leave()
		done()
	}
}

// refuse answers a message that can't be handled: a request with a refusal,
// whatever else it holds.
func (s *Server) refuse(line []byte, err error) {
	var head struct {
		Type string `json:"type"`
		ID   string `json:"id"`
	}
	_ = json.Unmarshal(line, &head) // as far as it goes
	var odd *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		err = fmt.Errorf("a message is a JSON object, and this is a JSON %s", wrong.Value)
	case errors.As(err, &wrong):
		err = fmt.Errorf("%s can't be a JSON %s", wrong.Field, wrong.Value)
	case errors.As(err, &odd):
		err = fmt.Errorf("at character %d the line is no JSON (%w): a message is one object on a line of its own", odd.Offset, err)
	}
	if head.Type == "request" {
		s.write(reply{Type: "verdict", ID: head.ID, verdict: verdictOf(gate.Verdict{Cause: gate.CauseInvalid, Step: gate.StepValid, Reason: err.Error()})})
		return
	}
	s.write(reply{Type: "error", ID: head.ID, Error: err.Error()})
}

// begin notes what waits under an id.
func (s *Server) begin(ctx context.Context, id string) (context.Context, func(), error) {
	ctx, cancel := context.WithCancelCause(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.waiting[id]; taken || id == "" {
		cancel(nil)
		return nil, nil, fmt.Errorf("the id %q is taken or empty: give each message its own", id)
	}
	s.waiting[id] = cancel
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.waiting, id)
		cancel(nil)
	}, nil
}

// write writes one line. When that fails nobody hears of an answer any more,
// so that everything ends.
func (s *Server) write(r reply) {
	s.out.Lock()
	err := s.enc.Encode(r)
	s.out.Unlock()
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stop(gate.Withdrawn(fmt.Errorf("write to the program: %w", err)))
	}
}
