package review

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestTranscript keeps the last six messages (APR-14a).
func TestTranscript(t *testing.T) {
	var talk Transcript
	if got := talk.Last(); len(got) != 0 {
		t.Errorf("begins with %v", got)
	}
	for i := range 5 {
		talk.Asked(fmt.Sprint("do ", i))
	}
	for range 100 {
		talk.Answered("a")
	}
	want := []Message{{Person, "do 0"}, {Person, "do 1"}, {Person, "do 2"}, {Person, "do 3"}, {Person, "do 4"}, {Agent, strings.Repeat("a", 100)}}
	got := talk.Last()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	got[0].Text = "changed"
	if talk.Last()[0].Text != "do 0" {
		t.Error("what Last returns is not a copy")
	}
	talk.Asked("do 5")
	talk.Answered("b")
	want = []Message{want[2], want[3], want[4], want[5], {Person, "do 5"}, {Agent, "b"}}
	if got := talk.Last(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}
