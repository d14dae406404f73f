package hosting

import "testing"

// BEY-01: a hook counts only when the agent itself started it. Between it and
// the program that the session started may be what agents are launched with,
// and never an agent.
func TestStartedByAgent_BEY01(t *testing.T) {
	for name, c := range map[string]struct {
		line []string // the hook's parent first
		want bool
	}{
		"no descendant":                      {nil, false},
		"the program itself":                 {[]string{"/opt/copilot"}, true},
		"by a shell":                         {[]string{"/bin/dash", "/opt/claude", "/usr/bin/node"}, true},
		"a shell alone":                      {[]string{"/bin/sh"}, true},
		"npx":                                {[]string{"/opt/copilot", "/usr/bin/node", "/bin/sh", "/usr/bin/node"}, true},
		"nested":                             {[]string{"/bin/sh", "/opt/claude", "/opt/claude", "/usr/bin/node"}, false},
		"nested, of another version":         {[]string{"/bin/sh", "/usr/bin/claude", "/bin/bash", "/opt/claude", "/usr/bin/node"}, false},
		"nested, with a launcher":            {[]string{"/opt/copilot", "/usr/bin/node", "/bin/bash", "/opt/copilot", "/usr/bin/node"}, false},
		"nested, both in node":               {[]string{"/bin/sh", "/usr/bin/node", "/bin/bash", "/usr/bin/node"}, false},
		"below another program":              {[]string{"/opt/claude", "/usr/bin/make", "/usr/bin/node"}, false},
		"two shells may be a tool's":         {[]string{"/bin/sh", "/bin/bash", "/opt/claude", "/usr/bin/node"}, false},
		"a program that was replaced by now": {[]string{"/opt/claude", "/usr/bin/node (deleted)"}, false},
	} {
		var line []process
		for _, program := range c.line {
			line = append(line, process{program: program})
		}
		if got := startedByAgent(line); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
