package tui

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// BEY-02, BEY-05: the diff of what the agent proposed, when it comes late, is
// not shown for the edit: what is shown is what is approved.
func TestDiffOfAnEarlierStateIsNotShown(t *testing.T) {
	for _, order := range []string{"before the edit's", "after the edit's"} {
		t.Run(order, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				id, verdict := b.decided(twoHunks())
				w := b.queue.find(id)
				late := diffsMsg{id: id, diffs: w.diffs}
				edited := strings.Replace(string(w.approval.Prompt.Request.Diff[0].Before), "line 9\n", "line nine of mine\n", 1)
				b.update(rewrittenMsg{id, "a.txt", "", edited, nil})
				synctest.Wait()
				b.update(<-b.msgs) // what the gate says of the edit
				if order == "after the edit's" {
					b.drain()
				}
				b.send(late)
				b.send(tea.WindowSizeMsg{Width: 90, Height: 30})
				b.wantText("line nine of mine")
				b.wantNoText("line three")
				b.settle()
				b.key("y")
				if v := <-verdict; string(v.Request.Diff[0].After) != edited {
					t.Errorf("writes\n%s", v.Request.Diff[0].After)
				}
			})
		})
	}
}

// BEY-05, APR-30: a key that was meant for a request as edited doesn't approve
// it as it came, when the gate refuses the edit.
func TestRefusedEditDisarms(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(tea.WindowSizeMsg{Width: 80, Height: 40})
		p := edit(3)
		p.Request = twoHunks()
		looked := make(chan bool)
		p.Revise = func(gate.Edit) (gate.Prompt, error) {
			<-looked
			return p, errors.New("refused as edited")
		}
		id := b.ask(p)
		b.settle()
		b.key("x")
		b.wait(time.Second)
		close(looked)
		b.wait(quietTime / 2)
		b.key("y")
		b.wait(holdTime)
		b.wantWaiting(id)
		b.settle()
		b.key("y")
		b.wantAnswer(id, gate.Answer{Decision: gate.Once})
	})
}

// APR-30, TAM-22: a click that comes just after the answers have moved was
// meant for the answer that stood there before.
func TestClickJustAfterTheAnswersMoved(t *testing.T) {
	bubble(t, withMouse, func(b *bench) {
		b.send(tea.WindowSizeMsg{Width: 40, Height: 20})
		b.send(tea.FocusMsg{})
		id := b.ask(edit(12))
		b.settle()
		b.wantText("after the rest also")
		for range 5 {
			b.key("pgdown")
		}
		b.wait(2 * paintTime)
		b.wantNoText("after the rest also")
		b.clickOn("session")
		b.wantWaiting(id)
		b.settle()
		b.clickOn("session")
		b.wantAnswer(id, gate.Answer{Decision: gate.Session})
	})
}
