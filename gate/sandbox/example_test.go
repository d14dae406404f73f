package sandbox_test

import (
	"fmt"
	"os/exec"

	"github.com/blitz-approve/blitz-approve/gate/sandbox"
)

// The program's main function begins with sandbox.Main.
func ExamplePolicy_Wrap() {
	policy := sandbox.ForWorkspace("/home/me/src/shop", "gemini", "/home/me/.blitz")
	policy.ReadDeny = append(policy.ReadDeny, "/home/me/.ssh")

	cmd := exec.Command("gemini", "--acp")
	release, err := policy.Wrap(cmd)
	if err != nil {
		fmt.Println("nothing runs:", err)
		return
	}
	err = cmd.Run()
	fmt.Println(err, release())
}

func ExampleAvailable() {
	report := sandbox.Available()
	fmt.Println(report.Name, report.Whole())
	for _, lack := range report.Lacks {
		fmt.Println("not held:", lack)
	}
}
