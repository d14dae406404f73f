package tuitest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// patience is how long an output may take to come on a busy machine.
const patience = 20 * time.Second

// WaitFor waits until every one of texts is on the screen. A text doesn't
// reach over the end of a line.
func (t *Term) WaitFor(texts ...string) {
	t.t.Helper()
	t.Until(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, s := range texts {
			if !strings.Contains(screen, s) {
				return false
			}
		}
		return true
	})
}

// WaitGone waits until text is no longer on the screen.
func (t *Term) WaitGone(text string) {
	t.t.Helper()
	t.Until(fmt.Sprintf("%q to go", text), func(screen string) bool { return !strings.Contains(screen, text) })
}

// Until waits until ok holds for the text on the screen. What says what is
// waited for, when it doesn't come.
func (t *Term) Until(what string, ok func(screen string) bool) {
	t.t.Helper()
	if !t.wait(func() bool { return ok(trimRight(t.em.String())) }) {
		t.t.Fatalf("waited in vain for %s on\n%s", what, t.Screen())
	}
}

// UntilWritten waits until ok holds for every byte that the program has written,
// such as those that no screen shows. What says what is waited for.
func (t *Term) UntilWritten(what string, ok func(output string) bool) {
	t.t.Helper()
	if !t.wait(func() bool { return ok(t.output.String()) }) {
		t.t.Fatalf("waited in vain for %s in %q", what, t.Output())
	}
}

// Settle waits until the program has read and handled all that was typed, and
// painted what came of it. Commands that it started may still be running.
func (t *Term) Settle() {
	t.t.Helper()
	// A barrier comes back in the output just before the frame that shows
	// what was typed; a second one comes back after it.
	for range 2 {
		if t.ended() {
			return
		}
		n := t.sendBarrier()
		if !t.wait(func() bool { return t.painted >= n || t.ended() }) {
			t.t.Fatalf("the program doesn't read what is typed:\n%s", t.Screen())
		}
	}
}

// wait waits until ok, which is called with mu held, and reports whether it
// came true in time.
func (t *Term) wait(ok func() bool) bool {
	timeout, stop := t.deadline()
	defer stop()
	for {
		t.mu.Lock()
		good, changed := ok(), t.changed
		t.mu.Unlock()
		if good {
			return true
		}
		select {
		case <-changed:
		case <-t.done:
			t.mu.Lock()
			defer t.mu.Unlock()
			return ok()
		case <-timeout:
			return false
		}
	}
}

func (t *Term) ended() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// deadline fires when waiting has no more sense; stop frees it.
func (t *Term) deadline() (fires <-chan time.Time, stop func() bool) {
	timer := time.NewTimer(patience)
	return timer.C, timer.Stop
}

// Barriers go through the program as a reply that no terminal sends, and come
// back as an operating system command that none knows.
const (
	barrierAttribute = 7501001
	barrierCommand   = 7501001
)

func (t *Term) sendBarrier() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.barriers++
	t.em.SendText(fmt.Sprintf("\x1b[?%d;%dc", barrierAttribute, t.barriers))
	return t.barriers
}

func (t *Term) registerBarrier() {
	t.em.RegisterOscHandler(barrierCommand, func(data []byte) bool {
		_, n, _ := strings.Cut(string(data), ";")
		t.painted, _ = strconv.Atoi(n)
		return true
	})
}

// filter sees what the program reads before its model does.
func (t *Term) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case uv.PrimaryDeviceAttributesEvent:
		if len(msg) == 2 && msg[0] == barrierAttribute {
			return tea.RawMsg{Msg: fmt.Sprintf("\x1b]%d;%d\a", barrierCommand, msg[1])}
		}
	case tea.KeyPressMsg:
		if msg.Code == tea.KeyEscape {
			t.mu.Lock()
			t.escapes++
			t.announce()
			t.mu.Unlock()
		}
	}
	return msg
}
