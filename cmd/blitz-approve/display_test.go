package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/cases"
	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate/shell"
	"github.com/blitz-approve/blitz-approve/tui"
)

// A displayCase is a case, and what must be read on its pages.
type displayCase struct {
	cases.Case
	Shows []string `json:"shows"`
	Host  string   `json:"host"`
}

var displaySizes = []struct{ width, height int }{{1, 1}, {20, 5}, {30, 8}, {40, 15}, {80, 24}, {200, 60}}

// TestDisplay draws hostile requests at all sizes and checks what holds for
// every frame, with means of its own: an emulator, and widths by graphemes.
// BLITZ_DISPLAY_CASES names a file with further cases.
func TestDisplay(t *testing.T) {
	files := []string{filepath.Join("testdata", "display.jsonl")}
	if more := os.Getenv("BLITZ_DISPLAY_CASES"); more != "" {
		files = append(files, more)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			c, err := cases.Read[displayCase](line)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			t.Run(c.ID, func(t *testing.T) { c.check(t) })
		}
	}
}

func (c *displayCase) check(t *testing.T) {
	// The line as show gets it, without what is expected.
	line, err := json.Marshal(map[string]any{
		"id": c.ID, "request": c.wire(), "mode": "default", "settings": "", "workspace": "/w",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range displaySizes {
		for _, expanded := range []bool{false, true} {
			s := &shower{profile: colorprofile.NoTTY, options: tui.Options{Workspace: "/w", Theme: tui.Theme{Ground: tui.GroundDark}}}
			s.still = tui.StillOptions{Width: size.width, Height: size.height, Expanded: expanded}
			f := &displayFrames{t: t, shower: s, line: line, what: fmt.Sprintf("%d×%d, expanded %v", size.width, size.height, expanded)}
			f.draw()
			if expanded && !f.small {
				c.checkContent(t, f)
			}
		}
	}
}

// displayFrames are the pages of one case at one size.
type displayFrames struct {
	*shower
	t    *testing.T
	line []byte
	what string

	small bool
	body  []string // the rows of the request, of all pages
}

func (f *displayFrames) draw() {
	f.t.Helper()
	above := 0
	for page, pages := 1, 1; page <= pages; page++ {
		f.still.Page = page
		a := f.shower.line(f.t.Context(), f.line)
		if a.Error != "" || a.Page != page || a.Pages < pages {
			f.t.Fatalf("%s: %+v", f.what, a)
		}
		pages = a.Pages
		colored := a.Frame
		if page == 1 || page == pages {
			f.profile = colorprofile.TrueColor
			colored = f.shower.line(f.t.Context(), f.line).Frame
			f.profile = colorprofile.NoTTY
		}
		f.checkBytes(a.Frame, colored)
		f.checkRows(a.Frame)
		notice := strings.ReplaceAll(a.Frame, "\n", "")
		f.small = strings.HasPrefix(notice, "Too") || strings.HasPrefix("Too", notice)
		if f.small {
			if a.Hidden == 0 {
				f.fail(a.Frame, "nothing is said to be hidden (P06)")
			}
			return
		}
		above = f.checkCounts(a, above)
		f.checkChoices(a.Frame)
	}
}

func (f *displayFrames) fail(frame, format string, args ...any) {
	f.t.Helper()
	f.t.Fatalf("%s: %s\n%s", f.what, fmt.Sprintf(format, args...), frame)
}

var sgr = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// checkBytes: no control byte but our line ends and colours reaches the
// terminal, and colours say nothing that words don't (P01, P15, P17, P19).
func (f *displayFrames) checkBytes(plain, colored string) {
	f.t.Helper()
	if got := sgr.ReplaceAllString(colored, ""); got != plain {
		f.fail(colored, "other words with colours (P19)")
	}
	if !utf8.ValidString(plain) {
		f.fail(plain, "invalid UTF-8")
	}
	for _, r := range strings.ReplaceAll(plain, "\n", "") {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || strings.ContainsRune("\u200b\u200e\u200f\u061c\u2028\u2029\ufeff", r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			f.fail(plain, "%U (P01, P02)", r)
		}
	}
}

// checkRows: no row is wider than the terminal, or wraps on one (P03).
func (f *displayFrames) checkRows(frame string) {
	f.t.Helper()
	rows := strings.Split(frame, "\n")
	if len(rows) > f.still.Height {
		f.fail(frame, "%d rows (P03)", len(rows))
	}
	for _, row := range rows {
		if w := ansi.StringWidth(row); w > f.still.Width {
			f.fail(frame, "a row of %d cells: %q (P03)", w, row)
		}
	}
	if f.still.Page > 3 {
		return // an emulator takes its time
	}
	em := vt.NewEmulator(f.still.Width, f.still.Height)
	_, _ = em.WriteString(strings.Join(rows, "\r\n"))
	screen := strings.Split(em.String(), "\n")
	for i, row := range rows {
		if got := strings.TrimRight(screen[i], " \r"); got != strings.TrimRight(row, " ") {
			f.fail(frame, "row %d is %q on a terminal, not %q (P03)", i, got, row)
		}
	}
}

var belowMark, aboveMark = regexp.MustCompile(`^  ▼ ([0-9,]+) more lines?`), regexp.MustCompile(`^  (?:▼ [0-9,]+ more lines? +)?▲ ([0-9,]+)`)

// checkCounts: what isn't on the screen is counted on it (P06).
func (f *displayFrames) checkCounts(a frameAnswer, above int) int {
	f.t.Helper()
	rows := strings.Split(a.Frame, "\n")
	status := ""
	for _, r := range rows {
		if belowMark.MatchString(r) || aboveMark.MatchString(r) {
			status = r
		}
	}
	said := func(re *regexp.Regexp) int {
		m := re.FindStringSubmatch(status)
		if m == nil {
			return 0
		}
		n, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
		return n
	}
	if said(belowMark) != a.Hidden || said(aboveMark) != above {
		f.fail(a.Frame, "%d below and %d above are not said (P06)", a.Hidden, above)
	}
	body := f.bodyOf(rows)
	f.body = append(f.body, body...)
	return above + len(body)
}

// bodyOf are the rows between the title of the request and its status.
func (f *displayFrames) bodyOf(rows []string) []string {
	for i, r := range rows {
		if !strings.HasPrefix(r, "── ") {
			continue
		}
		for j := i + 1; j < len(rows); j++ {
			blank := strings.TrimSpace(rows[j]) == ""
			if blank || belowMark.MatchString(rows[j]) || aboveMark.MatchString(rows[j]) {
				return rows[i+1 : j]
			}
			if !strings.HasPrefix(rows[j], "  ") {
				f.fail(strings.Join(rows, "\n"), "content in our margin: %q (P08)", rows[j])
			}
		}
	}
	f.fail(strings.Join(rows, "\n"), "no request")
	return nil
}

// checkChoices: the answers and the highlighted one are on every page, once
// (P05).
func (f *displayFrames) checkChoices(frame string) {
	f.t.Helper()
	if n := strings.Count("\n"+frame, "\n▸ "); n != 1 || !strings.Contains(frame, "n no") && !strings.Contains(frame, "n/Esc no") {
		f.fail(frame, "%d highlighted answers (P05)", n)
	}
}

// checkContent: nothing is lost between the pages, hosts stand alone, and what
// the case says is there to read (P04, P09).
func (c *displayCase) checkContent(t *testing.T, f *displayFrames) {
	t.Helper()
	const gutter = 15
	label, content := "", map[string]string{}
	for _, r := range f.body {
		r = strings.Replace(r, strings.Repeat(" ", gutter-2)+"↪ ", strings.Repeat(" ", gutter), 1)
		cut := min(gutter, len(r))
		if l := strings.TrimSpace(r[:cut]); l != "" && utf8.ValidString(r[:cut]) {
			label = l
		}
		content[label] += r[cut:]
	}
	if cmd := c.Request.Command; cmd != nil && content["run_command"] != escaped(string(*cmd)) {
		f.fail(strings.Join(f.body, "\n"), "the command is\n%q, not\n%q (P04)", content["run_command"], escaped(string(*cmd)))
	}
	if c.Host != "" && content["network"] != c.Host {
		f.fail(strings.Join(f.body, "\n"), "the host is %q, not %q (P09)", content["network"], c.Host)
	}
	all := strings.Join(f.body, "\n")
	joined := ""
	for _, r := range f.body {
		joined += strings.TrimLeft(r, " │")
	}
	for _, text := range c.Shows {
		if !strings.Contains(all, text) && !strings.Contains(joined, text) {
			f.fail(all, "%q is not shown (P04)", text)
		}
	}
}

// escaped is content as it is drawn, without its line breaks.
func escaped(s string) string {
	return strings.Join(diffview.EscapeCommandLines(s, shell.ForeignNames(s)), "")
}

// wire is the request as a line has it.
func (c *displayCase) wire() map[string]any {
	r := &c.Request
	m := map[string]any{"tool": r.Tool, "kind": r.Kind, "title": r.Title, "detail": r.Detail, "reason": r.Reason, "url": r.URL, "path": r.Path}
	if r.Command != nil {
		m["command"] = *r.Command
	}
	if r.Server != nil {
		m["server"] = *r.Server
	}
	if r.Diff != nil {
		m["diff"] = r.Diff
	}
	return m
}
