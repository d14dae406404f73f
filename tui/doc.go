// Package tui is the screen: a full-screen terminal program that shows what
// coding agents do and puts before a person what they want to do.
//
// Most programs need two calls: [NewConsole] and [Console.Run]. A console is a
// [gate.Approver] and a [prompts.Prompter]:
//
//	screen := tui.NewConsole(tui.Options{Agent: "my agent", Workspace: dir})
//	g, err := gate.New(gate.Options{Workspace: dir, Approver: screen})
//	…
//	go agent(g, screen)
//	err = screen.Run(ctx)
//
// [Plain] does the same in lines, for screen readers and terminals that can't
// move a cursor.
//
// Programs that are Bubble Tea programs already use [New] and send [Approval],
// [Question] and the [Event] types as messages.
//
// # What a key can do
//
// A request takes no answer before it has been on the screen for half a second
// with a quiet keyboard, as far as the terminal says when it has drawn; whatever
// makes it look different starts that anew. A sheet that lay over it and is closed
// doesn't, unless something was written meanwhile.
// What was typed before, pasted, or sent by a key that is held down never
// answers, and a letter only when no other follows it at once: a word is a
// message. A prompt that is being written when something is asked stays one. A
// request whose end was never on the screen shows it first. Nothing is saved by
// one key. No key allows anything that isn't shown.
//
// # Text
//
// Everything that comes from an agent is escaped by package diffview on its
// way into a row of the screen, once.
//
// # Order and concurrency
//
// Requests and questions are in one queue, oldest first, each answered at most
// once. What is shown changes only when it is answered or withdrawn, or when
// the person looks at another. A [Console] may be used from any number of
// goroutines; a [Model] only from the one that runs it. When the screen ends,
// everything that waits gets an error, never a yes.
package tui
