package acp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// MaxLine is the longest message that a [Conn] reads, in bytes without the
// newline. It is this large because agents send whole files inside a message.
const MaxLine = 64 << 20

// Error codes of JSON-RPC 2.0 and of the protocol.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeCancelled      = -32800
	CodeAuthRequired   = -32000
)

// An RPCError is an error answer, received or to be sent.
type RPCError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *RPCError) Error() string {
	if len(e.Data) == 0 {
		return fmt.Sprintf("%s (%d)", e.Message, e.Code)
	}
	return fmt.Sprintf("%s (%d): %s", e.Message, e.Code, e.Data)
}

// Errorf makes an [RPCError] to return from a request handler.
func Errorf(code int, format string, args ...any) *RPCError {
	return &RPCError{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Errors with which a connection ends or refuses work.
var (
	ErrClosed      = errors.New("connection closed")
	ErrLineTooLong = fmt.Errorf("a message is longer than %d MiB", MaxLine>>20)
	ErrPeerStalled = errors.New("the peer does not read its messages")
)

// A message is one JSON-RPC message. ID keeps the raw id, so that 0, "0" and
// null stay apart; nil means that there was none.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *RPCError       `json:"error,omitempty"`
}

// parseMessage reads one line. An error is a *RPCError that can be sent back.
func parseMessage(line []byte) (m message, fault *RPCError) {
	if !utf8.Valid(line) || !json.Valid(line) {
		return m, Errorf(CodeParse, "not JSON")
	}
	o := parseObject(line)
	method, named := o.optional("method")
	m = message{ID: o["id"], Method: method, Params: o["params"], Result: o["result"]}
	var err error
	if raw := o["error"]; raw != nil {
		err = json.Unmarshal(raw, &m.Error)
	}
	switch {
	case o == nil, err != nil, o["method"] != nil && !named:
		return m, Errorf(CodeInvalidRequest, "not a JSON-RPC message")
	case o.text("jsonrpc") != "2.0":
		return m, Errorf(CodeInvalidRequest, "jsonrpc is not 2.0")
	case !validID(m.ID):
		m.ID = nil
		return m, Errorf(CodeInvalidRequest, "the id is no number, string or null")
	case m.Method == "" && m.ID == nil, m.Method == "" && (m.Result == nil) == (m.Error == nil):
		return m, Errorf(CodeInvalidRequest, "neither a request nor an answer")
	}
	return m, nil
}

func validID(id json.RawMessage) bool {
	if id == nil {
		return true
	}
	switch c := id[0]; {
	case c == '"', c == '-', c >= '0' && c <= '9':
		return true
	}
	return bytes.Equal(id, []byte("null"))
}

func encode(v any) (json.RawMessage, error) {
	if v == nil {
		return nil, nil
	}
	if raw, ok := v.(json.RawMessage); ok {
		// A line break inside would end the message early.
		var b bytes.Buffer
		err := json.Compact(&b, raw)
		return b.Bytes(), err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
