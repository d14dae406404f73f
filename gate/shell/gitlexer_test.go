package shell

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGitLexerLikeGit compares what the lexer reads with what real git reads,
// on texts made of what matters to either.
func TestGitLexerLikeGit(t *testing.T) {
	s := newScratch(t)
	tokens := []string{
		"[", "]", "[core]", "[a.b]", "[A \"x\"]", "[d\t\"x\\\"]\"]", "[e \"\"]", "\"", "\\", "\\\n", "\n", "\n", "\r\n", "\r", " ", "\t", "=", "= ", "#", ";", ".",
		"key", "K-1", "fsmonitor", "false", "\\t", "\\\"", "\\\\", "\\x", "é", "_", "\ufeff", "\n[core]\n", "\nb = c", "\f", "\v", "!",
	}
	random := rand.New(rand.NewPCG(1, 2))
	file := filepath.Join(s.dir, "config")
	readable := 0
	for i := range 250 {
		var b strings.Builder
		if i == 0 {
			b.WriteString("[core]\nb = c= \\\n")
		} else if random.IntN(3) > 0 {
			b.WriteString("[core]\n")
		}
		for range 1 + random.IntN(12) {
			b.WriteString(tokens[random.IntN(len(tokens))])
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("git", "config", "--file", file, "--list", "-z")
		cmd.Dir, cmd.Env = s.dir, s.environ
		want, gitErr := cmd.Output()
		settings, err := readGitConfig(file)
		if (err == nil) != (gitErr == nil) {
			// Git may refuse what the lexer reads, as then nothing runs.
			if err != nil {
				t.Errorf("%q: %v, but git reads %q", b.String(), err, want)
			}
			continue
		}
		if err != nil {
			continue
		}
		readable++
		var got strings.Builder
		for _, s := range settings {
			if section, key := s.parts(); section == "" {
				got.WriteString(key)
			} else {
				got.WriteString(s.name)
			}
			if s.hasValue {
				got.WriteString("\n" + s.value)
			}
			got.WriteByte(0)
		}
		// Before 2.45 git makes a blank of a tab inside a value.
		blanks := strings.NewReplacer("\t", " ", "\r", " ")
		if blanks.Replace(got.String()) != blanks.Replace(string(want)) {
			t.Errorf("%q:\n%q, but git reads\n%q", b.String(), got.String(), want)
		}
	}
	if readable < 25 {
		t.Errorf("only %d texts can be read", readable)
	}
}
