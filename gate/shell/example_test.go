package shell_test

import (
	"fmt"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

func Example() {
	line := shell.Read(`cd src && sudo r\m -rf "my files" > log`)
	for _, c := range line.Commands {
		fmt.Printf("%q via %v in %q, writes a file: %v\n", c.Args(), c.Via, c.Dir, c.Writes())
	}
	fmt.Println("clear:", line.Clear())
	// Output:
	// ["cd" "src"] via [] in "", writes a file: false
	// ["sudo" "rm" "-rf" "my files"] via [] in "src", writes a file: true
	// ["rm" "-rf" "my files"] via [sudo] in "src", writes a file: true
	// clear: true
}

func ExampleReadOnly() {
	for _, line := range []string{"git diff --stat", "git diff --output=f", "rm f"} {
		allowed, guard := shell.ReadOnly(&shell.Read(line).Commands[0])
		fmt.Printf("%v %q\n", allowed, guard)
	}
	// Output:
	// true ""
	// false "git … --output"
	// false ""
}

func ExampleResolve() {
	out := shell.Resolve("go vet ./... && go test ./...", shell.PatternOptions{
		Patterns:      []shell.Pattern{{Match: "go *", Approval: "allow"}},
		AllowCompound: true,
		Shell:         "/bin/bash",
	})
	fmt.Println(out.Policy, out.WriteTier)
	// Output: allow true
}
