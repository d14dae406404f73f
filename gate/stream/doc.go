// Package stream puts what any program wants to do before the gate, and its
// questions before the person, over JSON lines: a program writes one message a
// line and reads one answer a line.
//
//	err := stream.New(os.Stdout, stream.Options{Decide: g.Decide, Prompter: screen}).Serve(ctx, os.Stdin)
//
// # Messages
//
// Every message is an object with a type; those that are answered have an id,
// which the answer repeats. What a program writes:
//
//	{"type":"request","id":"1","request":{"tool":"bash","kind":"run_command","command":"make"}}
//	{"type":"question","id":"2","args":{"question":"Which one?","options":["a","b"],"multi_select":true}}
//	{"type":"plan","id":"3","plan":"# Steps\n…"}
//	{"type":"todos","id":"4","args":{"items":[{"content":"look","status":"done"}]}}
//	{"type":"said","text":"I look at the pager."}
//	{"type":"turn","state":"started","text":"what the person wanted"}
//	{"type":"turn","state":"ended"}
//	{"type":"withdraw","id":"1"}
//
// A request says what it touches: command, path, url, or server with tool. Beside
// that it may say what ask-and-remember looks up, what a search reads, and which
// checks of a provider are pending:
//
//	"grant_targets":[{"kind":"tree","path":"src","tier":"read"}]
//	"search":{"only":["*.go"],"not":["a.go"],"not_below":["build"]}
//	"safety_checks":[{"code":"…","message":"…"}]
//
// What it reads:
//
//	{"type":"verdict","id":"1","verdict":"allow","cause":"user-once",…}
//	{"type":"answer","id":"2","result":{"answer":"a, b","selected":["a","b"]}}
//	{"type":"error","id":"2","error":"…"}
//	{"type":"prompt","text":"what the person typed"}
//	{"type":"cancel"}
//
// A verdict that isn't allow is a refusal, with the text for the agent in
// refusal. With edited in it, a person changed the request: the program runs
// that, and not what it asked for. Only a request with editable set is
// ever edited.
//
// # What can go wrong
//
// A message that can't be understood gets an error, or, when it is a request,
// a refusal; the rest goes on. When the program's output ends, what still waits
// is answered and then Serve returns; when ctx ends, it is refused.
//
// # Concurrency
//
// Requests are handled at the same time, and answered in whatever order they
// are settled. The person is asked in the order of the lines, whatever takes how
// long to decide; what rules settle doesn't wait for that. An approver or
// prompter of one's own has that order if it calls [gate.InLine].
package stream
