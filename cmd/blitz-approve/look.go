package main

import (
	"context"
	"fmt"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui"
)

// A display is where the person sees what happens and answers: the full screen
// or lines.
type display interface {
	gate.Approver
	prompts.Prompter
	// Seat makes a place for one of several agents.
	Seat(*tui.Client) *tui.Seat
	Show(tui.Event)
	Run(context.Context) error
	Quit()
}

// look is how the person wants screens, whoever asks on them.
func (m *machine) look() tui.Options {
	ui := &m.settings.UI
	return tui.Options{
		DiffLines:  ui.DiffLines.Or(tui.DefaultDiffLines),
		AnswerKeys: answerKeys(ui.AnswerKeys.Or("letters")),
		Keys:       m.keys(),
		Notify:     notify(ui.Notify.Or("")),
		Theme:      m.theme(),
		Mouse:      ui.Mouse.Or(false),
		Language:   m.language(),
	}
}

// terminal takes the terminal for the full screen, or for lines.
func (m *machine) terminal() (*tui.Terminal, error) {
	if m.plain {
		return tui.OpenLineTerminal()
	}
	return tui.OpenTerminal()
}

// face is the full screen on a terminal, or the lines.
func (m *machine) face(o tui.Options, term *tui.Terminal) display {
	if m.plain {
		return tui.NewPlain(o, term, term)
	}
	o.Terminal = term
	return tui.NewConsole(o, append(term.ProgramOptions(), resting())...)
}

// ended is the error of a screen that a signal ended.
func ended(term *tui.Terminal, err error) error {
	if sig := term.Signal(); sig != nil {
		return &codedError{exitCancelled, fmt.Errorf("ended by a signal: %v", sig)}
	}
	return err
}

// closing gives the terminal back after err.
func closing(term *tui.Terminal, err error) error {
	if e := term.Close(); err == nil {
		return e
	}
	return err
}

func answerKeys(word string) tui.AnswerKeys {
	if word == "list" {
		return tui.AnswerList
	}
	return tui.AnswerLetters
}

func notify(word string) tui.Notify {
	switch word {
	case "off":
		return tui.NotifyOff
	case "bell":
		return tui.NotifyBell
	case "osc":
		return tui.NotifyOSC
	}
	return tui.NotifyAuto
}
