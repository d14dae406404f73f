package diffview

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// linear are the parts of a colour, as light.
func linear(c color.Color) (red, green, blue float64) {
	linear := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return linear(r), linear(g), linear(b)
}

// luminance is how light a colour is, by the Web Content Accessibility
// Guidelines.
func luminance(c color.Color) float64 {
	r, g, b := linear(c)
	return 0.2126*r + 0.7152*g + 0.0722*b
}

// distance is how different two colours look, as CIE 1976 has it: 2 is just seen.
func distance(a, b color.Color) float64 {
	lab := func(c color.Color) (l, u, v float64) {
		r, g, b := linear(c)
		f := func(t float64) float64 {
			if t > 216.0/24389 {
				return math.Cbrt(t)
			}
			return t*841/108 + 4.0/29
		}
		x, y, z := f((0.4124*r+0.3576*g+0.1805*b)/0.9505), f(luminance(c)), f((0.0193*r+0.1192*g+0.9505*b)/1.089)
		return 116*y - 16, 500 * (x - y), 200 * (y - z)
	}
	l1, u1, v1 := lab(a)
	l2, u2, v2 := lab(b)
	return math.Sqrt((l1-l2)*(l1-l2) + (u1-u2)*(u1-u2) + (v1-v2)*(v1-v2))
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Everything that is to be read has a contrast of 4.5 to what it stands on, in
// true colour and in 256 colours. Tabs only mark a place.
func TestContrast_BEY13(t *testing.T) {
	grounds := map[bool]color.Color{false: lipgloss.Color("#1e1e1e"), true: lipgloss.Color("#ffffff")}
	for _, theme := range []Theme{{}, {Light: true}, {ColorBlind: true}, {Light: true, ColorBlind: true}} {
		for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256} {
			theme := theme
			theme.Indexed = profile == colorprofile.ANSI256
			check := func(role, on string) {
				t.Helper()
				fg, bg := theme.color(role), grounds[theme.Light]
				if on != "" {
					bg = theme.color(on)
				}
				if got := contrast(profile.Convert(fg), profile.Convert(bg)); got < 4.5 {
					t.Errorf("%+v in %v: %s on %q has a contrast of %.2f", theme, profile, role, on, got)
				}
			}
			for _, op := range []string{"added", "removed"} {
				check(op, op+"_ground")
				check(op, "") // its sign and its count
				check(op+"_mark", op+"_mark_ground")
				check("escape", op+"_ground")
				for _, role := range syntaxRoles {
					check(role, op+"_ground")
				}
			}
			for _, role := range syntaxRoles {
				check(role, "")
			}
			for _, role := range []string{"gutter", "hunk", "note", "escape"} {
				check(role, "")
			}
		}
	}
}

// BEY-13: what is added is told from what is removed by its ground too, and a
// changed word from its line, in true colour and in 256 colours. The latter are
// taken as they are: a terminal that rounds them would draw others.
func TestGroundsDiffer_BEY13(t *testing.T) {
	grounds := map[bool]color.Color{false: lipgloss.Color("#1e1e1e"), true: lipgloss.Color("#ffffff")}
	for _, theme := range []Theme{{}, {Light: true}, {ColorBlind: true}, {Light: true, ColorBlind: true}} {
		for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256} {
			theme.Indexed = profile == colorprofile.ANSI256
			differ := func(a, b color.Color, what string, least float64) {
				t.Helper()
				if got := distance(profile.Convert(a), profile.Convert(b)); got < least {
					t.Errorf("%+v in %v: %s differ by %.1f, want %.0f", theme, profile, what, got, least)
				}
			}
			added, removed := theme.color("added_ground"), theme.color("removed_ground")
			differ(added, removed, "the grounds of added and removed", 15)
			for _, op := range []string{"added", "removed"} {
				line := theme.color(op + "_ground")
				differ(line, grounds[theme.Light], op+" and other lines", 8)
				differ(line, theme.color(op+"_mark_ground"), op+" words and lines", 18)
			}
			if !theme.Indexed {
				continue
			}
			for role := range indexed {
				if c := theme.color(role); profile.Convert(c) != c {
					t.Errorf("%+v: %s would be rounded", theme, role)
				}
			}
		}
	}
}

// With colours or without, the same characters are drawn (P19).
func TestThemesSayTheSame_P19_BEY13(t *testing.T) {
	d := Compute(t.Context(), File{Path: "f.go", Before: []byte(pager), After: []byte(edited() + "\u202e\t \n")}, Limits{})
	for _, o := range []RenderOptions{{Width: 80}, {Width: 80, Wrap: true, Words: true}, {Width: 120, Split: true}} {
		plain := strings.Join(d.Rows(o), "\n")
		for _, theme := range []Theme{{}, {Light: true}, {ColorBlind: true}, {Basic: true}, {Basic: true, ColorBlind: true}, {Indexed: true}, {Indexed: true, ColorBlind: true, Light: true}, {Colors: map[string]string{"added": "#123456"}}} {
			o.Style = theme.Style()
			d.Highlight(t.Context(), o, 0, d.Len(o))
			got := trimRight(ansi.Strip(strings.Join(d.Rows(o), "\n")))
			if got != trimRight(plain) {
				t.Errorf("%+v draws\n%s\nwant\n%s", theme, got, plain)
			}
		}
	}
}

func trimRight(s string) string {
	rows := strings.Split(s, "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return strings.Join(rows, "\n")
}

func TestCheckColors(t *testing.T) {
	for _, good := range []map[string]string{nil, {"added": "#a5e6b3"}, {"removed_mark_ground": "255", "tab": "0"}, {"hunk": "#abc"}} {
		if err := CheckColors(good); err != nil {
			t.Errorf("%v: %v", good, err)
		}
	}
	for _, tt := range []struct{ role, value, want string }{
		{"add", "1", `no part of a diff is called "add": use one of added, `},
		{"added", "green", `added: "green" is no colour: write #rgb, #rrggbb, or a number from 0 to 255`},
		{"added", "256", "is no colour"},
		{"added", "#12345", "is no colour"},
		{"added", "", "is no colour"},
	} {
		err := CheckColors(map[string]string{tt.role: tt.value})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s=%s: %v, want %q", tt.role, tt.value, err, tt.want)
		}
		theme := Theme{Colors: map[string]string{tt.role: tt.value}}
		if got, want := theme.color("added"), (Theme{}).color("added"); got != want {
			t.Errorf("%s=%s colours added lines %v, want %v", tt.role, tt.value, got, want)
		}
	}
	own := Theme{Colors: map[string]string{"added": "#010203"}}
	if got := own.Style().Added.GetForeground(); got != lipgloss.Color("#010203") {
		t.Errorf("one's own colour isn't used: %v", got)
	}
}
