package tui

import (
	"fmt"
	"image/color"
	"maps"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"github.com/blitz-approve/blitz-approve/tui/tuitest"
)

// The golden screens are a matrix: each screen, on four terminals, in three
// themes. It is kept in few files, and fast, by what is promised of themes.
//
//   - A screen says the same in every theme (P19). So there is one text for each
//     size, name-80.golden, which all themes have to show.
//   - A theme only says what a role looks like. So there is one picture of the
//     roles, name.roles, with a letter for each cell of the screen of 80 columns
//     (see the table roles); and at every size, each cell has to have a role
//     that explains how it looks in the dark, in the light and without colours.
//
// The theme of one model is changed, as terminals do when they say what they
// are. The cells are those that Bubble Tea makes of a view. At 80 columns a program
// draws it on a terminal too, which has to show the same. After a change,
// `go test ./tui -run Golden -update`, and look at the difference.
var (
	terminals = [][2]int{{40, 10}, {80, 24}, {120, 40}, {200, 60}}
	looks     = []look{
		newLook("dark", tea.BackgroundColorMsg{Color: color.Black}, Theme{Ground: GroundDark}),
		newLook("light", tea.BackgroundColorMsg{Color: color.White}, Theme{Ground: GroundLight}),
		newLook("none", tea.ColorProfileMsg{Profile: colorprofile.ASCII}, Theme{NoColor: true}),
	}
)

// A look is how a terminal says which theme it wants, and what that makes of
// the roles: the letters of all that look so.
type look struct {
	name    string
	says    tea.Msg
	letters map[uv.Style]string
}

func newLook(name string, says tea.Msg, theme Theme) look {
	th := newTheme(theme)
	var rows []string
	for _, r := range roles {
		rows = append(rows, r.style(&th).Render("x")+r.style(&th).Render(" "))
	}
	cells := paint(strings.Join(rows, "\n"), 2, len(rows))
	l := look{name, says, map[uv.Style]string{}}
	for y, r := range roles {
		for x := range 2 {
			if s := visible(cells.CellAt(x, y)); !strings.ContainsRune(l.letters[s], r.letter) {
				l.letters[s] += string(r.letter)
			}
		}
	}
	return l
}

// roles are what the cells of a screen are drawn as, with the letter of each in
// name.roles. Those that look the same share one.
var roles = []struct {
	letter rune
	style  func(th *theme) lipgloss.Style
}{
	{'.', func(th *theme) lipgloss.Style { return th.text.look() }},
	{'B', func(th *theme) lipgloss.Style { return th.strong.look() }}, // and the headline
	{'m', func(th *theme) lipgloss.Style { return th.muted.look() }},  // and labels
	{'r', func(th *theme) lipgloss.Style { return th.rule.look() }},
	{'K', func(th *theme) lipgloss.Style { return th.key.look() }}, // and headings
	{'a', func(th *theme) lipgloss.Style { return th.accent.look() }},
	{'F', func(th *theme) lipgloss.Style { return th.focus.look() }},
	{'g', func(th *theme) lipgloss.Style { return th.good.look() }},
	{'w', func(th *theme) lipgloss.Style { return th.warn.look() }},
	{'D', func(th *theme) lipgloss.Style { return th.danger.look() }},
	{'X', func(th *theme) lipgloss.Style { return th.dangerBar.look() }},
	{'c', func(th *theme) lipgloss.Style { return th.code.look() }},
	{'s', func(th *theme) lipgloss.Style { return th.struck.look() }},
	{'i', func(th *theme) lipgloss.Style { return th.thought.look() }},
	{'e', func(th *theme) lipgloss.Style { return th.text.look().Italic(true) }}, // stressed
	{'+', func(th *theme) lipgloss.Style { return th.added.look() }},             // how many lines
	{'-', func(th *theme) lipgloss.Style { return th.removed.look() }},
	{'p', func(th *theme) lipgloss.Style { return th.diff.Added }}, // a line of a diff
	{'P', func(th *theme) lipgloss.Style { return th.diff.AddedMark }},
	{'n', func(th *theme) lipgloss.Style { return th.diff.Removed }},
	{'N', func(th *theme) lipgloss.Style { return th.diff.RemovedMark }},
	{'u', func(th *theme) lipgloss.Style { return th.diff.Gutter }},
	{'h', func(th *theme) lipgloss.Style { return th.diff.Hunk }},
	{'o', func(th *theme) lipgloss.Style { return th.diff.Note }},
	{'x', func(th *theme) lipgloss.Style { return th.diff.Escape }},
	{'t', func(th *theme) lipgloss.Style { return th.diff.Tab }},
	{'q', func(th *theme) lipgloss.Style { return ground(th.diff.Tab, th.diff.Added) }},
	{'v', func(th *theme) lipgloss.Style { return ground(th.diff.Tab, th.diff.Removed) }},
}

func ground(s, line lipgloss.Style) lipgloss.Style { return s.Background(line.GetBackground()) }

// goldens compares screens with testdata/golden/folder. Each call of one of
// them makes a new model, of that size.
func goldens(t *testing.T, folder string, screens map[string]func(t *testing.T, width, height int) *Model) {
	t.Parallel()
	for name, screen := range screens {
		for _, size := range terminals {
			t.Run(fmt.Sprintf("%s-%d", name, size[0]), func(t *testing.T) {
				f := frozen{screen(t, size[0], size[1])}
				var shown []uv.ScreenBuffer
				for _, look := range looks {
					f.Model.Update(look.says)
					f.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
					shown = append(shown, paint(f.View().Content, size[0], size[1]))
				}
				path := "golden/" + folder + name
				text := said(shown[0])
				tuitest.Golden(t, fmt.Sprintf("%s-%d.golden", path, size[0]), text)
				for i, look := range looks {
					if s := said(shown[i]); s != text {
						t.Errorf("the %s screen says\n%s", look.name, s)
					}
				}
				picture := rolePicture(t, shown)
				if size[0] != 80 {
					return
				}
				tuitest.Golden(t, path+".roles", picture)
				term := tuitest.Start(t, frozen{screen(t, size[0], size[1])}, size[0], size[1])
				term.Until("the same", func(screen string) bool { return screen+"\n" == text })
			})
		}
	}
}

// paint makes cells of a frame, as Bubble Tea does.
func paint(frame string, width, height int) uv.ScreenBuffer {
	cells := uv.NewScreenBuffer(width, height)
	uv.NewStyledString(frame).Draw(cells, cells.Bounds())
	return cells
}

// said is the text of a screen.
func said(cells uv.ScreenBuffer) string {
	return strings.TrimRight(trimRows(cells.String()), "\n") + "\n"
}

// rolePicture checks that each cell of a screen is drawn as the same role in
// all looks. It returns the letters of the roles.
func rolePicture(t *testing.T, shown []uv.ScreenBuffer) string {
	t.Helper()
	var picture strings.Builder
	for y := range shown[0].Height() {
		for x := range shown[0].Width() {
			if !slices.ContainsFunc(shown, func(cells uv.ScreenBuffer) bool { return !cells.CellAt(x, y).Equal(&uv.EmptyCell) }) {
				picture.WriteByte(' ')
				continue
			}
			letters := looks[0].letters[visible(shown[0].CellAt(x, y))]
			for i, look := range looks {
				c := shown[i].CellAt(x, y)
				common := strings.Map(func(r rune) rune {
					if strings.ContainsRune(look.letters[visible(c)], r) {
						return r
					}
					return -1
				}, letters)
				if common == "" {
					t.Fatalf("column %d of row %d, %q, is no role of %q in the %s screen: %+v\n%s", x, y, c.Content, letters, look.name, c.Style, said(shown[i]))
				}
				letters = common
			}
			if letters[0] == '.' && strings.TrimSpace(shown[0].CellAt(x, y).Content) == "" {
				letters = " "
			}
			picture.WriteByte(letters[0])
		}
		picture.WriteByte('\n')
	}
	return strings.TrimRight(trimRows(picture.String()), "\n") + "\n"
}

// visible is the style of a cell without what isn't seen in it.
func visible(c *uv.Cell) uv.Style {
	s := c.Style
	if strings.TrimSpace(c.Content) == "" && s.Attrs&(uv.AttrReverse|uv.AttrStrikethrough) == 0 {
		s.Fg, s.Attrs = nil, 0
	}
	return s
}

// begun are screens of a session that has begun.
func begun(screens map[string]func(m *Model)) map[string]func(*testing.T, int, int) *Model {
	models := map[string]func(*testing.T, int, int) *Model{}
	for _, name := range slices.Sorted(maps.Keys(screens)) {
		models[name] = func(_ *testing.T, width, height int) *Model {
			m := shop()
			m.width, m.height = width, height
			for _, e := range story() {
				m.Update(e)
			}
			screens[name](m)
			return m
		}
	}
	return models
}
