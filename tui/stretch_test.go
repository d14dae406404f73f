package tui

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// However a message comes in, it is drawn as if it had come at once; and what
// is drawn anew with each piece stays short (P14).
func TestStretchesAreDrawnAsOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	lines := []string{"", "", "", "text of a `line` *with* marks", "- item", "  more", "1. one", "> quote", "```", "```go", "~~~", "  ```", "- ```", "| a | b |", "|---|---|", "# head", "\tx", "---"}
	th := newTheme(Theme{})
	split := 0
	for range 8 {
		var doc strings.Builder
		for doc.Len() < 3*stretchSize {
			doc.WriteString(lines[rng.IntN(len(lines))] + "\n")
		}
		if rng.IntN(2) == 0 { // with no code that makes it one stretch
			s := strings.NewReplacer("```go", "go", "```", "", "~~~", "").Replace(doc.String())
			doc.Reset()
			doc.WriteString(s)
		}
		var whole, pieces transcript
		whole.add(entry{kind: agentEntry, text: doc.String()})
		for rest := doc.String(); rest != ""; {
			n := min(len(rest), 1+rng.IntN(2000))
			pieces.say(agentEntry, rest[:n])
			rest = rest[n:]
		}
		drawWhole(&whole, 60, &th)
		drawWhole(&pieces, 60, &th)
		if got, want := trimmed(pieces.window(1<<20)), trimmed(whole.window(1<<20)); !slices.Equal(got, want) {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			t.Fatalf("%d rows and in pieces %d; from row %d on\n%s\nis in pieces\n%s", len(want), len(got), i,
				strings.Join(want[max(0, i-5):min(len(want), i+5)], "\n"), strings.Join(got[max(0, i-5):min(len(got), i+5)], "\n"))
		}
		split += len(pieces.entries) - 1
	}
	if split < 4 {
		t.Errorf("only %d stretches end before their message", split)
	}
}

// A paragraph without an end costs what its pieces do, however many there are:
// else an agent that goes on and on keeps Ctrl+C waiting (P14).
func TestPiecesOfOneParagraphAreCheap(t *testing.T) {
	const pieces, piece = 100_000, "a word or two "
	for _, kind := range []entryKind{agentEntry, thoughtEntry} {
		var tr transcript
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range pieces {
			tr.say(kind, piece)
		}
		runtime.ReadMemStats(&after)
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(10*pieces*len(piece)); got > most {
			t.Errorf("%d bytes for %d of text, want at most %d", got, pieces*len(piece), most)
		}
		if got := len(tr.entries[len(tr.entries)-1].text); got != pieces*len(piece) {
			t.Errorf("%d bytes of text", got)
		}
	}
}

func BenchmarkPiecesOfOneParagraph(b *testing.B) {
	var tr transcript
	for b.Loop() {
		tr.say(agentEntry, "a word or two ")
	}
}

// drawWhole draws also what is laid out later.
func drawWhole(t *transcript, width int, th *theme) {
	t.draw(width, th)
	for l := t.lay(th); l != nil; l = t.lay(th) {
		l()(0)
		t.draw(width, th)
	}
}

func trimmed(rows []string) []string {
	for i, r := range rows {
		rows[i] = strings.TrimRight(r, " ")
	}
	return rows
}
