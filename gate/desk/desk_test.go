//go:build unix

package desk

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// person answers in place of a screen, and notes what happens.
type person struct {
	approve func(context.Context, gate.Prompt) (gate.Answer, error)
	ask     func(prompts.Question) (prompts.Answer, error)

	happened chan string // "seat NAME", "leave NAME", "dropped WHY", "settled CAUSE TARGET"
	mu       sync.Mutex
	cancels  []func()
}

func newPerson() *person { return &person{happened: make(chan string, 1000)} }

func (p *person) Seat(a Agent, cancel func()) Seat {
	p.mu.Lock()
	p.cancels = append(p.cancels, cancel)
	p.mu.Unlock()
	p.happened <- "seat " + a.Name
	return &place{p, a}
}

func (p *person) Dropped(why error) { p.happened <- "dropped " + why.Error() }

func (p *person) Standing(list []gate.Approved) {
	p.happened <- fmt.Sprint("standing ", len(list))
}

// waits for something to happen, over other things.
func (p *person) waits(t *testing.T, want string) {
	t.Helper()
	for {
		select {
		case got := <-p.happened:
			if strings.Contains(got, want) {
				return
			}
		case <-t.Context().Done():
			t.Fatalf("%q never happened", want)
		}
	}
}

type place struct {
	*person
	agent Agent
}

func (s *place) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	return s.approve(ctx, p)
}

func (s *place) Ask(_ context.Context, q prompts.Question) (prompts.Answer, error) { return s.ask(q) }

func (s *place) AskGroup(_ context.Context, qs []prompts.Question) (given []prompts.Answer, err error) {
	for _, q := range qs {
		a, err := s.ask(q)
		if err != nil {
			return given, err
		}
		given = append(given, a)
	}
	return given, nil
}

func (s *place) Settled(v gate.Verdict) {
	s.happened <- fmt.Sprint("settled ", v.Cause, " ", v.Request.Targets)
}
func (s *place) SetTodos(list prompts.TodoList) {
	s.happened <- fmt.Sprintf("tasks %d/%d", list.Done, list.Total)
}
func (s *place) Leave() { s.happened <- "leave " + s.agent.Name }

// opens a desk in a folder of its own, for as long as the test runs.
func opens(t *testing.T, room Room) (folder string, d *Desk) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "run")
	d, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := d.Serve(context.Background(), room); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		d.Close()
		<-served
	})
	return folder, d
}

func dials(t *testing.T, folder, name string, cancel func()) *Client {
	t.Helper()
	c, err := Dial(t.Context(), folder, Agent{Name: name, Workspace: "/w"}, cancel)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// gateOf is a real gate whose person is at the desk.
func gateOf(t *testing.T, c *Client) *gate.Gate {
	t.Helper()
	g, err := gate.New(gate.Options{Workspace: "/w", Mode: gate.Default, Approver: c})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func once(context.Context, gate.Prompt) (gate.Answer, error) {
	return gate.Answer{Decision: gate.Once}, nil
}

// TestPromptArrivesWhole: what is shown at the desk is what was asked, byte for
// byte: empty files are not missing ones (BEY-01, BEY-02).
func TestPromptArrivesWhole(t *testing.T) {
	room := newPerson()
	shown := make(chan gate.Prompt, 1)
	room.approve = func(_ context.Context, p gate.Prompt) (gate.Answer, error) {
		shown <- p
		return gate.Answer{Decision: gate.Once, Message: "mind the tests"}, nil
	}
	folder, _ := opens(t, room)
	g := gateOf(t, dials(t, folder, "one", nil))
	req := gate.WriteRequest("/w", "edit",
		gate.Change{Path: "new", After: []byte{}}, gate.Change{Path: "bytes", Before: []byte("\xff\x00\r\n"), After: []byte("\xfe")},
		gate.Change{Path: "<&>\u2028", Before: []byte{}, After: []byte("x")})
	req.Origin = gate.Origin{Agent: "one", Session: "s", Protocol: "acp"}
	req.Fields = []gate.Field{{Label: "a", Value: "\x1b[2J"}}
	v := g.Decide(t.Context(), req)
	if v.Cause != gate.CauseUserOnce || v.Message != "mind the tests" {
		t.Errorf("%s: %s", v.Cause, v.Reason)
	}
	p := <-shown
	if !reflect.DeepEqual(p.Request, v.Request) || p.Request.Digest() != v.Request.Digest() {
		t.Errorf("shown was\n%#v\nasked was\n%#v", p.Request, v.Request)
	}
	if p.Verdict.Reason == "" || p.Session == "" || !p.Offers(gate.Always) || p.Saves == "" || p.Revise != nil {
		t.Errorf("the rest of the prompt is missing: %#v", p)
	}
	if !reflect.DeepEqual(p.Verdict.Request, p.Request) {
		t.Error("the verdict is not about the request")
	}
}

// TestEditAtTheDesk: an edit is looked at by the gate that asked, and what was
// shown for it is what counts (BEY-02, BEY-05).
func TestEditAtTheDesk(t *testing.T) {
	room := newPerson()
	folder, _ := opens(t, room)
	g := gateOf(t, dials(t, folder, "one", nil))
	req := gate.CommandRequest("/w", "bash", "make all")
	req.Editable = true
	for _, c := range []struct {
		name, cause string
		answer      func(gate.Prompt) gate.Answer
	}{
		{"shown", gate.CauseUserOnce, func(p gate.Prompt) gate.Answer {
			revised, err := p.Revise(gate.Edit{Command: "make test"})
			if err != nil || revised.Request.Targets[0] != "make test" || revised.Revise == nil {
				t.Errorf("revised to %v, %v", revised.Request.Targets, err)
			}
			if _, err := revised.Revise(gate.Edit{Command: " "}); err == nil {
				t.Error("an edit without a command was taken")
			}
			return revised.Answer(gate.Once)
		}},
		{"never shown", gate.CauseError, func(gate.Prompt) gate.Answer {
			return gate.Answer{Decision: gate.Once, Edited: &gate.Edit{Command: "make test"}}
		}},
	} {
		room.approve = func(_ context.Context, p gate.Prompt) (gate.Answer, error) { return c.answer(p), nil }
		v := g.Decide(t.Context(), req)
		if v.Cause != c.cause {
			t.Errorf("%s: %s, %s", c.name, v.Cause, v.Reason)
		}
		if v.Allowed() && v.Request.Targets[0] != "make test" {
			t.Errorf("%s: %q would run", c.name, v.Request.Targets)
		}
	}
}

// TestAnswerForSomethingElse: a yes counts only for the digest that was asked,
// and only if it was offered (BEY-02).
func TestAnswerForSomethingElse(t *testing.T) {
	p := gate.Prompt{Request: gate.CommandRequest("/w", "bash", "ls"), Verdict: gate.Verdict{Effect: gate.Ask, Offers: []gate.Decision{gate.Once}}}
	digest := p.Request.Digest()
	ruled := p
	ruled.Widths = []gate.Width{{Rule: "shell(ls)"}}
	for rule, offered := range map[string]bool{"shell(ls)": true, "shell(ls *)": false} {
		a := answer{gate.Answer{Decision: gate.Always, Rule: rule, Place: gate.WorkspaceRules}, digest}
		if _, err := a.accept(ruled); (err == nil) != offered {
			t.Errorf("the rule %s: %v", rule, err)
		}
	}
	for _, c := range []struct {
		name string
		answer
		allowed bool
	}{
		{"right", answer{gate.Answer{Decision: gate.Once}, digest}, true},
		{"another digest", answer{gate.Answer{Decision: gate.Once}, "sha256:00"}, false},
		{"no digest", answer{gate.Answer{Decision: gate.Once}, ""}, false},
		{"not offered", answer{gate.Answer{Decision: gate.Always}, digest}, false},
		{"unknown decision", answer{gate.Answer{Decision: 77}, digest}, false},
		{"an edit of what can't be edited", answer{gate.Answer{Decision: gate.Once, Edited: &gate.Edit{Command: "x"}}, digest}, false},
	} {
		got, err := c.answer.accept(p)
		if allowed := err == nil && !refuses(got.Decision); allowed != c.allowed {
			t.Errorf("%s: %v, %v", c.name, got.Decision, err)
		}
	}
}

// TestNotText: what would look different at the desk isn't asked there.
func TestNotText(t *testing.T) {
	room := newPerson()
	room.approve = once
	folder, _ := opens(t, room)
	c := dials(t, folder, "one", nil)
	req := gate.MCPRequest("srv", "tool")
	req.Detail = "bad \xff byte"
	if _, err := c.Approve(t.Context(), gate.Prompt{Request: req, Verdict: gate.Verdict{Offers: []gate.Decision{gate.Once}}}); !errors.Is(err, ErrNotText) {
		t.Error(err)
	}
}

// TestQuestions: questions, declined ones, and answers that the asker's check
// refuses (APR-40).
func TestQuestions(t *testing.T) {
	room := newPerson()
	folder, _ := opens(t, room)
	c := dials(t, folder, "one", nil)
	ask := func(q prompts.Question) (prompts.Answer, error) {
		switch {
		case q.Text == "no":
			return prompts.Answer{}, prompts.ErrDeclined
		case strings.HasSuffix(q.Text, "\ntoo short"):
			return prompts.Answer{Text: "longer"}, nil
		}
		return prompts.Answer{Text: q.Options[0].Label, Selected: []string{q.Options[0].Label}, Note: q.Document}, nil
	}
	room.ask = ask
	options := []prompts.Option{{Label: "A", Preview: "p"}}
	a, err := c.Ask(t.Context(), prompts.Question{Text: "q", Options: options, Document: "doc"})
	if err != nil || a.Text != "A" || a.Note != "doc" {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := c.Ask(t.Context(), prompts.Question{Text: "no"}); !errors.Is(err, prompts.ErrDeclined) {
		t.Error(err)
	}
	check := func(a prompts.Answer) string {
		if len(a.Text) < 3 {
			return "too short"
		}
		return ""
	}
	given, err := prompts.AskAll(t.Context(), c, []prompts.Question{{Text: "q", Options: options}, {Text: "r", Options: options, Check: check}})
	if err != nil || len(given) != 2 || given[1].Text != "longer" {
		t.Errorf("%+v, %v", given, err)
	}
	var arrived []prompts.Question
	room.ask = func(q prompts.Question) (prompts.Answer, error) {
		arrived = append(arrived, q)
		return prompts.Answer{Text: map[bool]string{true: "A", false: "words"}[len(arrived) > 1]}, nil
	}
	given, err = prompts.AskAll(t.Context(), c, []prompts.Question{{Text: "q", Options: options, Closed: true}})
	if err != nil || given[0].Text != "A" || !arrived[0].Closed || arrived[1].Text != "q\nPlease choose from the list." {
		t.Errorf("a closed one: %+v, %v, asked %+v", given, err, arrived)
	}
	room.ask = ask
	given, err = c.AskGroup(t.Context(), []prompts.Question{{Text: "q", Options: options}, {Text: "no"}})
	if len(given) != 1 || !errors.Is(err, prompts.ErrDeclined) {
		t.Errorf("%+v, %v", given, err)
	}
}

// TestWithdrawn: what isn't asked any more goes from the desk, with the reason,
// whether it was settled elsewhere or the agent died.
func TestWithdrawn(t *testing.T) {
	room := newPerson()
	waiting, gone := make(chan struct{}, 2), make(chan error, 2)
	room.approve = func(ctx context.Context, _ gate.Prompt) (gate.Answer, error) {
		waiting <- struct{}{}
		<-ctx.Done()
		gone <- context.Cause(ctx)
		return gate.Answer{Decision: gate.Once}, nil // too late
	}
	folder, _ := opens(t, room)
	c := dials(t, folder, "one", nil)
	g := gateOf(t, c)
	go func() {
		<-waiting
		if err := g.SetMode(gate.Yolo); err != nil {
			t.Error(err)
		}
	}()
	if v := g.Decide(t.Context(), gate.CommandRequest("/w", "bash", "make")); v.Cause != "mode-yolo" {
		t.Errorf("%s: %s", v.Cause, v.Reason)
	}
	if err := <-gone; !strings.Contains(err.Error(), "yolo") {
		t.Errorf("withdrawn because of %v", err)
	}
	if err := g.SetMode(gate.Default); err != nil {
		t.Fatal(err)
	}
	go func() {
		<-waiting
		c.up().end(ErrLost)
	}()
	if v := g.Decide(t.Context(), gate.CommandRequest("/w", "bash", "make")); v.Allowed() || v.Cause != gate.CauseUnanswered {
		t.Errorf("%s: %s", v.Cause, v.Reason)
	}
	if err := <-gone; !errors.Is(err, errGone) {
		t.Errorf("withdrawn because of %v", err)
	}
	room.waits(t, "leave one")
}

// TestSettledWithdraws: the verdict alone takes a request from the desk, with its
// reason. An agent that goes at once may not come to withdraw it.
func TestSettledWithdraws(t *testing.T) {
	for want, v := range map[string]gate.Verdict{
		"nobody answered: its time is over":                 {Cause: gate.CauseUnanswered, Reason: "nobody answered: its time is over"},
		"allowed meanwhile: mode yolo lets everything pass": {Effect: gate.Allow, Cause: "mode-yolo", Mode: gate.Yolo, Reason: "mode yolo lets everything pass"},
	} {
		room := newPerson()
		waiting, gone := make(chan struct{}), make(chan error, 1)
		room.approve = func(ctx context.Context, _ gate.Prompt) (gate.Answer, error) {
			close(waiting)
			<-ctx.Done()
			gone <- context.Cause(ctx)
			return gate.Answer{}, context.Cause(ctx)
		}
		folder, _ := opens(t, room)
		c := dials(t, folder, "one", nil)
		req := gate.CommandRequest("/w", "bash", "make")
		req.ID = "r1"
		packed, err := packPrompt(gate.Prompt{Request: req})
		if err != nil || !c.up().offer(asking{ID: 1, Prompt: packed}) {
			t.Fatal("nothing was asked", err)
		}
		<-waiting
		c.Settled(gate.Verdict{Request: gate.Request{ID: "another"}, Reason: "another"})
		v.Request = req
		c.Settled(v)
		if err := <-gone; err.Error() != want {
			t.Errorf("withdrawn because of %v, want %s", err, want)
		}
	}
}

// TestDeskEnds: what waits is refused, and the next desk is found.
func TestDeskEnds(t *testing.T) {
	room := newPerson()
	folder, d := opens(t, room)
	free := make(chan struct{})
	freed := sync.OnceFunc(func() { close(free) })
	room.approve = func(context.Context, gate.Prompt) (gate.Answer, error) {
		d.Close()
		freed()
		return gate.Answer{}, fmt.Errorf("%w: the screen has ended", gate.ErrUnanswered)
	}
	c := dials(t, folder, "one", nil)
	g := gateOf(t, c)
	// The desk's answer and the end of its connection come in either order.
	if v := g.Decide(t.Context(), gate.CommandRequest("/w", "bash", "make")); v.Allowed() || v.Cause != gate.CauseUnanswered {
		t.Errorf("%s: %s", v.Cause, v.Reason)
	}
	// The client may hear of the end a moment later, and be answered until then.
	for ended := false; !ended; {
		v := g.Decide(t.Context(), gate.CommandRequest("/w", "bash", "make"))
		ended = strings.Contains(v.Reason, ErrNoDesk.Error())
		if v.Allowed() || !ended && !strings.Contains(v.Reason, ErrLost.Error()) && !strings.Contains(v.Reason, "the screen has ended") {
			t.Fatalf("%s: %s", v.Cause, v.Reason)
		}
	}
	<-free // the socket goes before the lock does
	next, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	other := newPerson()
	other.approve = once
	go func() { _ = next.Serve(context.Background(), other) }()
	if v := g.Decide(t.Context(), gate.CommandRequest("/w", "bash", "make")); !v.Allowed() {
		t.Errorf("%s: %s", v.Cause, v.Reason)
	}
}

// TestCancelAndSettled: the person's cancel reaches the one agent, and what a
// gate decided reaches the desk, in short.
func TestCancelAndSettled(t *testing.T) {
	room := newPerson()
	folder, _ := opens(t, room)
	cancelled := make(chan string, 2)
	one := dials(t, folder, "one", func() { cancelled <- "one" })
	room.waits(t, "seat one")
	dials(t, folder, "two", func() { cancelled <- "two" })
	room.waits(t, "seat two")
	room.cancels[0]()
	if got := <-cancelled; got != "one" {
		t.Errorf("%s was cancelled", got)
	}
	req := gate.WriteRequest("/w", "edit", gate.Change{Path: "a", After: make([]byte, 1<<20)})
	one.Settled(gate.Verdict{Cause: "rule-deny", Request: req})
	room.waits(t, "settled rule-deny [a]")
	one.SetTodos(t.Context(), prompts.TodoList{Done: 1, Total: 2})
	room.waits(t, "tasks 1/2")
}

// TestOneDesk: one at a time; what a desk that was killed left behind is
// replaced; a folder that others may enter isn't used.
func TestOneDesk(t *testing.T) {
	room := newPerson()
	folder, _ := opens(t, room)
	if _, err := Open(folder); !errors.Is(err, ErrTaken) {
		t.Errorf("a second desk: %v", err)
	}
	stale := t.TempDir()
	if err := os.Chmod(stale, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(stale, socketName), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	if _, err := Dial(t.Context(), stale, Agent{}, nil); !errors.Is(err, ErrNoDesk) {
		t.Errorf("a socket that was left behind: %v", err)
	}
	d, err := Open(stale)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(stale, socketName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	d.Close()
	if _, err := os.Stat(filepath.Join(stale, socketName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is left: %v", err)
	}
	if err := os.Chmod(stale, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(stale); !errors.Is(err, ErrUnsafe) {
		t.Errorf("a folder for all: %v", err)
	}
	long := filepath.Join(t.TempDir(), strings.Repeat("x", maxPath))
	if _, err := Open(long); err == nil || !strings.Contains(err.Error(), "BLITZ_HOME") {
		t.Errorf("a long path: %v", err)
	}
}

// TestDeskThatSaysNothing: while a desk doesn't greet, nobody is held up by who
// waits for it.
func TestDeskThatSaysNothing(t *testing.T) {
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	d, err := Open(folder) // and serves nobody
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := NewClient(folder, Agent{Name: "one"}, nil)
	look := c.dial()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Approve(ctx, gate.Prompt{Request: gate.CommandRequest("/w", "bash", "make")}); !errors.Is(err, context.Canceled) {
		t.Errorf("a request that was withdrawn: %v", err)
	}
	c.Settled(gate.Verdict{})
	c.Close()
	if <-look.done; !errors.Is(look.err, ErrClosed) {
		t.Errorf("the look for the desk ended before the client did: %v", look.err)
	}
	if _, err := c.Ask(t.Context(), prompts.Question{}); !errors.Is(err, ErrClosed) {
		t.Errorf("after it was closed: %v", err)
	}
}

// TestGarbage: who sends what can't be understood is sent away, and the others
// are served.
func TestGarbage(t *testing.T) {
	room := newPerson()
	room.approve = once
	folder, _ := opens(t, room)
	greeting := `{"hello":{"version":2,"agent":{"name":"bad","workspace":"/w"}}}` + "\n"
	for _, sent := range []string{
		"GET / HTTP/1.1\r\n\r\n",
		"\x00\xff\xfe\n",
		"{}\n",
		`{"hello":{"version":2,"agent":{"name":"bad"}},"yes":true}` + "\n",
		`{"hello":{"version":1,"agent":{"name":"bad"}}}` + "\n",
		strings.Repeat("x", 80<<10),
		greeting + "null\n",
		greeting + "{}\n",
		greeting + `{"id":0,"prompt":{}}` + "\n",
		greeting + `{"id":1,"prompt":{"request":{"Tool":7}}}` + "\n",
		greeting + `{"id":1,"allow":true}` + "\n",
		greeting + `{"id":1,"renewed":{"request":{"Tool":7}}}` + "\n",
		greeting + `{"settled":{"verdict":{}}} {}` + "\n",
	} {
		conn, err := net.Dial("unix", filepath.Join(folder, socketName))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(sent)); err != nil {
			t.Error(err)
		}
		room.waits(t, "dropped ")
		conn.Close()
	}
	g := gateOf(t, dials(t, folder, "good", nil))
	if v := g.Decide(t.Context(), gate.CommandRequest("/w", "bash", "make")); !v.Allowed() {
		t.Error(v.Reason)
	}
}

// TestLongLine: no peer takes more room than a message may have.
func TestLongLine(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	go func() {
		chunk := []byte(strings.Repeat("x", 4096))
		for {
			if _, err := b.Write(chunk); err != nil {
				return
			}
		}
	}()
	w := newWire(a)
	defer w.end(ErrLost)
	if _, err := readLine(w.in, 100_000); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	if _, err := encode(asking{Prompt: &prompt{Session: strings.Repeat("x", 1000)}}, 1000); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}

// TestOrderOfOneAgent: what one agent asks comes before the person in the order
// in which it was asked (BEY-01).
func TestOrderOfOneAgent(t *testing.T) {
	const requests = 40
	var mu sync.Mutex
	var order []string
	all := make(chan struct{})
	room := newPerson()
	room.approve = func(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
		gate.InLine(ctx, func() {
			mu.Lock()
			defer mu.Unlock()
			if order = append(order, p.Request.Targets[0]); len(order) == requests {
				close(all)
			}
		})
		<-all
		return gate.Answer{Decision: gate.Once}, nil
	}
	folder, _ := opens(t, room)
	g := gateOf(t, dials(t, folder, "one", nil))
	var line gate.Line
	var asking sync.WaitGroup
	var want []string
	for i := range requests {
		command := fmt.Sprint("make ", i)
		want = append(want, command)
		ctx, leave := line.Join(t.Context())
		asking.Go(func() {
			defer leave()
			if v := g.Decide(ctx, gate.CommandRequest("/w", "bash", command)); !v.Allowed() {
				t.Errorf("%s: %s", command, v.Reason)
			}
		})
	}
	asking.Wait()
	if !slices.Equal(order, want) {
		t.Errorf("asked in the order %q", order)
	}
}

// TestManyAgents: each of many gets the answer to its own request (BEY-01).
func TestManyAgents(t *testing.T) {
	const agents, requests = 50, 20
	room := &person{happened: make(chan string, agents*(requests+2))}
	room.approve = func(_ context.Context, p gate.Prompt) (gate.Answer, error) {
		if strings.HasSuffix(p.Request.Targets[0], "3") {
			return gate.Answer{Message: p.Request.Targets[0]}, nil
		}
		return gate.Answer{Decision: gate.Once, Message: p.Request.Targets[0]}, nil
	}
	folder, _ := opens(t, room)
	var all sync.WaitGroup
	for i := range agents {
		c := dials(t, folder, fmt.Sprint("agent", i), nil)
		g := gateOf(t, c)
		for j := range requests {
			all.Go(func() {
				command := fmt.Sprintf("make %d-%d", i, j)
				v := g.Decide(t.Context(), gate.CommandRequest("/w", "bash", command))
				if v.Message != command || v.Allowed() == strings.HasSuffix(command, "3") {
					t.Errorf("%s: %s, %q, %s", command, v.Cause, v.Message, v.Reason)
				}
				c.Settled(v)
			})
		}
	}
	all.Wait()
}

// TestNothingIsForgotten: whatever a prompt or a question gets is carried too.
// What can't be is done at the client.
func TestNothingIsForgotten(t *testing.T) {
	for _, c := range []struct {
		from, to reflect.Type
		done     map[string]bool // elsewhere
	}{
		{reflect.TypeFor[gate.Prompt](), reflect.TypeFor[prompt](), map[string]bool{"Revise": true, "Renewed": true, "Edit": true}},
		{reflect.TypeFor[prompts.Question](), reflect.TypeFor[question](), map[string]bool{"Check": true}},
	} {
		for f := range c.from.Fields() {
			if _, carried := c.to.FieldByName(f.Name); !carried && f.IsExported() && !c.done[f.Name] {
				t.Errorf("%v.%s isn't carried to the desk", c.from, f.Name)
			}
		}
	}
}

// TestLastWords: what a client tells just before it leaves is in the list too.
func TestLastWords(t *testing.T) {
	room := newPerson()
	folder, _ := opens(t, room)
	for range 20 {
		c := dials(t, folder, "one", nil)
		for i := range 50 {
			c.Settled(gate.Verdict{Cause: "rule-allow", Request: gate.Request{Targets: []string{fmt.Sprint(i)}}})
		}
		c.Close()
		told := 0
		for got := ""; got != "leave one"; {
			if got = <-room.happened; strings.HasPrefix(got, "settled") {
				told++
			}
		}
		if told != 50 {
			t.Fatalf("%d of 50 came", told)
		}
	}
}

// TestLastWordsOfOneWhoHasGone: what a peer said before it went is read, also
// when it can't be told anything any more.
func TestLastWordsOfOneWhoHasGone(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	peer, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	w := newWire(conn)
	defer w.end(ErrLost)
	why := "gone"
	for range 2 {
		line, err := encode(asking{ID: 1, Withdraw: &why}, maxFrame)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := peer.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := peer.Close(); err != nil {
		t.Fatal(err)
	}
	written := make(chan struct{})
	if err := w.send(t.Context(), answering{Cancel: true}); err != nil {
		t.Fatal(err)
	}
	w.out <- outgoing{written: written}
	select {
	case <-written:
	case <-w.done:
	}
	for range 2 {
		var m asking
		if err := w.read(&m); err != nil || m.Withdraw == nil {
			t.Fatalf("%+v, %v", m, err)
		}
	}
	if err := w.read(&asking{}); err == nil {
		t.Error("no end")
	}
}
