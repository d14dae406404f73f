package sandbox

import (
	"fmt"
	"net"
	"os"
	"time"
)

// do is what the test's own program does under the sandbox when it is asked
// to; its exit code is 0 when that went well.
func do(deed string, args []string) int {
	var err error
	switch deed {
	case "dial":
		var c net.Conn
		if c, err = net.DialTimeout(args[0], args[1], 5*time.Second); err == nil && args[0] == "udp" {
			_, err = c.Write([]byte("x"))
		}
	case "listen":
		_, err = net.Listen(args[0], args[1])
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
