package desk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// version is that of the frames. Another one is refused, since a field that
// one end doesn't know could be what matters.
const version = 6

// maxFrame is the longest message, in bytes: room for a large file before and
// after an edit.
const maxFrame = 128 << 20

var (
	// ErrTooLarge is returned for what doesn't fit into a message.
	ErrTooLarge = fmt.Errorf("larger than %d MiB, which is more than the desk takes", maxFrame>>20)

	errGarbage = errors.New("it sent something that is not a message")
)

// An asking is a message of a client. One field beside ID is set.
type asking struct {
	ID        uint64     `json:"id,omitempty"` // of what is asked
	Hello     *hello     `json:"hello,omitempty"`
	Prompt    *prompt    `json:"prompt,omitempty"`
	Questions []question `json:"questions,omitempty"`
	Renewed   *prompt    `json:"renewed,omitempty"`  // takes the place of Prompt
	Withdraw  *string    `json:"withdraw,omitempty"` // why
	Revised   *revised   `json:"revised,omitempty"`
	Settled   *settled   `json:"settled,omitempty"`
	// Todos replaces the client's list of tasks.
	Todos *prompts.TodoList `json:"todos,omitempty"`
}

// An answering is a message of the desk. One field beside ID is set.
type answering struct {
	ID      uint64    `json:"id,omitempty"`
	Welcome *welcome  `json:"welcome,omitempty"`
	Answer  *answer   `json:"answer,omitempty"`
	Answers *answers  `json:"answers,omitempty"`
	Revise  *revising `json:"revise,omitempty"`
	Cancel  bool      `json:"cancel,omitempty"`
	// Standing replaces what stands for the session of the client.
	Standing *[]gate.Approved `json:"standing,omitempty"`
	Error    string           `json:"error,omitempty"` // nothing was answered; without ID, nothing will be
	// Unanswered says that Error is a [gate.ErrUnanswered].
	Unanswered bool `json:"unanswered,omitempty"`
}

// unanswered is what an error at the desk becomes on the wire.
func unanswered(err error) answering {
	return answering{Error: err.Error(), Unanswered: errors.Is(err, gate.ErrUnanswered)}
}

func (a *answering) err() error {
	if a.Unanswered {
		return leftError(a.Error)
	}
	return errors.New(a.Error)
}

// A leftError is a [gate.ErrUnanswered] in the words of the desk.
type leftError string

func (e leftError) Error() string { return string(e) }

func (e leftError) Is(target error) bool { return target == gate.ErrUnanswered }

type hello struct {
	Version int   `json:"version"`
	Agent   Agent `json:"agent"`
}

type welcome struct {
	Version  int             `json:"version"`
	Standing []gate.Approved `json:"standing,omitempty"`
}

type answer struct {
	Answer gate.Answer `json:"answer"`
	Digest string      `json:"digest"` // of the request that was on the screen
}

type answers struct {
	Answers  []prompts.Answer `json:"answers"`
	Declined bool             `json:"declined,omitempty"`
}

// A revising asks the client what would come of an edit; Call names it.
type revising struct {
	Call uint64    `json:"call"`
	Edit gate.Edit `json:"edit"`
}

type revised struct {
	Call   uint64  `json:"call"`
	Prompt *prompt `json:"prompt,omitempty"`
	Error  string  `json:"error,omitempty"`
}

// encode makes a line of a message, of no more than max bytes.
func encode(message any, max int) ([]byte, error) {
	line, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	if len(line) >= max {
		return nil, ErrTooLarge
	}
	return append(line, '\n'), nil
}

// decode reads one message strictly: what isn't known may be what matters.
func decode(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%w: %w", errGarbage, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: more than one in a line", errGarbage)
	}
	return nil
}

// readLine reads up to the next newline, and no more than max bytes.
func readLine(r *bufio.Reader, max int) ([]byte, error) {
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		if len(line)+len(piece) > max {
			return nil, ErrTooLarge
		}
		line = append(line, piece...)
		switch {
		case err == nil:
			return line, nil
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
