package review

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// An API is a protocol of model services.
type API uint8

const (
	// ByAddress is Messages for Anthropic's host and for addresses that end in
	// /anthropic or /messages, else ChatCompletions.
	ByAddress API = iota
	// ChatCompletions is OpenAI's, which most other services speak too.
	ChatCompletions
	// Messages is Anthropic's.
	Messages
)

const (
	anthropicHost = "api.anthropic.com"
	openAIHost    = "api.openai.com"
)

// OwnKeyVariable is the reviewer's own, which no agent has a use for.
const OwnKeyVariable = "BLITZ_APPROVE_REVIEW_KEY"

// KeyVariable is the environment variable from which the key for a base URL
// is read: the usual one of a public service for that service alone, so that
// it goes nowhere else.
func KeyVariable(baseURL string) string {
	u, _ := url.Parse(baseURL)
	switch {
	case u != nil && u.Hostname() == anthropicHost:
		return "ANTHROPIC_API_KEY"
	case u != nil && u.Hostname() == openAIHost:
		return "OPENAI_API_KEY"
	}
	return OwnKeyVariable
}

// A service is one model behind one address.
type service struct {
	wire
	model    string
	endpoint string
	client   *http.Client
	key      secret
}

// A secret is closed over instead of stored, so that printing what holds it
// prints no key.
type secret func() string

func newService(opts Options) (*service, error) {
	if opts.Model == "" {
		return nil, errors.New("no model is named")
	}
	if opts.BaseURL == "" {
		opts.BaseURL = publicAddress(opts.Model)
	}
	base, err := safeAddress(opts.BaseURL)
	if err != nil {
		return nil, err
	}
	s := &service{model: opts.Model, client: plainClient(opts.Client)}
	if s.key, err = readKey(opts.APIKeyEnv, base); err != nil {
		return nil, err
	}
	if opts.API == ByAddress {
		opts.API = apiOf(base)
	}
	path := strings.TrimRight(base.Path, "/")
	switch opts.API {
	case ChatCompletions:
		s.wire = chatWire{}
		path = strings.TrimSuffix(path, "/chat/completions") + "/chat/completions"
	case Messages:
		s.wire = messagesWire{}
		path = strings.TrimSuffix(strings.TrimSuffix(path, "/messages"), "/v1") + "/v1/messages"
	default:
		return nil, fmt.Errorf("unknown API %d", opts.API)
	}
	base.Path = path
	s.endpoint = base.String()
	return s, nil
}

func publicAddress(model string) string {
	switch {
	case strings.HasPrefix(model, "claude"):
		return "https://" + anthropicHost
	case strings.HasPrefix(model, "gpt"), strings.HasPrefix(model, "o1"), strings.HasPrefix(model, "o3"), strings.HasPrefix(model, "o4"):
		return "https://" + openAIHost + "/v1"
	}
	return ""
}

// safeAddress refuses addresses that would show key and code to others on the
// way. Its errors don't repeat the address, which may hold a password.
func safeAddress(raw string) (*url.URL, error) {
	if raw == "" {
		return nil, errors.New("the model's name doesn't tell its service; set its base_url")
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "":
		return nil, errors.New("base_url is not an address such as https://api.example.com/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("base_url must not hold a user, a query or a fragment; the key comes from the environment")
	case u.Scheme == "https", u.Scheme == "http" && isLoopback(u.Hostname()):
		return u, nil
	}
	return nil, errors.New("base_url must be https; http is possible for this machine only")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func apiOf(base *url.URL) API {
	path := strings.TrimRight(base.Path, "/")
	if base.Hostname() == anthropicHost || strings.HasSuffix(path, "/anthropic") || strings.HasSuffix(path, "/messages") {
		return Messages
	}
	return ChatCompletions
}

// readKey reads the key once. A variable that was named, and that of a public
// service, must be set.
func readKey(variable string, base *url.URL) (secret, error) {
	needed := variable != ""
	if variable == "" {
		variable = KeyVariable(base.String())
		needed = base.Hostname() == anthropicHost || base.Hostname() == openAIHost
	}
	key := strings.TrimSpace(os.Getenv(variable))
	if key == "" && needed {
		return nil, fmt.Errorf("the environment variable %s with its key is not set", variable)
	}
	return func() string { return key }, nil
}

// plainClient follows no redirect, since that would carry the request to an
// address that nobody set up.
func plainClient(c *http.Client) *http.Client {
	plain := http.Client{}
	if c != nil {
		plain = *c
	}
	plain.Jar = nil
	plain.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &plain
}
