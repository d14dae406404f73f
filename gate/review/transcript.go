package review

import (
	"strings"
	"sync"
)

// A Transcript gathers a conversation from its pieces. The zero Transcript is
// empty; it may be used from any number of goroutines.
type Transcript struct {
	mu       sync.Mutex
	messages []*growing
}

type growing struct {
	from Speaker
	text strings.Builder
}

// Asked adds a message of the person.
func (t *Transcript) Asked(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.add(Person, text)
}

// Answered adds a piece of what the agent says. All pieces between two
// messages of the person are one message, so that a talkative agent can't
// push what was wanted out of sight.
func (t *Transcript) Answered(piece string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.messages); n > 0 && t.messages[n-1].from == Agent {
		t.messages[n-1].text.WriteString(piece)
		return
	}
	t.add(Agent, piece)
}

func (t *Transcript) add(from Speaker, text string) {
	m := &growing{from: from}
	m.text.WriteString(text)
	t.messages = append(t.messages, m)
	if n := len(t.messages); n > maxMessages {
		t.messages = t.messages[n-maxMessages:]
	}
}

// Last returns the last six messages, for [Options.Conversation].
func (t *Transcript) Last() []Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := make([]Message, len(t.messages))
	for i, m := range t.messages {
		last[i] = Message{m.from, m.text.String()}
	}
	return last
}
