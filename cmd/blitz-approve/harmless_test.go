package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
)

// P01, P16 of the display properties: what commands print besides the screen,
// errors and JSON, acts on no terminal, and JSON is still what it was.
func TestPrintedTextIsHarmless(t *testing.T) {
	const text = "a\x1b[31m\x1b]0;t\a\u009b1m\u202eb\u200b\u2028\U000e0041\u00a0日"
	var out bytes.Buffer
	printError(&out, errors.New("open "+text+": no such file\nand \xff\n"))
	if want := `blitz-approve: open a\u001b[31m\u001b]0;t\u0007\u009b1m\u202eb\u200b\u2028\U000e0041\u00a0日: no such file` + "\nblitz-approve: and \\xff\n"; out.String() != want {
		t.Errorf("printed %q\nwant    %q", out.String(), want)
	}
	out.Reset()
	printError(&out, errors.New(`bad \u202e in "x\x1b"`))
	if want := "blitz-approve: bad \\u202e in \"x\\x1b\"\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}

	out.Reset()
	if err := printJSON(&out, []string{text}); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(out.String(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
		t.Errorf("byte %d of %q", i, out.String())
	}
	var back []string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back[0] != text {
		t.Errorf("%q, %v", back, err)
	}
}
