package demo

import (
	"fmt"
	"slices"
	"strings"
)

// A step is one thing that the script shows.
type step struct {
	name string // what a person types to see it again
	todo string
	do   func(*turn) outcome
}

// steps are the script, in its order. Each asks for itself and goes on
// without what it was refused, so each can be shown again.
func steps() []step {
	return []step{
		{"read", "Look at the pager", look},
		{"plan", "Agree on a plan", plan},
		{"edit", "Fix the page count", fix},
		{"question", "Add a test", test},
		{"command", "Keep a copy of the notes", keep},
		{"refusal", "Tidy up an old key", tidy},
	}
}

// answer is the whole turn.
func (t *turn) answer(text string) {
	all := steps()
	wish := strings.TrimPrefix(strings.ToLower(text), "show ")
	switch i := slices.IndexFunc(all, func(s step) bool { return s.name == wish }); {
	case t.first:
		t.say("Hello! I follow a script, there is no model behind me. What you allow really happens, "+
			"in the scratch folder %s, and what you don't allow doesn't happen.", t.dir)
		t.play(all)
	case wish == "all":
		t.play(all)
	case i >= 0:
		t.play(all[i : i+1])
	default:
		t.reply(text, all)
	}
}

// play shows steps under a todo list (APR-43), and sums up.
func (t *turn) play(list []step) {
	outcomes := make([]outcome, len(list))
	for i, s := range list {
		t.todos(list, outcomes[:i], true)
		outcomes[i] = s.do(t)
		if t.ctx.Err() != nil {
			t.todos(list, outcomes[:i], false)
			return
		}
	}
	t.todos(list, outcomes, false)
	said := [...]string{refused: "refused, so it didn't happen", failed: "it failed", done: "done"}
	var lines []string
	for i, s := range list {
		lines = append(lines, fmt.Sprintf("- %s: %s", s.todo, said[outcomes[i]]))
	}
	t.say("That is all:\n\n%s", strings.Join(lines, "\n"))
}

// todos sends the list: those with an outcome are over, the next is under way.
// What was refused stays open.
func (t *turn) todos(list []step, outcomes []outcome, working bool) {
	var entries []object
	for i, s := range list {
		status := "pending"
		switch {
		case i < len(outcomes) && outcomes[i] == done:
			status = "completed"
		case working && i == len(outcomes):
			status = "in_progress"
		}
		entries = append(entries, object{"content": s.todo, "priority": "medium", "status": status})
	}
	t.update("plan", object{"entries": entries})
}

// reply is for what the script doesn't foresee, which most often is the
// reason for a refusal: the protocol carries it as the next prompt.
func (t *turn) reply(text string, all []step) {
	if t.planless {
		defer t.revise(text)
	}
	if len(t.before) > 0 {
		t.say("I understand: “%s”. I have left these undone: %s. I would keep to that from here on.", text, strings.Join(t.before, "; "))
	} else {
		t.say("Noted: “%s”. A script can do no more with it.", text)
	}
	t.say("%s", offer(all))
}

func offer(all []step) string {
	var names []string
	for _, s := range all {
		names = append(names, "`"+s.name+"`")
	}
	return "I can show again: " + strings.Join(names, ", ") + " or `all`."
}

func look(t *turn) outcome {
	t.say("I look at the pager first. Reading needs no answer of yours.")
	read := t.read("Read the pager", pagerFile)
	return min(read, t.run("Take a checksum of the notes", "cksum", notesFile))
}

func plan(t *turn) outcome {
	t.say("Pages rounds down, so a last page that isn't full is lost. Here is what I would do.")
	o := t.handIn(planText)
	if o != done {
		t.say("Then no plan. I ask about every step by itself.")
	}
	return o
}

func (t *turn) handIn(text string) outcome {
	o := t.use(call{
		title: "A plan to review", kind: "switch_mode",
		content: []object{{"type": "content", "content": textBlock(text)}},
		do:      func() (string, error) { return "", nil },
	})
	if o == refused && t.ctx.Err() == nil {
		t.mu.Lock()
		t.planRefused = true
		t.mu.Unlock()
	}
	return o
}

// revise hands in the plan once more, with what the person said to it, so that
// what has changed can be looked at.
func (t *turn) revise(said string) {
	t.say("Here is the plan again, with what you said.")
	quoted := strings.ReplaceAll(said, "\n", "\n> ")
	text := strings.Replace(planText, "## What stays", "## What you asked for\n\n> "+quoted+"\n\n## What stays", 1)
	if t.handIn(text) == done {
		t.say("Agreed. Say `all`, and I go through it again.")
	}
}

const planText = `# Count the last page

` + "`Pages`" + ` divides and rounds down: 25 items on pages of 10 are 2 pages, and the last
5 items can't be reached.

## Steps

1. Round up in ` + "`pager/pager.go`" + `.
2. Give 0 pages for a page size of 0, instead of a crash.
3. Add a table test; which cases it has is your choice.
4. Keep a copy of the notes before anything else changes them.

## What stays as it is

- ` + "`Bounds`" + `, which is right already
- the module file
`

func fix(t *turn) outcome {
	text, err := t.text(pagerFile)
	if err == nil && !strings.Contains(text, faultyLine) {
		t.say("The pager is fixed already, so I make a note of it.")
		notes, _ := t.text(notesFile)
		return t.write("Note the fix", notesFile, notes+"- the page count is right now\n")
	}
	o := t.edit("Round the page count up", pagerFile, faultyLine, fixedLines)
	switch o {
	case refused:
		t.say("You would rather not have that, so the pager stays as it is.")
	case failed:
		t.say("I could not change the pager.")
	}
	return o
}

// testCases are the cases that the question offers, with their lines of the
// test.
var testCases = []struct {
	choice
	line string
}{
	{choice{"partial", "A last page that isn't full", "25 items on pages of 10"}, "{25, 10, 3}, // a last page that isn't full"},
	{choice{"full", "Only full pages", "20 items on pages of 10"}, "{20, 10, 2}, // only full pages"},
	{choice{"empty", "No items", "nothing to show"}, "{0, 10, 0},  // no items"},
	{choice{"zero", "A page size of 0", "must not crash"}, "{25, 0, 0},  // a page size of 0"},
}

func test(t *turn) outcome {
	var offered []choice
	for _, c := range testCases {
		offered = append(offered, c.choice)
	}
	said, ok := t.ask("The pager needs a test.", "Which cases should the test have?", offered)
	chosen := said.Cases
	switch {
	case !ok:
		t.say("Then I take the two cases that went wrong.")
		chosen = []string{"partial", "zero"}
	case said.Words != "":
		t.say("“%s” is beyond a script; I take only what it knows.", said.Words)
	}
	if len(chosen) == 0 {
		t.say("No cases, no test.")
		return refused
	}
	var lines strings.Builder
	for _, c := range testCases {
		if slices.Contains(chosen, c.id) {
			lines.WriteString("\t\t" + c.line + "\n")
		}
	}
	head := testHead
	if said.Parallel {
		head = strings.Replace(head, "{\n\tfor", "{\n\tt.Parallel()\n\tfor", 1)
	}
	o := t.write("Test the page count", testFile, head+lines.String()+testTail)
	if o == refused {
		t.say("No test, then.")
	}
	return o
}

const testHead = `package pager

import "testing"

func TestPages(t *testing.T) {
	for _, c := range []struct{ total, size, want int }{
`

const testTail = `	} {
		if got := (Pager{c.total, c.size}).Pages(); got != c.want {
			t.Errorf("%d items on pages of %d: %d pages, want %d", c.total, c.size, got, c.want)
		}
	}
}
`

func keep(t *turn) outcome {
	o := t.run("Copy the notes beside themselves", "cp", notesFile, backupFile)
	switch o {
	case refused:
		t.say("The command did not run; there is no copy.")
	case failed:
		t.say("The command did not work here.")
	}
	return o
}

func tidy(t *turn) outcome {
	t.say("There is an old key in `keys/`. I try to delete it; one of your rules should stop me.")
	o := t.remove("Delete an old key that looks unused", keyFile)
	if o == refused {
		t.say("It did. The key is still there.")
	}
	return o
}
