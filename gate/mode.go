package gate

import (
	"errors"
	"fmt"
	"strings"
)

// A Mode says what passes by itself and who answers the rest. The first six
// below the zero mode look at a request's kind, the others at its tier.
type Mode uint8

const (
	// AlwaysAsk passes tier read and asks for the rest. It is the zero mode,
	// used when neither settings nor flags name one (TAM-04).
	AlwaysAsk Mode = iota
	// Default passes reads of no kind and asks for the rest (APR-14).
	Default
	// AcceptEdits also passes edits and deletions inside the workspace.
	AcceptEdits
	// Auto lets a model review what would be asked (APR-14a); without a
	// reviewer it asks.
	Auto
	// Plan passes reads and read-only commands and refuses the rest.
	Plan
	// DontAsk refuses what would be asked.
	DontAsk
	// Bypass passes everything that no rule stops; it needs an OS sandbox.
	Bypass
	// AlwaysAskCached also asks before files that no grant covers (TAM-05).
	AlwaysAskCached
	// WriteMode passes tiers read and write (TAM-05).
	WriteMode
	// Yolo passes everything that no rule stops, with no sandbox (TAM-05).
	Yolo
)

var modeNames = [...]string{
	AlwaysAsk: "always-ask", Default: "default", AcceptEdits: "accept-edits", Auto: "auto", Plan: "plan",
	DontAsk: "dont-ask", Bypass: "bypass", AlwaysAskCached: "always-ask-cached", WriteMode: "write", Yolo: "yolo",
}

// Modes lists every mode in the order in which they are shown.
func Modes() []Mode {
	return []Mode{Default, AcceptEdits, Auto, Plan, DontAsk, Bypass, AlwaysAsk, AlwaysAskCached, WriteMode, Yolo}
}

func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return "always-ask"
}

// Cycle is the mode that follows m when a person steps through the harmless
// ones; the dangerous ones and dont-ask are chosen by name only.
func (m Mode) Cycle() Mode {
	switch m {
	case Default:
		return AcceptEdits
	case AcceptEdits:
		return Auto
	case Auto:
		return Plan
	}
	return Default
}

// Dangerous reports whether m lets everything pass that no rule stops.
func (m Mode) Dangerous() bool { return m == Bypass || m == Yolo }

// ErrBypassNeedsSandbox refuses [Bypass] while no OS sandbox is active (APR-14).
var ErrBypassNeedsSandbox = errors.New("bypass needs an active OS sandbox; start with --sandbox, or choose another mode")

// ParseMode reads a mode's name, and the spellings that users bring from
// other agents (APR-14). Its error lists the modes.
func ParseMode(s string) (Mode, error) {
	switch strings.TrimSpace(s) {
	case "acceptEdits":
		return AcceptEdits, nil
	case "dontAsk":
		return DontAsk, nil
	case "bypassPermissions":
		return Bypass, nil
	case "manual":
		return Default, nil
	}
	for m, name := range modeNames {
		if name == strings.TrimSpace(s) {
			return Mode(m), nil
		}
	}
	return AlwaysAsk, fmt.Errorf("unknown mode %q: use one of %s", s, strings.Join(modeNamesShown(), ", "))
}

func modeNamesShown() []string {
	var names []string
	for _, m := range Modes() {
		names = append(names, m.String())
	}
	return names
}

// UnmarshalText reads a mode as [ParseMode] does.
func (m *Mode) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMode(string(text))
	return err
}

// MarshalText writes the mode's name.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }
