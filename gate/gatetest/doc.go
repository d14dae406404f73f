// Package gatetest helps programs that embed a gate to test what it makes of
// their tools and rules. A [Gate] lives in folders of its own, prompts are
// answered from a script, and what isn't in the script fails the test: nothing
// waits for a person.
package gatetest
