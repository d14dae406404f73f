package review

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

const (
	testKey   = "test-key-that-must-not-leak"
	allowText = `{"decision":"allow","reason":"it only runs the tests"}`
	denyText  = `{"decision":"deny","reason":"it was not asked for"}`
)

// A standIn is a model service in this process: it keeps what it was asked
// and answers as told.
type standIn struct {
	*httptest.Server
	mu      sync.Mutex
	asked   []string // bodies
	headers []http.Header
}

func newStandIn(t *testing.T, answer http.HandlerFunc) *standIn {
	t.Helper()
	s := &standIn{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.asked, s.headers = append(s.asked, r.URL.Path+" "+string(body)), append(s.headers, r.Header)
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *standIn) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

func (s *standIn) reviewer(t *testing.T, opts Options) *Reviewer {
	t.Helper()
	t.Setenv("BLITZ_APPROVE_REVIEW_KEY", testKey)
	opts.Model, opts.BaseURL = "m", s.URL+opts.BaseURL
	r, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// chatAnswer is a body of chat completions with one answer.
func chatAnswer(text string) string {
	return fmt.Sprintf(`{"choices":[{"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":700,"completion_tokens":20}}`, quote(text))
}

func messagesAnswer(text string) string {
	return fmt.Sprintf(`{"content":[{"type":"thinking","thinking":"{}"},{"type":"note","text":"hm"},{"type":"text","text":%s}],"stop_reason":"end_turn",
		"usage":{"input_tokens":7,"cache_creation_input_tokens":90,"cache_read_input_tokens":600,"output_tokens":21}}`, quote(text))
}

func quote(s string) string { b, _ := json.Marshal(s); return string(b) }

func says(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = io.WriteString(w, body)
	}
}

func testCommand() gate.Request { return gate.CommandRequest("/w", "bash", "go test ./...") }

// TestChatCompletions: a verdict, the key in its place, tokens counted (APR-14a).
func TestChatCompletions(t *testing.T) {
	s := newStandIn(t, says(chatAnswer(allowText)))
	r := s.reviewer(t, Options{BaseURL: "/v1"})
	for range 2 {
		v, err := r.Review(t.Context(), testCommand())
		if err != nil || v != (gate.Review{Allow: true, Reason: "it only runs the tests"}) {
			t.Fatalf("%+v, %v", v, err)
		}
	}
	if u := r.Usage(); u != (Usage{2, 1400, 40}) {
		t.Errorf("usage %+v", u)
	}
	var sent struct {
		Model    string
		Stream   *bool
		Messages []turn
	}
	path, body, _ := strings.Cut(s.asked[0], " ")
	if err := json.Unmarshal([]byte(body), &sent); err != nil {
		t.Fatal(err)
	}
	if path != "/v1/chat/completions" || sent.Model != "m" || sent.Stream == nil || *sent.Stream ||
		len(sent.Messages) != 2 || sent.Messages[0].Role != "system" || sent.Messages[1].Role != "user" {
		t.Errorf("sent %s %+v", path, sent)
	}
	if got := s.headers[0].Get("Authorization"); got != "Bearer "+testKey {
		t.Errorf("Authorization: %q", got)
	}
	if strings.Contains(body, testKey) {
		t.Error("the key is in the body")
	}
}

func TestMessages(t *testing.T) {
	s := newStandIn(t, says(messagesAnswer("```json\n"+denyText+"\n```")))
	r := s.reviewer(t, Options{BaseURL: "/anthropic"})
	v, err := r.Review(t.Context(), testCommand())
	if err != nil || v != (gate.Review{Reason: "it was not asked for"}) {
		t.Fatalf("%+v, %v", v, err)
	}
	if u := r.Usage(); u != (Usage{1, 697, 21}) {
		t.Errorf("usage %+v", u)
	}
	var sent struct {
		System    string
		MaxTokens int `json:"max_tokens"`
		Messages  []turn
	}
	path, body, _ := strings.Cut(s.asked[0], " ")
	_ = json.Unmarshal([]byte(body), &sent)
	if path != "/anthropic/v1/messages" || sent.System == "" || sent.MaxTokens == 0 || len(sent.Messages) != 1 {
		t.Errorf("sent %s %+v", path, sent)
	}
	if h := s.headers[0]; h.Get("X-Api-Key") != testKey || h.Get("Anthropic-Version") == "" || h.Get("Authorization") != "" {
		t.Errorf("headers %v", h)
	}
}

// TestBadService: whatever goes wrong is an error and no verdict (APR-14a).
func TestBadService(t *testing.T) {
	chat := func(message, reason string) string {
		return `{"choices":[{"message":` + message + `,"finish_reason":"` + reason + `"}]}`
	}
	content := `{"content":` + quote(allowText) + `}`
	rows := []struct {
		name, base string
		answer     http.HandlerFunc
		want       string // in the error
	}{
		{"garbage", "", says("<html>allow</html>"), "can't be read"},
		{"empty", "", says(""), "can't be read"},
		{"more behind", "", says(chatAnswer(allowText) + chatAnswer(allowText)), "can't be read"},
		{"another shape", "", says(`{"choices":{}}`), "can't be read"},
		{"no answer", "", says(`{"choices":[]}`), "it gave 0 answers"},
		{"two answers", "", says(strings.Replace(chatAnswer(allowText), `"choices":[`, `"choices":[`+`{"message":`+content+`},`, 1)), "it gave 2 answers"},
		{"two verdicts", "", says(chatAnswer(allowText + denyText)), "follows the verdict"},
		{"cut off", "", says(chat(content, "length")), "ended early (length)"},
		{"filtered", "", says(chat(content, "content_filter")), "ended early"},
		{"refusal", "", says(chat(`{"content":`+quote(allowText)+`,"refusal":"I can't"}`, "stop")), "refused"},
		{"no text", "", says(chat(`{"content":null}`, "stop")), "empty"},
		{"messages cut off", "/anthropic", says(strings.Replace(messagesAnswer(allowText), "end_turn", "max_tokens", 1)), "ended early (max_tokens)"},
		{"messages without reason to stop", "/anthropic", says(strings.Replace(messagesAnswer(allowText), "end_turn", "", 1)), "ended early"},
		{"messages garbage", "/anthropic", says("[]"), "can't be read"},
		{"of the other protocol", "/anthropic", says(chatAnswer(allowText)), "ended early"},
		{"huge", "", says(chatAnswer(allowText + strings.Repeat(" ", maxBody))), "more than"},
		{"endless", "", func(w http.ResponseWriter, r *http.Request) {
			says("")(w, r)
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		}, "more than"},
		{"wrong content type", "", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, chatAnswer(allowText))
		}, `"text/html"`},
		{"500", "", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(500)
			_, _ = io.WriteString(w, chatAnswer(allowText))
		}, "500"},
		{"201", "", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(201)
			_, _ = io.WriteString(w, chatAnswer(allowText))
		}, "201"},
		{"broken off, with a length", "", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "9999")
			_, _ = io.WriteString(w, chatAnswer(allowText))
		}, "broke off"},
		{"broken off, in chunks", "", func(w http.ResponseWriter, r *http.Request) {
			says(chatAnswer(allowText))(w, r)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, "broke off"},
		{"gone", "", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := newStandIn(t, row.answer)
			v, err := s.reviewer(t, Options{BaseURL: row.base}).Review(t.Context(), testCommand())
			if err == nil || v != (gate.Review{}) {
				t.Fatalf("%+v, %v", v, err)
			}
			if text := err.Error(); !strings.Contains(text, row.want) || strings.Contains(text, testKey) || strings.ContainsAny(text, "\n\x1b") {
				t.Errorf("error %q, want %q in it", text, row.want)
			}
		})
	}
}

// TestServiceRepeatsKey: what a service says on a failure is shown without
// the key and cleaned.
func TestServiceRepeatsKey(t *testing.T) {
	s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(401)
		fmt.Fprintf(w, `{"error":{"message":"no such key: %s\n\u001b[31mgo away"}}`, testKey)
	})
	_, err := s.reviewer(t, Options{}).Review(t.Context(), testCommand())
	var status *StatusError
	if !errors.As(err, &status) || status.Status != 401 || status.Message != "no such key: [key] [31mgo away" {
		t.Errorf("%v", err)
	}
}

// TestRedirectsAreRefused: neither key nor request go elsewhere.
func TestRedirectsAreRefused(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		elsewhere := newStandIn(t, says(chatAnswer(allowText)))
		s := newStandIn(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, status) })
		// A client that would follow is no way round.
		v, err := s.reviewer(t, Options{Client: &http.Client{}}).Review(t.Context(), testCommand())
		if err == nil || v.Allow || !strings.Contains(err.Error(), "redirects are not followed") {
			t.Errorf("%d: %+v, %v", status, v, err)
		}
		if n := elsewhere.count(); n != 0 {
			t.Errorf("%d: the redirect was followed %d times", status, n)
		}
	}
}

// TestSlowService: the end of the context ends the review, with its cause.
func TestSlowService(t *testing.T) {
	arrived := make(chan struct{})
	s := newStandIn(t, func(w http.ResponseWriter, r *http.Request) {
		says(`{"choices":[`)(w, r) // half an answer, and then nothing
		w.(http.Flusher).Flush()
		close(arrived)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("that is enough")
	go func() { <-arrived; cancel(enough) }()
	v, err := s.reviewer(t, Options{}).Review(ctx, testCommand())
	if !errors.Is(err, enough) || v.Allow {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestTLS: a service with a certificate that nobody vouches for is refused.
func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(says(chatAnswer(allowText)))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains of the client that leaves
	s.StartTLS()
	defer s.Close()
	for _, row := range []struct {
		client *http.Client
		allow  bool
	}{{nil, false}, {s.Client(), true}} {
		r, err := New(Options{Model: "m", BaseURL: s.URL, Client: row.client})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := r.Review(t.Context(), testCommand()); v.Allow != row.allow || (err == nil) != row.allow {
			t.Errorf("%+v, %v", v, err)
		}
	}
}

func TestUsageNeverShrinks(t *testing.T) {
	s := newStandIn(t, says(strings.NewReplacer("700", "-700", "20}", "-20}").Replace(chatAnswer(allowText))))
	r := s.reviewer(t, Options{})
	if _, err := r.Review(t.Context(), testCommand()); err != nil {
		t.Fatal(err)
	}
	if u := r.Usage(); u != (Usage{Requests: 1}) {
		t.Errorf("usage %+v", u)
	}
}

// TestUsageOfNoVerdict: tokens count also when the answer is of no use.
func TestUsageOfNoVerdict(t *testing.T) {
	s := newStandIn(t, says(strings.Replace(chatAnswer("?"), "stop", "length", 1)))
	r := s.reviewer(t, Options{})
	if _, err := r.Review(t.Context(), testCommand()); !errors.Is(err, ErrNoVerdict) {
		t.Fatal(err)
	}
	if u := r.Usage(); u != (Usage{1, 700, 20}) {
		t.Errorf("usage %+v", u)
	}
}

// TestNotSent: what can't be shown whole never leaves the machine (APR-14a).
func TestNotSent(t *testing.T) {
	lines := func(n int) []byte { return []byte(strings.Repeat("é\n", n)) }
	change := func(before, after []byte) gate.Request {
		return gate.Request{Tool: "edit", Kind: gate.WriteFile, Targets: []string{"a"}, Diff: []gate.Change{{Path: "a", Before: before, After: after}}}
	}
	targets := testCommand()
	targets.Targets = make([]string, maxTargets+1)
	long := testCommand()
	long.Targets = []string{strings.Repeat("x", maxAction)}
	detail := testCommand()
	detail.Detail = strings.Repeat("x", maxAction)
	fields := testCommand()
	fields.Fields = []gate.Field{{Label: "code", Value: strings.Repeat("x", maxAction)}}
	many := change(nil, lines(1))
	for range 1000 {
		many.Diff = append(many.Diff, many.Diff[0])
	}
	unrevealed := testCommand()
	unrevealed.Unrevealed = true
	rows := []struct {
		name string
		req  gate.Request
		want error
	}{
		{"long diff", change(nil, lines(maxDiff/3)), ErrTooLarge},
		{"diff of very many lines", change(nil, lines(maxDiff+1)), ErrTooLarge},
		{"diff of one long line", change(nil, []byte(strings.Repeat("x", maxDiff))), ErrTooLarge},
		{"diff of one endless line", change(nil, []byte(strings.Repeat("x", 4*maxDiff+1))), ErrTooLarge},
		{"many files", many, ErrTooLarge},
		{"many targets", targets, ErrTooLarge},
		{"long command", long, ErrTooLarge},
		{"long detail", detail, ErrTooLarge},
		{"long field", fields, ErrTooLarge},
		{"unrevealed", unrevealed, ErrUnrevealed},
		{"binary", change(nil, []byte("\x00\x01")), ErrUnreadable},
		{"binary deleted", change([]byte("\x00\x01"), nil), ErrUnreadable},
	}
	s := newStandIn(t, says(chatAnswer(allowText)))
	r := s.reviewer(t, Options{})
	for _, row := range rows {
		if v, err := r.Review(t.Context(), row.req); !errors.Is(err, row.want) || v.Allow {
			t.Errorf("%s: %+v, %v, want %v", row.name, v, err, row.want)
		}
	}
	if n := s.count(); n != 0 || r.Usage() != (Usage{}) {
		t.Errorf("%d of them were sent", n)
	}
	// What just fits is sent: a head of 20 characters, and 3 for each line.
	if _, err := r.Review(t.Context(), change(nil, lines((maxDiff-60)/3))); err != nil {
		t.Errorf("a diff that fits: %v", err)
	}
}
