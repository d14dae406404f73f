// Package review lets a model answer in mode auto (APR-14a). It sends one
// request at a time to a service that speaks OpenAI's chat completions or
// Anthropic's messages, and reads back one verdict.
//
// Most programs need [New], and give the result to the gate; a [Transcript]
// gathers the conversation:
//
//	var talk review.Transcript
//	r, err := review.New(review.Options{Model: "claude-sonnet-4-5", Conversation: talk.Last})
//	…
//	g, err := gate.New(gate.Options{Mode: gate.Auto, Reviewer: r, Approver: screen})
//
// # What is sent
//
// Tool, kind, tier, directory, targets, detail, the diff, the last six
// messages of the conversation, the workspace and what the person wrote about
// their environment leave this machine. Each stands as data between marks
// that hold a new random code, so that nothing in it can end it early, and
// characters that can't be seen are written as escapes. The agent's own title
// for an action is not sent.
//
// A request that can't be shown whole is not sent at all: [ErrTooLarge],
// [ErrUnrevealed] and [ErrUnreadable] leave it to a person.
//
// # What is believed
//
// Only an answer that is one JSON object with a decision and a reason, bare
// or in one code fence, and nothing around it. Whatever else comes back, or
// goes wrong, is an error, and the gate then asks a person.
//
// # The key
//
// It is read from the environment and sent only to the host that is set up,
// over TLS unless that host is this machine; redirects are not followed. It
// is in no error and in nothing that is printed.
//
// # Concurrency
//
// A [Reviewer] may be used from any number of goroutines. It sets no limit of
// time; the gate waits for [gate.ReviewTimeout].
package review
