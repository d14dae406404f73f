package main

import (
	"bytes"
	"errors"
	"testing"
)

// P01, P16 of the display properties: an error acts on no terminal.
func TestPrintedErrorIsHarmless(t *testing.T) {
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
}
