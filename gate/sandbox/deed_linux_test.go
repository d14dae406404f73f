package sandbox

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// do is what the test's own program does under the sandbox when it is asked
// to; its exit code is 0 when that went well.
func do(deed string, args []string) int {
	var err error
	switch deed {
	case "dial":
		var c net.Conn
		d := net.Dialer{Timeout: 5 * time.Second}
		d.SetMultipathTCP(args[0] == "mptcp")
		if c, err = d.Dial(strings.TrimPrefix(args[0], "mp"), args[1]); err == nil && args[0] == "udp" {
			_, err = c.Write([]byte("x"))
		}
	case "listen":
		l := net.ListenConfig{}
		l.SetMultipathTCP(false)
		_, err = l.Listen(context.Background(), args[0], args[1])
	case "attach":
		var id int
		if id, err = strconv.Atoi(args[0]); err == nil {
			_, err = unix.SysvShmAttach(id, 0, 0)
		}
	case "wrap": // a workspace, the gate's home, a script
		return wrapAndRun(args[0], args[1], args[2])
	default:
		err = fmt.Errorf("unknown deed %q", deed)
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("done")
	os.Stdout.Close()
	return 0
}

func wrapAndRun(workspace, gateHome, script string) int {
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Stdout, cmd.Stderr = workspace, os.Stdout, os.Stderr
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	release, err := Policy{Workspace: workspace, Protect: append(DefaultProtect(""), gateHome), ReadDeny: []string{"src", "../out/c.txt"}}.Wrap(cmd)
	if err == nil {
		err = cmd.Run()
	}
	if release != nil {
		if e := release(); err == nil {
			err = e
		}
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}
