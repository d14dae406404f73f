package tuitest

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// input is a queue of bytes between the terminal and the program. Writing
// never blocks; reading blocks until there is something.
type input struct {
	mu     sync.Mutex
	more   sync.Cond
	bytes  []byte
	closed bool
}

func newInput() *input {
	in := &input{}
	in.more.L = &in.mu
	return in
}

func (in *input) Write(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.bytes = append(in.bytes, p...)
	in.more.Broadcast()
	return len(p), nil
}

func (in *input) Read(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for len(in.bytes) == 0 {
		if in.closed {
			return 0, io.EOF
		}
		in.more.Wait()
	}
	n := copy(p, in.bytes)
	in.bytes = in.bytes[n:]
	return n, nil
}

func (in *input) close() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.closed = true
	in.more.Broadcast()
}

// Type types s, one key a character.
func (t *Term) Type(s string) { t.send(s) }

// Key presses keys, named as Bubble Tea names them: "y", "ctrl+c",
// "shift+tab", "alt+x", "ctrl+enter", "esc", "up", "pgdown", "f1", "space".
func (t *Term) Key(names ...string) {
	t.t.Helper()
	for _, name := range names {
		bytes, err := t.encode(name)
		if err != nil {
			t.t.Fatal(err)
		}
		if bytes != "\x1b" {
			t.send(bytes)
			continue
		}
		// The program can tell a lone escape byte from the start of a
		// sequence only by nothing following it for a while.
		t.mu.Lock()
		before := t.escapes
		t.em.SendText(bytes)
		t.mu.Unlock()
		if !t.wait(func() bool { return t.escapes > before || t.ended() }) {
			t.t.Fatalf("the program doesn't read Esc:\n%s", t.Screen())
		}
	}
}

// Paste pastes s, bracketed if the program asked for that.
func (t *Term) Paste(s string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.em.Paste(s)
}

// Click presses and lets go the left button on column x of row y, from 0, if
// the program asked for the mouse.
func (t *Term) Click(x, y int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := uv.Mouse{X: x, Y: y, Button: uv.MouseLeft}
	t.em.SendMouse(uv.MouseClickEvent(m))
	t.em.SendMouse(uv.MouseReleaseEvent(m))
}

// Wheel turns the mouse wheel over column x of row y, from 0: down for
// positive lines, up for negative ones.
func (t *Term) Wheel(x, y, lines int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := uv.Mouse{X: x, Y: y, Button: uv.MouseWheelDown}
	if lines < 0 {
		m.Button = uv.MouseWheelUp
	}
	for range max(lines, -lines) {
		t.em.SendMouse(uv.MouseWheelEvent(m))
	}
}

// Focus tells the program that its window got or lost the focus, if it asked.
func (t *Term) Focus(focused bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if focused {
		t.em.Focus()
	} else {
		t.em.Blur()
	}
}

func (t *Term) send(s string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.em.SendText(s)
}

// Keys that have names, and their final byte and number in the sequences that
// terminals send.
var (
	letterKeys = map[string]byte{"up": 'A', "down": 'B', "right": 'C', "left": 'D', "end": 'F', "home": 'H'}
	tildeKeys  = map[string]int{
		"insert": 2, "delete": 3, "pgup": 5, "pgdown": 6,
		"f1": 11, "f2": 12, "f3": 13, "f4": 14, "f5": 15, "f6": 17, "f7": 18, "f8": 19, "f9": 20, "f10": 21, "f11": 23, "f12": 24,
	}
	byteKeys = map[string]byte{"enter": '\r', "tab": '\t', "backspace": 0x7f, "space": ' ', "esc": 0x1b}
)

// encode gives the bytes that a terminal sends for a key.
func (t *Term) encode(name string) (string, error) {
	key, mod := name, tea.KeyMod(0)
	for prefix, m := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "alt+": tea.ModAlt, "shift+": tea.ModShift} {
		// A plus sign may be the key itself.
		if rest := strings.Replace(key, prefix, "", 1); rest != key && rest != "" {
			key, mod = rest, mod|m
		}
	}
	if final, ok := letterKeys[key]; ok {
		if mod == 0 {
			return "\x1b[" + string(final), nil
		}
		return fmt.Sprintf("\x1b[1;%d%c", modParam(mod), final), nil
	}
	if n, ok := tildeKeys[key]; ok {
		if mod == 0 {
			return fmt.Sprintf("\x1b[%d~", n), nil
		}
		return fmt.Sprintf("\x1b[%d;%d~", n, modParam(mod)), nil
	}
	code, named := byteKeys[key]
	r, size := utf8.DecodeRuneInString(key)
	switch {
	case named:
		r = rune(code)
	case r == utf8.RuneError || size != len(key):
		return "", fmt.Errorf("no key is called %q", name)
	}
	if t.enhanced() {
		return kittyKey(r, mod), nil
	}
	return legacyKey(r, mod), nil
}

// modParam is how sequences carry modifiers: Bubble Tea's bits are the same.
func modParam(m tea.KeyMod) int { return int(m) + 1 }

func kittyKey(r rune, mod tea.KeyMod) string {
	text := r > ' ' && r != 0x7f
	if mod == 0 && r != 0x1b || mod == tea.ModShift && text {
		return string(r)
	}
	if mod == 0 {
		return fmt.Sprintf("\x1b[%du", r)
	}
	return fmt.Sprintf("\x1b[%d;%du", r, modParam(mod))
}

func legacyKey(r rune, mod tea.KeyMod) string {
	prefix := ""
	if mod&tea.ModAlt != 0 {
		prefix = "\x1b"
	}
	switch {
	case r == '\t' && mod&tea.ModShift != 0:
		return prefix + "\x1b[Z"
	case mod&tea.ModCtrl != 0 && (r == ' ' || r >= '@' && r <= '~'):
		return prefix + string(r&0x1f)
	}
	return prefix + string(r)
}

// enhanced reports whether the program switched on unambiguous keys.
func (t *Term) enhanced() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.kitty) > 0 && t.kitty[len(t.kitty)-1]&ansi.KittyDisambiguateEscapeCodes != 0
}

// registerKeyboard teaches the emulator the Kitty keyboard protocol.
func (t *Term) registerKeyboard() {
	if t.legacy {
		return
	}
	on := func(prefix byte, do func(p ansi.Params)) {
		t.em.RegisterCsiHandler(ansi.Command(prefix, 0, 'u'), func(p ansi.Params) bool { do(p); return true })
	}
	on('>', func(p ansi.Params) {
		flags, _, _ := p.Param(0, 0)
		t.kitty = append(t.kitty, flags)
	})
	on('=', func(p ansi.Params) {
		if flags, _, _ := p.Param(0, 0); len(t.kitty) > 0 {
			t.kitty[len(t.kitty)-1] = flags
		}
	})
	on('<', func(p ansi.Params) {
		n, _, _ := p.Param(0, 1)
		t.kitty = t.kitty[:max(0, len(t.kitty)-n)]
	})
	on('?', func(ansi.Params) {
		flags := 0
		if len(t.kitty) > 0 {
			flags = t.kitty[len(t.kitty)-1]
		}
		t.em.SendText(fmt.Sprintf("\x1b[?%du", flags))
	})
}
