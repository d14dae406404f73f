package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// moved is what letters did that came one right after the other and settled
// nothing: they scrolled, marked or chose. Each acted at once, so that keys may
// be pressed as fast as one likes. Letters that go on as a word were meant as
// one from the first on: then all of it is taken back, and is the beginning of
// a message.
type moved struct {
	typed string
	last  time.Time // when the last of them came
	back  func()    // undoes what they did
}

// move does what a letter says that settles nothing. What chooses waits for the
// arming: nobody chooses what wasn't shown yet.
func (m *Model) move(b binding, k tea.KeyPressMsg) tea.Cmd {
	if m.moved == nil {
		m.moved = &moved{back: m.place()}
	}
	m.moved.typed += k.Text
	m.moved.last = clock()
	if chooses := b.answers || m.screen() == questionScreen; chooses && (!m.arming.armed || k.IsRepeat) {
		m.arming.dropped = k.String()
		return nil
	}
	m.arming.dropped = ""
	return b.run(m)
}

// wordFollows lets the next key decide what the letters before it were. One that
// moves goes on with them; another letter makes a message of them all, where it
// comes as quickly as when somebody types.
func (m *Model) wordFollows(k tea.KeyPressMsg) {
	r := m.moved
	if r == nil {
		return
	}
	quick := k.Text != "" && clock().Sub(r.last) < holdTime
	if b, ok := m.bound(m.screen(), k.String()); quick && ok && b.moves != nil && b.moves(m) {
		return
	}
	m.moved = nil
	if quick && r.word() {
		r.back()
		m.arming.dropped = ""
		m.write(r.typed)
	}
}

// word reports whether a word may begin so. None begins with a blank, nor with
// one letter three times: that is a key of somebody who reads on.
func (r *moved) word() bool {
	same := 0
	var before rune
	for _, c := range r.typed {
		if same++; c != before {
			same, before = 1, c
		}
		if same == 3 {
			return false
		}
	}
	return !strings.HasPrefix(r.typed, " ")
}

// place remembers where everything stands that a letter may move, and returns
// how to go back there.
func (m *Model) place() (back func()) {
	w, up := m.queue.current(), m.transcript.up
	if w == nil {
		return func() {}
	}
	was, chosen := *w, append([]bool(nil), w.chosen...)
	cursor := 0
	if w.plan != nil {
		cursor = w.plan.cursor
	}
	return func() {
		if m.queue.current() != w {
			return
		}
		m.transcript.up = up
		w.choice, w.pushed, w.hunk, w.full = was.choice, was.pushed, was.hunk, was.full
		copy(w.chosen, chosen)
		if w.plan != nil {
			w.plan.cursor = cursor
		}
		w.offset = was.offset
	}
}
