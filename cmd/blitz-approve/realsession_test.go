//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/fakemodel"
	"github.com/blitz-approve/blitz-approve/gate"
)

// agentsVariable names a folder with a folder for each agent, in which npm
// installed it.
const agentsVariable = "BLITZ_AGENTS_DIR"

type args = map[string]any

// A realAgent is an agent from npm, and how it is used without a network.
type realAgent struct {
	name     string
	title    string
	mode     string   // its own, in which it asks
	headless []string // its arguments before a prompt; nothing but hooks stops it then
	settings string   // the file for them, in the home folder
	content  string
	env      func(model string) []string
	// The calls of its tools that the scripts are made of.
	write func(path string) fakemodel.Call
	run   func(command string) fakemodel.Call
}

var realAgents = []realAgent{
	{
		name:     "gemini",
		title:    "Gemini CLI",
		headless: []string{"--yolo", "-p"},
		mode:     "Default",
		settings: ".gemini/settings.json",
		content: `{
			"security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
			"privacy": {"usageStatisticsEnabled": false}, "telemetry": {"enabled": false},
			"general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
			"tools": {"useRipgrep": false}, "useWriteTodos": true, "model": {"name": "gemini-2.5-flash"}}`,
		env: func(model string) []string {
			return []string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + model, "GEMINI_CLI_NO_RELAUNCH=1"}
		},
		write: func(path string) fakemodel.Call {
			return fakemodel.Call{Tool: "write_file", Args: args{"file_path": path, "content": written}}
		},
		run: func(command string) fakemodel.Call {
			return fakemodel.Call{Tool: "run_shell_command", Args: args{"command": command}}
		},
	},
	{
		name:     "copilot",
		title:    "Copilot CLI",
		headless: []string{"--allow-all-tools", "-p"},
		mode:     "Agent",
		settings: ".copilot/config.json",
		content:  `{}`,
		env: func(model string) []string {
			return []string{"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false", "COPILOT_MODEL=scripted",
				"COPILOT_PROVIDER_BASE_URL=" + model + "/v1", "COPILOT_PROVIDER_API_KEY=none"}
		},
		write: func(path string) fakemodel.Call {
			return fakemodel.Call{Tool: "create", Args: args{"path": path, "file_text": written}}
		},
		run: func(command string) fakemodel.Call {
			// It waits so many seconds for a command before it goes on without.
			return fakemodel.Call{Tool: "bash", Args: args{"command": command, "description": "Look around", "initial_wait": 600}}
		},
	},
}

// written is what the scripts write into files.
const written = "hello\nworld\n"

// A realSession is the program on a terminal, with a real agent behind it.
type realSession struct {
	t        *testing.T
	term     terminal
	agent    realAgent
	env      []string
	by       [2]string // the agent and the protocol that the log names
	home     string
	work     string
	commands *os.File // a pipe in which commands tell their process

	mu    sync.Mutex
	asked bytes.Buffer // all that the model was sent
}

// startReal hosts the agent in an empty workspace. settings are the gate's.
func startReal(t *testing.T, a realAgent, settings string, scripts func(s *realSession) fakemodel.Scripts) *realSession {
	t.Helper()
	s := newReal(t, a, settings, scripts)
	s.hosts()
	return s
}

// hosts starts the session with the agent.
func (s *realSession) hosts() {
	s.t.Helper()
	a := s.agent
	s.by = [2]string{a.name, "acp"}
	s.must(s.term.start(s.command("blitz-approve", "run", a.name)))
	s.shows("agent: " + a.mode) // it told its mode: it can be prompted
}

// startHooked opens the desk, and starts the agent on its own, with its hook
// set up. The channel is closed when it has ended.
func startHooked(t *testing.T, a realAgent, settings, script string, scripts func(s *realSession) fakemodel.Scripts) (*realSession, <-chan struct{}) {
	t.Helper()
	s := newReal(t, a, settings, scripts)
	s.by = [2]string{a.title, "hook"}
	s.installs()
	s.must(s.term.start(s.command("blitz-approve")))
	s.shows("This is the desk")
	cmd := s.command(a.name, append(a.headless, fakemodel.Prompt(script))...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	s.must(cmd.Start())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	return s, ended
}

// installs sets up the agent's hook.
func (s *realSession) installs() {
	s.t.Helper()
	if out, err := s.command("blitz-approve", "install", s.agent.name, "--yes").CombinedOutput(); err != nil {
		s.t.Fatalf("install: %v\n%s", err, out)
	}
}

// command is a program in the session's environment.
func (s *realSession) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	if program == s.agent.name {
		cmd.Path, cmd.Err = filepath.Join(os.Getenv(agentsVariable), program, "node_modules", ".bin", program), nil
	}
	cmd.Dir, cmd.Env = s.work, s.env
	return cmd
}

// newReal prepares an empty workspace, a model and a terminal.
func newReal(t *testing.T, a realAgent, settings string, scripts func(s *realSession) fakemodel.Scripts) *realSession {
	t.Helper()
	s := &realSession{t: t, agent: a, home: t.TempDir()}
	s.work = filepath.Join(s.home, "shop")
	for _, dir := range []string{s.work, filepath.Join(s.home, "tmp")} {
		s.must(os.Mkdir(dir, 0o700))
	}
	s.file(a.settings, a.content)
	s.file("gate/settings.toml", settings)
	pipe := filepath.Join(s.home, "commands")
	s.must(unix.Mkfifo(pipe, 0o600))
	var err error
	s.commands, err = os.OpenFile(pipe, os.O_RDWR|syscall.O_NONBLOCK, 0)
	s.must(err)
	model := httptest.NewServer(s.recorded(scripts(s)))
	s.must(s.term.open(120, 36))
	t.Cleanup(func() {
		s.term.close()
		for _, p := range s.processes() {
			_ = syscall.Kill(p, syscall.SIGKILL)
		}
		model.Close()
		_ = s.commands.Close()
	})
	bin := filepath.Join(os.Getenv(agentsVariable), a.name, "node_modules", ".bin")
	s.env = append(a.env(model.URL), s.mark(), "HOME="+s.home, "TMPDIR="+filepath.Join(s.home, "tmp"),
		"PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "TERM=xterm-256color", "GORACE=atexit_sleep_ms=0")
	return s
}

func (s *realSession) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *realSession) file(name, content string) {
	s.t.Helper()
	path := filepath.Join(s.home, name)
	s.must(os.MkdirAll(filepath.Dir(path), 0o700))
	s.must(os.WriteFile(path, []byte(content), 0o600))
}

// recorded keeps what the model is asked.
func (s *realSession) recorded(model http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the agent gave up
		}
		s.mu.Lock()
		s.asked.Write(body)
		s.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		model.ServeHTTP(w, r)
	})
}

func (s *realSession) path(name string) string { return filepath.Join(s.work, name) }

// writes is a script that writes a file.
func (s *realSession) writes(name string) []fakemodel.Step {
	return []fakemodel.Step{{Say: "I write.", Calls: []fakemodel.Call{s.agent.write(s.path(name))}}, {Say: "I wrote."}}
}

// waits is a script whose command tells its process and then lasts longer
// than the test. What would be left of it is the file late.
func (s *realSession) waits() []fakemodel.Step {
	command := fmt.Sprintf("echo $$ > %s; sleep 3600; touch late", filepath.Join(s.home, "commands"))
	return []fakemodel.Step{{Say: "I run.", Calls: []fakemodel.Call{s.agent.run(command)}}, {Say: "I ran."}}
}

func (s *realSession) shows(texts ...string) {
	s.t.Helper()
	s.must(s.term.until(fmt.Sprintf("%q", texts), func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
	}))
}

func (s *realSession) prompt(script string) {
	s.t.Helper()
	s.must(s.term.send(fakemodel.Prompt(script) + "\r"))
}

// answer waits until a request that shows text takes keys, and sends them.
func (s *realSession) answer(text, keys string) {
	s.t.Helper()
	s.must(s.term.until("a request that shows "+text, func(screen string) bool {
		return strings.Contains(screen, s.by[0]+" asks") && strings.Contains(screen, text) &&
			!strings.Contains(screen, "◌") && !strings.Contains(screen, "came too early")
	}))
	s.must(s.term.send(keys))
}

// idle waits for the end of the turn. It has to have begun.
func (s *realSession) idle() { s.t.Helper(); s.shows("type the next prompt") }

// running is the process of the command of [realSession.waits].
func (s *realSession) running() int {
	s.t.Helper()
	s.must(s.commands.SetReadDeadline(time.Now().Add(patience)))
	line, err := bufio.NewReader(s.commands).ReadString('\n')
	if err != nil {
		s.t.Fatalf("no command runs: %v\n%s", err, s.term.text())
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	s.must(err)
	return pid
}

// gone waits for the end of a process.
func (s *realSession) gone(pid int) {
	s.t.Helper()
	fd, err := unix.PidfdOpen(pid, 0)
	if errors.Is(err, unix.ESRCH) {
		return
	}
	s.must(err)
	defer unix.Close(fd)
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(patience.Milliseconds()))
	if n == 0 {
		s.t.Fatalf("process %d still runs:\n%s", pid, s.term.text())
	}
	s.must(err)
}

func (s *realSession) has(name string) {
	s.t.Helper()
	got, err := os.ReadFile(s.path(name))
	if err != nil || string(got) != written {
		s.t.Errorf("%s holds %q (%v)", name, got, err)
	}
}

func (s *realSession) hasNot(name string) {
	s.t.Helper()
	if _, err := os.Stat(s.path(name)); !errors.Is(err, fs.ErrNotExist) {
		s.t.Errorf("%s was made (%v)", name, err)
	}
}

// mark is in the environment of every process that the program started,
// however it is related to it.
func (s *realSession) mark() string { return "BLITZ_HOME=" + filepath.Join(s.home, "gate") }

func (s *realSession) processes() (pids []int) {
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environs {
		environ, err := os.ReadFile(path)
		if err == nil && slices.Contains(strings.Split(string(environ), "\x00"), s.mark()) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// leaves does what makes the program end. With it, everything is gone.
func (s *realSession) leaves(code int, how func()) {
	s.t.Helper()
	if n := len(s.processes()); n < 2 {
		s.t.Fatalf("%d processes are found, not the program and the agent", n)
	}
	how()
	got, err := s.term.ends()
	s.must(err)
	if got != code {
		s.t.Errorf("the exit code is %d, not %d", got, code)
	}
	for _, pid := range s.processes() {
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		s.t.Errorf("the program has ended, %q runs", bytes.ReplaceAll(name, []byte{0}, []byte{' '}))
	}
}

func (s *realSession) keys(keys string) func() { return func() { s.must(s.term.send(keys)) } }

// logged compares the audit log: verdict, cause and target of each record.
func (s *realSession) logged(want ...string) []gate.Record {
	s.t.Helper()
	log, err := os.ReadFile(filepath.Join(s.home, "gate", "audit.jsonl"))
	s.must(err)
	var records []gate.Record
	var got []string
	for line := range strings.Lines(string(log)) {
		var r gate.Record
		s.must(json.Unmarshal([]byte(line), &r))
		records = append(records, r)
		got = append(got, fmt.Sprintf("%s %s %s", r.Verdict, r.Cause, strings.Join(r.Targets, " ")))
		if r.Agent != s.by[0] || r.Protocol != s.by[1] {
			s.t.Errorf("the log names agent %q and protocol %q", r.Agent, r.Protocol)
		}
	}
	if len(got) != len(want) || !slices.EqualFunc(got, want, strings.HasPrefix) {
		s.t.Fatalf("the audit log says\n%s\nand not\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return records
}
