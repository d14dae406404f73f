package review

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// maxAnswer is how many tokens an answer may take; a verdict takes about 60,
// and some models think first.
const maxAnswer = 4096

// A wire is how a protocol writes questions and answers.
type wire interface {
	// sign adds the key; empty means none.
	sign(h http.Header, key string)
	encode(model string, q question) any
	// decode reads the answer. The usage counts also with an error.
	decode(body []byte) (answer, error)
}

// An answer is what the model said, not yet read.
type answer struct {
	text  string
	usage Usage
}

type turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// chatWire is OpenAI's chat completions. Limits and temperature are left out,
// since models and servers disagree on them.
type chatWire struct{}

func (chatWire) sign(h http.Header, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}

func (chatWire) encode(model string, q question) any {
	return struct {
		Model    string `json:"model"`
		Messages []turn `json:"messages"`
		Stream   bool   `json:"stream"`
	}{model, []turn{{"system", q.system}, {"user", q.user}}, false}
}

func (chatWire) decode(body []byte) (answer, error) {
	var reply struct {
		Choices []struct {
			Message struct {
				Content string
				Refusal string
			}
			FinishReason string `json:"finish_reason"`
		}
		Usage struct {
			Prompt     int64 `json:"prompt_tokens"`
			Completion int64 `json:"completion_tokens"`
		}
	}
	err := json.Unmarshal(body, &reply)
	a := answer{usage: Usage{InputTokens: reply.Usage.Prompt, OutputTokens: reply.Usage.Completion}}
	switch {
	case err != nil:
		return a, fmt.Errorf("its answer can't be read: %w", err)
	case len(reply.Choices) != 1:
		return a, fmt.Errorf("%w: it gave %d answers", ErrNoVerdict, len(reply.Choices))
	case reply.Choices[0].Message.Refusal != "":
		return a, fmt.Errorf("%w: the model refused to answer", ErrNoVerdict)
	}
	a.text = reply.Choices[0].Message.Content
	return a, finished(reply.Choices[0].FinishReason, "stop", "")
}

// messagesWire is Anthropic's messages.
type messagesWire struct{}

func (messagesWire) sign(h http.Header, key string) {
	h.Set("Anthropic-Version", "2023-06-01")
	if key != "" {
		h.Set("X-Api-Key", key)
	}
}

func (messagesWire) encode(model string, q question) any {
	return struct {
		Model     string `json:"model"`
		System    string `json:"system"`
		Messages  []turn `json:"messages"`
		MaxTokens int    `json:"max_tokens"`
	}{model, q.system, []turn{{"user", q.user}}, maxAnswer}
}

func (messagesWire) decode(body []byte) (answer, error) {
	var reply struct {
		Content []struct {
			Type, Text string
		}
		StopReason string `json:"stop_reason"`
		Usage      struct {
			Input       int64 `json:"input_tokens"`
			CacheWrites int64 `json:"cache_creation_input_tokens"`
			CacheReads  int64 `json:"cache_read_input_tokens"`
			Output      int64 `json:"output_tokens"`
		}
	}
	err := json.Unmarshal(body, &reply)
	u := reply.Usage
	a := answer{usage: Usage{InputTokens: u.Input + u.CacheWrites + u.CacheReads, OutputTokens: u.Output}}
	if err != nil {
		return a, fmt.Errorf("its answer can't be read: %w", err)
	}
	for _, block := range reply.Content {
		if block.Type == "text" {
			a.text += block.Text
		}
	}
	return a, finished(reply.StopReason, "end_turn", "stop_sequence")
}

// finished refuses an answer that was cut off or stopped by a filter.
func finished(reason string, whole ...string) error {
	for _, w := range whole {
		if reason == w {
			return nil
		}
	}
	return fmt.Errorf("%w: the answer ended early (%s)", ErrNoVerdict, Sentence(reason))
}
