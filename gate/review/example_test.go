package review_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/review"
)

// A gate in mode auto asks a model before it asks a person.
func Example() {
	// A real program leaves this out and gives the address of its service.
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"choices":[{"finish_reason":"stop","message":{"content":
			"{\"decision\":\"deny\",\"reason\":\"nobody asked for a release; build it without publishing\"}"}}],
			"usage":{"prompt_tokens":812,"completion_tokens":24}}`)
	}))
	defer service.Close()

	reviewer, err := review.New(review.Options{
		Model: "qwen3-coder", BaseURL: service.URL + "/v1",
		Environment: "Registry npm.example.com is ours; publishing is for releases.",
		Conversation: func() []review.Message {
			return []review.Message{{From: review.Person, Text: "make the build pass"}}
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := gate.New(gate.Options{Workspace: "/srv/shop", Mode: gate.Auto, Reviewer: reviewer})
	if err != nil {
		fmt.Println(err)
		return
	}
	v := g.Decide(context.Background(), gate.CommandRequest("/srv/shop", "bash", "npm publish"))
	fmt.Println(v.Effect, "·", v.Cause)
	fmt.Println(v.Reason)
	fmt.Println(reviewer.Usage().InputTokens, "tokens in")
	// Output:
	// deny · auto-deny
	// nobody asked for a release; build it without publishing
	// 812 tokens in
}
