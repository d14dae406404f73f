package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// agentState are, below the home, the folders in which each known agent keeps
// its sign-in, sessions and logs, files that it rewrites, and what in them
// must stay as it is.
var agentState = map[string]struct{ folders, files, protect []string }{
	"gemini":  {folders: []string{".gemini"}, protect: []string{".gemini/settings.json", ".gemini/extensions"}},
	"copilot": {folders: []string{".copilot"}, protect: []string{".copilot/mcp-config.json"}},
	"opencode": {
		folders: []string{".local/share/opencode", ".local/state/opencode", ".cache/opencode"},
	},
	"claude": {
		folders: []string{".claude"}, files: []string{".claude.json"},
		protect: []string{".claude/settings.json", ".claude/settings.local.json", ".claude/hooks", ".claude/plugins"},
	},
	"codex": {folders: []string{".codex"}, protect: []string{".codex/config.toml", ".codex/rules"}},
}

// caches are shared by programs of the person and of the agent. Programs that
// lie in them may later run outside the sandbox; builds need them.
var caches = []string{".cache", ".npm", ".bun/install/cache", ".cargo/registry", ".cargo/git", "go/pkg/mod", ".gradle/caches", ".m2/repository", ".node-gyp"}

// DefaultWrite are the folders and files that an agent, by its preset's name,
// and common build tools need to write: temporary folders, caches that are
// there, and the agent's own state.
func DefaultWrite(agent string) []string {
	var write []string
	for _, dir := range []string{os.TempDir(), "/tmp", "/var/tmp"} {
		if exists(dir) && !covers("/dev", dir) { // the agent has a /dev/shm of its own
			write = append(write, dir)
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return write
	}
	for _, name := range slices.Concat(caches, agentState[agent].files) {
		if path := filepath.Join(home, name); exists(path) {
			write = append(write, path)
		}
	}
	for _, name := range agentState[agent].folders {
		write = append(write, filepath.Join(home, name))
	}
	return write
}

// ControlSockets are the sockets, and folders of sockets, that are there and
// by which an agent could start processes or type elsewhere, or use the
// person's keys: D-Bus, systemd, container engines, terminals that are shared,
// the screen, ssh and GnuPG agents, and whatever else the environment names.
func ControlSockets() []string {
	uid := strconv.Itoa(os.Getuid())
	paths := []string{
		os.Getenv("XDG_RUNTIME_DIR"), "/run/user/" + uid,
		"/run/dbus/system_bus_socket", "/run/systemd/private", "/run/systemd/io.systemd.sysext",
		"/run/docker.sock", "/run/containerd", "/run/podman", "/run/crio", "/run/libvirt", "/run/snapd.socket", "/run/lxd.socket",
		"/var/lib/lxd/unix.socket", "/var/snap/lxd/common/lxd/unix.socket", "/var/run/docker.sock",
		"/run/screen", "/tmp/screens", filepath.Join(tmuxFolder(), "tmux-"+uid), "/tmp/.X11-unix", "/tmp/.ICE-unix",
	}
	if socket, _, _ := strings.Cut(os.Getenv("TMUX"), ","); socket != "" {
		paths = append(paths, socket)
	}
	paths = append(paths, namedSockets(os.Environ())...)
	for _, pattern := range []string{"ssh-*", "dbus-*", "emacs" + uid, "vscode-*.sock", "kitty-*", ".mutter-*"} {
		paths = append(paths, glob("/tmp", pattern)...)
	}
	if home, err := os.UserHomeDir(); err == nil {
		for _, name := range []string{".docker/run", ".docker/desktop", ".screen", ".ssh/agent"} {
			paths = append(paths, filepath.Join(home, name))
		}
		paths = append(paths, glob(filepath.Join(home, ".gnupg"), "S.*")...)
	}
	slices.Sort(paths)
	return slices.DeleteFunc(slices.Compact(paths), func(path string) bool { return !filepath.IsAbs(path) || !exists(path) })
}

// namedSockets are the sockets that environment variables name, as those of ssh
// agents, editors and terminals do: by a path, or in an address such as
// unix:path=/tmp/x,guid=1. What listens there acts for the person.
func namedSockets(environ []string) (paths []string) {
	for _, variable := range environ {
		_, value, _ := strings.Cut(variable, "=")
		for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ';' }) {
			at := strings.IndexByte(part, '/')
			if at < 0 {
				continue
			}
			path := filepath.Clean(part[at:])
			if info, err := os.Stat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

func tmuxFolder() string {
	if dir := os.Getenv("TMUX_TMPDIR"); dir != "" {
		return dir
	}
	return "/tmp"
}
