package demo

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// What is allowed happens: the shop's own test passes afterwards, with the
// cases that were chosen (APR-40a), and the list is ticked off (APR-43).
func TestAllowed_APR40a_APR43(t *testing.T) {
	c := newClient(t, 0, allowAll)
	if got := c.prompt(Prompt); got != acp.EndTurn {
		t.Errorf("the turn ended with %q", got)
	}
	files := c.files()
	if _, there := files[keyFile]; there || files[backupFile] != project[notesFile] {
		t.Errorf("the key is there: %t; the copy holds %q", there, files[backupFile])
	}
	for _, todo := range c.todos {
		if todo.Status != "completed" {
			t.Errorf("%q is %s", todo.Content, todo.Status)
		}
	}
	if len(c.todos) != len(steps()) || strings.Contains(c.words(), "refused, so") {
		t.Errorf("it said %s", c.words())
	}
	for _, part := range []string{"the list's test passes", "and fails without the fix"} {
		cmd := exec.Command("go", "test", "-count=1", "./...")
		cmd.Dir, cmd.Env = c.dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		out, err := cmd.CombinedOutput()
		if fixed := part == "the list's test passes"; (err == nil) != fixed {
			t.Errorf("%s: %v\n%s", part, err, out)
		}
		if err := os.WriteFile(filepath.Join(c.dir, pagerFile), []byte(project[pagerFile]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// APR-30: nothing that was refused happens, and the agent goes on to the end.
func TestRefused_APR30(t *testing.T) {
	c := newClient(t, 0, denyAll)
	if got := c.prompt(Prompt); got != acp.EndTurn {
		t.Errorf("the turn ended with %q", got)
	}
	if got := c.files(); !maps.Equal(got, project) {
		t.Errorf("the files are now %q", got)
	}
	for _, todo := range c.todos {
		if todo.Status != "pending" {
			t.Errorf("%q is %s", todo.Content, todo.Status)
		}
	}
	if !strings.Contains(c.words(), "The key is still there") {
		t.Errorf("it said %s", c.words())
	}
	// The reason comes as the next prompt, and into the plan.
	before := len(c.asked)
	c.prompt("not without asking Ada")
	if got := c.words(); !strings.Contains(got, "I understand: “not without asking Ada”") || !strings.Contains(got, "Round the page count up;") {
		t.Errorf("to the reason it said %s", got)
	}
	if len(c.asked) != before+1 || !strings.Contains(fmt.Sprintf("%+v", c.asked[before]), "> not without asking Ada") {
		t.Errorf("it didn't hand in the plan again: %d", len(c.asked)-before)
	}
}

// Answers that aren't the plain yes allow nothing.
func TestStrangeAnswersAllowNothing(t *testing.T) {
	for name, answer := range map[string]any{
		"unknown option": map[string]any{"outcome": map[string]any{"outcome": "selected", "optionId": "allow"}},
		"no option":      map[string]any{"outcome": map[string]any{"outcome": "selected"}},
		"other outcome":  map[string]any{"outcome": map[string]any{"outcome": "approved", "optionId": "allow-once"}},
		"other shape":    []any{"allow-once"},
		"nothing":        nil,
		"an error":       errors.New("out of order"),
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, 0, func(asked) (any, error) {
				err, _ := answer.(error)
				return answer, err
			})
			if got := c.prompt(Prompt); got != acp.EndTurn {
				t.Errorf("the turn ended with %q", got)
			}
			if got := c.files(); !maps.Equal(got, project) {
				t.Errorf("the files are now %q", got)
			}
		})
	}
}

// APR-30: a cancelled turn ends at once, wherever it is, and nothing more is
// asked or done; also when what waits isn't even answered.
func TestCancelledAtEachStep_APR30(t *testing.T) {
	whole := newClient(t, 0, allowAll)
	whole.prompt(Prompt)
	for n := range whole.asked {
		for _, how := range []string{"cancelled, then answered", "answered as cancelled", "cancelled and not answered"} {
			t.Run(fmt.Sprintf("%d %s", n, how), func(t *testing.T) {
				hold := make(chan struct{})
				var c *client
				var before map[string]string
				c = newClient(t, 0, func(a asked) (any, error) {
					if a.n != n {
						return allowAll(a)
					}
					before = c.files()
					if how != "answered as cancelled" || a.question() {
						c.cancel()
					}
					if how == "cancelled and not answered" {
						<-hold
					}
					if a.question() {
						return map[string]any{"action": "cancel"}, nil
					}
					return withdraw, nil
				})
				if got := c.prompt(Prompt); got != acp.Cancelled {
					t.Errorf("the turn ended with %q", got)
				}
				close(hold)
				if len(c.asked) != n+1 {
					t.Errorf("it asked %d times", len(c.asked))
				}
				if got := c.files(); !maps.Equal(got, before) {
					t.Errorf("the files changed to %q", got)
				}
				for _, todo := range c.todos {
					if todo.Status == "in_progress" {
						t.Errorf("%q still is under way", todo.Content)
					}
				}
				// The next turn is a new one.
				if got := c.prompt("hello?"); got != acp.EndTurn {
					t.Errorf("the next turn ended with %q", got)
				}
			})
		}
	}
}

// A turn that is cancelled in a pause doesn't wait for its end.
func TestCancelInAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClient(t, time.Hour, denyAll)
		start := time.Now()
		time.AfterFunc(time.Minute, c.cancel)
		if got := c.prompt(Prompt); got != acp.Cancelled || time.Since(start) != time.Minute {
			t.Errorf("the turn ended with %q after %s", got, time.Since(start))
		}
	})
}

// What was shown is what is written: a file that changed meanwhile is left.
func TestChangedMeanwhile(t *testing.T) {
	c := newClient(t, 0, func(a asked) (any, error) {
		if a.params.ToolCall.Kind == "edit" {
			if err := os.WriteFile(a.params.ToolCall.RawInput.Path, []byte("mine\n"), 0o600); err != nil {
				t.Error(err)
			}
		}
		return allowAll(a)
	})
	c.prompt(Prompt)
	files := c.files()
	if files[pagerFile] != "mine\n" || files[testFile] != "mine\n" {
		t.Errorf("the pager is %q, its test %q", files[pagerFile], files[testFile])
	}
	if !strings.Contains(c.words(), "it failed") {
		t.Errorf("it said %s", c.words())
	}
}

// Every request shows all of what it does.
func TestRequestsTellWhatTheyDo_APR30_APR41(t *testing.T) {
	c := newClient(t, 0, allowAll)
	c.prompt(Prompt)
	var got []string
	for _, a := range c.asked {
		call := a.params.ToolCall
		about := call.RawInput.Command
		if rel, err := filepath.Rel(c.dir, call.RawInput.Path); err == nil && call.RawInput.Path != "" {
			about = filepath.ToSlash(rel)
		}
		if a.question() {
			about = a.params.Message
		}
		for _, content := range call.Content {
			switch content.Type {
			case "diff":
				about += fmt.Sprintf(" %d→%d bytes", len(content.OldText), len(content.NewText))
			case "content":
				about += content.Content.Text[:19]
			}
		}
		got = append(got, strings.TrimSpace(call.Kind+" "+about))
	}
	files := c.files()
	want := []string{
		"read pager/pager.go", "execute cksum NOTES.md", "switch_mode # Count the last pa",
		fmt.Sprintf("edit pager/pager.go %d→%d bytes", len(project[pagerFile]), len(files[pagerFile])),
		"The pager needs a test.",
		fmt.Sprintf("edit pager/pager_test.go 0→%d bytes", len(files[testFile])),
		"execute cp NOTES.md NOTES.bak", "delete keys/old-deploy.pem",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("it asked for\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestShowAgain(t *testing.T) {
	c := newClient(t, 0, allowAll)
	c.prompt(Prompt)
	for _, s := range steps() {
		before := len(c.asked)
		if got := c.prompt("Show " + s.name); got != acp.EndTurn || len(c.asked) == before {
			t.Errorf("%s ended with %q and %d requests", s.name, got, len(c.asked)-before)
		}
	}
	before := len(c.asked)
	c.prompt("what else?")
	if got := c.words(); len(c.asked) != before || !strings.Contains(got, "Noted: “what else?”") || !strings.Contains(got, "`question`") {
		t.Errorf("it asked %d times and said %s", len(c.asked)-before, got)
	}
	if !strings.Contains(c.files()[notesFile], "is right now") {
		t.Error("the second edit did not reach the notes")
	}
}

// The question's answer is what the test is made of; other words are none.
func TestQuestion_APR40a(t *testing.T) {
	for name, c := range map[string]struct {
		answer map[string]any
		want   []string
		wanted bool
	}{
		"two":      {map[string]any{"action": "accept", "content": map[string]any{"cases": []string{"full", "empty"}, "parallel": true}}, []string{"only full pages", "no items"}, true},
		"words":    {map[string]any{"action": "accept", "content": map[string]any{"cases_custom": "property tests"}}, nil, false},
		"none":     {map[string]any{"action": "accept", "content": map[string]any{"cases": []string{}}}, nil, false},
		"declined": {map[string]any{"action": "decline"}, []string{"a last page that isn't full", "a page size of 0"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			client := newClient(t, 0, func(a asked) (any, error) {
				if a.question() {
					return c.answer, nil
				}
				return allow, nil
			})
			client.prompt(Prompt)
			text, there := client.files()[testFile]
			if there != c.wanted {
				t.Errorf("the test is there: %t", there)
			}
			if got, want := strings.Contains(text, "t.Parallel()"), name == "two"; got != want {
				t.Errorf("it runs beside others: %t", got)
			}
			for _, tc := range testCases {
				_, name, _ := strings.Cut(tc.line, "// ")
				want := strings.Contains(strings.Join(c.want, "; "), name)
				if strings.Contains(text, name) != want {
					t.Errorf("%q is in the test: %t", name, !want)
				}
			}
		})
	}
}

func TestOtherFoldersAreRefused(t *testing.T) {
	c := newClient(t, 0, allowAll)
	err := c.conn.Call(t.Context(), "session/new", map[string]any{"cwd": t.TempDir(), "mcpServers": []any{}}, nil)
	if rpc := (*acp.RPCError)(nil); !errors.As(err, &rpc) || rpc.Code != acp.CodeInvalidParams {
		t.Errorf("a session elsewhere: %v", err)
	}
}
