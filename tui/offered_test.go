package tui

import (
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// BEY-07: an answer that isn't offered is named by the key that was pressed.
func TestWhatIsNotOfferedIsNamedByItsKey(t *testing.T) {
	p := command("make")
	p.Verdict.Offers = []gate.Decision{gate.Once, gate.Refuse}
	for _, key := range []string{"s", "t", "m", "a"} {
		bubble(t, Options{}, func(b *bench) {
			id := b.ask(p)
			b.settle()
			b.key(key)
			b.wantText(key + ": not offered")
			b.wantWaiting(id)
		})
	}
}
