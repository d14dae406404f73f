package review

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

// maxBody is how many bytes of a response are read.
const maxBody = 1 << 20

// A StatusError is a response that isn't 200, redirects included.
type StatusError struct {
	Status  int
	Message string // what the service says, cleaned; may be empty
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("the service answered %d %s", e.Status, http.StatusText(e.Status))
	if e.Status >= 300 && e.Status < 400 {
		text += ", and redirects are not followed"
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// exchange sends one question and reads the answer.
func (s *service) exchange(ctx context.Context, q question) (answer, error) {
	body, err := json.Marshal(s.encode(s.model, q))
	if err != nil {
		return answer{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.endpoint, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	s.sign(req.Header, s.key())
	resp, err := s.client.Do(req)
	if err != nil {
		return answer{}, s.withoutKey(ctx, err)
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	switch {
	case err != nil:
		return answer{}, s.withoutKey(ctx, fmt.Errorf("its answer broke off: %w", err))
	case len(reply) > maxBody:
		return answer{}, fmt.Errorf("%w: its answer has more than %d bytes", ErrNoVerdict, maxBody)
	case resp.StatusCode != http.StatusOK:
		return answer{}, &StatusError{Status: resp.StatusCode, Message: s.serviceSays(reply)}
	}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind != "application/json" {
		return answer{}, fmt.Errorf("%w: its answer is %q instead of JSON", ErrNoVerdict, Sentence(kind))
	}
	return s.decode(reply)
}

// withoutKey prefers why ctx ended, and drops the wrapping that repeats the
// whole address.
func (s *service) withoutKey(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return err
}

// serviceSays is the service's own word on a failure; some repeat the key.
func (s *service) serviceSays(body []byte) string {
	var reply struct{ Error struct{ Message string } }
	if json.Unmarshal(body, &reply) != nil {
		return ""
	}
	text := reply.Error.Message
	if key := s.key(); key != "" {
		text = strings.ReplaceAll(text, key, "[key]")
	}
	return Sentence(text)
}
