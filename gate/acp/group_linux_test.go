package acp

import "testing"

// A process whose first thread has ended is still there while others run: its
// locks are held (BEY-02).
func TestParseStat(t *testing.T) {
	stat := func(state, threads string) string {
		return "7 (a (b) c) " + state + " 1 42 42 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 " + threads + " 0 100 0 0"
	}
	for line, runs := range map[string]bool{
		stat("S", "5"): true, stat("R", "1"): true, stat("Z", "4"): true, stat("Z", "1"): false, stat("Z", "0"): false, stat("X", "0"): false,
	} {
		s := parseStat(line)
		if s.group != 42 || s.parent != 1 || s.started != "100" || s.runs() != runs {
			t.Errorf("%s: %+v, runs %v; want group 42, parent 1, start 100, %v", line, s, s.runs(), runs)
		}
	}
	if s := parseStat("7 (cut"); s.group != 0 || s.runs() {
		t.Errorf("a line that is cut off says %+v", s)
	}
}
