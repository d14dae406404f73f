package acp

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An envelope is a message that may be passed on as it came. It is read to
// the letter: whoever gets the line must not find another message in it than
// the one that was looked at here.
type envelope struct {
	line   []byte // as it came, with its line break
	id     json.RawMessage
	method string
	params json.RawMessage
	result json.RawMessage
	failed *RPCError // nil in what is no error answer
}

// envelopeNames are the members of a message that say what it is.
var envelopeNames = []string{"jsonrpc", "id", "method", "params", "result", "error"}

var errTwoReadings = errors.New("a name in it may be read in two ways")

// openEnvelope reads a line. What is no single message, or could be read as
// two different ones, is an error and must not be passed on.
func openEnvelope(line []byte) (envelope, *RPCError) {
	e := envelope{line: line}
	if !utf8.Valid(line) || !json.Valid(line) {
		return e, Errorf(CodeParse, "not JSON")
	}
	list, err := members(line)
	if err != nil {
		return e, Errorf(CodeInvalidRequest, "not a single JSON-RPC message")
	}
	o := object{}
	for _, m := range list {
		i := slices.IndexFunc(envelopeNames, func(name string) bool { return strings.EqualFold(name, m.name) })
		if i < 0 {
			continue
		}
		if o[m.name] != nil || m.name != envelopeNames[i] {
			return e, Errorf(CodeInvalidRequest, "%s: %.40q", errTwoReadings, m.name)
		}
		o[m.name] = m.value
	}
	return e, e.fill(o)
}

func (e *envelope) fill(o object) *RPCError {
	version, _ := o.optional("jsonrpc")
	method, named := o.optional("method")
	switch {
	case version != "2.0":
		return Errorf(CodeInvalidRequest, "jsonrpc is not 2.0")
	case !plainID(o["id"]):
		return Errorf(CodeInvalidRequest, "the id is no string, null, or number that every program writes in the same way")
	case o["method"] != nil && (!named || method == "" || o["result"] != nil || o["error"] != nil),
		o["method"] == nil && (o["id"] == nil || (o["result"] == nil) == (o["error"] == nil)):
		return Errorf(CodeInvalidRequest, "neither a request nor an answer")
	}
	e.id, e.method, e.params, e.result = o["id"], method, o["params"], o["result"]
	if o["error"] != nil {
		e.failed = &RPCError{Code: CodeInternal, Message: "an error that can't be read"}
		_ = json.Unmarshal(o["error"], e.failed)
	}
	return nil
}

// plainID reports an id that is the same for every program: many read numbers
// as floating point, for which 1.0 is 1 and large ones run together.
func plainID(id json.RawMessage) bool {
	if !validID(id) || id == nil || id[0] == '"' || id[0] == 'n' {
		return validID(id)
	}
	const most = 1<<53 - 1
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && n >= -most && n <= most && strconv.FormatInt(n, 10) == string(id)
}

// repeats reports an object anywhere in raw in which a name stands twice, or
// twice but for case: programs differ in which of the two they take. raw is valid
// JSON or nothing.
func repeats(raw json.RawMessage) bool {
	var levels []map[string]bool // the names in each object and list that is open
	for t := range tokens(raw) {
		switch b := t.bracket(); {
		case b == '{', b == '[':
			levels = append(levels, map[string]bool{})
		case b != 0:
			levels = levels[:len(levels)-1]
		case t.name:
			name, _ := unquote(t.raw)
			name = foldedName(name)
			in := levels[len(levels)-1]
			if in[name] {
				return true
			}
			in[name] = true
		}
	}
	return false
}

// foldedName is the same for names that programs take for one: besides upper
// and lower case there are the long s and the sign for Kelvin.
func foldedName(name string) string { return strings.ToLower(strings.ToUpper(name)) }
