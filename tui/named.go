package tui

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// calledNames are what a request runs or calls, where it has letters beyond ASCII. In
// all that is said of the request they are escaped: they could pass for another
// program, tool or server.
type calledNames []string

func namesOf(r *gate.Request) calledNames { return r.CalledNames() }

// line is [line] for text that tells of the request.
func (n calledNames) line(s string) string { return diffview.EscapeCommand(s, n) }

// wrap is [wrap] for such text.
func (n calledNames) wrap(s string, width int) []string {
	var rows []string
	for _, l := range diffview.EscapeCommandLines(s, n) {
		rows = append(rows, diffview.WrapCommand(l, max(1, width))...)
	}
	return rows
}

// words is [words] for such text.
func (n calledNames) words(s string, width int) []string { return diffview.WrapWords(n.line(s), width) }

// misleading are the addresses in the words of a command that seem to name
// another host than the one they lead to.
func misleading(command string) []string {
	if !strings.Contains(command, "://") {
		return nil
	}
	var list []string
	line := shell.Read(command)
	for i := range line.Commands {
		for _, w := range line.Commands[i].Words {
			if a := addressIn(w.Text); w.Literal && a != "" && !slices.Contains(list, a) && misleads(a) {
				list = append(list, a)
			}
		}
	}
	return list
}

// addressIn is the address that a word such as --url=https://example.com holds.
func addressIn(word string) string {
	i := strings.Index(word, "://")
	if i < 0 {
		return ""
	}
	noLetter := func(r rune) bool { return r >= utf8.RuneSelf || !unicode.IsLetter(r) }
	noSign := func(r rune) bool { return noLetter(r) && !strings.ContainsRune("0123456789+.-", r) }
	return strings.TrimLeftFunc(word[strings.LastIndexFunc(word[:i], noSign)+1:], noLetter)
}

func misleads(address string) bool {
	scheme, rest, _ := strings.Cut(strings.ToLower(address), "://")
	user, _, at := strings.Cut(rest, "@")
	if at && !strings.HasPrefix(scheme, "http") && !strings.ContainsAny(user, `./\?#`) {
		return false // ssh://git@github.com
	}
	h, changed := diffview.Host(strings.ToLower(address))
	return changed && (h != "" || scheme != "file")
}

// commandAddresses points out such addresses, as those of a request for the
// network are (P09).
func commandAddresses(r gate.Request, th *theme, width int) []string {
	var rows []string
	room := width - labels
	for _, target := range r.Targets {
		for _, a := range misleading(target) {
			rows = append(rows, beside(th.label.Render(th.tr("address")), labels, namesOf(&r).wrap(a, room), th.text)...)
			h, _ := diffview.Host(a)
			rows = append(rows, beside("", labels, diffview.WrapWords(hostWarning(h, th), room), th.warn)...)
		}
	}
	return rows
}
