package review

import "sync"

// A Transcript gathers a conversation from its pieces. The zero Transcript is
// empty; it may be used from any number of goroutines.
type Transcript struct {
	mu       sync.Mutex
	messages []Message
}

// Asked adds a message of the person.
func (t *Transcript) Asked(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.add(Message{From: Person, Text: text})
}

// Answered adds a piece of what the agent says. All pieces between two
// messages of the person are one message, so that a talkative agent can't
// push what was wanted out of sight.
func (t *Transcript) Answered(piece string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.messages); n > 0 && t.messages[n-1].From == Agent {
		t.messages[n-1].Text += piece
		return
	}
	t.add(Message{From: Agent, Text: piece})
}

func (t *Transcript) add(m Message) {
	t.messages = append(t.messages, m)
	if n := len(t.messages); n > maxMessages {
		t.messages = t.messages[n-maxMessages:]
	}
}

// Last returns the last six messages, for [Options.Conversation].
func (t *Transcript) Last() []Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Message(nil), t.messages...)
}
