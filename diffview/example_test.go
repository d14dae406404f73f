package diffview_test

import (
	"context"
	"fmt"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// Show an agent's change to a file.
func ExampleCompute() {
	d := diffview.Compute(context.Background(), diffview.File{
		Path:   "greet.sh",
		Before: []byte("#!/bin/sh\necho hello\n"),
		After:  []byte("#!/bin/sh\r\necho hello, $USER\r\n"),
	}, diffview.Limits{})
	fmt.Printf("%s +%d -%d\n", diffview.Escape(d.File.Path), d.Added, d.Removed)
	for _, row := range d.Rows(diffview.RenderOptions{Width: 50}) {
		fmt.Println(row)
	}
	// Output:
	// greet.sh +1 -1
	// ! line endings change from LF to CRLF
	//   1   1   #!/bin/sh
	//   2     - echo hello
	//       2 + echo hello, $USER
}

// Draw only what is on screen of a large diff.
func ExampleDiff_Slice() {
	d := diffview.Compute(context.Background(), diffview.File{After: []byte("one\ntwo\nthree\nfour\n")}, diffview.Limits{})
	o := diffview.RenderOptions{Width: 30}
	for _, row := range d.Slice(o, 0, 3) {
		fmt.Println(row)
	}
	fmt.Printf("▼ %d more rows\n", d.Len(o)-3)
	// Output:
	// ! new file
	//       1 + one
	//       2 + two
	// ▼ 2 more rows
}

func ExampleEscape() {
	fmt.Println(diffview.Escape("docs/\u202efdp.exe"))
	fmt.Println(diffview.Escape("rm -rf ~\x1b[8m # tidy up  "))
	fmt.Println(diffview.Escape(`written out: \u202e`))
	// Output:
	// docs/\u202efdp.exe
	// rm -rf ~\u001b[8m # tidy up␣␣
	// written out: \\u202e
}

func ExampleHost() {
	host, changed := diffview.Host("https://github.com@127.1/login")
	fmt.Println(host, changed)
	// Output: 127.0.0.1 true
}
