package acp_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// pages answers all questions of a call together, and single ones with answer.
type pages struct {
	answer func(q prompts.Question) prompts.Answer
	groups [][]prompts.Question
}

func (p *pages) Ask(_ context.Context, q prompts.Question) (prompts.Answer, error) {
	return p.answer(q), nil
}

func (p *pages) AskGroup(_ context.Context, qs []prompts.Question) ([]prompts.Answer, error) {
	p.groups = append(p.groups, qs)
	answers := make([]prompts.Answer, len(qs))
	for i, q := range qs {
		answers[i] = p.answer(q)
	}
	return answers, nil
}

const twoFields = `{"id":0,"method":"elicitation/create","params":{"mode":"form","sessionId":"s1","message":"About the test","requestedSchema":{"type":"object","required":["size"],"properties":{
	"kind":{"type":"string","title":"Kind","enum":["a","b"]},"kind_note":{"type":"string"},"size":{"type":"integer","description":"How many?"}}}}}`

// APR-40a, TAM-24: the fields of a form are the pages of one group. What
// doesn't fit is refused by the screen; an answer that gets through all the
// same isn't sent.
func TestFormIsOneGroup(t *testing.T) {
	p := &pages{}
	_, peer := open(t, acp.Options{Prompter: p})
	p.answer = func(q prompts.Question) prompts.Answer {
		if q.Header == "Kind" {
			return prompts.Answer{Text: "b", Selected: []string{"b"}, Note: "for now"}
		}
		return prompts.Answer{Text: "3"}
	}
	peer.send(strings.ReplaceAll(twoFields, "\n\t", ""))
	peer.expect(t, `{"id":0,"result":{"action":"accept","content":{"kind":"b","kind_note":"for now","size":3}}}`)
	qs := p.groups[0]
	if len(qs) != 2 || !qs[0].Optional || !qs[0].Notes || qs[1].Optional || qs[1].Of != 2 || !strings.HasPrefix(qs[0].Text, "About the test") {
		t.Errorf("asked %+v", qs)
	}
	if qs[0].Closed || qs[1].Closed {
		t.Error("a field that takes words is closed")
	}
	if got := qs[1].Check(prompts.Answer{Text: "many"}); got != "Please give a number." {
		t.Errorf("a word as a number: %q", got)
	}
	p.answer = func(prompts.Question) prompts.Answer { return prompts.Answer{Text: "b"} }
	peer.send(strings.ReplaceAll(twoFields, "\n\t", ""))
	peer.expect(t, `{"id":0,"result":{"action":"cancel"}}`)
}

// TAM-24: a choice that has no field for other words is closed, also a yes or no.
func TestChoicesOfAFormAreClosed(t *testing.T) {
	p := &pages{answer: func(q prompts.Question) prompts.Answer {
		return prompts.Answer{Text: q.Options[0].Label, Selected: []string{q.Options[0].Label}}
	}}
	_, peer := open(t, acp.Options{Prompter: p})
	peer.send(`{"id":0,"method":"elicitation/create","params":{"mode":"form","sessionId":"s1","message":"m","requestedSchema":{"type":"object","properties":{"kind":{"type":"string","enum":["a","b"]},"sure":{"type":"boolean"},"parts":{"type":"array","items":{"enum":["x","y"]}}}}}}`)
	peer.expect(t, `{"id":0,"result":{"action":"accept","content":{"kind":"a","parts":["x"],"sure":true}}}`)
	for _, q := range p.groups[0] {
		if !q.Closed {
			t.Errorf("%s is open", q.Text)
		}
	}
}

// APR-41, BEY-10: a plan in a file that changes while it is read isn't
// approved by what was said to the old one; the next look at it can compare.
func TestPlanFileChangesMeanwhile(t *testing.T) {
	ws := t.TempDir()
	file := filepath.Join(ws, "plan.md")
	write := func(s string) { writeFile(t, file, s) }
	write("# One")
	var asked []prompts.Question
	p := &pages{answer: func(q prompts.Question) prompts.Answer {
		asked = append(asked, q)
		if len(asked) == 1 {
			write("# Two")
		}
		return prompts.Answer{Text: "Yes, go ahead"}
	}}
	_, peer := open(t, acp.Options{Prompter: p, Workspace: ws, Preset: acp.Preset{PlanFileTool: "exit_plan", ToolInCallID: true}})
	request := func(id, call string) string {
		return `{"id":` + id + `,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"exit_plan` + call + `","title":"Requesting plan approval for: ` + file + `","kind":"other"},"options":` + options + `}}`
	}
	peer.send(request("0", "__c1"))
	peer.expect(t, `{"id":0,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`)
	if len(asked) != 2 || asked[0].Document != "# One" || asked[1].Document != "# Two" || asked[1].Before != "# One" {
		t.Fatalf("asked %+v", asked)
	}
	if text, _ := os.ReadFile(filepath.Join(ws, ".blitz/plans/s1-1.md")); string(text) != "# Two\n" {
		t.Errorf("kept %q", text)
	}
	write("# Three")
	peer.send(request("1", "__c2"))
	peer.expect(t, `{"id":1,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`)
	if asked[2].Before != "# Two" {
		t.Errorf("compared with %q", asked[2].Before)
	}
}
