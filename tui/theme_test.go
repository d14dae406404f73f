package tui

import (
	"image/color"
	"math"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// contrast is that of the Web Content Accessibility Guidelines.
func contrast(a, b color.Color) float64 {
	light := func(c color.Color) float64 {
		linear := func(v uint32) float64 {
			x := float64(v) / 0xffff
			if x <= 0.04045 {
				return x / 12.92
			}
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		r, g, b, _ := c.RGBA()
		return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
	}
	x, y := light(a), light(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Everything that is to be read has a contrast of 4.5 to the ground. A rule
// only parts what is read.
func TestContrast_BEY13(t *testing.T) {
	for ground, on := range map[Ground]color.Color{GroundDark: lipgloss.Color("#1e1e1e"), GroundLight: lipgloss.Color("#ffffff")} {
		for _, blind := range []bool{false, true} {
			th := Theme{Ground: ground, ColorBlind: blind}
			for role := range tones {
				if got := contrast(th.color(role), on); role != "rule" && got < 4.5 {
					t.Errorf("%+v: %s has a contrast of %.2f", th, role, got)
				}
			}
		}
	}
}

// Whatever the theme, the screen says the same (P19), and its colours are
// those that were asked for.
func TestThemes_P19_BEY13(t *testing.T) {
	draw := func(th Theme, says ...tea.Msg) string {
		m := New(Options{Agent: "opencode", Theme: th})
		m.width, m.height = 80, 24
		for _, e := range story() {
			m.Update(e)
		}
		waitingFor(m, pagerEdit())
		for _, msg := range says {
			m.Update(msg)
		}
		return m.View().Content
	}
	words := ansi.Strip(draw(Theme{}))
	own := map[string]string{"accent": "#010203", "added_ground": "99", "muted": "no colour"}
	for name, tt := range map[string]struct {
		theme      Theme
		says       []tea.Msg
		has, lacks []string
	}{
		"dark":        {Theme{Ground: GroundDark}, nil, []string{"38;2;124;183;255"}, nil},
		"light":       {Theme{Ground: GroundLight}, nil, []string{"38;2;11;98;196"}, []string{"38;2;124;183;255"}},
		"light asked": {Theme{}, []tea.Msg{tea.BackgroundColorMsg{Color: color.White}}, []string{"38;2;11;98;196"}, nil},
		"blind":       {Theme{ColorBlind: true}, nil, []string{"38;2;255;174;107"}, []string{"38;2;255;123;133"}},
		"none":        {Theme{NoColor: true}, nil, []string{"\x1b[1m"}, []string{"38;", "48;", "[3", "[4"}},
		"none asked":  {Theme{}, []tea.Msg{tea.ColorProfileMsg{Profile: colorprofile.ASCII}}, []string{"\x1b[1m"}, []string{"38;", "48;"}},
		"256":         {Theme{Ground: GroundDark}, []tea.Msg{tea.ColorProfileMsg{Profile: colorprofile.ANSI256}}, []string{"48;5;22", "48;5;52"}, []string{"48;2;"}},
		"256 blind":   {Theme{Ground: GroundDark, ColorBlind: true}, []tea.Msg{tea.ColorProfileMsg{Profile: colorprofile.ANSI256}}, []string{"48;5;17", "48;5;58"}, []string{"48;2;"}},
		"sixteen":     {Theme{}, []tea.Msg{tea.ColorProfileMsg{Profile: colorprofile.ANSI}}, []string{"\x1b[36m"}, []string{"38;", "48;"}},
		"own":         {Theme{Colors: own}, nil, []string{"38;2;1;2;3", "48;5;99", "38;2;138;147;163"}, nil},
		"own in none": {Theme{Colors: own, NoColor: true}, nil, nil, []string{"38;2;1;2;3", "48;"}},
	} {
		got := draw(tt.theme, tt.says...)
		if s := ansi.Strip(got); trimRows(s) != trimRows(words) {
			t.Errorf("%s says\n%s\nwant\n%s", name, s, words)
		}
		for _, s := range tt.has {
			if !strings.Contains(got, s) {
				t.Errorf("%s lacks %q:\n%q", name, s, got)
			}
		}
		for _, s := range tt.lacks {
			if strings.Contains(got, s) {
				t.Errorf("%s has %q:\n%q", name, s, got)
			}
		}
	}
}

func trimRows(s string) string {
	rows := strings.Split(s, "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return strings.Join(rows, "\n")
}
