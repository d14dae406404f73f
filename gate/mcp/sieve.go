package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A sieve lets through the lines that are messages. What is none it answers
// itself, so that one bad line doesn't end the connection: the library takes
// any for its end.
type sieve struct {
	io.Closer
	lines   *bufio.Reader
	longest int // bytes of a line
	out     io.Writer
	rest    []byte // of the message that is being read
}

func newSieve(r io.ReadCloser, longest int, out io.Writer) *sieve {
	return &sieve{Closer: r, lines: bufio.NewReaderSize(r, 1<<16), longest: longest, out: out}
}

// Read reads messages, one a line.
func (s *sieve) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		line, err := s.line()
		switch fault := lineFault(line, err); {
		case fault == nil:
			line = append(line, '\n')
			s.rest = line
		case errors.Is(fault, errBlank):
		default:
			if err := s.refuse(line, fault); err != nil {
				return 0, err
			}
		}
		if err != nil && !errors.Is(err, errLongLine) && len(s.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

var (
	errBlank    = errors.New("the line is empty")
	errLongLine = fmt.Errorf("the message is longer than the %d MB that are read", maxLine>>20)
	errNoJSON   = errors.New("this line is no JSON: a message is one line of it")
	errBatch    = errors.New("several messages in one array aren't taken: send each on a line of its own")
	errNoMethod = errors.New(`this is no message of JSON-RPC: it needs "jsonrpc": "2.0" and a method, and an id that is text or a number`)
)

// line is the next line, without its end. Of one that is too long nothing is
// kept.
func (s *sieve) line() (line []byte, err error) {
	long := false
	for {
		part, err := s.lines.ReadSlice('\n')
		if long = long || len(line)+len(part) > s.longest; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && err == nil:
			err = errLongLine
		}
		return bytes.TrimSpace(line), err
	}
}

// lineFault is what keeps a line from being a message.
func lineFault(line []byte, err error) error {
	switch {
	case errors.Is(err, errLongLine):
		return err
	case len(line) == 0:
		return errBlank
	case !json.Valid(line):
		return errNoJSON
	case line[0] == '[':
		return errBatch
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return errNoMethod
	}
	return nil
}

// refuse answers a line that is no message, to the request that it may have been.
func (s *sieve) refuse(line []byte, fault error) error {
	var asked struct{ ID any }
	_ = json.Unmarshal(line, &asked) // what has no readable id has none
	switch asked.ID.(type) {
	case string, float64:
	default:
		asked.ID = nil
	}
	code := jsonrpc.CodeInvalidRequest
	if errors.Is(fault, errNoJSON) {
		code = jsonrpc.CodeParseError
	}
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": asked.ID, "error": map[string]any{"code": code, "message": fault.Error()},
	})
	if err != nil {
		return err
	}
	_, err = s.out.Write(append(answer, '\n'))
	return err
}

// A sharedOutput takes whole lines from several writers.
type sharedOutput struct {
	io.WriteCloser
	mu sync.Mutex
}

func (o *sharedOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.WriteCloser.Write(p)
}
