package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// APR-40a: in a list of check boxes digits choose, however fast they come. They
// become words where a word follows at once, and where own words are written.
func TestDigitsChoose(t *testing.T) {
	many := several()
	for len(many.Options) < 12 {
		many.Options = append(many.Options, prompts.Option{Label: "another"})
	}
	rows := []struct {
		name, keys string
		q          prompts.Question
		early      bool
		chosen     []int
		words      string
	}{
		{"two", "1 2", several(), false, []int{0, 1}, ""},
		{"three, and one back", "1 2 3 2", several(), false, []int{0, 2}, ""},
		{"one twice", "1 1", several(), false, nil, ""},
		{"with Space", "space down space 3", several(), false, []int{0, 1, 2}, ""},
		{"in a closed question", "1 2", closed(several(), false), false, []int{0, 1}, ""},
		{"among more than nine", "1 2 9", many, false, []int{0, 1, 8}, ""},
		{"a word follows", "2 n d space o n e", several(), false, nil, "2nd one"},
		{"two, and a word follows", "1 2 x", several(), false, nil, "12x"},
		{"a number that isn't there", "2 0", several(), false, nil, "20"},
		{"a word follows later", "1 2 wait x", several(), false, []int{0, 1}, "x"},
		{"a word follows Space", "space x", several(), false, []int{0}, "x"},
		{"a word in a closed question", "2 n d", closed(several(), false), false, nil, ""},
		{"in the place for words", "down down down 1 2", several(), false, nil, "12"},
		{"in the place for words, by its digit", "4 wait 1 2", several(), false, nil, "12"},
		{"in the place for words, its own digit", "down down down 4 wait n e", several(), false, nil, "ne"},
		{"in that of a single choice", "down down down 3", choice, false, nil, "3"},
		{"too early", "1 2", several(), true, nil, ""},
		{"too early, and a word follows", "1 2 x", several(), true, nil, "12x"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				id := b.question(row.q)
				if !row.early {
					b.settle()
				}
				for _, k := range strings.Fields(row.keys) {
					if k == "wait" {
						b.wait(time.Second)
					} else {
						b.send(press(k))
					}
				}
				w := b.queue.current()
				var chosen []int
				for i, on := range w.chosen {
					if on {
						chosen = append(chosen, i)
					}
				}
				if !slices.Equal(chosen, row.chosen) || b.field().value() != row.words {
					t.Errorf("chosen %v, written %q, want %v, %q\n%s", chosen, b.field().value(), row.chosen, row.words, b.text())
				}
				b.wait(2 * holdTime)
				if len(b.replies[id]) > 0 {
					t.Errorf("answered with %v", b.replies[id])
				}
			})
		})
	}
}

// Digits on the list of answers go to a question, and are never words there.
func TestDigitsOnTheList(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.group(pages()...)
		b.fill()
		list := b.queue.current()
		b.settle()
		b.send(press("2"))
		b.send(press("1"))
		if b.queue.current() == list || !list.words.empty() {
			t.Errorf("%q is written on the list\n%s", list.words.value(), b.text())
		}
	})
}

// Keys that read on work as fast as they come, and held down; a word that begins
// with one of them is a message whole, and nothing has moved (TAM-21, APR-41).
func TestReadingKeysBeginWords(t *testing.T) {
	screens := map[string]func(b *bench) func() int{
		"request": func(b *bench) func() int {
			b.ask(edit(300))
			b.key("ctrl+o")
			b.settle()
			return func() int { return b.queue.current().offset }
		},
		"plan": func(b *bench) func() int {
			b.question(plan)
			b.settle()
			return func() int { return b.queue.current().plan.cursor + b.queue.current().offset }
		},
	}
	for name, show := range screens {
		for _, text := range []string{"just do it", "keep x", "[x] is wrong", "J. says no", "my view"} {
			bubble(t, Options{}, func(b *bench) {
				at := show(b)
				b.key("pgdown")
				b.settle()
				before := at()
				b.typing(text)
				if got := b.field().value(); got != text {
					t.Errorf("on the %s the draft of %q is %q\n%s", name, text, got, b.text())
				}
				if at() != before {
					t.Errorf("on the %s %q has moved it from %d to %d", name, text, before, at())
				}
			})
		}
		for _, then := range []string{"", "y", "c"} {
			bubble(t, Options{}, func(b *bench) {
				at := show(b)
				before := at()
				for range 20 {
					b.send(press("j"))
				}
				if then != "" {
					b.send(press(then))
				}
				// A letter that has no meaning there is typed, alone.
				if got := at(); strings.Contains(b.field().value(), "j") || got-before < 20 {
					t.Errorf("on the %s, j twenty times and %q: moved by %d, written %q", name, then, got-before, b.field().value())
				}
			})
		}
	}
}
