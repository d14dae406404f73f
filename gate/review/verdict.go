package review

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/blitz-approve/blitz-approve/diffview/unseen"
	"github.com/blitz-approve/blitz-approve/gate"
)

// ErrNoVerdict is an answer that isn't exactly one verdict.
var ErrNoVerdict = errors.New("no verdict")

// parseVerdict reads the one JSON object that an answer must be, bare or in a
// code fence. Text around it could contradict it or quote another one from
// the request, so that there may be none (APR-14a).
func parseVerdict(text string) (gate.Review, error) {
	body, err := unfenced(strings.TrimSpace(text))
	if err != nil {
		return gate.Review{}, err
	}
	decision, reason, err := Decode(body)
	switch {
	case err != nil:
		return gate.Review{}, fmt.Errorf("%w: %w", ErrNoVerdict, err)
	case decision != "allow" && decision != "deny":
		return gate.Review{}, fmt.Errorf("%w: the decision %q is neither allow nor deny", ErrNoVerdict, Sentence(decision))
	case reason == "":
		return gate.Review{}, fmt.Errorf("%w: the decision has no reason", ErrNoVerdict)
	}
	return gate.Review{Allow: decision == "allow", Reason: reason}, nil
}

// Decode reads the form of a verdict that models and permission hooks share:
// one JSON object with a decision and a reason, each at most once, and nothing
// else. The decision comes back as written, for the caller to compare; the
// reason as a [Sentence].
func Decode(text string) (decision, reason string, err error) {
	var v struct{ Decision, Reason once }
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	switch err := dec.Decode(&v); {
	case errors.Is(err, io.EOF):
		return "", "", errors.New("the answer is empty")
	case err != nil:
		return "", "", errors.New("the answer is not a verdict: " + Sentence(err.Error()))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return "", "", errors.New("something follows the verdict")
	}
	return v.Decision.text, Sentence(v.Reason.text), nil
}

// unfenced takes off one code fence around the whole text.
func unfenced(text string) (string, error) {
	rest, fenced := strings.CutPrefix(text, "```")
	if !fenced {
		return text, nil
	}
	label, body, _ := strings.Cut(rest, "\n")
	body, closed := strings.CutSuffix(body, "```")
	if label = strings.TrimSpace(label); !closed || label != "" && !strings.EqualFold(label, "json") {
		return "", fmt.Errorf("%w: the code fence around the answer can't be read", ErrNoVerdict)
	}
	return body, nil
}

// once is a text that may be given once: of two members with the same name,
// JSON takes the last, and they may contradict each other.
type once struct {
	text string
	set  bool
}

func (o *once) UnmarshalJSON(raw []byte) error {
	if o.set {
		return errors.New("a member comes twice")
	}
	if !bytes.HasPrefix(raw, []byte{'"'}) {
		return errors.New("a member is not a text")
	}
	o.set = true
	return json.Unmarshal(raw, &o.text)
}

// maxSentence is how many characters of a model's or service's text are kept.
const maxSentence = 500

// Sentence makes text from outside one short line, of at most 500 characters,
// without characters that act on a terminal or can't be seen.
func Sentence(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unseen.Rune(r):
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > maxSentence {
		s = string(runes[:maxSentence]) + "…"
	}
	return s
}
