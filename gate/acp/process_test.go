//go:build unix

package acp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// stubborn is a program that ignores a polite end and leaves a child behind
// that does too. Both hold the open end of a named pipe; the pipe's other end
// sees its end of file when both are gone.
const stubborn = `trap '' TERM HUP
exec 9>"$1"
sh -c 'trap "" TERM HUP; echo $$ >&9; while :; do sleep 1; done' &
echo $$ >&9
while :; do sleep 1; done`

// fifo makes a named pipe and opens its reading end without waiting.
func fifo(t *testing.T) (path string, r *os.File) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "alive")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := os.OpenFile(path, os.O_RDWR, 0) // not a reader alone: that would wait for a writer
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return path, r
}

// forsaking is a program that leaves at the end of its input, and leaves behind
// a command in a session of its own, and a service that has no parent any more.
const forsaking = `exec 9>"$1"
(setsid sh -c 'echo $$ >&9; exec sleep 3600' &)
setsid sh -c 'echo $$ >&9; sleep 3600; touch "$0"' "$2" &
cat >/dev/null`

// APR-30: a command that an agent runs in a group of its own ends with the
// agent, even when the agent isn't given the time to end it, or doesn't.
func TestProcessGroupsApartGone(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("who started what is read from /proc, which Linux has")
	}
	path, alive := fifo(t)
	late := filepath.Join(t.TempDir(), "late")
	p, err := acp.StartProcess(exec.Command("sh", "-c", forsaking, "sh", path, late), nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(alive)
	var pids [2]int
	for i := range pids {
		if _, err := fmt.Fscanln(lines, &pids[i]); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = syscall.Kill(-pids[i], syscall.SIGKILL) }()
	}
	command, service := pids[0], pids[1]
	if parent(t, command) != p.ID() {
		command, service = service, command
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if running(command) {
		t.Error("the command still runs")
	}
	if _, err := os.Stat(late); err == nil {
		t.Error("the command went on when only a part of it was ended")
	}
	if !running(service) {
		t.Error("what was made to outlive its parent was ended too")
	}
}

// parent is the id of the process that started one.
func parent(t *testing.T, pid int) (id int) {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(strings.Fields(string(stat))[3], &id); err != nil {
		t.Fatal(err)
	}
	return id
}

// TestProcessGroupGone: closing ends the program and its child, even when
// both ignore the signal that asks them to.
func TestProcessGroupGone(t *testing.T) {
	path, alive := fifo(t)
	p, err := acp.StartProcess(exec.Command("sh", "-c", stubborn, "sh", path), nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(alive)
	var pids []int
	for range 2 {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	if group, err := syscall.Getpgid(pids[1]); err != nil || group == syscall.Getpgrp() {
		t.Errorf("the child is in group %d (%v), ours is %d", group, err, syscall.Getpgrp())
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for _, pid := range pids {
		if running(pid) {
			t.Errorf("process %d still runs", pid)
		}
	}
	if err := p.Err(); err != nil {
		t.Error("an end that was asked for is no fault:", err)
	}
}

// running reports whether a process runs; one that has ended and was not
// waited for by its new parent does not.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}

// TestProcessLeavesChild: when the program itself ends, the child that it
// left, which holds the pipes open, is ended too.
func TestProcessLeavesChild(t *testing.T) {
	path, alive := fifo(t)
	p, err := acp.StartProcess(exec.Command("sh", "-c", `sh -c 'echo $$ >"$1"; exec sleep 1000' sh "$1" & read x; exit 3`, "sh", path), nil)
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(alive).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(line))
	_, _ = io.WriteString(p.Stdin(), "\n")
	<-p.Done()
	if running(pid) {
		t.Error("the child still runs")
	}
	if rest, err := io.ReadAll(p.Stdout()); err != nil || len(rest) > 0 {
		t.Error(rest, err)
	}
	var exit *exec.ExitError
	if err := p.Err(); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// TestProcessLastWords: what a program says before it fails is in the error,
// and a program that is not there says how to get it.
func TestProcessLastWords(t *testing.T) {
	var said []string
	p, err := acp.StartProcess(exec.Command("sh", "-c", "echo no key >&2; exit 1"), func(l string) { said = append(said, l) })
	if err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	if err := p.Err(); err == nil || !strings.Contains(err.Error(), "no key") || len(said) != 1 {
		t.Error(err, said)
	}
	p.Close()
	preset, _ := acp.PresetFor("gemini")
	_, err = acp.Launch([]string{"no-such-agent-program"}, acp.Options{Preset: preset, Workspace: t.TempDir()})
	if !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), preset.Install) {
		t.Error(err)
	}
}

// agentScript is an agent in shell: it asks for one command and then dies.
const agentScript = `say() { printf '%s\n' "$1"; }
read x; say '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}'
read x; say '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1"}}'
read x; say '{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"execute","rawInput":{"command":"make"}},"options":[{"optionId":"yes","kind":"allow_once"}]}}'
read x
case $x in *yes*) : > "$1";; esac
say '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}'
echo "bye" >&2
exit 4`

// TestLaunch runs a real program through the host: what is allowed happens,
// what is refused doesn't, and its end is told (TAM-24).
func TestLaunch(t *testing.T) {
	for name, effect := range map[string]gate.Effect{"allow": gate.Allow, "deny": gate.Deny} {
		t.Run(name, func(t *testing.T) {
			mark := filepath.Join(t.TempDir(), "ran")
			exited := make(chan error, 1)
			h, err := acp.Launch([]string{"sh", "-c", agentScript, "sh", mark}, acp.Options{
				Workspace: t.TempDir(),
				Decide:    func(context.Context, gate.Request) gate.Verdict { return gate.Verdict{Effect: effect} },
				Events: func(e acp.Event) {
					if e, ok := e.(acp.AgentExited); ok {
						exited <- e.Err
					}
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			if _, err := h.Initialize(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := h.NewSession(t.Context()); err != nil {
				t.Fatal(err)
			}
			if reason, err := h.Prompt(t.Context(), "go"); err != nil || reason != acp.EndTurn {
				t.Error(reason, err)
			}
			if err := <-exited; err == nil || !strings.Contains(err.Error(), "bye") {
				t.Error(err)
			}
			if _, err := os.Stat(mark); (err == nil) != (effect == gate.Allow) {
				t.Errorf("%s: %v", effect, err)
			}
		})
	}
}
