package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

var (
	// ErrNoSharedMode says that no session is open on the workspace, and that
	// no mode was chosen for the next one.
	ErrNoSharedMode = errors.New("no session is open here, and no mode is chosen for the next one")
	// ErrModeFile is a shared mode that can't be understood. It changes no
	// session's mode, and nothing is written over it.
	ErrModeFile = errors.New("the shared mode can't be read, so every session keeps its own; mend or remove the file")
)

// A ModeFile is the mode of one workspace, which all its sessions and
// processes share (APR-14). What was chosen in a session holds only while one is
// open there: the first one to open begins anew, so that no mode is left behind
// for the next day. What a person chose for the workspace with [ModeFile.Keep]
// is what it begins with, until they choose another.
type ModeFile struct{ path string }

// A SharedMode is what a [ModeFile] says.
type SharedMode struct {
	Mode Mode
	// Why says who chose it, in words.
	Why  string
	When time.Time
	// Chosen is set when a person chose it, so that every open session takes
	// it; else it is only what a session started in.
	Chosen bool
	// Next is set for a choice that waits for a session to open.
	Next bool

	serial uint64 // rises with everything that is written
}

// is reports whether both are the same record.
func (s SharedMode) is(other SharedMode) bool {
	return s.serial == other.serial && s.Mode == other.Mode && s.When.Equal(other.When)
}

// A modeState is the whole of a [ModeFile].
type modeState struct {
	SharedMode             // that of the sessions
	kept       *SharedMode // that of the workspace; nil is none
}

// alone is what holds while no session is open, if anything does.
func (s modeState) alone(now time.Time) (SharedMode, bool) {
	switch {
	case s.waits(now):
		return s.SharedMode, true
	case s.kept != nil:
		return *s.kept, true
	}
	return SharedMode{}, false
}

// A Joining says what a session that opens does about the mode.
type Joining uint8

const (
	// Follow takes the mode that is shared.
	Follow Joining = iota
	// Lead makes the session's own mode that of all.
	Lead
	// Apart starts in the session's own mode, and shares none. What is chosen
	// later reaches it.
	Apart
)

// looseWait is how long the choice of a dangerous mode waits for a session:
// who asks for one means to start soon.
const looseWait = time.Hour

// NewModeFile names the file; nothing is read or made yet.
func NewModeFile(path string) *ModeFile { return &ModeFile{path} }

// Path is the file.
func (f *ModeFile) Path() string { return f.path }

// A ModeMember is a session that is open on a workspace. It is used by one
// goroutine at a time.
type ModeMember struct {
	file  *ModeFile
	seen  SharedMode // what the file said when this session last had a say
	locks []*flock.Flock
}

// Leave ends the membership, as the end of the process does.
func (m *ModeMember) Leave() {
	for _, l := range m.locks {
		_ = l.Close()
	}
}

// Set makes mode that of every open session, as [ModeFile.Keep] does, but keeps it
// for no longer than they are open. What was chosen before is no
// [ModeMember.News] any more, also when this can't be shared: the person has
// left it.
func (m *ModeMember) Set(mode Mode, why string) error {
	now, _, err := m.file.choose(mode, why, false)
	if err != nil {
		if now, readErr := m.file.Read(); readErr == nil {
			m.seen = now
		}
		return err
	}
	m.seen = now
	return nil
}

// News is the mode that a person chose elsewhere since this session joined,
// or had a say last; ok is false where there is none. The error is
// [ErrModeFile].
func (m *ModeMember) News() (s SharedMode, ok bool, err error) {
	s, err = m.file.Read()
	if errors.Is(err, fs.ErrNotExist) {
		return s, false, nil
	}
	if err != nil || s.is(m.seen) {
		return s, false, err
	}
	m.seen = s
	return s, s.Chosen, nil
}

// Join opens a session on the workspace, one that would start in own, and
// returns what to start in. There is a member also with an error: where that is
// [ErrModeFile], for a file that can't be understood, the others know of it;
// with another one, such as for a folder that can't be written, they don't.
func (f *ModeFile) Join(own SharedMode, how Joining, sandboxed bool) (*ModeMember, SharedMode, error) {
	own.When, own.Next, own.Chosen = now(), false, how == Lead
	member := &ModeMember{file: f}
	unlock, err := f.guard()
	if err != nil {
		return member, own, err
	}
	defer unlock()
	others, err := held(f.openLock())
	if err != nil {
		return member, own, err
	}
	if err := member.enter(sandboxed); err != nil {
		return member, own, err
	}
	there, err := f.state()
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return member, own, err
	}
	member.seen = there.SharedMode
	chosen, waiting := there.alone(time.Now())
	switch {
	case how == Apart && (others || missing):
		return member, own, nil
	case how == Apart: // what the last session left
		return member, own, f.clear(there)
	case how == Follow && !missing && others:
		return member, there.SharedMode, nil
	case how == Follow && waiting:
		own, own.Next = chosen, false
	}
	own.serial = there.serial + 1
	member.seen = own
	// What a session started in means nothing once the machine went down, so
	// that the screen needn't wait for the disk. A choice that is used up here
	// must not come back, and one that is kept must not be lost.
	return member, own, f.write(modeState{own, there.kept}, there.Next || there.kept != nil)
}

// clear leaves nothing but what is kept.
func (f *ModeFile) clear(there modeState) error {
	if there.kept == nil {
		return os.Remove(f.path)
	}
	next := *there.kept
	next.serial = there.serial + 1
	return f.write(modeState{next, there.kept}, true)
}

// enter takes the locks of an open session.
func (m *ModeMember) enter(sandboxed bool) error {
	names := []string{m.file.openLock()}
	if sandboxed {
		names = append(names, m.file.boxedLock())
	}
	for _, name := range names {
		l := flock.New(name)
		if err := l.RLock(); err != nil {
			m.Leave()
			m.locks = nil
			return fmt.Errorf("share the mode: %w", err)
		}
		m.locks = append(m.locks, l)
	}
	return nil
}

// guard keeps the others away while the mode is looked at and changed.
func (f *ModeFile) guard() (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return nil, fmt.Errorf("share the mode: %w", err)
	}
	return lock(f.path)
}

// waits reports whether a choice still waits for its session.
func (s SharedMode) waits(now time.Time) bool {
	return s.Next && (!s.Mode.Dangerous() || now.Sub(s.When).Abs() < looseWait)
}

// Mode is the mode that is shared now; open says whether a session is there.
// Without one it is what the next would begin with, and what holds for a single
// call that belongs to none: a look uses nothing up. It is [ErrNoSharedMode]
// where that would be the session's own.
func (f *ModeFile) Mode() (s SharedMode, open bool, err error) {
	if _, err := os.Stat(filepath.Dir(f.path)); errors.Is(err, fs.ErrNotExist) {
		return s, false, ErrNoSharedMode // nothing is made for a look
	}
	unlock, err := f.guard()
	if err != nil {
		return s, false, err
	}
	defer unlock()
	if open, err = held(f.openLock()); err != nil {
		return s, open, err
	}
	state, err := f.state()
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNoSharedMode
	}
	if s = state.SharedMode; err == nil && !open {
		var chosen bool
		if s, chosen = state.alone(time.Now()); !chosen {
			err = ErrNoSharedMode
		}
	}
	return s, open, err
}

// Keep makes m the mode of every open session, or without one that in which the
// next session starts, and reports which. It is also what holds afterwards,
// until another one is kept or [ModeFile.Forget] is called. A dangerous mode is
// not kept: what was kept before it holds again when its sessions have ended.
//
// Bypass needs an open session in an OS sandbox, else the error is
// [ErrBypassNeedsSandbox]; sessions without one don't follow. A file that can't
// be understood is left as it is.
func (f *ModeFile) Keep(m Mode, why string) (open bool, err error) {
	_, open, err = f.choose(m, why, !m.Dangerous())
	return open, err
}

// Forget takes back what is kept or waits. Open sessions go into mode own.
func (f *ModeFile) Forget(own Mode, why string) (open bool, err error) {
	unlock, err := f.guard()
	if err != nil {
		return false, err
	}
	defer unlock()
	if open, err = held(f.openLock()); err != nil {
		return open, err
	}
	switch there, err := f.state(); {
	case errors.Is(err, ErrModeFile):
		return open, err
	case open:
		own := SharedMode{Mode: own, Why: why, When: now(), Chosen: true, serial: there.serial + 1}
		return open, f.write(modeState{SharedMode: own}, true)
	case err != nil:
		return open, nil
	}
	return open, f.clear(modeState{})
}

// choose writes what a person chose, and returns it.
func (f *ModeFile) choose(m Mode, why string, keep bool) (chosen SharedMode, open bool, err error) {
	unlock, err := f.guard()
	if err != nil {
		return chosen, false, err
	}
	defer unlock()
	if open, err = held(f.openLock()); err != nil {
		return chosen, open, err
	}
	if m == Bypass {
		if boxed, err := held(f.boxedLock()); err != nil || !boxed {
			return chosen, open, errors.Join(err, ErrBypassNeedsSandbox)
		}
	}
	state, err := f.state()
	if errors.Is(err, ErrModeFile) {
		return chosen, open, err
	}
	chosen = SharedMode{Mode: m, Why: why, When: now(), Chosen: true, Next: !open && !keep, serial: state.serial + 1}
	state.SharedMode = chosen
	if keep {
		state.kept = &chosen
	}
	return chosen, open, f.write(state, true)
}

// now is the time as the file has it.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// openLock is held by each open session, boxedLock by those in an OS sandbox.
// The system takes the locks back however a process ends.
func (f *ModeFile) openLock() string  { return f.path + ".open" }
func (f *ModeFile) boxedLock() string { return f.path + ".boxed" }

// held reports whether a session holds a lock.
func held(name string) (bool, error) {
	l := flock.New(name)
	defer func() { _ = l.Close() }()
	free, err := l.TryLock()
	if err != nil {
		return false, fmt.Errorf("share the mode: %w", err)
	}
	return !free, nil
}

// A modeRecord is the file's form.
type modeRecord struct {
	Version int `json:"version"`
	chosenMode
	Serial uint64      `json:"serial,omitempty"`
	Chosen bool        `json:"chosen,omitempty"`
	Next   bool        `json:"next,omitempty"`
	Kept   *chosenMode `json:"kept,omitempty"`
}

type chosenMode struct {
	Mode string    `json:"mode"`
	Why  string    `json:"why"`
	When time.Time `json:"when"`
}

func record(s SharedMode) chosenMode {
	return chosenMode{s.Mode.String(), s.Why, s.When}
}

const (
	modeVersion = 1
	maxModeFile = 64 << 10 // bytes; a file that is longer is none of ours
)

// Read is what the file says of the sessions, whether one is open or not.
func (f *ModeFile) Read() (SharedMode, error) {
	s, err := f.state()
	return s.SharedMode, err
}

func (f *ModeFile) state() (modeState, error) {
	broken := func(err error) (modeState, error) {
		return modeState{}, fmt.Errorf("%s: %w (%w)", f.path, ErrModeFile, err)
	}
	if err := regular(f.path); err != nil {
		return broken(err)
	}
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return modeState{}, err
	}
	if err != nil {
		return broken(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxModeFile))
	if err != nil {
		return broken(err)
	}
	var r modeRecord
	if err := json.Unmarshal(data, &r); err != nil {
		return broken(err)
	}
	if r.Version != modeVersion {
		return broken(fmt.Errorf("its version is %d, known is %d", r.Version, modeVersion))
	}
	mode, err := ParseMode(r.Mode)
	if err != nil {
		return broken(err)
	}
	state := modeState{SharedMode: SharedMode{Mode: mode, Why: r.Why, When: r.When, Chosen: r.Chosen, Next: r.Next, serial: r.Serial}}
	if k := r.Kept; k != nil {
		if mode, err = ParseMode(k.Mode); err != nil {
			return broken(err)
		}
		state.kept = &SharedMode{Mode: mode, Why: k.Why, When: k.When, Chosen: true}
	}
	return state, nil
}

func (f *ModeFile) write(s modeState, lasting bool) error {
	r := modeRecord{Version: modeVersion, chosenMode: record(s.SharedMode), Serial: s.serial, Chosen: s.Chosen, Next: s.Next}
	if s.kept != nil {
		kept := record(*s.kept)
		r.Kept = &kept
	}
	data, err := json.Marshal(r)
	if err == nil {
		err = replaceFile(f.path, append(data, '\n'), lasting)
	}
	if err != nil {
		return fmt.Errorf("share the mode: %w", err)
	}
	return nil
}
