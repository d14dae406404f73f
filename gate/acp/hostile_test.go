package acp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// refuseAll is a gate that refuses.
func refuseAll(context.Context, gate.Request) gate.Verdict { return gate.Verdict{} }

// TestHostileCalls: whatever a permission request looks like, it gets exactly one
// answer, which allows nothing that the gate doesn't, and the connection lives on.
func TestHostileCalls(t *testing.T) {
	deep := strings.Repeat(`{"path":`, 9000) + `"x"` + strings.Repeat("}", 9000)
	wide := strings.Repeat(`{"type":"content","content":{"type":"text","text":"x"}},`, 20000)
	many := strings.Repeat(`{"optionId":"yes","kind":"allow_once"},`, 20000)
	for name, request := range map[string]string{
		"deep arguments":     `"toolCall":{"toolCallId":"c","kind":"other","rawInput":` + deep + `}`,
		"deep content":       `"toolCall":{"toolCallId":"c","content":[` + deep + `]}`,
		"deep everything":    `"toolCall":` + deep,
		"many contents":      `"toolCall":{"toolCallId":"c","content":[` + wide + `7]}`,
		"many options":       `"toolCall":{"toolCallId":"c","kind":"execute","rawInput":{"command":"ls"}},"options":[` + many + `{}]`,
		"options of no list": `"toolCall":{"toolCallId":"c"},"options":{"optionId":"yes"}`,
		"members twice":      `"toolCall":{"toolCallId":"c","kind":"read","kind":"execute","rawInput":{"command":"ls","command":"rm"}}`,
		"null all over":      `"toolCall":{"toolCallId":"c","kind":null,"content":null,"locations":null,"rawInput":null},"options":null`,
		"lone surrogates":    `"toolCall":{"toolCallId":"\ud800","title":"\udfff","kind":"edit","rawInput":{"path":"\ud800","content":"\udc00"}}`,
		"NUL in a path":      `"toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"/a\u0000b"}],"content":[{"type":"diff","path":"\u0000","newText":"x"}]}`,
		"a device":           `"toolCall":{"toolCallId":"c","kind":"edit","content":[{"type":"diff","path":"/dev/zero","newText":"x"}]}`,
		"a patch of nothing": `"toolCall":{"toolCallId":"c","kind":"edit","rawInput":{"diff":"--- a\n+++ b\n@@ -1,99999999999999999999 +1 @@\n"}}`,
		"numbers":            `"toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"a","line":1e400}],"rawInput":1e999}`,
		"no call":            `"toolCall":[],"options":[]`,
	} {
		t.Run(name, func(t *testing.T) {
			h, p := open(t, acp.Options{Decide: refuseAll})
			ended := prompt(t, h, p)
			p.send(`{"id":0,"method":"session/request_permission","params":{"sessionId":"s1",` + request + `}}`)
			answer, err := p.in.ReadString('\n')
			if err != nil || !strings.Contains(answer, `"id":0,`) || strings.Contains(answer, `"yes"`) {
				t.Errorf("%.200s (%v)", answer, err)
			}
			p.send(`{"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call",` +
				strings.TrimPrefix(strings.Split(request, `,"options"`)[0], `"toolCall":{`) + `}}`)
			p.send(ask("1", "d", "ls"))
			for {
				if answer, err = p.in.ReadString('\n'); err != nil || strings.Contains(answer, `"id":1,`) {
					break
				}
			}
			if err != nil || !strings.Contains(answer, `"no"`) {
				t.Error(answer, err)
			}
			p.send(`{"id":3,"result":{"stopReason":"end_turn"}}`)
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}
