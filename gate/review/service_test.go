package review

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestAddress finds protocol and address, and refuses what isn't safe.
func TestAddress(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "a")
	t.Setenv("OPENAI_API_KEY", "o")
	const chat, messages = "/chat/completions", "/v1/messages"
	rows := []struct {
		model, base string
		api         API
		want        string // the endpoint, or part of the error after "error: "
	}{
		{"claude-sonnet-4-5", "", 0, "https://api.anthropic.com" + messages},
		{"gpt-5", "", 0, "https://api.openai.com/v1" + chat},
		{"o3-mini", "", 0, "https://api.openai.com/v1" + chat},
		{"qwen3", "", 0, "error: set its base_url"},
		{"", "https://api.example.com/v1", 0, "error: no model"},
		{"m", "https://api.anthropic.com/", 0, "https://api.anthropic.com" + messages},
		{"m", "https://api.anthropic.com/v1", 0, "https://api.anthropic.com" + messages},
		{"m", "https://api.example.com/v1/messages", 0, "https://api.example.com" + messages},
		{"m", "https://api.example.com/anthropic", 0, "https://api.example.com/anthropic" + messages},
		{"m", "https://api.example.com/v1/", 0, "https://api.example.com/v1" + chat},
		{"m", "https://api.example.com/v1/chat/completions", 0, "https://api.example.com/v1" + chat},
		{"m", "https://api.example.com", Messages, "https://api.example.com" + messages},
		{"m", "https://api.anthropic.com/v1", ChatCompletions, "https://api.anthropic.com/v1" + chat},
		{"m", "https://api.example.com", 9, "error: unknown API"},
		{"m", "http://localhost:11434/v1", 0, "http://localhost:11434/v1" + chat},
		{"m", "http://[::1]:11434/v1", 0, "http://[::1]:11434/v1" + chat},
		{"m", "http://127.0.0.1/v1", 0, "http://127.0.0.1/v1" + chat},
		{"m", "http://192.168.1.5/v1", 0, "error: must be https"},
		{"m", "http://localhost.example.com/v1", 0, "error: must be https"},
		{"m", "ftp://localhost/v1", 0, "error: must be https"},
		{"m", "https://me:hunter2@api.example.com/v1", 0, "error: must not hold a user"},
		{"m", "https://api.example.com/v1?key=hunter2", 0, "error: must not hold a user"},
		{"m", "https://api.example.com/%zzhunter2", 0, "error: is not an address"},
		{"m", "api.example.com", 0, "error: is not an address"},
	}
	for _, row := range rows {
		r, err := New(Options{Model: row.model, BaseURL: row.base, API: row.api})
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = r.service.endpoint
		}
		want, isError := strings.CutPrefix(row.want, "error: ")
		if !isError && got != want || isError && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%s at %q: %s, want %s", row.model, row.base, got, row.want)
		}
		if strings.Contains(got, "hunter2") {
			t.Errorf("the error repeats a password: %s", got)
		}
	}
}

// TestKey reads a key only from the variable that belongs to the host, and
// prints it nowhere.
func TestKey(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "key-anthropic")
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv("BLITZ_APPROVE_REVIEW_KEY", "key-review")
	t.Setenv("MINE", " key-mine\n")
	rows := []struct{ base, variable, want string }{
		{"https://api.anthropic.com", "", "key-anthropic"},
		{"https://api.example.com/anthropic", "", "key-review"},
		{"https://api.anthropic.com.example.com", "", "key-review"},
		{"http://localhost/v1", "", "key-review"},
		{"http://localhost/v1", "MINE", "key-mine"},
		{"https://api.openai.com/v1", "", "error: OPENAI_API_KEY"},
		{"http://localhost/v1", "UNSET_IN_TESTS", "error: UNSET_IN_TESTS"},
	}
	for _, row := range rows {
		r, err := New(Options{Model: "m", BaseURL: row.base, APIKeyEnv: row.variable})
		if want, isError := strings.CutPrefix(row.want, "error: "); isError {
			if err == nil || !strings.Contains(err.Error(), want+" ") {
				t.Errorf("%s: error %v, want one about %s", row.base, err, want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := r.service.key(); got != row.want {
			t.Errorf("%s: key %q, want %q", row.base, got, row.want)
		}
		for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
			if s := fmt.Sprintf(format, r) + fmt.Sprintf(format, r.service); strings.Contains(s, row.want) {
				t.Errorf("%s prints the key", format)
			}
		}
	}
}

func TestKeylessOnThisMachine(t *testing.T) {
	t.Setenv("BLITZ_APPROVE_REVIEW_KEY", "")
	h := http.Header{}
	chatWire{}.sign(h, "")
	messagesWire{}.sign(h, "")
	if h.Get("Authorization") != "" || h.Get("X-Api-Key") != "" {
		t.Errorf("an empty key is sent: %v", h)
	}
}

func TestEnvironmentIsNotCut(t *testing.T) {
	_, err := New(Options{Model: "m", BaseURL: "http://localhost", Environment: strings.Repeat("é", maxEnvironment+1)})
	if err == nil {
		t.Error("an environment text that would have to be cut is accepted")
	}
	if _, err := New(Options{Model: "m", BaseURL: "http://localhost", Environment: strings.Repeat("é", maxEnvironment)}); err != nil {
		t.Error(err)
	}
}
