package hosting

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/gate/desk"
)

// What this test's program is when it is started again, and where sockets are.
const (
	roleVariable   = "HOSTING_TEST_ROLE"
	folderVariable = "HOSTING_TEST_FOLDER"
)

var theCall = Call{Agent: "claude", Session: "s1", ID: "c1"}

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "hook":
		fmt.Println(Asked(context.Background(), os.Getenv(folderVariable), theCall))
	case "impostor":
		pretend(os.Getenv(folderVariable))
	default:
		os.Setenv("TMPDIR", "/tmp") // the name of a socket has room for some hundred bytes
		os.Exit(m.Run())
	}
}

// pretend says yes to everybody.
func pretend(folder string) {
	s, err := Listen(folder)
	fmt.Println("listening", err)
	for err == nil {
		conn, acceptErr := s.Accept()
		if err = acceptErr; err != nil {
			break
		}
		_, _ = bufio.NewReader(conn).ReadString('\n')
		_ = json.NewEncoder(conn).Encode(answer{Asked: true})
		_ = conn.Close()
	}
}

// played is this test's program in a role, or a command that starts it so.
func played(t *testing.T, role, folder, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), roleVariable+"="+role, folderVariable+"="+folder, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

func announced(session string) []acp.Call {
	if session != theCall.Session {
		return nil
	}
	return []acp.Call{{ID: "c0"}, {ID: theCall.ID}}
}

// ownFolder is one that only this user may enter.
func ownFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	return folder
}

// serve is a session of this process for an agent.
func serve(t *testing.T, a Agent) (folder string) {
	t.Helper()
	folder = ownFolder(t)
	s, err := Listen(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	go Serve(s, a, func(err error) { t.Error(err) })
	return folder
}

// BEY-01: a hook below the agent that the session started is believed, for a
// call of that agent; another process isn't, whatever it says.
func TestHookOfAnAgent_BEY01(t *testing.T) {
	// The agent is a shell, which waits to be told of the folder.
	agentOf := func(name string) string {
		agent := played(t, "hook", "", "sh", "-c", `read `+folderVariable+`; export `+folderVariable+`; "$0"; :`, os.Args[0])
		in, err := agent.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		agent.Stdout = &out
		if err := agent.Start(); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(in, serve(t, Agent{Name: name, Process: agent.Process.Pid, Announced: announced}))
		if err := agent.Wait(); err != nil {
			t.Error(err)
		}
		return strings.TrimSpace(out.String())
	}
	if got := agentOf("claude"); got != "true" {
		t.Errorf("its own hook: %s", got)
	}
	if got := agentOf("copilot"); got != "false" {
		t.Errorf("the hook of another agent: %s", got)
	}
	other := played(t, "", "", "sleep", "60")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	folder := serve(t, Agent{Name: "claude", Process: other.Process.Pid, Announced: announced})
	out, err := played(t, "hook", folder, os.Args[0]).Output()
	if err != nil || strings.TrimSpace(string(out)) != "false" {
		t.Errorf("a hook beside the agent: %s, %v", out, err)
	}
}

// BEY-01: who says that it hosts the agent has to be above the hook.
func TestHookBelievesItsOwnSessionOnly_BEY01(t *testing.T) {
	folder := ownFolder(t)
	impostor := played(t, "impostor", folder, os.Args[0])
	out, err := impostor.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := impostor.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "listening <nil>\n" {
		t.Fatal(line, err)
	}
	said, err := played(t, "hook", folder, os.Args[0]).Output()
	if err != nil || strings.TrimSpace(string(said)) != "false" {
		t.Errorf("it believes %s, %v", said, err)
	}
}

// A socket that nobody listens at, or none at all, is no session.
func TestNoSession(t *testing.T) {
	folder := ownFolder(t)
	if Asked(t.Context(), folder, theCall) {
		t.Error("without a socket")
	}
	s, err := desk.Listen(folder, prefix)
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if Asked(t.Context(), folder, theCall) {
		t.Error("with a closed one")
	}
}

// The agent may tell of the call a little after its hook has; a call that it
// never tells of is none.
func TestLateAnnouncement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		late := func(session string) []acp.Call {
			if time.Since(start) < time.Second {
				return nil
			}
			return announced(session)
		}
		if !(Agent{Announced: late}).waitsFor(theCall) {
			t.Error("it wasn't waited for")
		}
		for _, c := range []Call{{Session: "s2", ID: "c1"}, {Session: "s1", ID: "c2"}, {}} {
			if (Agent{Announced: announced}).waitsFor(c) {
				t.Errorf("%+v was found", c)
			}
		}
	})
}
