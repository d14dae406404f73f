package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// numbered are lines of more bytes than are laid out at once.
func numbered() string {
	var b strings.Builder
	for i := 0; b.Len() <= 2*longText; i++ {
		fmt.Fprintf(&b, "- line %d of it, which is `code`\n", i)
	}
	return b.String()
}

// P14, BEY-03: a long text is not broken into rows on the goroutine that draws.
// Until it is there it can't be answered, and nothing of it counts as read.
func TestLongTextsComeLater(t *testing.T) {
	options := []prompts.Option{{Label: "Yes"}, {Label: "No"}}
	for name, q := range map[string]prompts.Question{
		"plan":     {Text: "Go?", Document: numbered(), Options: options},
		"question": {Text: numbered(), Options: options},
		"option":   {Text: "Which?", Options: []prompts.Option{{Label: numbered()}, {Label: "No"}}},
		"preview":  {Text: "Which?", Options: []prompts.Option{{Label: "Yes", Preview: numbered()}, {Label: "No", Preview: "x"}}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				var got []prompts.Answer
				_, later := b.Update(Question{ID: 7, Question: q, Answer: func(a prompts.Answer, err error) { got = append(got, a) }})
				w := b.queue.current()
				b.wantText("…")
				b.wantNoText("line 3 of it")
				_, cmd := b.Update(paintedMsg{b.frames})
				b.run(cmd)
				b.settle()
				b.key("1")
				b.settle()
				b.key("enter")
				if w.seen != 0 || len(got) > 0 {
					t.Fatalf("%d rows were read and %v answered before it was there", w.seen, got)
				}
				b.run(later)
				b.settle()
				if w.laying() || w.unseen() == 0 {
					t.Fatalf("is it there: %v, unread are %d rows", !w.laying(), w.unseen())
				}
				text := b.text()
				for range 200 {
					b.key("pgdown")
					b.wait(100 * time.Millisecond)
					text += b.text()
				}
				for _, l := range []string{"line 0 of it", "line 300 of it", "line 700 of it"} {
					if !strings.Contains(text, l) {
						t.Errorf("%q is on no page", l)
					}
				}
				b.settle()
				b.key("1")
				b.settle()
				if len(got) != 1 {
					t.Errorf("answered with %v after all of it, with %d rows unread\n%s", got, w.unseen(), b.text())
				}
			})
		})
	}
}

// P14, APR-30: while a long text is being prepared the screen says so, and no key
// but one that refuses answers. Refusing waits for the arming.
func TestOnlyRefusesWhileTextIsPrepared(t *testing.T) {
	options := []prompts.Option{{Label: "Yes"}, {Label: "No"}}
	for _, q := range []prompts.Question{{Text: "Go?", Document: numbered(), Options: options}, {Text: numbered(), Options: options}} {
		for key, want := range map[string]error{"n": prompts.ErrDeclined, "esc": prompts.ErrDeclined, "ctrl+c": prompts.ErrDeclined, "1": nil, "2": nil, "enter": nil} {
			t.Run(key, func(t *testing.T) {
				bubble(t, Options{}, func(b *bench) {
					var got []error
					b.Update(Question{ID: 7, Question: q, Answer: func(_ prompts.Answer, err error) { got = append(got, err) }})
					b.wantText("preparing 33 KiB of text …", "n/Esc no answer")
					b.wantNoText("Enter")
					if key != "ctrl+c" {
						b.key(key)
						b.settle()
						if len(got) > 0 {
							t.Fatal("answered before it was armed")
						}
						b.run(after(paintTime, paintedMsg{b.frames}))
						b.settle()
					}
					b.key(key)
					b.wait(holdTime)
					if n := len(got); want == nil && n > 0 || want != nil && (n != 1 || got[0] != want) {
						t.Errorf("answered with %v", got)
					}
				})
			})
		}
	}
	// What is sent back about a plan doesn't approve it.
	bubble(t, Options{}, func(b *bench) {
		var got []prompts.Answer
		b.Update(Question{ID: 7, Question: prompts.Question{Text: "Go?", Document: numbered(), Options: options}, Answer: func(a prompts.Answer, _ error) { got = append(got, a) }})
		b.run(after(paintTime, paintedMsg{b.frames}))
		b.settle()
		b.typing("not so long")
		b.settle()
		b.wantText("Enter answer")
		b.key("enter")
		if len(got) != 1 || got[0].Text != "not so long" {
			t.Errorf("answered with %v", got)
		}
	})
}

// P14: a message that can't be cut is drawn anew off the goroutine that draws
// while it streams in, once at a time, and in the end whole.
func TestAMessageWithoutCutsStreamsIn(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		var cmds []tea.Cmd
		for i := range 3 * longText / 64 {
			_, cmd := b.Update(AgentSaid{fmt.Sprintf("piece%04d of a message that comes in one long paragraph, %s", i, "on and on ")})
			cmds = append(cmds, cmd)
		}
		e := b.transcript.entries[0]
		if drawn := strings.Join(e.rows, ""); len(b.transcript.entries) != 1 || !e.behind || strings.Contains(drawn, "piece0500") || !b.transcript.laying {
			t.Fatalf("%d entries, drawn at once were %d bytes", len(b.transcript.entries), len(drawn))
		}
		for _, cmd := range cmds {
			b.run(cmd)
		}
		b.settle()
		if e.behind || b.transcript.laying {
			t.Error("the end of it is never drawn")
		}
		drawn := strings.Join(e.rows, "")
		for i := range 3 * longText / 64 {
			if !strings.Contains(drawn, fmt.Sprintf("piece%04d", i)) {
				t.Fatalf("piece %d is lost", i)
			}
		}
	})
}

// Whoever reads further up keeps their place when what is above is laid out.
func TestLayingOutMovesNobodyAway(t *testing.T) {
	th := newTheme(Theme{})
	var tr transcript
	for i := range 3 {
		tr.add(entry{kind: userEntry, text: fmt.Sprint("said ", i)})
		tr.add(entry{kind: agentEntry, text: numbered()})
	}
	tr.add(entry{kind: agentEntry, text: strings.Repeat("the last\n\n", 60)})
	tr.draw(80, &th)
	tr.scroll(-30, 20)
	before := tr.window(20)
	for l := tr.lay(&th); l != nil; l = tr.lay(&th) {
		l()(0)
		tr.draw(80, &th)
		if got := tr.window(20); !slices.Equal(got, before) {
			t.Fatalf("the window became\n%s\nand was\n%s", strings.Join(got, "\n"), strings.Join(before, "\n"))
		}
	}
	tr.scroll(-1<<20, 20)
	if !strings.Contains(strings.Join(tr.window(20), "\n"), "line 3 of it") {
		t.Error("the beginning is missing")
	}
}
