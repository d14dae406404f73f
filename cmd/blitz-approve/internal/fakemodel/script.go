// Package fakemodel is a model server that plays scripts instead of thinking,
// so that real coding agents can be tested without a network. It speaks the
// two dialects that the tested agents need: Gemini's generateContent and
// OpenAI's chat completions, each in one piece and as a stream.
//
// A prompt names its script by a marker:
//
//	scripts := fakemodel.Scripts{"hello": {
//		{Say: "I write a file.", Calls: []fakemodel.Call{{Tool: "write_file", Args: …}}},
//		{Say: "That is all."},
//	}}
//	server := httptest.NewServer(scripts)
//	prompt := fakemodel.Prompt("hello")
//
// The server keeps no state. A request carries the whole conversation, and
// how many calls it holds after the last marker says which step comes next.
package fakemodel

import (
	"regexp"
	"slices"
	"strings"
)

// Scripts are the scripts of a server, by name. It is an [http.Handler].
type Scripts map[string][]Step

// A Step is one answer of the model: words, and then calls of the agent's
// tools. A step without calls ends the turn.
type Step struct {
	Say   string
	Calls []Call
}

// A Call is a tool and its arguments, as the agent names them.
type Call struct {
	// Tool is its name. One that begins with * is the first offered tool whose
	// name ends in the rest: those of servers may not be known before.
	Tool string
	Args map[string]any
}

// named are the calls by the names of tools that the agent offers.
func (s Step) named(offered []string) Step {
	s.Calls = slices.Clone(s.Calls)
	for i, c := range s.Calls {
		end, open := strings.CutPrefix(c.Tool, "*")
		if !open {
			continue
		}
		if at := slices.IndexFunc(offered, func(name string) bool { return strings.HasSuffix(name, end) }); at >= 0 {
			s.Calls[i].Tool = offered[at]
		}
	}
	return s
}

// Unscripted is what the model says when it has no script, or has played it.
const Unscripted = "There is nothing more in the script."

var marker = regexp.MustCompile(`\[play ([a-z0-9-]+)\]`)

// Prompt is the prompt that starts a script.
func Prompt(script string) string { return "[play " + script + "]" }

// A message is what counts in one message of a conversation.
type message struct {
	user  bool
	text  string
	calls int // of tools, by the model
}

// next is the step that answers a conversation. Only what a person said names
// a script: an agent's tools may well print a marker.
func (s Scripts) next(conversation []message) Step {
	script, calls := "", 0
	for _, m := range conversation {
		if found := marker.FindAllStringSubmatch(m.text, -1); m.user && found != nil {
			script, calls = found[len(found)-1][1], 0
		}
		calls += m.calls
	}
	for _, step := range s[script] {
		if calls == 0 {
			return step
		}
		calls = max(0, calls-len(step.Calls))
	}
	return Step{Say: Unscripted}
}
