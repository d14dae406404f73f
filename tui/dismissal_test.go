package tui

import (
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

var refused = gate.Answer{Decision: gate.Refuse}

// escapes presses Esc as often as want says: every time but the last leaves the
// request waiting, and the last one refuses it.
func (b *bench) escapes(id uint64, want int) {
	b.t.Helper()
	for range want - 1 {
		b.wait(repeatGap)
		b.key("esc")
		b.wantWaiting(id)
	}
	b.wait(repeatGap)
	b.key("esc")
	b.wantAnswer(id, refused)
}

// APR-30: the Esc that is meant for what a key has just said takes that away,
// and refuses nothing.
func TestEscDismissesFirst(t *testing.T) {
	forced := command("git push")
	forced.Verdict.Forced, forced.Verdict.Offers = true, []gate.Decision{gate.Once, gate.Refuse}
	for key, said := range map[string]string{"a": "a: this is asked", "e": "can't take an edit", "ctrl+s": "no rules to show", "shift+tab": "answer first"} {
		for _, keys := range []AnswerKeys{AnswerLetters, AnswerList} {
			if keys == AnswerList && len(key) == 1 {
				continue // it types
			}
			bubble(t, Options{AnswerKeys: keys}, func(b *bench) {
				id := b.ask(forced)
				b.settle()
				b.key(key)
				b.wantText(said, "Esc dismisses")
				b.wantNoText("n/Esc")
				b.wantNoText("Esc no")
				b.wait(repeatGap)
				b.key("esc")
				b.wantWaiting(id)
				b.wantNoText(said)
				b.wantNoText("dismisses")
				b.escapes(id, 1)
			})
		}
	}
}

// APR-30, APR-40a: Esc pressed once more than it took to close what was open
// asks before it refuses, however long after.
func TestEscBehindOneThatClosed(t *testing.T) {
	for _, key := range []string{"w", "?", "tab", "a"} {
		bubble(t, Options{}, func(b *bench) {
			id := b.ask(command("make"))
			b.settle()
			b.key(key)
			b.wait(repeatGap)
			b.key("esc")
			b.wantNoText("n/Esc")
			b.wait(repeatGap)
			b.key("esc")
			b.wantText("Esc again refuses it")
			b.escapes(id, 1)
		})
	}
	bubble(t, Options{}, func(b *bench) {
		id := b.ask(command("make"))
		b.settle()
		b.key("w", "q") // nothing was closed by Esc
		b.settle()
		b.escapes(id, 1)
	})
	bubble(t, Options{}, func(b *bench) {
		q := choice
		q.Notes = true
		id := b.question(q)
		b.settle()
		b.key("tab")
		b.wait(repeatGap)
		b.key("esc")
		b.wait(repeatGap)
		b.key("esc")
		b.wantText("Esc again gives no answer")
		if len(b.replies[id]) > 0 {
			t.Error("no answer was given by the first Esc")
		}
	})
}

// BEY-05: a key that would drop what the person has edited says so first.
func TestRefusingAnEditAsksOnceMore(t *testing.T) {
	for _, key := range []string{"esc", "n", "d"} {
		bubble(t, Options{}, func(b *bench) {
			id, _ := b.decided(editableCommand("make x"))
			b.key("e")
			b.typing("y")
			b.key("enter")
			b.settle()
			b.wantText("you edited")
			b.key(key)
			b.wantWaiting(id)
			b.wantText(keyName(key) + " again refuses it and drops your edit")
			b.key("down") // another key, and it is as if nothing was pressed
			b.wait(repeatGap)
			b.key(key)
			b.wantWaiting(id)
			b.wait(repeatGap)
			b.key(key)
			b.wantAnswer(id, refused)
		})
	}
}
