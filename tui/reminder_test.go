package tui

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// unkept is a call that was approved for always, which could not be saved.
func unkept() ToolCall {
	v := gate.Verdict{Effect: gate.Allow, Cause: gate.CauseUserAlways, Request: gate.CommandRequest("/w", "bash", "go test ./pager"),
		Warning: "approved, but saving the approval failed: the disk is full"}
	return ToolCall{ID: "1", Title: "go test ./pager", Kind: "run", Status: ToolRunning, Verdict: &v}
}

// APR-12: that what was approved for always isn't saved stands at the call and,
// until it was there to be read, above whatever is asked next; that is neither
// disarmed nor answered by it.
func TestUnsavedIsSaid(t *testing.T) {
	const row, said = "    ! approved, but saving the approval failed: the disk is full", "  ! approved, but saving the approval failed: the disk is full · bash go test"
	bubble(t, Options{}, func(b *bench) {
		b.send(unkept())
		b.wantText(row, said)
		b.wait(time.Second)
		b.key("x", "backspace") // too early to have been read
		id := b.ask(command("ls"))
		b.wantText(row, said)
		b.settle()
		b.key("z")
		b.wait(holdTime)
		b.wantNoText(said)
		b.wantText(row)
		b.wantWaiting(id)
		b.send(ToolCall{ID: "1", Status: ToolDone})
		b.wantText(row)
	})
	bubble(t, Options{}, func(b *bench) {
		id := b.ask(command("ls"))
		b.settle()
		b.send(unkept())
		b.wantText(said)
		b.key("?")
		b.wait(5 * time.Second)
		b.wantNoText(said)
		b.key("esc") // it was covered meanwhile
		b.wantText(said)
		b.wait(holdTime)
		b.key("n")
		b.wait(holdTime)
		b.wantAnswer(id, gate.Answer{Decision: gate.Refuse})
	})
}

// APR-12, BEY-13: in lines it is said at once, also while something is asked.
func TestPlainSaysUnsaved(t *testing.T) {
	inLines(t, Options{}, func(y *listener) {
		answers := y.asks(command("ls"))
		y.Show(unkept())
		synctest.Wait()
		y.sees("Runs: run go test ./pager (user always).\nWarning: approved, but saving the approval failed: the disk is full\n")
		waits(t, answers)
	})
}
