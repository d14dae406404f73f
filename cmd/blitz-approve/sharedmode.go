package main

import (
	"errors"
	"fmt"
	"sync"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// A sharedMode is a session's part in the mode of its workspace (APR-14). A
// nil one takes no part.
type sharedMode struct {
	path   string // of the file
	member *gate.ModeMember
	mu     sync.Mutex // holds gate and file together while both change
	fault  string     // what is wrong with the file, once it was told
}

// joinMode settles the mode to start in. A flag is a word for this session
// and goes first. One on the screen becomes the mode of all; a dangerous one
// stays with the session that it was given to, and so does any in a run that
// nobody sits at. What a person chooses later reaches these too.
func (s *session) joinMode(onScreen bool) {
	m := s.machine
	flagged := m.modeSource.Layer == settings.Flag.String()
	how := gate.Follow
	switch {
	case flagged && (!onScreen || m.mode.Dangerous()):
		how = gate.Apart
	case flagged:
		how = gate.Lead
	}
	file := m.modeFile()
	own := gate.SharedMode{Mode: m.mode, Why: m.modeWhy()}
	member, shared, err := file.Join(own, how, s.box.whole())
	m.startIn(shared, err)
	s.modes = &sharedMode{path: file.Path(), member: member}
	if err != nil {
		s.modes.fault = err.Error()
	}
}

// modeOfCall settles the mode for a single call, whose process is no session:
// it takes the mode that holds here and leaves it for the next call.
func (s *session) modeOfCall() {
	m := s.machine
	if m.modeSource.Layer == settings.Flag.String() {
		return
	}
	shared, _, err := m.modeFile().Mode()
	if !errors.Is(err, gate.ErrNoSharedMode) {
		m.startIn(shared, err)
	}
}

// startIn takes the mode that is shared. Where that can't be read, a person is
// asked unless a flag names the mode.
func (m *machine) startIn(shared gate.SharedMode, err error) {
	flagged := m.modeSource.Layer == settings.Flag.String()
	switch {
	case err != nil:
		m.problems = append(m.problems, settings.Problem{File: m.modeFile().Path(), Message: err.Error(), Severity: settings.Warning})
		if !flagged {
			m.mode, m.modeNote = gate.Default, "starting in mode default, since the mode of this workspace can't be read"
		}
	case shared.Mode != m.mode:
		m.mode, m.modeNote = shared.Mode, fmt.Sprintf("mode %s: %s", shared.Mode, sharedWhy(shared))
	}
}

// setMode puts this session, and all others of the workspace, into a mode
// that the person chose here.
func (s *session) setMode(m gate.Mode) (shareErr, err error) {
	if s.modes == nil {
		return nil, s.gate.SetMode(m)
	}
	s.modes.mu.Lock()
	defer s.modes.mu.Unlock()
	if err := s.gate.SetMode(m); err != nil {
		return nil, err
	}
	return s.modes.member.Set(m, "chosen in a session"), nil
}

// onlyHere tells of a mode that could not be shared.
func onlyHere(shareErr error) tui.Notice {
	return tui.Notice{Severity: tui.Warning, Text: "The mode is changed in this session only: " + shareErr.Error()}
}

// followMode takes a mode that was chosen elsewhere meanwhile. One that needs a
// sandbox, which this session doesn't have, becomes default.
func (s *session) followMode(tell func(tui.Event)) {
	s.modes.mu.Lock()
	defer s.modes.mu.Unlock()
	shared, chosen, err := s.modes.member.News()
	before := s.gate.Mode()
	switch {
	case err != nil:
		if s.modes.fault != err.Error() {
			s.modes.fault = err.Error()
			tell(tui.Notice{Severity: tui.Failure, Text: s.modes.fault})
		}
		return
	case !chosen || shared.Mode == before:
		return
	}
	mode := shared.Mode
	if err := s.gate.SetMode(mode); err != nil {
		tell(tui.Notice{Severity: tui.Warning, Text: err.Error()})
		mode = gate.Default
		if mode == before || s.gate.SetMode(mode) != nil {
			return
		}
	}
	notice := tui.Notice{Text: fmt.Sprintf("Mode: %s → %s, %s.", before, mode, shared.Why)}
	if mode.Dangerous() {
		notice.Severity = tui.Warning
	}
	tell(tui.ModeChanged{Mode: mode})
	tell(notice)
}

func (sm *sharedMode) leave() {
	if sm != nil {
		sm.member.Leave()
	}
}

// watched is the file to follow, if there is one.
func (sm *sharedMode) watched() []string {
	if sm == nil {
		return nil
	}
	return []string{sm.path}
}
