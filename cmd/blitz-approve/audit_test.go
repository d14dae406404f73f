package main

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/blitz-approve/blitz-approve/gate"
)

func TestLastLines(t *testing.T) {
	text := "1\n22\n\n4\nbeing written"
	for n, want := range map[int]struct {
		rest   string
		before int
	}{
		1: {"4\nbeing written", 3}, 2: {"\n4\nbeing written", 2}, 3: {"22\n\n4\nbeing written", 1}, 4: {text, 0}, 5: {text, 0},
	} {
		at, before, err := lastLines(iotest.OneByteReader(strings.NewReader(text)), n)
		if err != nil || text[at:] != want.rest || before != want.before {
			t.Errorf("the last %d lines: %q after %d, %v; want %+v", n, text[at:], before, err, want)
		}
	}
}

// The last records of a long log are found without reading all others, and a
// damaged line keeps its number.
func TestLastRecords(t *testing.T) {
	record := func(id string) string { return `{"id":"` + id + `","verdict":"allow"}` + "\n" }
	log := strings.Repeat(record("old"), 5000) + record("a") + "{damaged\n" + record("b")
	for last, want := range map[int]string{1: "b", 3: "a b"} {
		var got []string
		var problems bytes.Buffer
		counted := &counter{Reader: strings.NewReader(log)}
		_, err := readLog(t.Context(), counted, auditFilter{last: last}, func(r gate.Record) { got = append(got, r.ID) }, &problems)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("-n %d: %q, %v", last, got, err)
		}
		if told := strings.Contains(problems.String(), "line 5002 "); told != (last == 3) {
			t.Errorf("-n %d: %q", last, &problems)
		}
		if counted.sought == 0 {
			t.Errorf("-n %d reads all records", last)
		}
	}
}

// A record that is still being written is read whole once it is, and one that is
// damaged is told of whenever it comes.
func TestRecordsThatCome(t *testing.T) {
	var log, problems bytes.Buffer
	var got []string
	r := &recordReader{lines: bufio.NewReader(&log), take: func(r gate.Record) { got = append(got, r.ID) }, problems: &problems}
	for _, piece := range []string{`{"id":"a"}` + "\n" + `{"id"`, `:"b`, `"}` + "\n", "{damaged\n"} {
		log.WriteString(piece)
		if err := r.next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Join(got, " ") != "a b" || !strings.Contains(problems.String(), "line 3 ") || strings.Contains(problems.String(), "line 2 ") {
		t.Errorf("read %q, told %q", got, &problems)
	}
}

// However many are asked for, there are no more than there are.
func TestListOfTheLast(t *testing.T) {
	for last, want := range map[int]int{2: 2, 5: 5, math.MaxInt: 5} {
		l := auditList{filter: auditFilter{last: last}, out: bufio.NewWriter(io.Discard)}
		for range 5 {
			l.take(gate.Record{})
		}
		if err := l.end(io.Discard); err != nil || len(l.held) != want {
			t.Errorf("-n %d: %d are listed, want %d (%v)", last, len(l.held), want, err)
		}
	}
}

type counter struct {
	*strings.Reader
	sought int64
}

func (c *counter) Seek(at int64, from int) (int64, error) {
	c.sought = at
	return c.Reader.Seek(at, from)
}
