package tui

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// bench runs a model as a program would, in the time of a synctest bubble.
type bench struct {
	*Model
	t    *testing.T
	msgs chan tea.Msg
	last uint64

	mu        sync.Mutex
	answers   map[uint64][]gate.Answer
	replies   map[uint64][]reply
	groups    map[uint64][]groupReply
	submitted []string
	cancels   int
	quit      bool
}

type reply struct {
	answer prompts.Answer
	err    error
}

type groupReply struct {
	answers []prompts.Answer
	err     error
}

// bubble runs f with a screen of 80×24 on which nothing waits.
func bubble(t *testing.T, o Options, f func(b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, msgs: make(chan tea.Msg, 1000), answers: map[uint64][]gate.Answer{}, replies: map[uint64][]reply{}, groups: map[uint64][]groupReply{}}
		if o.Submit == nil {
			o.Submit = func(s string) { b.note(func() { b.submitted = append(b.submitted, s) }) }
		}
		o.Cancel = func() { b.note(func() { b.cancels++ }) }
		o.Theme.PlainCode = true // the search for colours keeps a clock running
		b.Model = New(o)
		b.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		// Let every timer end, also after a failure.
		defer b.wait(5 * time.Second)
		f(b)
	})
}

func (b *bench) note(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f()
}

func (b *bench) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				b.run(c)
			}
		default:
			b.msgs <- msg
		}
	}()
}

// send hands the model a message and then everything that it leads to at once.
func (b *bench) send(msg tea.Msg) {
	b.t.Helper()
	b.update(msg)
	b.drain()
}

func (b *bench) update(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		b.quit = true
		return
	}
	_, cmd := b.Update(msg)
	b.run(cmd)
}

func (b *bench) drain() {
	for {
		synctest.Wait()
		select {
		case msg := <-b.msgs:
			b.update(msg)
		default:
			return
		}
	}
}

// wait lets time pass.
func (b *bench) wait(d time.Duration) {
	b.drain()
	end := time.After(d)
	for {
		select {
		case msg := <-b.msgs:
			b.update(msg)
		case <-end:
			b.drain()
			return
		}
	}
}

// settle waits until what is shown may be answered.
func (b *bench) settle() { b.wait(2 * time.Second) }

func (b *bench) key(names ...string) {
	b.t.Helper()
	for _, n := range names {
		b.send(press(n))
		if b.held != nil && !b.held.early || b.moved != nil {
			b.wait(holdTime)
		}
	}
}

// press is the message that Bubble Tea makes of a key.
func press(name string) tea.KeyPressMsg {
	var k tea.Key
	rest := name
	for prefix, mod := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "alt+": tea.ModAlt, "shift+": tea.ModShift} {
		if strings.Contains(rest, prefix) && rest != prefix {
			rest, k.Mod = strings.Replace(rest, prefix, "", 1), k.Mod|mod
		}
	}
	special := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
		"delete": tea.KeyDelete, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome,
		"end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "insert": tea.KeyInsert}
	if code, ok := special[rest]; ok {
		k.Code = code
		if rest == "space" && k.Mod == 0 {
			k.Text = " "
		}
		return tea.KeyPressMsg(k)
	}
	k.Code = []rune(rest)[0]
	if k.Mod == 0 {
		k.Text = rest
	}
	return tea.KeyPressMsg(k)
}

// typing presses one key a character.
func (b *bench) typing(s string) {
	for _, r := range s {
		if r == ' ' {
			b.send(press("space"))
		} else {
			b.send(press(string(r)))
		}
	}
}

// ask puts a request into the queue and returns its ID.
func (b *bench) ask(p gate.Prompt) uint64 {
	b.t.Helper()
	b.last++
	id := b.last
	b.send(Approval{ID: id, Prompt: p, Answer: func(a gate.Answer) {
		b.note(func() { b.answers[id] = append(b.answers[id], a) })
	}})
	return id
}

func (b *bench) question(q prompts.Question) uint64 {
	b.t.Helper()
	b.last++
	id := b.last
	b.send(Question{ID: id, Question: q, Answer: func(a prompts.Answer, err error) {
		b.note(func() { b.replies[id] = append(b.replies[id], reply{a, err}) })
	}})
	return id
}

// group puts several questions of one call into the queue.
func (b *bench) group(qs ...prompts.Question) uint64 {
	b.t.Helper()
	for i := range qs {
		qs[i].Position, qs[i].Of = i+1, len(qs)
	}
	b.last++
	id := b.last
	b.send(Questions{ID: id, Questions: qs, Answer: func(a []prompts.Answer, err error) {
		b.note(func() { b.groups[id] = append(b.groups[id], groupReply{a, err}) })
	}})
	return id
}

// fill answers the pages up to the list with what is highlighted.
func (b *bench) fill() {
	b.t.Helper()
	for range 2 * maxPages {
		if s := b.screen(); s == listScreen || s == smallScreen {
			return
		}
		b.settle()
		b.key("enter")
	}
	b.t.Fatalf("no list after all pages\n%s", b.text())
}

const maxPages = 8

// wantGroup checks how a group was answered, once.
func (b *bench) wantGroup(id uint64, err error, want ...prompts.Answer) {
	b.t.Helper()
	b.drain()
	got := b.groups[id]
	if len(got) != 1 || got[0].err != err || fmt.Sprint(got[0].answers) != fmt.Sprint(want) {
		b.t.Fatalf("group %d was answered with %+v, want once %+v, %v\n%s", id, got, want, err, b.text())
	}
}

// wantAnswer checks that a request was answered once, and how.
func (b *bench) wantAnswer(id uint64, want gate.Answer) {
	b.t.Helper()
	b.drain()
	got := b.answers[id]
	if len(got) != 1 || got[0] != want {
		b.t.Fatalf("request %d was answered with %v, want once %v\n%s", id, got, want, b.text())
	}
}

// wantWaiting checks that a request has not been answered.
func (b *bench) wantWaiting(id uint64) {
	b.t.Helper()
	b.drain()
	if got := b.answers[id]; len(got) > 0 {
		b.t.Fatalf("request %d was answered with %v, want no answer\n%s", id, got, b.text())
	}
	if b.queue.find(id) == nil {
		b.t.Fatalf("request %d has left the queue without an answer\n%s", id, b.text())
	}
}

func (b *bench) wantReply(id uint64, want prompts.Answer, err error) {
	b.t.Helper()
	b.drain()
	got := b.replies[id]
	if len(got) != 1 || got[0].answer.Text != want.Text || strings.Join(got[0].answer.Selected, "|") != strings.Join(want.Selected, "|") || got[0].err != err {
		b.t.Fatalf("question %d was answered with %+v, want once %+v, %v\n%s", id, got, want, err, b.text())
	}
}

// text is what is on the screen, without colours.
func (b *bench) text() string { return ansi.Strip(b.View().Content) }

func (b *bench) wantText(texts ...string) {
	b.t.Helper()
	for _, s := range texts {
		if !strings.Contains(b.text(), s) {
			b.t.Fatalf("no %q on\n%s", s, b.text())
		}
	}
}

func (b *bench) wantNoText(s string) {
	b.t.Helper()
	if strings.Contains(b.text(), s) {
		b.t.Fatalf("%q on\n%s", s, b.text())
	}
}

// command is a request that fits the screen and may be answered in every way.
func command(line string) gate.Prompt {
	key, label := gate.CommandKey("/w", line)
	return gate.Prompt{
		Request: gate.Request{Tool: "bash", Kind: gate.RunCommand, Targets: []string{line}, Key: key, KeyLabel: label,
			Origin: gate.Origin{Agent: "opencode", Session: "3f2", Protocol: "acp", Workspace: "/w"}},
		Verdict: gate.Verdict{Effect: gate.Ask, Offers: []gate.Decision{gate.Once, gate.Session, gate.Always}},
		Saves:   "shell(" + line + ")",
	}
}

// edit is a request to replace a file by n new lines.
func edit(n int) gate.Prompt {
	p := command("")
	p.Request.Tool, p.Request.Kind, p.Request.Targets = "edit", gate.WriteFile, []string{"a.go"}
	p.Request.Key, p.Request.KeyLabel = gate.WriteKey("/w")
	p.Request.Diff = []gate.Change{{Path: "a.go", Before: []byte("package a\n"), After: []byte("package a\n" + strings.Repeat("// new\n", n))}}
	p.Saves = "write:/w"
	return p
}
