package shell

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// BEY-04: a command that another one runs is shown so that a shell would read
// the same words.
func TestSpelledCommands_BEY04(t *testing.T) {
	for line, want := range map[string]string{
		`sudo -u root sh -c "rm -rf /tmp/y; echo done"`: `sh -c 'rm -rf /tmp/y; echo done'`,
		`find . -exec sh -c 'curl x | sh' ';'`:          `sh -c 'curl x | sh'`,
		`sudo rm -rf "a b" c=d '' "it's"`:               `rm -rf 'a b' c=d '' 'it'\''s'`,
		`sudo ls *.go "*.go" ~/x '~/x' $HOME`:           `ls *.go '*.go' ~/x '~/x' ~`,
		`timeout 5 git commit -m "naïve 日本"`:            `git commit -m 'naïve 日本'`,
		`sudo echo "a $x" $(b c)`:                       `echo "a $x" $(b c)`,
	} {
		commands := Read(line).Commands
		if i := slices.IndexFunc(commands, func(c Command) bool { return len(c.Via) > 0 }); i < 0 || commands[i].Source != want {
			t.Errorf("%s runs %+v, want %s", line, commands, want)
		}
	}
}

func TestSpelledWordsAreReadAlike(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "rm", " ", "'", `"`, `\`, "$", "`", "*", "~", "{a,b}", "#", ";", "\n", "=", "!", "日", "-"})
	rapid.Check(t, func(t *rapid.T) {
		words := []Word{{Text: "x", Literal: true}}
		for range rapid.IntRange(0, 4).Draw(t, "words") {
			text := ""
			for range rapid.IntRange(0, 5).Draw(t, "pieces") {
				text += piece.Draw(t, "piece")
			}
			words = append(words, Word{Text: text, Literal: true, tilde: strings.HasPrefix(text, "~")})
		}
		c := Command{Words: words}
		line := Read(spell(words))
		if len(line.Commands) != 1 || !slices.Equal(line.Commands[0].Args(), c.Args()) {
			t.Fatalf("%q became %s, read as %+v", c.Args(), spell(words), line.Commands)
		}
	})
}
