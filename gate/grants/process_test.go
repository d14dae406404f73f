package grants_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
)

// Each role is what another process does with the store in args[0].
var roles = map[string]func(s *grants.Store, args []string) error{
	"save": saveMany, "read": readMany, "churn": churn,
	"forget": func(s *grants.Store, _ []string) error { _, err := s.Forget(); return err },
}

func play(role string, args []string) int {
	s, err := grants.Open(args[0])
	if err == nil {
		err = roles[role](s, args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, role+":", err)
		return 1
	}
	return 0
}

func process(t *testing.T, role string, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "GRANTS_TEST_ROLE="+role)
	cmd.Stderr = os.Stderr
	return cmd
}

const (
	writers = 4
	readers = 2
	each    = 15
)

// TestProcesses writes and reads from several processes at once: nothing is
// lost, nobody fails, and what several grant gets the broadest tier (TAM-08).
func TestProcesses(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "home", "approval-cache.db"))
	var all []*exec.Cmd
	for i := range writers {
		all = append(all, process(t, "save", s.Path(), strconv.Itoa(i)))
	}
	for range readers {
		all = append(all, process(t, "read", s.Path()))
	}
	for _, p := range all {
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range all {
		if err := p.Wait(); err != nil {
			t.Errorf("%s: %v", p.Args, err)
		}
	}
	list, err := s.Grants()
	if err != nil || len(list) != writers*each+1 {
		t.Errorf("%d grants, %v; want %d", len(list), err, writers*each+1)
	}
	if !slices.Contains(targets(list), file("/shared", gate.Exec)) {
		t.Error("the shared file is not at the broadest tier")
	}
}

func saveMany(s *grants.Store, args []string) error {
	for i := range each {
		err := grantAll(s, file(fmt.Sprintf("/own/%s/%d", args[0], i), gate.Write), file("/shared", gate.Tier(i%3)))
		if err != nil {
			return err
		}
	}
	return nil
}

// readMany reads until all is there. What was granted may not be taken back.
func readMany(s *grants.Store, _ []string) error {
	shared := gate.Read
	for seen := 0; seen < writers*each+1; {
		list, err := s.Grants()
		if err != nil {
			return err
		}
		if len(list) < seen {
			return fmt.Errorf("%d grants after %d", len(list), seen)
		}
		seen = len(list)
		for _, g := range list {
			if g.Path == "/shared" && g.Tier > shared {
				return fmt.Errorf("the shared file went from %v to %v", shared, g.Tier)
			} else if g.Path == "/shared" {
				shared = g.Tier
			}
		}
	}
	return nil
}

// TestKilled ends a writer with SIGKILL at any moment, again and again on the
// same file: what is found is what the writer had finished, or that and the
// change that it was at, whole (TAM-07, TAM-12).
func TestKilled(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 5
	}
	s := openStore(t, filepath.Join(t.TempDir(), "approval-cache.db"))
	var before []gate.GrantTarget
	for round := range rounds {
		lines := killedChurn(t, s, round)
		var done, next []gate.GrantTarget
		done, next = replay(before, lines)
		list, err := s.Grants()
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		before = targets(list)
		if !slices.Equal(before, done) && !slices.Equal(before, next) {
			t.Fatalf("round %d, %q: found\n%v, want\n%v or\n%v", round, lines, before, done, next)
		}
	}
}

// killedChurn returns what the writer said before it was killed.
func killedChurn(t *testing.T, s *grants.Store, round int) (lines []string) {
	t.Helper()
	p := process(t, "churn", s.Path(), strconv.Itoa(round))
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	at := 1 + rand.IntN(12)
	said := bufio.NewScanner(out)
	for said.Scan() {
		lines = append(lines, said.Text())
		if len(lines) == at {
			// Half the time in the middle of writing, while the journal is there.
			for left := 20_000 * rand.IntN(2); left > 0; left-- {
				if _, err := os.Stat(s.Path() + "-journal"); err == nil {
					break
				}
			}
			for range rand.IntN(5_000) {
				runtime.Gosched()
			}
			if err := p.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := p.Wait(); err == nil {
		t.Fatal("the writer ended before it was killed")
	}
	return lines
}

// churn saves batches and forgets them, and says before and after each change
// what it is.
func churn(s *grants.Store, args []string) error {
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s-%d", args[0], i)
		if i%4 == 3 {
			name = "forget"
		}
		if _, err := fmt.Println("start", name); err != nil {
			return err
		}
		var err error
		if name == "forget" {
			_, err = s.Forget()
		} else {
			err = grantAll(s, batch(name)...)
		}
		if err != nil {
			return err
		}
		if _, err := io.WriteString(os.Stdout, "end "+name+"\n"); err != nil {
			return err
		}
	}
}

// batch is enough to fill several pages, at the narrowest tier: any other
// that is found later was not granted.
func batch(name string) (batch []gate.GrantTarget) {
	for i := range 60 {
		batch = append(batch, file(fmt.Sprintf("/batch/%s/%03d/%s", name, i, strings.Repeat("x", 80)), gate.Read))
	}
	return batch
}

// replay returns what there is after the changes that ended, and after the
// one that started too.
func replay(state []gate.GrantTarget, lines []string) (done, next []gate.GrantTarget) {
	done, next = state, state
	for _, line := range lines {
		verb, name, _ := strings.Cut(line, " ")
		if verb == "end" {
			done = next
			continue
		}
		if name == "forget" {
			next = nil
			continue
		}
		next = append(slices.Clone(done), batch(name)...)
		slices.SortFunc(next, func(a, b gate.GrantTarget) int { return strings.Compare(a.Path, b.Path) })
	}
	return done, next
}
