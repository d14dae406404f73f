package shell

import "testing"

// TAM-15: an agent that runs the gate's own program, or ends it, could take
// its guard away; what only reads and explains is like any other command.
func TestTheGateItselfIsCritical(t *testing.T) {
	for _, line := range []string{
		"blitz-approve mode yolo", "/usr/local/bin/blitz-approve mode yolo", "Blitz-Approve.exe mode yolo", "./blitz-approve",
		"BLITZ_HOME=/tmp/x blitz-approve rules add allow 'shell(*)'", "env blitz-approve trust", "timeout 5 blitz-approve approvals clear",
		"sh -c 'blitz-approve settings edit'", "echo y | blitz-approve grants forget", "true && blitz-approve run gemini --yolo",
		"xargs blitz-approve mode", "find . -exec blitz-approve trust ;", "blitz-approve --config x check 'shell(ls)'", "bl\"itz\"-approve mode",
		"ls $(blitz-approve mode yolo)", "pkill blitz-approve", "pkill -f 'blitz'", "killall -9 blitz-approve", "kill $(pidof blitz-approve)", "kill -9 `pgrep -f blitz-appro`",
	} {
		if _, critical := Critical(line); !critical {
			t.Errorf("%s is not critical", line)
		}
	}
	for _, line := range []string{
		"blitz-approve check 'shell(ls)'", "blitz-approve audit --last 3", "blitz-approve why 7", "blitz-approve --version", "blitz-approve rules --help",
		"cd blitz-approve", "go build ./cmd/blitz-approve", "grep -r blitz-approve .", "git log -- cmd/blitz-approve", "pkill firefox", "pgrep blitz-approve", "kill 77",
	} {
		if reason, critical := Critical(line); critical {
			t.Errorf("%s is critical: %s", line, reason)
		}
	}
}
