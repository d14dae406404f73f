package main

import (
	"runtime"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// stillness is how long a screen gets no message before the program rests.
const stillness = time.Second

// A rest lets the program use one processor while nothing happens on its screen.
// Bubble Tea's clock goes on at 60 ticks a second, and at each of them Go's runtime
// wakes a second thread to see whether there is work for it too: a tenth or more of
// what an idle screen costs. With the first message everything is as before.
type rest struct {
	use   func(processors int) // as [runtime.GOMAXPROCS]
	all   int
	still *time.Timer

	mu  sync.Mutex
	now bool // it rests
}

// newRest is a rest for a program that runs on all processors.
func newRest(all int, use func(int)) *rest {
	r := &rest{all: all, use: use}
	r.still = time.AfterFunc(stillness, r.begin)
	return r
}

// resting is a rest of this process, for a screen of it.
func resting() tea.ProgramOption {
	return tea.WithFilter(newRest(runtime.GOMAXPROCS(0), func(n int) { runtime.GOMAXPROCS(n) }).end)
}

func (r *rest) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = true
	r.use(1)
}

// end ends a rest before msg is seen.
func (r *rest) end(_ tea.Model, msg tea.Msg) tea.Msg {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now {
		r.now = false
		r.use(r.all)
	}
	r.still.Reset(stillness)
	return msg
}
